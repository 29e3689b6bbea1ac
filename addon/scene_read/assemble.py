# SPDX-License-Identifier: GPL-3.0-or-later
"""From what was met in Blender to the core Scene, the rows that lead back, and the list of what was left out."""
from collections.abc import Generator, Sequence

import bpy
import numpy as np

from ...core import Scene
from ...core.codes import Skipped
from ...core.rules import Rule, RuleSet
from ..pieces import MADE_AT_ONCE
from .cast import Cast, Told, cast_of
from .instances import Walk
from .mesh_source import MeshKey, MeshSource
from .names import Labels
from .relations import gather
from .scope import Chosen
from .untested import REASONS, lost_parts

AFFINE_ROW = (0.0, 0.0, 0.0, 1.0)


class Assembly:
    """What was met, in plain words and numbers, so that Blender may change while meshes are still being read."""

    @classmethod
    def of(cls, found: Walk, chosen: Chosen, scene: bpy.types.Scene, rules: Sequence[Rule] = (), identify_by: str = "",
           before: Cast | None = None) -> "Generator[None, None, Assembly]":
        """In pieces. scene: that is read; rules: that take pairs away; identify_by: a custom property; before: of an
        earlier reading, which is taken over where nothing of it is different."""
        told = yield from Told.by(found, chosen, identify_by)
        labels = Labels(told.shared)
        cast = before if before is not None and before.told == told else (yield from cast_of(found, labels, told))
        return cls(found, chosen, scene, rules, labels, cast)

    def __init__(self, found: Walk, chosen: Chosen, scene, rules: Sequence[Rule], labels: Labels, cast: Cast):
        self.rules = chosen.rules
        self.takes_points = found.takes_points
        self.words, self.collections = chosen.words, chosen.collections
        self.is_against_others = bool(chosen.selected)
        skipped = _skipped(found, chosen, labels)
        poses, affine = _poses(found.poses[cast.order])
        if not affine.all():
            skipped += [Skipped(None, cast.rows[place].name, "its matrix is not affine", judged=False)
                        for place in np.flatnonzero(~affine).tolist()]
            cast, poses = cast.without(~affine), poses[affine]
        self.cast, self.poses = cast, poses     # poses: (n,4,4) float64
        self.skipped = sorted(skipped, key=lambda each: each.name)
        used = set(cast.meshes)
        self.sources: dict[MeshKey, MeshSource] = {each.key: each for each in found.sources.values()
                                                   if each.key in used}
        self.taking: RuleSet | None = None
        if rules:
            owners = [found.owners[row.session_uid] for row in cast.rows]
            self.taking = RuleSet(tuple(rules), gather(scene, rules, owners, cast.rows), chosen.rules)

    def put_together(self) -> Generator[None, None, Scene]:
        """The core Scene in the order of names, once all sources are read; in pieces."""
        core, mesh_index, cast = Scene(), {}, self.cast
        for count, (row, mesh, pose, group, (shell, clearance)) in enumerate(zip(
                cast.rows, cast.meshes, self.poses, cast.groups, cast.own)):
            if count % MADE_AT_ONCE == MADE_AT_ONCE - 1:
                yield
            if mesh not in mesh_index:
                mesh_index[mesh] = self.sources[mesh].add_to(core)
            core.add_object(mesh_index[mesh], pose, name=row.name, group=group, shell=shell, clearance=clearance)
        return core


def _poses(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,4,4) float64, and (n,) bool whether each is affine. One that holds NaN counts as affine: with its last row
    put right it gets as far as the core, which leaves the object out by name. matrices: (n,4,4) float32."""
    poses = np.array(matrices, np.float64, order="C")
    poses[~np.isfinite(poses).all(axis=(1, 2)), 3] = AFFINE_ROW
    return poses, (poses[:, 3] == AFFINE_ROW).all(axis=1)


def _skipped(found: Walk, chosen: Chosen, labels: Labels) -> list[Skipped]:
    skipped = list(chosen.skipped)
    lost = {each.session_uid for each in chosen.objects
            if each.is_missing or (each.data is not None and each.data.is_missing)}
    for each in chosen.objects:
        if each.session_uid in lost:
            skipped.append(Skipped(None, labels.of(each), "it was not found in its library", judged=False))
    told = {entry[:2] for entry in found.untested}
    for owner, source in found.empty:
        if owner.session_uid not in lost and (owner, source) not in told:
            skipped.append(Skipped(None, _shown_by(owner, source, labels),
                                   "it has no points" if found.takes_points else "it has no faces"))
    for owner, source, kind in found.untested:
        skipped.append(Skipped(None, _shown_by(owner, source, labels), *REASONS[kind]))
    shown = [(each, None) for each in chosen.objects if each.type == "MESH" and each.modifiers]
    for owner, source in (*shown, *found.modified):
        skipped += [Skipped(None, f"{_shown_by(owner, source, labels)} ▸ {name}", *reason)
                    for name, reason in lost_parts(source or owner)]
    return skipped


def _shown_by(owner, source, labels: Labels) -> str:
    return f"{labels.of(owner)} ▸ {labels.of(source)}" if source else labels.of(owner)
