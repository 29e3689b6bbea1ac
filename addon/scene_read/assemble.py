# SPDX-License-Identifier: GPL-3.0-or-later
"""From what was met in Blender to the core Scene, the rows that lead back, and the list of what was left out."""
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core import Scene
from ...core.codes import Skipped
from ...core.rules import Rule, RuleSet
from ..names import identifier_of, name_of
from .instances import Instance, Walk
from .mesh_source import MeshSource
from .names import Labels, library_path, made_unique
from .own import Own
from .relations import gather
from .scope import Chosen
from .snapshot import Row
from .untested import REASONS, particle_systems

MeshKey = tuple[int, int]       # session_uid of the object whose mesh it is, and which of its meshes
AFFINE_ROW = (0.0, 0.0, 0.0, 1.0)


@dataclass(slots=True)
class Part:
    """What becomes one object of the core Scene."""

    row: Row
    pose: np.ndarray        # (4,4) float64
    group: str | None
    mesh: int               # key of Assembly.sources
    shell: bool
    clearance: float        # that it asks for by itself
    key: tuple              # what it is, whatever it is called


class Assembly:
    """What was met, in plain words and numbers, so that Blender may change while meshes are still being read."""

    def __init__(self, found: Walk, chosen: Chosen, scene, rules: Sequence[Rule] = (), identify_by: str = ""):
        """scene: the `bpy.types.Scene` that is read; rules: that take pairs away; identify_by: a custom property."""
        self.rules = chosen.rules
        self.takes_points = found.takes_points
        self.words, self.collections = chosen.words, chosen.collections
        self.is_against_others = bool(chosen.selected)
        labels = Labels(_shown_objects(found, chosen))
        named = sorted(((labels.of(each.owner), labels.of(each.source), each.number, each)
                        for each in found.instances), key=lambda entry: entry[:3])
        names = made_unique([instance_name(owner, source, number) for owner, source, number, _ in named])
        skipped = _skipped(found, chosen, labels)
        self.parts: list[Part] = []
        keys: dict[tuple, int] = {}
        owners, own = [], Own()
        poses, affine = _poses([each.matrix for *_, each in named])
        for name, pose, is_affine, (_, source, number, each) in zip(names, poses, affine, named):
            if not is_affine:
                skipped.append(Skipped(None, name, "its matrix is not affine", judged=False))
                continue
            row = Row(name, name_of(each.owner), library_path(each.owner), each.key[0], each.source is not None,
                      each.persistent_id, f"{source} #{number}" if source else "",
                      identifier(each, identify_by) if identify_by else None, each.source_uid)
            key = (*each.key, each.persistent_id)
            keys[key] = keys.get(key, 0) + 1
            self.parts.append(Part(row, pose, chosen.group_of(each.owner), each.mesh, *own.of(each), (*key, keys[key])))
            owners.append(each.owner)
        self.skipped = sorted(skipped, key=lambda each: each.name)
        used = {each.mesh for each in self.parts}
        self.sources = {key: source for key, source in found.sources.items() if key in used}
        self.mesh_keys = _mesh_keys(self.sources)
        self.taking: RuleSet | None = None
        if rules:
            relations = gather(scene, rules, owners, [part.row for part in self.parts])
            self.taking = RuleSet(rules, relations, chosen.rules)

    def put_together(self) -> Scene:
        """The core Scene in the order of names, whatever order the graph was in, once all sources are read."""
        core, mesh_index = Scene(), {}
        for part in self.parts:
            if part.mesh not in mesh_index:
                stored = self.sources[part.mesh].stored
                mesh_index[part.mesh] = core.add_mesh(stored.vertices, stored.triangles, stored.faces_of)
            core.add_object(mesh_index[part.mesh], part.pose, name=part.row.name, group=part.group, shell=part.shell,
                            clearance=part.clearance)
        return core


def identifier(instance: Instance, name: str) -> str | None:
    """A custom property of what an instance shows, as text; None where there is none, or it is neither text nor a
    number. name: of the property."""
    return identifier_of(instance.source if instance.source_uid else instance.owner, name)


def _mesh_keys(sources: dict[int, MeshSource]) -> dict[int, MeshKey]:
    """Which mesh each source is, by pointer: that of an object, with a number where nodes made it several."""
    keys, numbers = {}, Counter()
    for pointer, source in sources.items():
        numbers[source.session_uid] += 1
        keys[pointer] = source.session_uid, numbers[source.session_uid]
    return keys


def _poses(matrices: list[tuple[float, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """(n,4,4) float64, and (n,) bool whether each is affine. One that holds NaN counts as affine: with its last row
    put right it gets as far as the core, which leaves the object out by name."""
    poses = np.array(matrices, np.float64).reshape(-1, 4, 4)
    poses[~np.isfinite(poses).all(axis=(1, 2)), 3] = AFFINE_ROW
    return poses, (poses[:, 3] == AFFINE_ROW).all(axis=1)


def instance_name(owner: str, source: str, number: int) -> str:
    """`Forest ▸ Tree #128`, or the owner's name where it is shown itself (source "")."""
    return f"{owner} ▸ {source} #{number}" if source else owner


def _shown_objects(found: Walk, chosen: Chosen) -> set:
    """All objects whose names will be shown, each once."""
    pairs = [*((each.owner, each.source) for each in found.instances), *found.empty,
             *(entry[:2] for entry in found.untested)]
    owners, sources = {owner for owner, _ in pairs}, {source for _, source in pairs}
    return owners.union(chosen.objects, (each for each in sources if isinstance(each, bpy.types.Object)))


def _skipped(found: Walk, chosen: Chosen, labels: Labels) -> list[Skipped]:
    skipped = list(chosen.skipped)
    lost = {each.session_uid for each in chosen.objects
            if each.is_missing or (each.data is not None and each.data.is_missing)}
    for each in chosen.objects:
        if each.session_uid in lost:
            skipped.append(Skipped(None, labels.of(each), "its library file is missing", judged=False))
    told = {entry[:2] for entry in found.untested}
    for owner, source in found.empty:
        if owner.session_uid not in lost and (owner, source) not in told:
            skipped.append(Skipped(None, _shown_by(owner, source, labels),
                                   "it has no points" if found.takes_points else "it has no faces"))
    for owner, source, kind in found.untested:
        skipped.append(Skipped(None, _shown_by(owner, source, labels), *REASONS[kind]))
    for each in chosen.objects:
        if each.type == "MESH" and each.modifiers:
            skipped += [Skipped(None, f"{labels.of(each)} ▸ {name}", *reason)
                        for name, reason in particle_systems(each)]
    return skipped


def _shown_by(owner, source, labels: Labels) -> str:
    return f"{labels.of(owner)} ▸ {labels.of(source)}" if source else labels.of(owner)
