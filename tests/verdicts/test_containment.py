# SPDX-License-Identifier: GPL-3.0-or-later
"""One object inside another, or flush with it: every exact method on cases of which everybody knows the answer."""
import numpy as np
import pytest
from naive.asked import EXACT
from naive.scenes import TETRAHEDRON, build, pose
from naive.shapes import ball, box, grid, halves, joined, moved
from touchpoint.core import detect


def flipped(mesh):
    return mesh[0], mesh[1][:, ::-1].copy()


def half_flipped(mesh):
    """Closed, but not oriented: every edge is still used twice."""
    faces = mesh[1].copy()
    faces[::2] = faces[::2, ::-1]
    return mesh[0], faces


def split(mesh):
    """A vertex of its own for each corner of each face, as in many imported files."""
    return mesh[0][mesh[1]].reshape(-1, 3), np.arange(3 * len(mesh[1]), dtype=np.int32).reshape(-1, 3)


def tube(columns=8):
    """A closed square tube bent to a ring of radius 2 to 3 and height 1, around the z axis."""
    angle = 2 * np.pi * np.arange(columns) / columns
    vertices = np.array([(r * np.cos(t), r * np.sin(t), z) for t in angle for r, z in ((2, 0), (3, 0), (3, 1), (2, 1))])
    faces = []
    for i in range(columns):
        here, there = 4 * i, 4 * ((i + 1) % columns)
        for k in range(4):
            p, q = here + k, here + (k + 1) % 4
            faces += [(p, q, there + (k + 1) % 4), (p, there + (k + 1) % 4, there + k)]
    return vertices, np.array(faces, np.int32)


