# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of impact by hulls: three ways beside the exact search and the plain oracle; which meshes are convex."""
import numpy as np
import pytest
from long import motions
from long.outcome import Outcome
from naive.moving_bodies import CLASSES, SHAPES, WALL, draw, pose
from naive.shapes import ball, box
from naive.whole_motions import rotation
from touchpoint.core import Scene, detect, methods
from touchpoint.core.continuous.contacts_between import exact_times, first_contacts
from touchpoint.core.continuous.hulls.search import FCCD, LCCD, SAT_AXES
from touchpoint.core.continuous.hulls.times import hull_times
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.convex.hulls.faces import hull_body
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.run import Run

WAYS = {"fccd": FCCD, "lccd": LCCD, "trajectory_sat": SAT_AXES}
BOX = box((-.5, -.5, -.5), (.5, .5, .5))


def ends_of(*ways):
    """Instants of a scene in which each (mesh, pose, pose_end) moves."""
    scene = Scene()
    for mesh, first, _ in ways:
        scene.add_object(scene.add_mesh(*mesh), first)
    start = Instant.of(scene)
    scene.set_poses(range(len(ways)), np.stack([last for _, _, last in ways]))
    return start, Instant.of(scene)


def times(way, *ways, **options):
    """(FirstContacts, Run) by one way; None: by the exact search."""
    run = Run(None, 1, False, options)
    start, end = ends_of(*ways)
    return first_contacts(start, end, None, run, times=exact_times if way is None else hull_times(WAYS[way])), run


def at(x=0.0, y=0.0, z=0.0, linear=None):
    return pose(linear, (x, y, z))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CLASSES)
def test_random_motions(way, name):
    """Never missed, never late, early by no more than the tolerance."""
    rng, outcome = np.random.default_rng([31, CLASSES.index(name)]), Outcome()
    for row in range(3):
        motions.judge(f"{way} {name} {row}", draw(rng, name), outcome, 1 / 100,
                      lambda start, end, allows, run: first_contacts(start, end, allows, run,
                                                                     times=hull_times(WAYS[way])))
    assert outcome.wrong == 0, outcome.examples


@pytest.mark.parametrize("way", WAYS)
def test_many_boxes_beside_the_exact_search(way):
    """Gliding and turning: the same pairs at the same times, and no pair left to the exact search but rare ones."""
    rng = np.random.default_rng(5)
    count, width = (60, 10.0) if COMPILED else (4, 2.5)
    for turn in (0.0, 0.2, 2.0):
        ways = []
        for _ in range(count):
            q, more = rng.normal(size=(2, 4))
            q /= np.linalg.norm(q)
            more = q + turn * more / np.linalg.norm(more)
            first = pose(rotation(q), rng.uniform(0, width, 3))
            last = pose(rotation(more / np.linalg.norm(more)), first[:3, 3] + rng.normal(size=3))
            ways.append((BOX, first, last))
        exact, _ = times(None, *ways)
        found, run = times(way, *ways)
        assert np.array_equal(np.stack([found.a, found.b]), np.stack([exact.a, exact.b]))
        assert found.toi == pytest.approx(exact.toi, abs=1e-7)
        assert run.counts["exact_decisions"] <= 0.1 * len(found.toi)
        assert run.counts["hull_placements"] > 0


