# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes over time: what the sides are asked frame by frame, and between frames. Lengths in metres."""
from dataclasses import dataclass, field

import numpy as np

from ..sample_scenes import bullets, dominoes, meshes, robot_cell, shapes, swarm, walk

FRAMES = 24
PARTS_EXTENT = 6.0          # half the side of the hall in which parts lie
STREET = 12.0               # from house to house


@dataclass(eq=False)
class Animation:
    """Bodies of which some have a pose per frame, some vertices per frame; all others rest. Steps go through the
    frames and back again, so that no step is a jump."""

    bodies: list[tuple[np.ndarray, np.ndarray]]                     # vertices (n,3) float64, triangles (m,3) int32
    poses: dict[int, np.ndarray] = field(default_factory=dict)      # body → (frames,4,4)
    bent: dict[int, np.ndarray] = field(default_factory=dict)       # body → (frames,n,3), in the world
    is_held: bool = False                                           # what bends is the same in some frames
    kept: dict = field(default_factory=dict)                        # what a side has found out about all frames

    @property
    def count(self) -> int:
        return len(next(iter((self.poses or self.bent).values())))

    @property
    def moving(self) -> list[int]:
        return sorted([*self.poses, *self.bent])

    def frame(self, step: int) -> int:
        back = step % max(1, 2 * (self.count - 1))
        return min(back, 2 * (self.count - 1) - back)

    def placed(self, body: int, frame: int) -> np.ndarray:
        """(n,3) vertices in the world."""
        if body in self.bent:
            return self.bent[body][frame]
        vertices, pose = self.bodies[body][0], self.pose(body, frame)
        return vertices @ pose[:3, :3].T + pose[:3, 3]

    def pose(self, body: int, frame: int) -> np.ndarray:
        return self.poses[body][frame] if body in self.poses else np.eye(4)

    def codes(self, rows) -> np.ndarray:
        """(k,) sorted int64 of rows (frame, a, b), one number each."""
        rows = np.asarray(rows, np.int64).reshape(-1, 3)
        low, high = rows[:, 1:].min(axis=1), rows[:, 1:].max(axis=1)
        return np.unique((rows[:, 0] * len(self.bodies) + low) * len(self.bodies) + high)


def triangulated(shape) -> tuple[np.ndarray, np.ndarray]:
    """A shape of `sample_scenes/shapes.py`, its faces cut into triangles."""
    vertices, faces = shape
    triangles = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
    return np.asarray(vertices, float), np.array(triangles, np.int32)


def moved(vertices: np.ndarray, pose: np.ndarray) -> np.ndarray:
    return vertices @ pose[:3, :3].T + pose[:3, 3]