def with_bump(height=1):
    """BIG, and a smaller box that grows out of the middle of its top, or into it: one closed mesh."""
    outer, inner = [(-3, -3), (3, -3), (3, 3), (-3, 3)], [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rings = [(outer, -3), (outer, 3), (inner, 3), (inner, 3 + height)]
    vertices = [(x, y, z) for ring, z in rings for x, y in ring]
    quads = [(3, 2, 1, 0), (12, 13, 14, 15)]
    for r in (0, 4, 8):
        quads += [(r + i, r + (i + 1) % 4, r + 4 + (i + 1) % 4, r + 4 + i) for i in range(4)]
    return np.array(vertices, float), halves(quads)


BIG, SMALL = box((-3, -3, -3), (3, 3, 3)), box((-0.5, -0.5, -0.5), (0.5, 0.75, 1))
LID_OFF = BIG[0], BIG[1][:-2]

CASES = {
    # name: (a, b, verdict or None for clear); contained: a in b; contains: b in a
    "box in a box": (SMALL, BIG, "contained"),
    "ball in a ball": (ball(5, 4), ball(8, 6, 4.0), "contained"),
    "sheet in a box": (grid(2, 2), BIG, "contained"),
    "point in a box": ((np.zeros((3, 3)), np.array([(0, 1, 2)], np.int32)), BIG, "contained"),
    "box beside a box": (moved(SMALL, (9, 0, 0)), BIG, None),
    "box in a corner of the bounding box of a ball": (box((0.7, 0.7, 0.7), (0.95, 0.95, 0.95)), ball(), None),
    "turned inside out, outer": (SMALL, flipped(BIG), "contained"),
    "turned inside out, both": (flipped(SMALL), flipped(BIG), "contained"),
    "faces of the outer box turned at random": (SMALL, half_flipped(BIG), "contained"),
    "outside of a box whose faces are turned at random": (moved(ball(), (4.5, 0, 0)), half_flipped(BIG), None),
    "outer box with split vertices": (SMALL, split(BIG), "contained"),
    "in the wall of a ring": (moved(ball(4, 4, 0.25), (2.45, 0.01, 0.5)), tube(), "contained"),
    "in the hole of a ring": (ball(6, 4, 0.5), tube(), None),
    "in the cavity of a hollow box": (SMALL, joined(BIG, flipped(box((-2, -2, -2), (2, 2, 2)))), None),
    "in the wall of a hollow box": (moved(box((0, 0, 0), (0.5,) * 3), (2.25, 0, 0)),
                                    joined(BIG, flipped(box((-2, -2, -2), (2, 2, 2)))), "contained"),
    "in two boxes at once that are one mesh": (SMALL, joined(BIG, box((-2, -2, -2), (4, 4, 4))), "contained"),
    "one part inside, one outside": (joined(moved(SMALL, (9, 0, 0)), SMALL), BIG, "overlap"),
    "parts inside each other": (
        joined(SMALL, moved(BIG, (20, 0, 0))), joined(BIG, moved(SMALL, (20, 0, 0))), "overlap"),
    "ball around a bubble in a ball": (
        ball(5, 4, 2.0), joined(ball(8, 6, 4.0), flipped(ball(4, 4, 0.5))), "overlap"),
    "box with a bubble, and the same box": (joined(BIG, flipped(SMALL)), BIG, "contained"),
    "two boxes, each with a bubble in the wall of the other": (
        joined(BIG, flipped(SMALL)), joined(BIG, flipped(moved(SMALL, (2, 0, 0)))), "overlap"),
    "all parts outside": (joined(moved(SMALL, (9, 0, 0)), moved(SMALL, (0, 9, 0))), BIG, None),
    "touches from inside": (box((2, 0, 0), (3, 1, 1)), BIG, "contained"),
    "fits into a corner": (box((2, 2, 2), (3, 3, 3)), BIG, "contained"),
    "stands on it": (box((0, 0, 3), (1, 1, 4)), BIG, "touching"),
    "the same box, and another part elsewhere": (joined(BIG, moved(SMALL, (9, 0, 0))), BIG, "contains"),
    "the same box, and another part flush with it": (joined(BIG, box((3, 0, 0), (4, 1, 1))), BIG, "contains"),
    "half of it": (box((-3, -3, -3), (3, 3, 0)), BIG, "contained"),
    "the same box": (BIG, box((-3, -3, -3), (3, 3, 3)), "overlap"),
    "the same box turned inside out": (BIG, flipped(BIG), "overlap"),
    "the same box in other triangles": (BIG, (BIG[0] * (1, 1, -1), BIG[1]), "overlap"),
    "aligned boxes pushed into each other": (BIG, moved(BIG, (1, 0, 0)), "overlap"),
    "aligned boxes, half of one": (BIG, box((0, -3, -3), (6, 3, 3)), "overlap"),
    "aligned boxes side by side": (BIG, moved(BIG, (6, 0, 0)), "touching"),
    "aligned open boxes pushed into each other": (LID_OFF, moved(LID_OFF, (1, 0, 0)), "touching"),
    "the same box with a bump in the middle of a side": (BIG, with_bump(), "contained"),
    "the same box with a dent in the middle of a side": (BIG, with_bump(-1), "contains"),
    "sheet on a side of a box": (grid(2, 2, (-1, -1, 3)), BIG, "touching"),
    "sheet across a box, from wall to wall": (grid(2, 2, (-3, -3, 0), (3, 0, 0), (0, 3, 0)), BIG, "contained"),
    "box that fills the cavity of a hollow box": (
        box((-2, -2, -2), (2, 2, 2)), joined(BIG, flipped(box((-2, -2, -2), (2, 2, 2)))), "touching"),
    "one part inside, one flush outside": (joined(SMALL, box((3, 0, 0), (4, 1, 1))), BIG, "overlap"),
    "sticks out": (moved(SMALL, (3, 0, 0)), BIG, "crossing"),
    "in a closed box without its lid, under the lid": (SMALL, LID_OFF, None),
    "in a box of which one triangle is missing": (SMALL, (BIG[0], BIG[1][:-1]), "cannot tell"),
    "in the cavity of a hollow box of which one triangle is missing": (
        SMALL, joined((BIG[0], BIG[1][:-1]), flipped(box((-2, -2, -2), (2, 2, 2)))), "cannot tell"),
    "beside a box of which one triangle is missing": (moved(SMALL, (9, 0, 0)), (BIG[0], BIG[1][:-1]), None),
    "above a sheet": (moved(SMALL, (2, 2, 3)), grid(4, 4), None),
    "ray through a vertex and along faces": (TETRAHEDRON, box((-1, -1, -1), (2, 2, 2)), "contained"),
    "every axis ray from it passes a corner": (ball(4, 2, 0.125), ball(4, 2), "contained"),
}


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("name", CASES)
def test_known_answers(method, name):
    *meshes, verdict = CASES[name]
    wanted = [] if verdict is None else ["contained" if verdict == "contains" else verdict]
    inner = {"contained": 0, "contains": 1}.get(verdict)
    turn = pose([[0.0, -1.0, 0.0], [0.0, 0.0, 2.0], [1.0, 0.0, 0.0]], (4, 0.5, -8))
    for matrix, order in ((pose(), [0, 1]), (pose(), [1, 0]), (turn, [0, 1]), (pose((-1, 1, 1)), [0, 1])):
        report = detect(build((meshes, [(0, matrix), (1, matrix)]), order), method=method)
        assert [report.verdict(row) for row in range(len(report.pairs))] == wanted
        if wanted:
            assert report.inner(0) == (None if inner is None else order.index(inner))


@pytest.mark.parametrize("scattered", [True, False], ids=["everywhere", "inside"])
def test_many_parts_are_asked_where_they_may_be_inside(scattered):
    """Dust of very many parts about two boxes, or all within one of them; the slow method asks about every part."""
    rng = np.random.default_rng(3)
    seen = set()
    for count in (7, 60, 400):
        places = rng.integers(*((-6, 6) if scattered else (-3, 3)), (count, 3)) + 0.5     # near no wall
        dust = joined(*(moved(split(box((-0.1,) * 3, (0.1,) * 3)) if number % 3 else TETRAHEDRON, place)
                        for number, place in enumerate(places)))
        for about in ((0, 0, 0), (7, 7, 7), (2, 1, 0)):
            scene = [dust, moved(box((-1, -2, -2), (1, 1, 3)), about), BIG], [(k, pose()) for k in range(3)]
            found, exact = detect(build(scene)), detect(build(scene), "exact")
            columns = ["a", "b", "verdict", "status", "inner"]
            assert found.pairs[columns].tolist() == exact.pairs[columns].tolist()
            seen.update(found.verdict(row) for row in range(len(found.pairs)))
    assert ("overlap" if scattered else "contained") in seen


@pytest.mark.parametrize("method", EXACT)
def test_why_it_cannot_be_told(method):
    report = detect(build(([SMALL, (BIG[0], BIG[1][:-1])], [(0, pose()), (1, pose())])), method=method)
    assert report.pairs["status"][0] == 2 and report.exit_code() == 2


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e290])
def test_at_every_size(method, scale):
    scene = build(([ball(5, 4, 0.3), box((-1,) * 3, (1,) * 3)], [(0, pose(scale)), (1, pose(scale))]))
    report = detect(scene, method=method)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["contained"]


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("outer, verdict", [
    (LID_OFF, []), ((BIG[0], BIG[1][:-1]), ["cannot tell"]), (BIG, ["contained"])])