CASES = {
    "head on": ((BOX, at(-5), at(5)), (BOX, at(), at()), 0.4),
    "both move": ((BOX, at(-5), at(0)), (BOX, at(5), at(0)), 0.9),
    "away": ((BOX, at(2), at(5)), (BOX, at(), at()), None),
    "together": ((BOX, at(2), at(4)), (BOX, at(), at(2)), None),
    "edge to edge": ((BOX, at(-3, 1, 1), at(3, 1, 1)), (BOX, at(), at()), 1 / 3),
    "a gap of 1e-6": ((BOX, at(-3, 1, 1 + 1e-6), at(3, 1, 1 + 1e-6)), (BOX, at(), at()), None),
    "a gap of 1e-12": ((BOX, at(-1, 0, 0.5 + 1e-12), at(1, 0.5, 0.5 + 1e-12)), (WALL, at(), at()), None),
    "through a wall at 1e4": ((BOX, at(z=-4300.5), at(z=5699.5)), (WALL, at(), at()), 0.43),
    "one behind the other": ((BOX, at(-5, 0), at(5, 0)), (BOX, at(0, -5), at(0, 25)), None),
    "far away": ((BOX, at(1e5 - 5, 1e5), at(1e5 + 5, 1e5)), (BOX, at(1e5, 1e5), at(1e5, 1e5)), 0.4),
    "crossing at the start": ((BOX, at(0.5), at(5)), (BOX, at(), at()), 0.0),
    "touching at the start": ((BOX, at(1), at(5)), (BOX, at(), at()), 0.0),
    "out of another one": ((BOX, at(linear=np.eye(3) / 4), at(3, linear=np.eye(3) / 4)), (BOX, at(), at()), 0.125),
    "two walls": ((WALL, at(z=-1), at(z=1)), (WALL, at(), at()), 0.5),
    "in one plane": ((WALL, at(-12), at(12)), (WALL, at(), at()), 4 / 24),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_by_hand(way, case):
    one, other, expected = CASES[case]
    for pair in ((one, other), (other, one)):
        found, _ = times(way, *pair)
        assert found.toi.tolist() == ([] if expected is None else [pytest.approx(expected, abs=1e-8)])


NOTCH = np.concatenate([BOX[0] * [1, 1, 0.2], BOX[0] * [0.2, 1, 1] + [0.4, 0, 0.6]]), np.concatenate(
    [BOX[1], BOX[1] + len(BOX[0])])      # an L of two boxes


@pytest.mark.parametrize("way", WAYS)
def test_hulls_of_others_only_where_asked_for(way):
    through_the_notch = (BOX, at(-0.25, -4, 0.5, 0.2 * np.eye(3)), at(-0.25, 4, 0.5, 0.2 * np.eye(3)))
    moving = through_the_notch, (NOTCH, at(), at())
    found, run = times(way, *moving)
    assert len(found.toi) == 0 and run.counts["exact_decisions"] == 1 and run.notes == []
    found, run = times(way, *moving, hulls=True)
    assert found.toi.tolist() == [pytest.approx(3.4 / 8, abs=1e-8)] and run.counts["exact_decisions"] == 0
    assert run.notes == ["Not convex: 1 of 2 objects that may meet. They are taken as their hulls, which can meet "
                         "earlier than they do, and where they do not."]
    method = methods.load(way)
    assert method.promise() == "exact" and method.promise({"hulls": True}) == "conservative"


def test_what_is_convex():
    assert hull_body(*BOX)[1] and hull_body(*WALL)[1] and hull_body(*SHAPES["tetrahedron"])[1]
    assert hull_body(*SHAPES["triangle"])[1]
    assert not hull_body(BOX[0], BOX[1][1:])[1]         # open
    assert not hull_body(*NOTCH)[1]
    # A point in the middle of a face, in it, and out of it by what floats hardly tell.
    triangles = np.array([[0, 2, 3], [1, 3, 2], [0, 3, 1], [0, 4, 2], [4, 1, 2], [0, 1, 4]])
    for z, expected in ((0.0, True), (-1e-300, True), (1e-300, False)):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, 0.25, z]])
        assert hull_body(corners, triangles)[1] == expected


def test_faces_and_edges_of_a_box():
    body = hull_body(*BOX)
    assert (len(body.faces), body.face_axes, len(body.edges), body.edge_axes) == (6, 3, 12, 3)
    p = BOX[0][body.corners][body.faces]
    outward = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    assert (np.einsum("ij,ij->i", outward, p[:, 0]) > 0).all()
    turned = hull_body(BOX[0], BOX[1][:, ::-1])         # wound the other way round
    q = BOX[0][turned.corners][turned.faces]
    assert (np.einsum("ij,ij->i", np.cross(q[:, 1] - q[:, 0], q[:, 2] - q[:, 0]), q[:, 0]) > 0).all()


def test_corners_of_a_hull_are_kept():
    shape = ball(40, 30)
    inner = np.concatenate([shape[0], 0.5 * shape[0]]), np.concatenate([shape[1], shape[1] + len(shape[0])])
    body = hull_body(*inner)
    assert not body.convex and len(body.corners) < len(inner[0])
    d = np.random.default_rng(2).normal(size=(50, 3))
    assert np.array_equal((d @ inner[0].T).max(axis=1), (d @ inner[0][body.corners].T).max(axis=1))


@pytest.mark.parametrize("way", WAYS)
def test_a_deformed_mesh_is_asked_of_the_exact_search_where_hulls_meet(way):
    scene = Scene()
    scene.add_object(scene.add_mesh(*BOX), at(-3))
    scene.add_object(scene.add_mesh(*BOX), at())
    start = Instant.of(scene)
    scene.set_vertices(0, BOX[0] * [7, 1, 1])
    run = Run(None, 1, False, {})
    found = first_contacts(start, Instant.of(scene), None, run, times=hull_times(WAYS[way]))
    assert found.toi.tolist() == [pytest.approx(2 / 3, abs=1e-8)] and run.counts["exact_decisions"] == 1


def test_detect_says_what_is_needed():
    scene = Scene()
    scene.add_object(scene.add_mesh(*BOX), at(-3), pose_end=at(3))
    scene.add_object(0, at())
    for way in WAYS:
        assert detect(scene, way).pairs["toi"] == pytest.approx([1 / 3], abs=1e-8)
