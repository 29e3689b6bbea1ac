# SPDX-License-Identifier: GPL-3.0-or-later
"""Could a thing leave a mesh by its openings? Shapes whose answer is known, and random ones beside plain Python."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.reference.openings import could_leave
from touchpoint.core.scene.tiny import BOX as BOX_VERTICES
from touchpoint.core.scene.tiny import BOX_TRIANGLES
from touchpoint.core.verdicts.openings import MOST_SHEETS, exit_width, sheets_of
from touchpoint.sample_scenes import meshes

STAY = np.eye(4)[:3]


def tube(radius: float, length: float, around: int = 40, along: int = 6):
    """Open at both ends, along x."""
    x, angle = np.meshgrid(np.linspace(0.0, length, along), 2 * np.pi * np.arange(around) / around, indexing="ij")
    vertices = np.stack([x, radius * np.cos(angle), radius * np.sin(angle)], axis=-1).reshape(-1, 3)
    grid = meshes.torus_grid(along, around)
    return vertices, grid[np.abs(grid // around - (grid // around)[:, :1]).max(axis=1) <= 1]


def ball(triangles: int = 72, radius: float = 3.0):
    vertices, faces = meshes.octasphere(triangles)
    return radius * vertices, faces


def half(upper: bool, gap: float):
    """Half of a ball, moved away from its middle by half of the gap."""
    vertices, faces = ball(200)
    side = 1.0 if upper else -1.0
    faces = faces[(side * vertices[faces][:, :, 2] >= 0.0).all(axis=1)]
    return vertices + (0.0, 0.0, 0.5 * side * gap), faces


def together(*parts):
    first = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    return (np.concatenate([vertices for vertices, _ in parts]),
            np.concatenate([faces + start for (_, faces), start in zip(parts, first)]).astype(np.int32))


def fits(mesh, diameter: float, pose=STAY) -> bool:
    return diameter <= exit_width(sheets_of(*mesh), pose[:, :3])


def frame(length: float, width: float):
    """A plate with a rectangular hole of half its size in its middle."""
    outer = QUAD[0] * (0.5 * length, 0.5 * width, 0.0)
    vertices = np.concatenate([outer, 0.5 * outer])
    ring = [(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    return vertices, np.array([face for a, b, c, d in ring for face in ((a, b, c), (a, c, d))], np.int32)


QUAD = np.array([(-1.0, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]), np.array([(0, 1, 2), (0, 2, 3)], np.int32)


@pytest.mark.parametrize("pose, scale", [(STAY, 1.0), (7.0 * STAY, 7.0), (STAY * (-1.0, 1.0, 1.0, 1.0), 1.0)])
def test_a_round_mouth_lets_out_what_is_half_as_wide(pose, scale):
    mesh = tube(2.0, 30.0)
    assert fits(mesh, 1.99 * scale, pose) and not fits(mesh, 2.01 * scale, pose)


def test_one_wide_opening_is_enough():
    """A bottle: its bottom is closed, its mouth is open."""
    vertices, faces = ball(200)
    open_above = faces[vertices[faces][:, :, 2].min(axis=1) < 2.0]
    assert fits((vertices, open_above), 1.0) and not fits((vertices, open_above), 2.5)


def test_where_nothing_is_open_nothing_gets_out():
    assert not fits(ball(), 1e-9)
    split = ball()[0][ball()[1]].reshape(-1, 3), np.arange(3 * len(ball()[1]), dtype=np.int32).reshape(-1, 3)
    assert not fits(split, 1e-9)        # split at its seams, closed by positions


def test_half_shells_whose_rims_almost_meet_let_nothing_out():
    for gap, diameter, expected in ((1e-4, 0.1, False), (0.05, 0.1, False), (0.5, 0.1, True)):
        assert fits(together(half(True, gap), half(False, gap)), diameter) == expected
    turned_over = half(False, 1e-4)[0], half(False, 1e-4)[1][:, ::-1]
    assert not fits(together(half(True, 1e-4), turned_over), 0.1)


def test_each_component_counts():
    """A quad that lies in a closed ball has a border, and the ball has none."""
    assert fits(QUAD, 0.5) and not fits(together(ball(), QUAD), 0.5)


def box(low, high, keep=lambda face: True):
    """A box, or those of its triangles (3,3) that are kept."""
    low, high = np.array(low, float), np.array(high, float)
    vertices = low + BOX_VERTICES * (high - low)
    return vertices, np.array([face for face in BOX_TRIANGLES if keep(vertices[face])], np.int32)


def welded(*parts):
    """One mesh in which vertices at one position are one."""
    vertices, faces = together(*parts)
    unique, number = np.unique(vertices, axis=0, return_inverse=True)
    return unique, number.reshape(-1)[faces].astype(np.int32)


def test_a_shelf_has_a_border_and_is_no_opening():
    """A shelf in a closed room, fixed to a wall along one edge, which three faces then have."""
    shelf = np.array([(-2.0, -2, -2), (-2, -2, 2), (1, -2, 2), (1, -2, -2)]), QUAD[1]
    house = welded(box((-2, -2, -2), (2, 2, 2)), shelf)
    assert sheets_of(*house).count == 2 and not fits(house, 0.1)
    assert verdict(house, 0.5, (0.0, 0.5, 0.0)) == "cannot tell"


def test_a_bowl_in_a_room_is_no_opening():
    bowl = box((-1, -1, -1), (1, 1, 0), lambda face: (face[:, 2] < 0.0).any())
    room = welded(box((-1, -1, -1), (1, 1, 9)), bowl)
    assert not fits(room, 0.1) and fits(bowl, 0.1)


def test_an_inner_wall_with_a_door_opens_no_closed_house():
    west, east = (box((x, -2, -2), (x + 4, 2, 2), lambda face, x=x: (face[:, 0] != 0.0).any()) for x in (-4, 0))
    vertices, faces = frame(4.0, 4.0)
    wall = vertices[:, [2, 0, 1]] * 1.0, faces
    wall[0][:4] = np.array([(0.0, -2, -2), (0, 2, -2), (0, 2, 2), (0, -2, 2)])
    house = welded(west, east, wall)
    assert sheets_of(*house).count == 3 and not fits(house, 0.1)
    assert verdict(house, 0.5, (2.0, 0.0, 0.0)) == "cannot tell"
    open_house = welded(box((-4, -2, -2), (0, 2, 2), lambda face: (np.ptp(face[:, 0]) > 0.0)), east, wall)
    assert fits(open_house, 1.0) and verdict(open_house, 0.5, (2.0, 0.0, 0.0)) == "clear"


def test_an_open_attic_does_not_open_the_cellar():
    cellar = box((-2, -2, -4), (2, 2, 0))
    attic = box((-2, -2, 0), (2, 2, 4), lambda face: np.ptp(face[:, 2]) > 0.0)
    house = welded(cellar, attic)
    assert fits(attic, 1.0) and not fits(house, 0.1)
    assert verdict(house, 0.5, (0.0, 0.0, -2.0)) == "cannot tell"


def test_a_slit_is_as_wide_as_it_is():
    length, width = 10.0, 0.1
    slit = QUAD[0] * (0.5 * length, 0.5 * width, 1.0), QUAD[1]
    assert fits(slit, 0.9 * width) and not fits(slit, 1.1 * width)


def test_triangles_that_lie_about_are_no_doors():
    soup = together(*((np.array([(k, 0.0, 0), (k + 0.9, 0, 0), (k, 0.9, 0)]), np.array([(0, 1, 2)], np.int32))
                      for k in range(MOST_SHEETS + 1)))
    assert not fits(soup, 1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e290])
def test_sizes_whose_squares_are_out_of_range(scale):
    assert fits(tube(2.0, 30.0), 1.99 * scale, scale * STAY) and not fits(tube(2.0, 30.0), 2.01 * scale, scale * STAY)
    bottle = ball()[0], ball()[1][1:]
    assert verdict(bottle, 0.05) == "clear" and verdict(bottle, 2.0, scale=scale) == "cannot tell"


def test_a_pose_that_flattens_shuts():
    assert not fits(tube(2.0, 30.0), 0.5, STAY * np.array([[1.0], [0.0], [1.0]]))


@pytest.mark.parametrize("seed", range(60))
def test_random_holes_beside_plain_python(seed):
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(rng.integers(1, 4)):
        vertices, faces = ball(int(rng.integers(8, 120)), rng.uniform(0.5, 2.0))
        keep = rng.random(len(faces)) > rng.choice([0.0, 0.02, 0.3])
        parts.append((vertices + rng.normal(size=3), faces[keep]))
    mesh = together(*parts)
    pose = meshes.random_poses(1, 3.0, rng)[0][:3]
    pose[:, :3] *= rng.uniform(0.5, 2.0, 3)
    world = mesh[0] @ pose[:, :3].T + pose[:, 3]
    for diameter in 10.0 ** rng.uniform(-2.0, 0.5, 8):
        inner = np.array([(0.0, 0.0, 0.0), (diameter, 0.0, 0.0)])
        assert fits(mesh, diameter, pose) == could_leave(inner, world, mesh[1])


def verdict(shell, size: float, place=(0.0, 0.0, 0.0), scale: float = 1.0) -> str:
    scene, pose, whole = Scene(), np.eye(4), np.diag([scale, scale, scale, 1.0])
    pose[:3, :3] *= size
    pose[:3, 3] = place
    scene.add_object(scene.add_mesh(*shell), whole)
    scene.add_object(scene.add_mesh(*ball(72, 0.5)), whole @ pose)
    pairs = detect(scene).pairs
    assert np.array_equal(pairs[["verdict", "status"]], detect(scene, method="exact").pairs[["verdict", "status"]])
    return VERDICTS[pairs["verdict"][0]] if len(pairs) else "clear"


def test_a_thing_deep_in_a_tunnel_is_clear_until_it_fills_it():
    vertices, faces = tube(2.0, 30.0, 24, 16)
    winding = vertices + np.column_stack([np.zeros(len(vertices)), 4.0 * np.sin(vertices[:, 0] / 4.0),
                                          np.zeros(len(vertices))]), faces
    assert verdict(winding, 0.8, (15.0, 4.0 * np.sin(15.0 / 4.0), 0.0)) == "clear"
    assert verdict(winding, 2.5, (15.0, 4.0 * np.sin(15.0 / 4.0), 0.0)) == "cannot tell"


def test_a_thing_in_a_leaky_ball():
    vertices, faces = ball()
    assert verdict((vertices, faces[1:]), 2.0) == "cannot tell"
    assert verdict((vertices, faces), 2.0) == "contained"
    assert verdict(together((vertices, faces), QUAD), 0.4, (0.0, 0.0, 1.0)) == "cannot tell"
    assert verdict(together(half(True, 1e-3), half(False, 1e-3)), 1.0) == "cannot tell"


def walls_of(cells: tuple[int, int, int], rng):
    """A house of unit cells, where some walls between and around them are missing, as a welded mesh; and for each cell
    whether there is a way out."""
    parts, ways = [], {}
    for axis in range(3):
        shape = np.array(cells)
        shape[axis] += 1
        for place in np.ndindex(*shape):
            sides = tuple(place[:axis] + (place[axis] + step,) + place[axis + 1:] for step in (-1, 0))
            if rng.random() < 0.25:
                ways.setdefault(sides[0], []).append(sides[1])
                ways.setdefault(sides[1], []).append(sides[0])
                continue
            u, v = np.eye(3)[[(axis + 1) % 3, (axis + 2) % 3]]
            corners = np.array([place, place + u, place + u + v, place + v])
            parts.append((corners, QUAD[1][:, ::rng.choice([-1, 1])]))
    inside = set(np.ndindex(*cells))
    free, waiting = set(), [place for place in ways if place not in inside]
    while waiting:
        here = waiting.pop()
        if here not in free:
            free.add(here)
            waiting += [there for there in ways[here] if there in inside]
    return welded(*parts), [place in free for place in inside]


@pytest.mark.parametrize("seed", range(40))
def test_a_house_that_lets_out_has_no_closed_room(seed):
    rng = np.random.default_rng(seed)
    house, ways_out = walls_of([(2, 1, 1), (2, 2, 1), (3, 1, 1)][seed % 3], rng)
    inner = np.array([(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)])
    assert fits(house, 0.1) == could_leave(inner, *house)
    assert all(ways_out) or not fits(house, 0.1)


def test_houses_let_out():
    """Nothing would be proved above if none did."""
    houses = (walls_of((2, 2, 1), np.random.default_rng(seed)) for seed in range(40))
    assert sum(fits(house, 0.1) for house, _ in houses) > 5
