# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded scenes of every sort for comparing methods with each other, and stories: scenes that change between questions.

Where `scenes.py` has families that are each hard in one way, these mix sizes, places, kinds of meshes, poses, flags and
rules, so that what a method keeps, skips or presupposes meets what it did not expect.
"""
from dataclasses import dataclass, field

import numpy as np
from touchpoint.core import Scene

from .scenes import SHAPES, TETRAHEDRON, pose, random_linear
from .shapes import ball, box, fan, grid, joined, moved

FEW, SOME, MANY = (2, 5), (5, 16), (40, 110)
LAYOUTS = ("strewn", "lattice", "turned lattice", "nested", "on surfaces", "in a row", "apart")
KINDS = ("turned", "mirrored", "stretched", "sheared")


@dataclass
class Thing:
    """One object of a scene."""

    mesh: int
    pose: np.ndarray
    static: bool = False
    group: str | None = None


@dataclass
class Varied:
    """A scene and how it is asked."""

    meshes: list[tuple[np.ndarray, np.ndarray]]
    things: list[Thing]
    asked: dict = field(default_factory=dict)       # pairs and rules, as `detect` takes them

    def build(self, order=None) -> Scene:
        """The Scene, its objects in the given order (their own by default)."""
        scene = Scene()
        for vertices, triangles in self.meshes:
            scene.add_mesh(vertices, triangles)
        for index in range(len(self.things)) if order is None else order:
            thing = self.things[index]
            scene.add_object(thing.mesh, thing.pose, static=thing.static, group=thing.group)
        return scene


def single_triangle(rng):
    return rng.normal(size=(3, 3)), np.array([(0, 1, 2)], np.int32)


def needle(rng):
    """A closed spike ten thousand times as long as wide."""
    return TETRAHEDRON[0] * (1.0, 1e-4, 1e-4), TETRAHEDRON[1]


def leaf(rng):
    """A sheet of the same triangle three times, one of them turned over."""
    return rng.integers(-2, 3, (3, 3)).astype(float), np.array([(0, 1, 2), (1, 2, 0), (2, 1, 0)], np.int32)


def worn(rng):
    """A closed shape some of whose triangles have lost their area, or are gone."""
    vertices, faces = SHAPES[rng.integers(len(SHAPES))]
    faces = faces[rng.random(len(faces)) < 0.9].copy()
    flat = rng.random(len(faces)) < 0.2
    faces[flat, 2] = faces[flat, rng.integers(2)]
    return (vertices, faces) if len(faces) else TETRAHEDRON


def lines(rng):
    """Triangles all of whose corners lie on one line."""
    way = rng.integers(-1, 2, 3) + 0.0
    return rng.integers(-2, 3, (6, 1)) * way, rng.integers(0, 6, (5, 3)).astype(np.int32)


def dot(rng):
    return np.repeat(rng.integers(0, 2, (1, 3)).astype(float), 3, axis=0), np.array([(0, 1, 2)], np.int32)


def heap(rng):
    """Whole corners, no two triangles of which need share a vertex."""
    return rng.integers(0, 4, (12, 3)).astype(float), rng.integers(0, 12, (9, 3)).astype(np.int32)


def long_sheet(rng):
    return grid(12, 2, (-3, -0.5, 0), (0.5, 0, 0), (0, 0.5, 0))


def doubled(rng):
    """Every triangle twice, so that no cut tells the two apart."""
    vertices, faces = SHAPES[rng.integers(len(SHAPES))]
    return vertices, np.concatenate([faces, faces])


def far_parts(rng):
    """Two pieces with much room in between."""
    return joined(box(), moved(TETRAHEDRON, 10.0 ** rng.uniform(0, 6) * np.sign(rng.normal(size=3))))


def ordinary(rng):
    return SHAPES[rng.integers(len(SHAPES))]


def dwindling(rng):
    """Triangles each a thousandth of the one before, and as much nearer to the origin: no cut halves them."""
    steps = 1e3 ** -np.arange(float(rng.integers(2, 26)))
    vertices = (steps[:, None, None] * (rng.normal(size=(3, 3)) + (2.0, 0.0, 0.0))).reshape(-1, 3)
    return vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)


def pile(rng):
    """One triangle many times, and a few others."""
    vertices, faces = SHAPES[rng.integers(len(SHAPES))]
    return vertices, np.concatenate([np.repeat(faces[:1], 14, axis=0), faces[1:3]])


def many_faces(rng):
    return ball(12, 9, 0.8)


def cloud(rng):
    """Points without faces: most methods leave the object out."""
    return rng.normal(size=(int(rng.integers(1, 30)), 3)), np.zeros((0, 3), np.int32)


MAKERS = (ordinary, ordinary, ordinary, cloud, single_triangle, needle, leaf, worn, lines, dot, heap, long_sheet,
          doubled, far_parts, many_faces, dwindling, pile, lambda rng: fan([0, 120, 240]))
TURNS = [random_linear(np.random.default_rng(seed), "turned") for seed in range(4)]
SCALES = (1.0,) * 12 + (1e-6, 1e6, 1e-30, 1e30) * 2 + (1e-150, 1e120, 1e-310, 1e307)
OFFSETS = (0.0,) * 4 + (1e3, 1e7, 1e12)


def draw_varied(seed: int, counts=(FEW, SOME, MANY)) -> Varied:
    """One scene; another one for another seed."""
    rng = np.random.default_rng([seed, 77])
    low, high = counts[rng.integers(len(counts))]
    count = int(rng.integers(low, high))
    if rng.random() < 0.15:                             # one kind of box only, as the particle method likes it
        meshes = [box((-0.5,) * 3, (0.5,) * 3)]
    else:
        makers = rng.choice(len(MAKERS), rng.integers(1, 7))
        meshes = [MAKERS[maker](rng) for maker in makers]
    mixed = rng.random() < 0.3
    layout = LAYOUTS[rng.integers(len(LAYOUTS))]
    things: list[Thing] = []
    for index in range(count):
        mesh = int(rng.integers(len(meshes)))
        things.append(Thing(mesh, place(rng, layout, index, count, meshes, things, mixed)))
    if rng.random() < 0.3:                              # what touched still does, exactly, but along no axis
        turn = whole_turn(rng)
        for thing in things:
            thing.pose[:3] = turn @ thing.pose[:3]
    meshes, things = into_units(rng, meshes, things)
    flag(rng, things)
    return Varied(meshes, things, question(rng, things))


def place(rng, layout: str, index: int, count: int, meshes, things, mixed: bool) -> np.ndarray:
    """A pose for one more object."""
    size = 10.0 ** rng.uniform(-6, 6 if rng.random() < 0.2 else 0) if mixed else 1.0
    linear = random_linear(rng, KINDS[rng.integers(4)]) * size
    room = 1.5 * count ** (1 / 3)
    if layout == "lattice":
        signs = np.where(rng.random(3) < 0.2, -1.0, 1.0)
        return pose(signs * rng.choice([0.5, 1.0, 1.0, 2.0]), rng.integers(0, int(room) + 2, 3) * 0.5)
    if layout == "turned lattice":                      # what would touch does so, or not, by a rounding error
        turn = TURNS[len(meshes) % len(TURNS)]
        return pose(turn, turn @ rng.integers(0, int(room) + 2, 3) * 0.5)
    if layout == "nested":
        return pose(linear * 0.7 ** (index % 12), rng.normal(size=3) * 1e-3 * 0.7 ** (index % 12))
    if layout == "on surfaces" and things:
        host = things[rng.integers(len(things))]
        vertices, faces = meshes[host.mesh]
        corners = vertices[faces[rng.integers(len(faces))]] if len(faces) else vertices[[0, 0, 0]]
        spot = rng.dirichlet((1, 1, 1)) @ corners
        return pose(linear, host.pose[:3, :3] @ spot + host.pose[:3, 3])
    if layout == "in a row":
        return pose(linear if rng.random() < 0.5 else 1.0, (0.75 * index, 0, 0))
    if layout == "apart":                               # far between, by the pair
        return pose(linear, (index // 2 * 1e3, index % 2 * 0.5, 0))
    if rng.random() < 0.06:
        linear = linear @ np.diag(rng.integers(0, 2, 3))        # scale zero in some directions
    return pose(linear, rng.uniform(0, room, 3))


def whole_turn(rng) -> np.ndarray:
    """3×3 of whole numbers: a rotation times 5 or 25. Small whole coordinates stay whole."""
    turn = np.eye(3)
    for axis in rng.integers(0, 3, rng.integers(1, 3)):
        x, y = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3) * 5
        step[x, x], step[x, y], step[y, x], step[y, y] = 3, -4, 4, 3
        turn = step @ turn
    return turn


@np.errstate(all="ignore")       # what overflows is left out by name
def into_units(rng, meshes, things):
    """All of it in other units and elsewhere: in the poses or in the vertices."""
    scale = SCALES[rng.integers(len(SCALES))]
    if not 1e-100 < scale < 1e100 and len(things) > SOME[1]:
        scale = 1.0             # beyond what machine numbers decide: rational arithmetic, slow
    offset = OFFSETS[rng.integers(len(OFFSETS))] * scale * rng.choice([-1.0, 0.0, 1.0], 3)
    if rng.random() < 0.3:
        meshes = [(vertices * scale, faces) for vertices, faces in meshes]
        for thing in things:
            thing.pose[:3, 3] = thing.pose[:3, 3] * scale + offset
    else:
        for thing in things:
            thing.pose[:3] *= scale
            thing.pose[:3, 3] += offset
    return meshes, things


def flag(rng, things) -> None:
    """Static objects, and groups that rules can speak about."""
    share = rng.choice([0.0, 0.0, 0.3, 0.9])
    for thing in things:
        thing.static = bool(rng.random() < share)
        thing.group = str(rng.choice(["red", "green", "blue"]))
    things[-1].static = False


def question(rng, things) -> dict:
    """Mostly everything against everything."""
    kind = rng.random()
    if kind < 0.1:
        return {"rules": [("red", "green"), ("blue", "blue")]}
    if kind < 0.2 and len(things) > 2:
        pairs = rng.integers(0, len(things), (2 * len(things), 2))
        return {"pairs": pairs[pairs[:, 0] != pairs[:, 1]]}
    return {}


class Story:
    """A kept Scene to which things happen, and what it looks like when made anew."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng([seed, 78])
        self.state = draw_varied(seed, (FEW, SOME))
        self.scene = self.state.build()
        self.size = max(float(np.abs(thing.pose[:3]).max()) for thing in self.state.things) or 1.0

    def go_on(self) -> None:
        """Let one to three things happen."""
        happenings = (self.move, self.move, self.move, self.deform, self.add, self.break_or_heal, self.turn_over_flags,
                      self.swap, self.ask_otherwise)
        for number in self.rng.integers(0, len(happenings), self.rng.integers(1, 4)):
            happenings[number]()

    def move(self) -> None:
        """Some objects, static ones too; not all of them to another place."""
        rng, things = self.rng, self.state.things
        chosen = np.flatnonzero(rng.random(len(things)) < rng.choice([0.1, 0.5, 1.0]))
        for index in chosen:
            old = things[index].pose
            new = old.copy()
            if not np.isfinite(old).all():
                new = pose(self.size)
            elif rng.random() < 0.8:
                new[:3, :3] = old[:3, :3] @ random_linear(rng, "turned")
                new[:3, 3] += rng.normal(size=3) * 0.3 * np.abs(old[:3, :3]).max()
            things[index].pose = new
        self.scene.set_poses(chosen, np.array([things[index].pose for index in chosen]).reshape(-1, 4, 4))

    def deform(self) -> None:
        """One mesh: a little, into another size, or flat."""
        rng = self.rng
        index = int(rng.integers(len(self.state.meshes)))
        vertices, faces = self.state.meshes[index]
        kind = rng.random()
        if kind < 0.6:
            vertices = vertices + rng.normal(size=vertices.shape) * 0.1 * np.abs(vertices).max()
        elif kind < 0.8:
            vertices = vertices * rng.choice([0.1, 3.0])
        else:
            vertices = vertices * (1.0, 1.0, 0.0)
        self.state.meshes[index] = vertices, faces
        self.scene.set_vertices(index, vertices)

    def add(self) -> None:
        """One more object, perhaps of a mesh that is new."""
        rng, state = self.rng, self.state
        if rng.random() < 0.5:
            vertices, faces = MAKERS[rng.integers(len(MAKERS))](rng)
            state.meshes.append((vertices * np.abs(state.meshes[0][0]).max(), faces))
            self.scene.add_mesh(*state.meshes[-1])
        beside = state.things[rng.integers(len(state.things))]
        thing = Thing(len(state.meshes) - 1, beside.pose.copy(), bool(rng.random() < 0.3), "red")
        state.things.append(thing)
        self.scene.add_object(thing.mesh, thing.pose, static=thing.static, group=thing.group)

    def swap(self) -> None:
        """One object gets another mesh, large or small, perhaps one that no other has used yet."""
        index, mesh = int(self.rng.integers(len(self.state.things))), int(self.rng.integers(len(self.state.meshes)))
        self.state.things[index].mesh = mesh
        self.scene.objects[index].mesh = mesh

    def break_or_heal(self) -> None:
        """One object gets a pose that is no number, or gets well again."""
        thing = self.state.things[0]
        thing.pose = thing.pose.copy()
        thing.pose[0, 3] = 0.0 if np.isnan(thing.pose[0, 3]) else np.nan
        self.scene.set_poses([0], [thing.pose])

    def turn_over_flags(self) -> None:
        """What was static moves now, or the other way round; never all of it."""
        for index in np.flatnonzero(self.rng.random(len(self.state.things) - 1) < 0.3):
            thing = self.state.things[index]
            thing.static = not thing.static
            self.scene.objects[index].static = thing.static

    def ask_otherwise(self) -> None:
        self.state.asked = question(self.rng, self.state.things)
