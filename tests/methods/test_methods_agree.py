# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole scenes: every exact method gives the verdicts and contacts of the rational reference, and says the same
whatever the order of objects, vertices and triangles and the number of threads."""
import os
from functools import cache

import numpy as np
import pytest
from long.methods import alone, beyond, invented, kept, own
from long.methods import reference as varied_reference
from naive.agreement import allowance
from naive.answers import ask, difference
from naive.asked import Variant, exact_variants, lossy_variants, other_variants, variants
from naive.scenes import SCENES, build, draw, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect, methods
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.method import needs_with, without
from touchpoint.core.reference import placed_corners
from touchpoint.sample_scenes.mine import mine

pytestmark = pytest.mark.scenes

LONG = bool(os.environ.get("TOUCHPOINT_LONG"))
SEEDS = range(40 if LONG else 2)
VARIED = range(300 if LONG else 12) if COMPILED else (0, 3, 20)       # small ones
STORIES = range(60 if LONG else 3 if COMPILED else 1)
EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]
FAST = [name for name in EXACT if name != "exact"]
# Without compilation, methods other than the default are asked about some families only: each takes seconds.
BOTH = [(name, method) for method in FAST for name in SCENES
        if COMPILED or method == "touchpoint" or name in ("lattice boxes", "flattened", "walls and floor")]
# Annealing without compilation takes a second for each pair.
OTHERS = [pytest.param(each, id=str(each), marks=[pytest.mark.slow] if each.method == "saga" and not COMPILED else [])
          for each in other_variants()]


def test_the_default_is_held_to_the_reference():
    assert {"touchpoint", "exact"} <= set(EXACT)


@cache
def reference(name, seed):
    """The drawn scene and the report of the reference: slow, and wanted by several tests."""
    scene = build(draw(name, seed))
    return scene, detect(scene, method="exact")


def verdicts(report):
    return {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}


def contact_rows(report):
    """{(a, b, triangle a, triangle b): (kind, proper, the ends as a set of bits)}"""
    found = report.contacts
    a, b = report.pairs["a"][found.pair], report.pairs["b"][found.pair]
    keys = zip(a.tolist(), b.tolist(), found.triangle_a.tolist(), found.triangle_b.tolist())
    ends = [frozenset(map(tuple, (points + 0.0).tolist())) for points in found.point]     # -0.0 is 0.0
    rows = dict(zip(keys, zip(found.kind.tolist(), found.proper.tolist(), ends)))
    assert len(rows) == len(found), "a pair of triangles is listed twice"
    return rows


@pytest.mark.parametrize("name, method", BOTH)
@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_and_contacts_of_the_reference(method, name, seed):
    scene, exact = reference(name, seed)
    report = detect(scene, method=method)
    assert verdicts(report) == verdicts(exact) and np.array_equal(report.pairs["inner"], exact.pairs["inner"])
    expected, got = contact_rows(exact), contact_rows(report)
    assert {key: row[:2] for key, row in got.items()} == {key: row[:2] for key, row in expected.items()}
    assert_points_agree(scene, exact, report)
    assert len(expected) > 0 and report.summary() == exact.summary()


def assert_points_agree(scene, exact, report):
    """The ends of segments and points within the promised distance (areas: the ends may be another farthest pair),
    normals of unit length or zero."""
    corners = {i: placed_corners(mesh.vertices, mesh.triangles, obj.pose)
               for i, obj in enumerate(scene.objects) for mesh in [scene.meshes[obj.mesh]]}
    left, right = exact.contacts, report.contacts
    for row in range(len(left)):
        pair = exact.pairs[left.pair[row]]
        a, b = corners[pair["a"]][left.triangle_a[row]], corners[pair["b"]][left.triangle_b[row]]
        want, have = left.point[row], right.point[row]
        if left.kind[row] == 3:
            assert np.isclose(np.linalg.norm(want[0] - want[1]), np.linalg.norm(have[0] - have[1]), rtol=1e-9)
        else:
            off = np.minimum(np.abs(want - have).max(axis=0), np.abs(want - have[::-1]).max(axis=0))
            assert (off <= allowance(a, b, want).max(axis=0)).all()
    assert np.allclose(left.normal, right.normal, atol=1e-9)


@pytest.mark.parametrize("name, method", BOTH + [
    (name, "exact") for name in ("crowd", "lattice boxes", "soup", "walls and floor", "around a vertex")])
def test_order_of_objects_does_not_matter(name, method):
    drawn, rows = draw(name, 0), {}
    expected = reference(name, 0)[1] if method == "exact" else detect(build(drawn), method=method)
    order = np.random.default_rng(5).permutation(len(drawn[1]))
    report = detect(build(drawn, order), method=method)
    have = {tuple(sorted(order[[a, b]].tolist())): verdict for (a, b), verdict in verdicts(report).items()}
    assert have == verdicts(expected)
    for (a, b, i, j), row in contact_rows(report).items():
        a, b = int(order[a]), int(order[b])
        rows[(a, b, i, j) if a < b else (b, a, j, i)] = row
    assert rows == contact_rows(expected)


@pytest.mark.parametrize("name, method", BOTH)
def test_order_of_vertices_and_triangles_does_not_matter(method, name):
    meshes, objects = draw(name, 0)
    rng = np.random.default_rng(6)
    other, renumbered = [], []
    for vertices, faces in meshes:
        order, rows = rng.permutation(len(vertices)), rng.permutation(len(faces))
        faces = np.argsort(order)[faces][rows]
        other.append((vertices[order], rng.permuted(faces, axis=1).astype(np.int32)))
        renumbered.append(rows)
    expected = detect(build((meshes, objects)), method=method)
    report = detect(build((other, objects)), method=method)
    assert verdicts(report) == verdicts(expected)
    rows = {(a, b, int(renumbered[objects[a][0]][i]), int(renumbered[objects[b][0]][j])): row
            for (a, b, i, j), row in contact_rows(report).items()}
    assert rows == contact_rows(expected)


@pytest.mark.slow
@pytest.mark.parametrize("method", FAST)
def test_number_of_threads_does_not_change_a_bit(method):
    """Large enough that the work is really shared out."""
    big = ball(160, 80)
    objects = [(0, pose(1, (0.3 * i, 0.1 * i, 0))) for i in range(3)]
    objects += [(1, pose(0.2, (0.2 * i, 0, 0.9))) for i in range(12)]
    scene = build(([big, box()], objects))
    one, two = detect(scene, method=method, threads=1), detect(scene, method=method, threads=2)
    again = detect(build(([big, box()], objects)), method=method, threads=5)
    for other in (two, again):
        assert one.pairs.tobytes() == other.pairs.tobytes()
        for field in one.contacts.__dataclass_fields__:
            assert getattr(one.contacts, field).tobytes() == getattr(other.contacts, field).tobytes(), field
    assert len(one.contacts) > 1000


@pytest.mark.parametrize("name, method", BOTH)
def test_without_contacts_the_verdicts_are_the_same(method, name):
    scene = build(draw(name, 1))
    short = detect(scene, method=method, contacts=False)
    assert verdicts(short) == verdicts(detect(scene, method=method))
    assert len(short.contacts) == 0 and not short.pairs["contacts"].any()


@pytest.mark.parametrize("method", EXACT)
def test_moved_and_deformed_scene_is_answered_anew(method):
    """Prepared trees follow poses and vertices."""
    rng = np.random.default_rng(8)
    drawn = draw("crowd", 3)
    scene = build(drawn)
    detect(scene, method=method)
    for _ in range(3):
        poses = [pose(obj.pose[:3, :3], rng.uniform(0, 3, 3)) for obj in scene.objects]
        scene.set_poses(range(len(poses)), poses)
        vertices = [mesh.vertices + rng.normal(size=mesh.vertices.shape) * 0.2 for mesh in scene.meshes]
        for index, moved_vertices in enumerate(vertices):
            scene.set_vertices(index, moved_vertices)
        meshes = [(v, mesh.triangles) for v, mesh in zip(vertices, scene.meshes)]
        fresh = build((meshes, [(obj.mesh, obj.pose) for obj in scene.objects]))
        expected = detect(fresh, method="exact")
        report = detect(scene, method=method)
        assert verdicts(report) == verdicts(expected)
        assert contact_rows(report).keys() == contact_rows(expected).keys()


KNOWN = {
    # name: (meshes of two objects, verdict)
    "box stands on a floor": (box((1, 1, 0), (2, 2, 1)), grid(4, 4), "touching"),
    "box above a floor": (box((1, 1, 2 ** -40), (2, 2, 1)), grid(4, 4), None),
    "box in a floor by a hair": (box((1, 1, -2 ** -40), (2, 2, 1)), grid(4, 4), "crossing"),
    "wall through a floor along its lines": (grid(4, 2, (0, 1, -1), v=(0, 0, 1)), grid(4, 4), "crossing"),
    "wall stands on a line of the floor": (grid(4, 1, (0, 1, 0), v=(0, 0, 1)), grid(4, 4), "touching"),
    "boxes flush": (box(), box((1, 0, 0), (2, 1, 1)), "touching"),
    "boxes corner on corner": (box(), box((1, 1, 1), (2, 2, 2)), "touching"),
    "bar through a box": (box((0.25, 0.25, -1), (0.75, 0.75, 2)), box(), "crossing"),
}


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("name", KNOWN)
def test_known_verdicts(method, name):
    *meshes, verdict = KNOWN[name]
    for order in ([0, 1], [1, 0]):
        report = detect(build((meshes, [(0, pose()), (1, pose())]), order), method=method)
        assert list(verdicts(report).values()) == ([verdict] if verdict else [])


@pytest.mark.slow       # without compilation
@pytest.mark.parametrize("method", [name for name in FAST if name != "touchpoint"])
def test_falling_rock_in_the_mine(method):
    """93,079 triangles that stay, 200 rocks that all move in every step; trees are kept."""
    model = mine(200)
    scenes = {name: Scene() for name in ("touchpoint", method)}
    for scene in scenes.values():
        for body in model.static:
            scene.add_object(scene.add_mesh(body.vertices, body.triangles), static=True)
        for body, matrix in zip(model.fragments, model.poses()):
            scene.add_object(scene.add_mesh(body.vertices, body.triangles), matrix)
    for step in range(3):
        for scene in scenes.values():
            scene.set_poses(np.arange(len(model.static), len(scene.objects)), model.poses(step))
        expected, report = (detect(scene, method=name) for name, scene in scenes.items())
        assert difference(expected, report) == "" and len(expected.contacts) > 300


VARIANTS = exact_variants(without=("exact",))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_varied_scenes_give_the_bits_of_the_default(variant):
    assert [problem for seed in VARIED if (problem := alone(variant, seed))] == []


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_kept_scenes_give_the_bits_of_new_ones(variant):
    assert [problem for seed in STORIES if (problem := kept([variant], seed))] == []


def test_methods_do_not_find_what_others_left_in_the_cache():
    assert [problem for seed in STORIES if (problem := kept([Variant(name) for name in FAST], seed))] == []


def test_varied_scenes_by_the_reference():
    assert [problem for seed in VARIED if (problem := varied_reference(seed))] == []


@pytest.mark.parametrize("variant", lossy_variants(), ids=str)
def test_what_may_lose_pairs_invents_none(variant):
    found = [invented(variant, seed) for seed in VARIED]
    assert [problem for problem, *_ in found if problem] == []


@pytest.mark.parametrize("variant", OTHERS)
def test_what_is_not_exact_is_the_same_again(variant):
    assert [problem for seed in VARIED[:5] if (problem := own(variant, seed))] == []


@pytest.mark.parametrize("variant", [each for each in OTHERS if each.values[0].method == "saga"])
def test_what_is_approximate_keeps_to_its_tolerance(variant):
    assert [problem for seed in VARIED[:5] if (problem := beyond(variant, seed))] == []


@pytest.mark.parametrize("method", methods.ids())
def test_every_combination_of_choices_is_asked(method):
    options = methods.load(method).options
    asked = variants(method)
    for option in options:
        # What needs a GPU is asked where there may be one.
        wanted = {value for value in (option.default, *(value for value, _ in option.choices))
                  if "gpu" not in needs_with(methods.load(method), {**without(methods.load(method), "gpu"),
                                                                   option.name: value})}
        assert wanted <= {variant.options[option.name] for variant in asked if option.name in variant.options}


def spoil(report, what):
    """The report with one thing made wrong."""
    if what == "verdict":
        report.pairs["verdict"][0] ^= 1
    elif what == "inner":
        report.pairs["inner"][-1] = 3
    elif what == "pair":
        report.pairs = report.pairs[1:]
        report.contacts = report.contacts.take(report.contacts.pair > 0)
        report.contacts.pair -= 1
    elif what == "contact":
        report.contacts = report.contacts.take(slice(1, None))
    else:
        getattr(report.contacts, what).view(np.uint8).flat[-1] ^= 1
    return report


@pytest.mark.parametrize("what", ["verdict", "inner", "pair", "contact", "triangle_a", "kind", "proper", "point",
                                  "normal", "status"])
def test_wrong_answers_are_noticed(what):
    scene = build(draw("crowd", 0))
    expected = detect(scene)
    assert difference(expected, detect(scene)) == ""
    assert difference(expected, spoil(detect(scene), what)) != ""
    assert difference(expected, ask(scene, "touchpoint", pairs=np.zeros((0, 2), int))) != ""
