# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzed scenes: a family each, in some units and at some place, with what happens to it between the calls."""
import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .families import FAMILIES, Drawn, Thing
from .shapes import pose, rotation

SEED = 20_031_117
COUNT = 300
# Where and how large. Each family meets each of them.
PLACES = ("as it is", "turned", "far away", "tiny", "huge", "as it is", "turned and far away", "far away in the mesh",
          "tiny in the mesh", "at the ends of float64")
SMALL = 200         # triangles that may leave the range of machine numbers: rational arithmetic is slow
FEW = 300           # vertices that may be put out of order


@dataclass
class Change:
    """What happens to a kept scene before it is asked again."""

    poses: dict[int, np.ndarray] = field(default_factory=dict)          # of objects
    vertices: dict[int, np.ndarray] = field(default_factory=dict)       # of meshes
    added: list[Thing] = field(default_factory=list)


@dataclass
class Fuzzed:
    """One scene and what it is asked: as it is, and after each change."""

    name: str
    drawn: Drawn
    clearance: float
    changes: tuple[Change, Change]

    @property
    def triangles(self) -> int:
        """Of all objects."""
        return sum(len(self.drawn.meshes[thing.mesh][1]) for thing in self.drawn.things)

    @property
    def objects(self) -> int:
        return len(self.drawn.things)

    def build(self, scene):
        """Fill a new, empty `touchpoint.core.Scene` and return it."""
        for vertices, triangles in self.drawn.meshes:
            scene.add_mesh(vertices, triangles)
        self._add(scene, self.drawn.things)
        return scene

    def apply(self, step: int, scene) -> None:
        """Do to the scene what happens before a step: 0 (nothing), 1 or 2."""
        if step == 0:
            return
        change = self.changes[step - 1]
        scene.set_poses(list(change.poses), np.array(list(change.poses.values())).reshape(-1, 4, 4))
        for mesh, vertices in change.vertices.items():
            scene.set_vertices(mesh, vertices)
        self._add(scene, change.added)

    def _add(self, scene, things) -> None:
        for thing in things:
            scene.add_object(thing.mesh, thing.pose, name=f"object {len(scene.objects)}", group=thing.group,
                             static=thing.static)

    @cached_property
    def digest(self) -> str:
        """Changes with any number of the scene, of its changes, and of what is asked."""
        found = hashlib.sha256(repr((self.clearance, self.drawn.asked.get("rules"))).encode())
        arrays = [array for mesh in self.drawn.meshes for array in mesh]
        arrays += [np.asarray(self.drawn.asked.get("pairs", ()))]
        for things, change in ((self.drawn.things, Change()), *((each.added, each) for each in self.changes)):
            found.update(repr([(thing.mesh, thing.static, thing.group) for thing in things]).encode())
            arrays += [thing.pose for thing in things]
            for part in (change.poses, change.vertices):
                found.update(repr(list(part)).encode())
                arrays += part.values()
        for array in arrays:
            found.update(repr((array.dtype, array.shape)).encode() + array.tobytes())
        return found.hexdigest()


def fuzzed(number: int) -> Fuzzed:
    """Scene 0 … COUNT - 1; always the same."""
    rng = np.random.default_rng([SEED, number])
    turn, which = divmod(number, len(FAMILIES))
    drawn = FAMILIES[which](rng)
    with np.errstate(all="ignore"):         # what overflows is left out by name, which is part of the answer
        size, where = _into_place(rng, drawn, PLACES[turn % len(PLACES)])
        local = size if "in the mesh" in where else 1.0
        changes = _moved(rng, drawn, size), _deformed(rng, drawn, size, local)
        clearance = size * float(rng.choice([1e-9, 1e-3, 0.05, 0.5]))
    return Fuzzed(f"{number:03d} {FAMILIES[which].__name__} {where}", drawn, clearance, changes)


def _into_place(rng, drawn: Drawn, place: str) -> tuple[float, str]:
    """Put all of it into other units and elsewhere. Returns the length that was 1, and what was done."""
    count = sum(len(drawn.meshes[thing.mesh][1]) for thing in drawn.things)
    if place == "at the ends of float64" and count > SMALL:
        place = "as it is"
    turn, size, offset = np.eye(3), 1.0, np.zeros(3)
    if "turned" in place:
        turn = rotation(rng)
    if "far away" in place:
        offset = rng.choice([1e3, 1e6, 1e9]) * rng.choice([-1.0, 0.5, 1.0], 3)
    if "tiny" in place:
        size = float(rng.choice([1e-9, 1e-30]))
    if place == "huge":
        size = float(rng.choice([1e6, 1e30]))
    if place == "at the ends of float64":
        size = float(rng.choice([1e-150, 1e120, 1e-305, 1e290]))
    if "in the mesh" in place:
        drawn.meshes = [(vertices * size + offset, triangles) for vertices, triangles in drawn.meshes]
        for thing in drawn.things:          # the same picture, about another origin
            thing.pose[:3, 3] = thing.pose[:3, 3] * size - thing.pose[:3, :3] @ offset
        return size, place
    for thing in drawn.things:
        thing.pose[:3] = turn @ thing.pose[:3] * size
        thing.pose[:3, 3] += offset
    return size, place


def _moved(rng, drawn: Drawn, size: float) -> Change:
    """Some objects elsewhere, some told to be where they are; static ones move, too."""
    change = Change()
    for index in np.flatnonzero(rng.random(len(drawn.things)) < rng.choice([0.2, 0.6, 1.0])).tolist():
        old = drawn.things[index].pose
        change.poses[index] = old.copy()
        if rng.random() < 0.8:
            change.poses[index][:3, :3] = old[:3, :3] @ (rotation(rng) if rng.random() < 0.5 else np.eye(3))
            change.poses[index][:3, 3] += rng.normal(size=3) * 0.2 * size
    return change


def _deformed(rng, drawn: Drawn, size: float, local: float) -> Change:
    """One mesh a little, flat, smaller, or out of all order; sometimes one more object; some move again. local: a
    mesh's own length of what is about 1 as it was drawn."""
    change = _moved(rng, drawn, size) if rng.random() < 0.5 else Change()
    mesh = int(rng.integers(len(drawn.meshes)))
    vertices = drawn.meshes[mesh][0]
    kind = rng.random()
    if kind < 0.5:
        vertices = vertices + rng.normal(size=vertices.shape) * 0.05 * local
    elif kind < 0.6:
        vertices = vertices * (1.0, 1.0, 0.0)
    elif kind < 0.7:
        vertices = vertices * 0.5
    elif len(vertices) <= FEW:          # of more, every triangle would meet every other
        vertices = vertices[rng.permutation(len(vertices))]
    change.vertices[mesh] = vertices
    if rng.random() < 0.3:
        beside = drawn.things[rng.integers(len(drawn.things))]
        change.added.append(Thing(mesh, beside.pose @ pose(1.0, rng.normal(size=3) * 0.3 * local), group=beside.group))
    return change