def poses_of(turns: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n,4,4) of rotations (n,3,3) and places (n,3)."""
    found = np.tile(np.eye(4), (len(places), 1, 1))
    found[:, :3, :3], found[:, :3, 3] = turns, places
    return found


def about(axis: int, degrees) -> np.ndarray:
    """(n,3,3) rotations about x, y or z."""
    return np.array([robot_cell.about(axis, angle) for angle in np.atleast_1d(degrees)])


def walking(frames: int = 48) -> Animation:
    """The figure of walk.blend: five tubes bend, the bag is carried, post and floor rest."""
    over_time = [walk.vertices_at(frame) for frame in range(1, frames + 1)]
    faces = {name: walk.part(name)[1] for name in walk.PARTS} | {"Bag": walk.bag()[1]}
    bodies = [triangulated((over_time[0][name], each)) for name, each in faces.items()]
    bent = {body: np.array([each[name] for each in over_time]) for body, name in enumerate(faces)}
    still = [shapes.moved(walk.post(), walk.POST), walk.floor()]
    return Animation(bodies + [triangulated(each) for each in still], bent=bent)


def falling_dominoes(first: int = 50, frames: int = 48) -> Animation:
    """dominoes.blend from a frame on: twenty boxes, the ball, floor and ramp."""
    move, rows = dominoes.motion(), slice(first - 1, first - 1 + frames)
    bodies = [triangulated(each) for each in (dominoes.floor(), dominoes.ramp(),
                                              shapes.ball(dominoes.RADIUS, 64, 32))]
    poses = {2: poses_of(about(1, np.degrees(move.ball_angle[rows])), move.ball[rows])}
    for number, offset in enumerate(dominoes.domino_offsets()):
        place = (number * dominoes.SPACING, offset, 0.0)
        poses[len(bodies)] = poses_of(about(1, np.degrees(move.angles[rows, number])), np.tile(place, (frames, 1)))
        bodies.append(triangulated(dominoes.domino()))
    return Animation(bodies, poses)


def flying_bullets(frames: int = bullets.LAST_FRAME) -> Animation:
    """bullets.blend: most of them are past the wall before a frame shows them in it."""
    bodies = [triangulated(each) for each in (bullets.wall(), shapes.moved(bullets.pin(), (0.0, 3.0, 0.0)),
                                              bullets.blades())]
    every = np.arange(1, frames + 1)
    poses = {2: poses_of(about(0, bullets.TURN * (every - 1)), np.tile((0.0, 3.0, 0.0), (frames, 1)))}
    for each in bullets.BULLETS:
        places = np.array([(each.tip(frame), each.y, 0.0) for frame in every])
        poses[len(bodies)] = poses_of(np.tile(np.eye(3), (frames, 1, 1)), places)
        bodies.append(triangulated(bullets.bullet(each)))
    return Animation(bodies, poses)


def flying_cubes(count: int, frames: int = FRAMES) -> Animation:
    """Cubes as those of swarm.blend while they are closest to each other. Of 500 none is ever inside another one: sides
    that know surfaces only would say that it meets the other again on its way out."""
    model = swarm.swarm(count, seed=2)
    first = (1 + model.last - frames) // 2
    placed = np.array([model.poses(first + number) for number in range(frames)])
    bodies = [triangulated(swarm.cube(edge)) for edge in model.edges]
    return Animation(bodies, {number: placed[:, number] for number in range(count)})


def waves_and_props(triangles: int, frames: int = FRAMES) -> Animation:
    """A sphere whose waves run, amid eight rings at rest: it comes near all of them and reaches two."""
    directions, faces = meshes.octasphere(triangles)
    bent = np.array([directions * (1.8 + 0.05 * np.sin(6 * directions[:, :1] + 0.15 * frame))
                     for frame in range(frames)])
    props, rng = [], np.random.default_rng(0)
    for number in range(8):
        vertices, ring_faces = meshes.ring(20, 10, number)
        turn = meshes.random_poses(1, 1.0, rng)[0, :3, :3]
        angle = 2 * np.pi * number / 8
        outward = np.array([np.cos(angle), np.sin(angle), 0.3 * (-1) ** number])
        outward /= np.linalg.norm(outward)
        placed = 0.4 * vertices @ turn.T
        least = 1.852 if number > 1 else 1.83
        props.append((placed + outward * (least - (placed @ outward).min()), ring_faces))
    return Animation([(bent[0], faces), *props], bent={0: bent})


def crowd(count: int, held: int = 1, frames: int = 2 * FRAMES) -> Animation:
    """Bodies on a floor that bend and sway against their neighbours, each pose held for so many frames."""
    vertices, triangles = triangulated(shapes.ball(0.5, 16, 10))
    tall, side = vertices * (1.0, 1.0, 2.0) + (0.0, 0.0, 1.001), int(np.ceil(count ** 0.5))
    over_time = np.arange(frames) // held * held
    bodies, bent = [triangulated(shapes.box((-2.0, -2.0, -0.2), (1.04 * side + 2.0, 1.04 * side + 2.0, 0.0)))], {}
    for number in range(count):
        sway = 0.5 * np.sin(0.3 * over_time + number)[:, None] * tall[:, 2] ** 2 / 4.0
        placed = tall + (1.04 * (number % side), 1.04 * (number // side), 0.0)
        bent[len(bodies)] = placed + np.stack([sway, 0.5 * sway, 0.0 * sway], axis=2)
        bodies.append((bent[len(bodies)][0], triangles))
    return Animation(bodies, bent=bent, is_held=held > 1)


def swinging_flaps(count: int, triangles: int, frames: int = FRAMES) -> Animation:
    """Sheets of so many triangles, bent along their middles: one half of each swings through the other one, between two
    frames, and on."""
    n = max(2, round((triangles / 2) ** 0.5))
    x, y = (each.ravel() for each in np.meshgrid(np.linspace(-1, 1, n + 1), np.linspace(-1, 1, n + 1)))
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([np.stack([corner, corner + 1, corner + n + 1], 1),
                            np.stack([corner + 1, corner + n + 2, corner + n + 1], 1)]).astype(np.int32)
    left, over_time = x < 0, []
    for frame in range(frames):
        angle = np.radians(np.where(left, 240.0 * frame / (frames - 1), 80.0 + 3.0 * x))
        over_time.append(np.stack([np.abs(x) * np.cos(angle) * np.where(left, -1, 1),
                                   y + 0.01 * x + 0.1 * np.sin(frame), np.abs(x) * np.sin(angle)], axis=1))
    bent = {number: np.array(over_time) + (4.0 * number, 0.0, 0.0) for number in range(count)}
    return Animation([(each[0], faces) for each in bent.values()], bent=bent)


def arm_among_parts(parts: int, frames: int = FRAMES) -> Animation:
    """The arm of robot_cell.blend sweeps over so many parts that lie around it."""
    rng = np.random.default_rng(0)
    bodies = [triangulated(each) for each in robot_cell.links()]
    along = np.linspace(1, 60, frames)
    placed = np.array([robot_cell.poses(frame) for frame in along])
    poses = {body: placed[:, body] for body in range(1, len(bodies))}
    places = np.column_stack([PARTS_EXTENT * (2 * rng.random((parts, 2)) - 1), 1.4 * rng.random(parts)])
    far = np.linalg.norm(places[:, :2], axis=1) > 0.45      # the base stands in the middle
    for number, place in enumerate(np.where(far[:, None], places, places + (1.0, 0.0, 0.0))):
        vertices, faces = meshes.ring(8, 5, number % 8)
        bodies.append((0.05 * vertices + place, faces))
    return Animation(bodies, poses)


def city(side: int, frames: int = FRAMES) -> Animation:
    """A car drives past side × side houses, which are open below, over a post, and through one that is open at both
    ends."""
    bodies, poses = [], {}
    car = meshes.shell(4000, 0)
    bodies.append((car[0] * (2.0, 0.9, 0.7) + (0.0, 0.0, 0.9), car[1]))
    start = -0.5 * STREET
    way = np.linspace(start, start + STREET * min(side, 4), frames)
    poses[0] = poses_of(about(2, np.zeros(frames)), np.column_stack([way, np.zeros(frames), np.zeros(frames)]))
    for row in range(side):
        for column in range(side):
            bodies.append(open_house(STREET * column, STREET * (row + 0.5 - side // 2)))
    vertices, faces = shapes.box((-3.0, -2.0, 0.0), (3.0, 2.0, 3.0))
    gate = triangulated((vertices + (STREET, 0.0, 0.0), [faces[k] for k in (1, 2, 3)]))
    post = triangulated(shapes.box((5.9, 0.6, 0.0), (6.1, 0.8, 1.2)))
    return Animation([*bodies, gate, post], poses)


def open_house(x: float, y: float):
    """Four walls of many panes and a flat roof, without a floor."""
    across = 12
    grid = np.linspace(-4.0, 4.0, across + 1)
    rim = np.concatenate([np.column_stack([grid[:-1], np.full(across, -4.0)]),
                          np.column_stack([np.full(across, 4.0), grid[:-1]]),
                          np.column_stack([grid[:0:-1], np.full(across, 4.0)]),
                          np.column_stack([np.full(across, -4.0), grid[:0:-1]])])
    levels = np.linspace(0.0, 6.0, 7)
    vertices = np.concatenate([np.column_stack([rim, np.full(len(rim), level)]) for level in levels])
    rings = np.arange(len(vertices)).reshape(len(levels), -1)
    faces = [face for lower, upper in zip(rings, rings[1:]) for face in shapes.band(lower, upper)]
    return triangulated((vertices + (x, y, 0.0), [*faces, tuple(rings[-1])]))


def boxes_on_a_belt(count: int, frames: int = FRAMES) -> Animation:
    """Boxes ride up a sloping belt in twenty lanes, a millimetre above it, along no axis of the world; those of one
    lane go through a bar."""
    slope = about(1, -17.0)[0]
    places = np.array([(2.0 * (number // 20), 2.0 * (number % 20), 0.001) for number in range(count)])
    belt = triangulated(shapes.box((-9.0, -9.0, -1.0), (91.0, 49.0, 0.0)))
    bar = triangulated(shapes.box((places[-1, 0] + 1.0, 3.9, 0.3), (places[-1, 0] + 1.2, 5.1, 0.4)))
    bodies = [(vertices @ slope.T, faces) for vertices, faces in (belt, bar)]
    box, poses = triangulated(shapes.box((0.0, 0.0, 0.0), (0.5, 0.8, 0.6))), {}
    for place in places:
        along = place + np.arange(frames)[:, None] * (0.1, 0.0, 0.0)
        poses[len(bodies)] = poses_of(np.tile(slope, (frames, 1, 1)), along @ slope.T)
        bodies.append(box)
    return Animation(bodies, poses)


def things_in_a_room(count: int, frames: int = FRAMES) -> Animation:
    """A closed room in which rings and cubes drift around a column: all of them are inside it, few meet."""
    rng = np.random.default_rng(0)
    bodies = [triangulated(shapes.box((-50.0, -50.0, 0.0), (50.0, 50.0, 30.0))),
              triangulated(shapes.box((-2.0, -2.0, 1.0), (2.0, 2.0, 29.0)))]
    places, ways = rng.uniform((-45, -45, 2), (45, 45, 28), (count, 3)), rng.uniform(-0.2, 0.2, (count, 3))
    poses = {}
    for number, (place, way) in enumerate(zip(places, ways)):
        poses[len(bodies)] = poses_of(about(2, 3.0 * np.arange(frames)), place + np.arange(frames)[:, None] * way)
        bodies.append(meshes.ring(8, 5, number % 8) if number % 2 else triangulated(swarm.cube(1.0)))
    return Animation(bodies, poses)
