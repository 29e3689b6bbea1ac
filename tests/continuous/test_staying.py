# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that stay on one side of each other's faces (core/continuous/staying.py), against many times of the motion by
naive/whole_motions.py."""
import numpy as np
import pytest
from naive.scenes import pose, random_linear
from naive.shapes import ball, box, joined, moved
from naive.whole_motions import Body
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CLEAR, TOUCHING
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motions import Movement
from touchpoint.core.continuous.staying import PLANES, stay_on_their_sides

ALLOWED = 0.01
TIMES = np.arange(129) / 128
ROOM = box((-2, -2, -1), (2, 2, 1))


def turned(axis, angle):
    """3×3."""
    cross = np.cross(np.eye(3), np.asarray(axis, float) / np.linalg.norm(axis))
    return np.eye(3) - np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def stays(bodies, ends, deformed=None, allowed=ALLOWED):
    """Whether two objects stay on their sides. bodies: meshes; ends: two poses of each; deformed: the second one's
    vertices in the end."""
    scene, instants = Scene(), []
    for mesh in bodies:
        scene.add_object(scene.add_mesh(*mesh))
    for moment in range(2):
        scene.set_poses([0, 1], [each[moment] for each in ends])
        if moment and deformed is not None:
            scene.set_vertices(1, deformed)
        instants.append(Instant.of(scene))
    found = [stay_on_their_sides(Movement(*instants), np.array([one]), np.array([1 - one]), np.array([allowed]))
             for one in (0, 1)]
    assert found[0].tolist() == found[1].tolist()       # whichever comes first
    return bool(found[0][0])


def in_a_room(rng):
    """(bodies, ends, deformed): a room that stands or goes a way, and something in it that walks on its floor, turns
    upright, about any axis, or grows, is deformed, often flush with a wall, and at times beyond it by a little."""
    place = pose(turned(rng.normal(size=3), rng.uniform(0, 3)), rng.uniform(-9, 9, 3))
    height = rng.choice([0.0, 0.0, -0.5 * ALLOWED, -3 * ALLOWED, 0.3])
    thing = [box((-0.3, -0.2, 0), (0.3, 0.2, 1)), ball(12, 6, 0.5), box((0, 0, 0), (0.2, 0.2, 1))][rng.integers(3)]
    thing = moved(thing, (0, 0, -thing[0][:, 2].min()))
    axis = [(0, 0, 1), (0, 0, -1), rng.normal(size=3)][rng.integers(3)]
    first = pose(np.eye(3), (*rng.uniform(-2.2, 2.2, 2), -1 + height))
    growth = rng.choice([1.0, 1.0, 1.5])
    last = pose(growth * turned(axis, rng.choice([0.0, 0.0, 0.1, 1.0, 3.0])), (*rng.uniform(-2.2, 2.2, 2), -1 + height))
    deformed = thing[0] * (1, 1, rng.uniform(0.5, 1.2)) if rng.random() < 0.2 else None
    along = pose(1, rng.uniform(-3, 3, 3) * rng.integers(2))
    return (ROOM, thing), ((place, along @ place), (place @ first, along @ place @ last)), deformed


@pytest.mark.parametrize("seed", range(4))
def test_what_stays_in_a_room_reaches_through_its_walls_at_no_time(seed):
    rng = np.random.default_rng(seed)
    proved = flush = leaves = 0
    for _ in range(150):
        bodies, ends, deformed = in_a_room(rng)
        room, thing = Body(*bodies[0], *ends[0]), Body(*bodies[1], *ends[1], deformed)
        deepest = -np.inf
        for t in TIMES:
            corner, frame = room.corners(t), ends[0][0][:3, :3]
            there = (thing.corners(t) - corner.min(axis=(0, 1))).reshape(-1, 3) @ frame
            walls = (corner - corner.min(axis=(0, 1))).reshape(-1, 3) @ frame
            deepest = max(deepest, (there - walls.max(axis=0)).max(), (walls.min(axis=0) - there).max())
        leaves += deepest > 1.001 * ALLOWED
        if stays(bodies, ends, deformed):
            assert deepest <= 1.001 * ALLOWED
            proved, flush = proved + 1, flush + (abs(deepest) < 1e-9)
    assert proved > 10 and flush > 5 and leaves > 20


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(4))
def test_what_stays_beside_something_reaches_into_it_at_no_time(seed):
    """Wheels and boxes on a stair, which has inner and outer edges, and is tried at any place."""
    rng = np.random.default_rng(seed)
    stair = joined(box((-3, -3, -1), (0, 3, 0)), box((0, -3, -1), (3, 3, 1)))
    place = pose(turned(rng.normal(size=3), 2.0), rng.uniform(-5, 5, 3))
    proved = meets = 0
    for _ in range(40):
        across = turned((1, 0, 0), np.pi / 2)
        wheel = ball(16, 8, 0.5)[0] @ across.T, ball(16, 8, 0.5)[1]
        thing = wheel if rng.random() < 0.5 else box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
        height = rng.choice([0.5, 0.5, 0.5 - 0.5 * ALLOWED, 1.5])
        start, end = rng.uniform(-2.5, 1.0 if height > 1 else 0.2, 2)
        roll = rng.uniform(0, 2) if thing is wheel else 0.0
        ends = ((place, place), (place @ pose(1, (start, 0, height)),
                                 place @ pose(turned((0, 1, 0), roll), (end, 0, height))))
        body, scene = Body(*thing, *ends[1]), Scene()
        scene.add_object(scene.add_mesh(*stair), place)
        mesh = scene.add_mesh(thing[0].copy(), thing[1])
        scene.add_object(mesh)
        corners = np.unique(thing[1], return_index=True)[1]
        verdicts = set()
        for t in TIMES[::8]:
            scene.set_vertices(mesh, np.ascontiguousarray(body.corners(t).reshape(-1, 3)[corners]))
            verdicts |= set(detect(scene, tolerance=2 * ALLOWED).pairs["verdict"].tolist())
        meets += bool(verdicts - {TOUCHING, CLEAR})
        if stays((stair, thing), ends):
            assert verdicts <= {TOUCHING, CLEAR}
            proved += 1
    assert proved > 8 and meets > 4


@pytest.mark.parametrize("wall", [
    {"turn": 0.1}, {"growth": 1.2}, {"flat": True}])
def test_walls_that_turn_grow_or_have_no_plane_prove_nothing(wall):
    vertices, triangles = ROOM
    if wall.get("flat"):
        triangles = np.concatenate([triangles, [(0, 2, 2)]]).astype(np.int32)
    last = pose(turned((0, 0, 1), wall.get("turn", 0.0)) * wall.get("growth", 1.0), (0, 0, 0))
    thing = box((-2, -0.3, -1), (-1, 0.3, 0))
    moves = pose(1), pose(1, (0, 0.2, 0))
    assert stays((ROOM, thing), ((pose(1), pose(1)), moves))
    assert not stays(((vertices, triangles), thing), ((pose(1), last), moves))


@pytest.mark.parametrize("growth, angle, expected", [(1.0, 0.1, True), (1.5, 0.1, False), (1.5, 0.0, False)])
def test_what_turns_and_grows_reaches_farther(growth, angle, expected):
    thing = box((-0.3, -0.3, 0), (0.3, 0.3, 1))
    ends = pose(1, (1.56, 0, -1)), pose(growth * turned((0, 0, 1), angle), (1.56, 0, -1))
    assert stays((ROOM, thing), ((pose(1), pose(1)), ends), allowed=1e-6) == expected


def test_tight_where_nothing_is_allowed():
    """A wheel whose rim touches the floor as it rolls, and whose sides slide along walls: but for rounding it stays,
    and a hair deeper it does not."""
    corner = np.exp(2j * np.pi * np.arange(24) / 24)
    ring = np.column_stack([corner.real, np.full(24, -1.0), corner.imag])
    after = np.roll(np.arange(24), -1)
    one = np.arange(24)
    sides = [np.column_stack([one, after, 24 + after]), np.column_stack([one, 24 + after, 24 + one])]
    caps = np.column_stack([np.zeros(22, int), np.arange(1, 23), np.arange(2, 24)])
    faces = np.concatenate([*sides, caps[:, ::-1], 24 + caps])
    wheel = np.concatenate([ring, ring + (0, 2, 0)]), faces.astype(np.int32)
    room = box((-9, -1, -1), (9, 1, 5))
    for depth, expected in ((0.0, True), (1e-6, False)):
        moves = pose(1, (-2, 0, -depth)), pose(turned((0, 1, 0), 1.7), (2, 0, -depth))
        assert stays((room, wheel), ((pose(1), pose(1)), moves), allowed=1e-8) == expected


def test_random_poses_of_both_prove_what_holds():
    """Sheared, mirrored, stretched: whatever is proved, no sampled time shows more."""
    rng, proved = np.random.default_rng(5), 0
    kinds = ("turned", "mirrored", "stretched", "sheared")
    for n in range(200):
        linear = random_linear(rng, kinds[n % 4])
        wall = pose(random_linear(rng, kinds[n // 4 % 4]) * 3, rng.uniform(-1, 1, 3))
        ends = (wall, pose(1, rng.uniform(-0.3, 0.3, 3)) @ wall), (pose(0.3 * linear), pose(0.3 * linear @ turned(
            rng.normal(size=3), rng.choice([0, 0.5])), rng.uniform(-0.5, 0.5, 3)))
        bodies = box((-0.5,) * 3, (0.5,) * 3), box((-0.5,) * 3, (0.5,) * 3)
        if not stays(bodies, ends):
            continue
        proved += 1
        outer, inner = (Body(*bodies[k], *ends[k]) for k in range(2))
        back = np.linalg.inv(wall[:3, :3])
        scale = np.abs(back).sum(axis=1)            # what a length in the world is at most in the box
        for t in TIMES[::4]:
            local = (inner.corners(t).reshape(-1, 3) - wall[:3, 3]
                     - t * (ends[0][1][:3, 3] - wall[:3, 3])) @ back.T
            assert len(outer.corners(t)) and (np.abs(local) <= 0.5 + 1.001 * ALLOWED * scale).all() or (
                local.min(axis=0) >= 0.5 - 1.001 * ALLOWED * scale).any() or (
                local.max(axis=0) <= -0.5 + 1.001 * ALLOWED * scale).any()
    assert proved > 20


@pytest.mark.parametrize("hills, n, expected", [(0.0, 13, True), (1e-5, 8, True), (1e-5, 13, False)])
def test_a_floor_of_many_planes_is_left_to_be_tested(hills, n, expected):
    """A divided floor has one plane; one with hills has one for each triangle."""
    x, y = (each.ravel() for each in np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n)))
    corner = np.arange(n * n).reshape(n, n)
    one, two, three, four = (each.ravel() for each in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:],
                                                       corner[1:, :-1]))
    triangles = np.concatenate([np.column_stack([one, two, three]), np.column_stack([one, three, four])])
    assert (len(triangles) > PLANES) == (n == 13)
    floor = (np.column_stack([x, y, hills * np.random.default_rng(3).uniform(-1, 1, n * n)]),
             triangles.astype(np.int32))
    moves = pose(1, (0, 0, 0)), pose(1, (0.1, 0, 0))
    assert stays((floor, box((-0.95, -0.95, 0), (0.85, 0.95, 1))), ((pose(1), pose(1)), moves)) == expected