def test_where_numbers_span_more_than_exact_kernels_take(method, outer, verdict):
    """Rational arithmetic decides of a needle: a leaky mesh is not said to enclose what it might enclose."""
    inner = SMALL[0] * (2.5, 1e-200, 1e-200), SMALL[1]
    report = detect(build(([inner, outer], [(0, pose()), (1, pose())])), method=method)
    assert report.counts["exact_decisions"] > 0 or not verdict or method == "exact"
    assert [report.verdict(row) for row in range(len(report.pairs))] == verdict


@pytest.mark.parametrize("method", EXACT)
def test_nested_four_deep_every_pair_is_named(method):
    scene = build(([ball(5, 4)], [(0, pose(size, (0.01 * size, 0, 0))) for size in (8, 1, 4, 2)]))
    report = detect(scene, method=method)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["contained"] * 6
    size = [8, 1, 4, 2]
    assert all(size[report.inner(row)] == min(size[pair["a"]], size[pair["b"]])
               for row, pair in enumerate(report.pairs))


@pytest.mark.parametrize("method", EXACT)
def test_mesh_that_falls_shut_or_opens_when_it_is_deformed(method):
    """Split vertices close a mesh only while they stand at one place."""
    scene = build(([SMALL, split(BIG)], [(0, pose()), (1, pose())]))
    assert detect(scene, method=method).verdict(0) == "contained"
    apart = split(BIG)[0]
    apart[0] *= 1.25
    scene.set_vertices(1, apart)
    assert detect(scene, method=method).verdict(0) == "cannot tell"
    scene.set_vertices(1, split(BIG)[0])
    assert detect(scene, method=method).verdict(0) == "contained"


@pytest.mark.parametrize("method", EXACT)
def test_an_object_that_moves_in_and_out_is_measured_where_it_is(method):
    scene = build(([SMALL, BIG], [(0, pose()), (1, pose()), (0, pose(1, (100, 0, 0)))]))
    for _ in range(2):
        assert detect(scene, method=method).verdict(0) == "contained"
        scene.set_poses([0], [pose(1, (100, 0, 50))])
        assert len(detect(scene, method=method).pairs) == 0
        scene.set_poses([0], [pose()])
