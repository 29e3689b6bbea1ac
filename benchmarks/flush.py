# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes whose objects touch, or are there twice: nearly every pair of triangles that is found is decided by exact
signs. Peers in single precision find some of them."""
import numpy as np

from ..sample_scenes import meshes, shapes
from .animations import triangulated
from .enclosures import box
from .questions import STEPS, Scene

BRICK_TRIANGLES = 32
BALL_TRIANGLES = 2000
GAP = 1e-6              # of a box on a slope, more than roundings
APART = 1.7             # neighbouring balls of radius 1
AROUND = 96             # sides of a glass
ROOM = 4.0              # from glass to glass
PIN = 32                # sides of a pin
RINGS = 4               # on each pin
CHANGED = 1.05          # how much farther out a vertex of a ball is that was moved
PUSHED = 1.0 - 2.0 ** -5    # neighbouring bricks of size 1 that are pushed into each other


def wall(count: int, triangles: int = BRICK_TRIANGLES, apart: float = 1.0) -> Scene:
    """Bricks of a wall, each upper one across two lower ones, flush everywhere, which all move by whole numbers. apart:
    less than 1 where they are pushed into each other along the wall and upwards."""
    columns = max(1, round(count ** 0.5))
    poses = [np.tile(np.eye(4), (count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        for number in range(count):
            row, column = divmod(number, columns)
            placed[number, :3, 3] = apart * (column + 0.5 * (row % 2)) + step, 2.0 * step, apart * row
    return Scene([box(0.5, triangles)] * count, 0, poses)


def shelf(count: int) -> Scene:
    """Books that fill a shelf of one mesh, flush with their neighbours, the board and the back: no plane has a book on
    one side and the shelf on the other. All move by whole numbers."""
    rows = max(1, round((count / 12.0) ** 0.5))
    columns = -(-count // rows)
    boards = [_block((0, 0, 2 * row), (0.5 * columns, 2, 2 * row + 0.25)) for row in range(rows + 1)]
    sides = [_block((x, 0, 0), (x + 0.25, 2, 2 * rows + 0.25)) for x in (-0.25, 0.5 * columns)]
    case = _joined([*boards, *sides, _block((0, 2, 0), (0.5 * columns, 2.25, 2 * rows + 0.25))])
    book = _joined([_block((0, 0, 0), (0.5, 1.5, 1.25))])
    poses = [np.tile(np.eye(4), (1 + count, 1, 1)) for _ in range(STEPS)]
    for step, placed in enumerate(poses):
        placed[0, 0, 3] = step
        for number in range(count):
            row, column = divmod(number, columns)
            placed[1 + number, :3, 3] = 0.5 * column + step, 0.5, 2 * row + 0.25
    return Scene([case, *[book] * count], 0, poses)


def _block(low, high):
    """A cube of some triangles as a box from one corner to the other."""
    vertices, faces = box(0.5, BRICK_TRIANGLES)
    return np.array(low) + (vertices + 0.5) * np.subtract(high, low), faces


def _joined(parts):
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    return (meshes.single(np.concatenate([vertices for vertices, _ in parts])),
            np.concatenate([faces + start for (_, faces), start in zip(parts, starts)]))


def on_a_slope(count: int) -> Scene:
    """Boxes that stand on a slope and slide along it. Their poses are rounded, so that some stand above it by less than
    any coordinate can tell, and some reach into it as far."""
    columns, poses = max(1, round(count ** 0.5)), []
    slope = meshes.about_y(np.radians(17.0))
    (stone, faces), (table, large_faces) = box(0.5, BRICK_TRIANGLES), box(0.5, BRICK_TRIANGLES)
    for step in range(STEPS):
        placed = np.tile(np.eye(4), (1 + count, 1, 1))
        places = np.array([(2.0 * (number % columns) + 0.1 * step, 2.0 * (number // columns), 0.5)
                           for number in range(count)])
        placed[1:, :3, :3], placed[1:, :3, 3] = slope, (places - (columns, columns, 0.0)) @ slope.T
        poses.append(placed)
    large = (table * (4.0 * columns, 4.0 * columns, 1.0) - (0.0, 0.0, 0.5)) @ slope.T
    return Scene([(large, large_faces), *[(stone, faces)] * count], 0, poses, GAP)


def balls_twice(count: int, triangles: int = BALL_TRIANGLES) -> Scene:
    """Balls that cross their neighbours, each with a copy at its place, all turned otherwise in every step."""
    columns, poses = max(1, round(count ** 0.5)), []
    for step in range(STEPS):
        placed = meshes.random_poses(count, 0.0, np.random.default_rng(step))
        for number in range(count):
            placed[number, :3, 3] = APART * (number % columns), APART * (number // columns), 0.0
        poses.append(np.repeat(placed, 2, axis=0))
    vertices, faces = meshes.octasphere(triangles)
    return Scene([(meshes.single(vertices), faces)] * (2 * count), 0, poses)


def changed_copies(count: int, triangles: int = BALL_TRIANGLES) -> Scene:
    """Balls, each with a copy at its place, which is numbered otherwise and was changed at one vertex."""
    vertices, faces = meshes.octasphere(triangles)
    other = vertices.copy()
    other[len(other) // 3] *= CHANGED
    copy = meshes.shuffled(meshes.single(other), faces, 1)
    return Scene([(meshes.single(vertices), faces), copy] * count, 0, _turned_in_pairs(count))


def full_glasses(count: int) -> Scene:
    """Glasses of water, which is flush with their bottoms: fans of many triangles on the same fans."""
    glass = shapes.lathe([(0, 0), (0.5, 0), (0.55, 1.5), (0.5, 1.5), (0.45, 0.0625), (0, 0.0625)], AROUND)
    water = shapes.lathe([(0, 0.0625), (0.45, 0.0625), (0.48, 1.0), (0, 1.0)], AROUND)
    return Scene(_triangulated([glass, water]) * count, 0, _turned_in_pairs(count))


def _turned_in_pairs(count: int) -> list[np.ndarray]:
    """Poses of so many pairs that stand in rows, both of each alike, turned otherwise in every step."""
    columns, poses = max(1, round(count ** 0.5)), []
    for step in range(STEPS):
        placed = meshes.random_poses(count, 0.0, np.random.default_rng(step))
        placed[:, 0, 3], placed[:, 1, 3] = ROOM * (np.arange(count) % columns), ROOM * (np.arange(count) // columns)
        poses.append(np.repeat(placed, 2, axis=0))
    return poses


def cut_block(count: int) -> Scene:
    """A block that was cut into so many, the largest one each time, and is turned otherwise in every step."""
    rng, parts = np.random.default_rng(0), [(np.zeros(3), np.ones(3))]
    while len(parts) < count:
        low, high = parts.pop(max(range(len(parts)), key=lambda k: np.prod(np.subtract(*parts[k][::-1]))))
        axis = int((high - low).argmax())
        middle, end, start = low[axis] + rng.uniform(0.35, 0.65) * (high - low)[axis], high.copy(), low.copy()
        end[axis] = start[axis] = middle
        parts += [(low, end), (start, high)]
    blocks = _triangulated([shapes.box(tuple(low), tuple(high)) for low, high in parts])
    return Scene(blocks, 0, [np.repeat(meshes.random_poses(1, 1.0, np.random.default_rng(step)), count, axis=0)
                             for step in range(STEPS)])


def pinned(count: int) -> Scene:
    """Pins, each through a pile of rings whose holes it fills. All move by whole numbers."""
    pin = shapes.lathe([(0, -0.25), (0.25, -0.25), (0.25, 1.25), (0, 1.25)], PIN)
    ring = shapes.lathe([(0.25, 0), (0.5, 0), (0.5, 0.25), (0.25, 0.25)], PIN, hollow=True)
    heights = [0.0, *(0.25 * np.arange(RINGS))]
    return Scene(_triangulated([pin, *[ring] * RINGS]) * count, 0, _in_rows(count, [(0, 0, z) for z in heights]))


def plugged(count: int) -> Scene:
    """Blocks, each with two cylinders in it that end in its faces, as what cuts holes does. All move by whole
    numbers."""
    block = shapes.box((-1, -1, 0), (1, 1, 1))
    plug = shapes.lathe([(0, 0), (0.375, 0), (0.375, 1), (0, 1)], PIN)
    return Scene(_triangulated([block, plug, plug]) * count, 0, _in_rows(count, [(0, 0, 0), (0.5, 0.25, 0),
                                                                                 (-0.5, -0.5, 0)]))


def _triangulated(parts) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(meshes.single(vertices), faces) for vertices, faces in map(triangulated, parts)]


def _in_rows(count: int, places: list[tuple]) -> list[np.ndarray]:
    """Poses of so many groups of objects that stand in rows, all of which move by whole numbers. places: of each object
    in its group."""
    columns, poses = max(1, round(count ** 0.5)), []
    for step in range(STEPS):
        placed = np.tile(np.eye(4), (count, len(places), 1, 1))
        placed[..., :3, 3] = places
        placed[..., 0, 3] += ROOM * (np.arange(count) % columns)[:, None] + step
        placed[..., 1, 3] += ROOM * (np.arange(count) // columns)[:, None]
        poses.append(placed.reshape(-1, 4, 4))
    return poses
