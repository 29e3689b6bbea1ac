# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk over all that the dependency graph shows: objects, and the instances that collections, geometry nodes,
particles and parents make of them.

The graph lists the surface of a text, curve or metaball as a mesh of its own behind the object, looking like an
instance that the object makes of itself; only rows that are meshes are taken, so each surface comes once. It also
lists objects of collections whose eye is closed (not in `Chosen`) and instancers that are not drawn (`show_self`).
"""
from dataclasses import dataclass, field
from typing import NamedTuple

import bpy
import numpy as np

from ..names import is_made, name_of
from .mesh_source import Before, MeshKey, MeshSource
from .scope import Chosen, metaball_family
from .untested import REASONS, is_untested

UNUSED = 2**31 - 1      # fills the places of a persistent id that mean nothing
LEVELS: int = bpy.types.DepsgraphObjectInstance.bl_rna.properties["persistent_id"].array_length  # type: ignore[attr-defined]
SURFACE_TYPES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
SourceKey = int | str | None        # session_uid of an object, or the name of a mesh that nodes made


class Met(NamedTuple):
    """One mesh at one place, in plain words and numbers: those of two readings can be compared."""

    owner: int              # session_uid of the (original) object itself, or of the instancer
    source: SourceKey       # None for the object itself, otherwise what the instance shows
    number: int             # of the instance among those of the same owner and source, from 1
    mesh: MeshKey

    @property
    def source_uid(self) -> int:
        """The session_uid of the object that it shows; 0 for the object itself, and for a mesh that nodes made."""
        return self.source if isinstance(self.source, int) else 0


@dataclass(eq=False)
class Walk:
    """What was met. takes_points: what has points and no faces counts, too. poses: (n,4,4) float32 of `met`.
    persistent_ids: (n, LEVELS) int32, UNUSED where an object shows itself; None where all do. owners, shown: the
    objects that `met` names, and of sources also names. sources: where each evaluated mesh is to be read, by its
    pointer. modified: (owner, source) of instances of objects with modifiers. empty: (owner, source) of what has
    nothing to test. untested: (owner, source, type) of what is seen without
    being a surface."""

    takes_points: bool = False
    met: list[Met] = field(default_factory=list)
    poses: np.ndarray = field(default_factory=lambda: np.zeros((0, 4, 4), np.float32))
    persistent_ids: np.ndarray | None = None
    owners: dict[int, bpy.types.Object] = field(default_factory=dict)
    shown: dict[SourceKey, bpy.types.Object | str | None] = field(default_factory=dict)
    sources: dict[int, MeshSource] = field(default_factory=dict)
    modified: list[tuple] = field(default_factory=list)
    empty: list[tuple] = field(default_factory=list)
    untested: list[tuple] = field(default_factory=list)

    @property
    def types(self) -> set[str]:
        """Types of objects that are named where nothing of them can be tested."""
        return SURFACE_TYPES | ({"POINTCLOUD"} if self.takes_points else set())


def walk(depsgraph: bpy.types.Depsgraph, chosen: Chosen, takes_points: bool = False,
         before: Before = lambda _: None) -> Walk:
    """Everything asked for that has faces (or points), in the order of the graph; meshes are still to be read. before:
    what an earlier reading gave of a mesh."""
    found, place, places = Walk(takes_points), -1, []
    numbers: dict[tuple, int] = {}
    of_holder: dict[int, int] = {}
    empty, untested, hidden = {}, {}, set()
    sources, owners, groups = found.sources, found.owners, chosen.groups
    # Each question costs Blender some 0.1 µs, and there may be thousands.
    for place, each in enumerate(depsgraph.object_instances):
        shown, is_instance = each.object, each.is_instance
        kind = shown.type
        if kind != "MESH" and not (takes_points and kind == "POINTCLOUD"):
            if kind in REASONS and each.show_self and is_untested(shown, is_instance):
                _note_untested(untested, each, chosen)
            continue
        owner = (each.parent if is_instance else shown).original
        uid = owner.session_uid
        if uid not in groups and owner not in chosen:
            continue
        source = _source(each, owner) if is_instance else None
        source_key = _key_of(source) if is_instance else None
        key = uid, source_key
        number = numbers[key] = numbers.get(key, 0) + 1
        if number == 1 and is_instance and isinstance(source, bpy.types.Object) and source.modifiers:
            found.modified.append((owner, source))
        if not each.show_self:
            hidden.add(key)
            continue
        data = shown.data
        mesh = data.as_pointer()
        read_at = sources.get(mesh)
        if read_at is None:
            read_at = sources[mesh] = MeshSource.of(shown, data, each.instance_object if is_instance else shown,
                                                    of_holder, before)
        nothing = not (read_at.points if takes_points else read_at.faces)
        if (nothing or takes_points) and is_instance and is_made(each.instance_object.original):
            continue        # an instance of results
        if nothing:
            empty[key] = (owner, source)
            continue
        found.met.append(Met(uid, source_key, number, read_at.key))
        places.append(place)
        owners[uid], found.shown[source_key] = owner, source
    _place(found, depsgraph, place + 1, places)
    found.empty = _empty(found, chosen, empty, hidden)
    found.untested = [entry for (*key, kind), entry in untested.items()
                      if kind != "CURVE" or tuple(key) not in numbers or entry[1] is None]
    return found


def _place(found: Walk, depsgraph, count: int, places: list[int]) -> None:
    """Set poses and persistent ids, which are asked for all entries of the graph at once: one by one, a pose costs
    1.5 µs instead of 0.3. count: of these entries; places: of what was met among them."""
    if not places:
        return
    matrices = np.empty((count, 4, 4), np.float32)      # column by column
    depsgraph.object_instances.foreach_get("matrix_world", matrices.reshape(-1))
    found.poses = matrices[places].transpose(0, 2, 1)
    if any(key is not None for key in found.shown):
        ids = np.empty((count, LEVELS), np.int32)
        depsgraph.object_instances.foreach_get("persistent_id", ids.reshape(-1))
        found.persistent_ids = ids[places]
        found.persistent_ids[[each.source is None for each in found.met]] = UNUSED


def _note_untested(untested: dict, each, chosen: Chosen) -> None:
    """Take down an entry of the graph that is seen and cannot be tested, once for all instances of it."""
    owner = (each.parent if each.is_instance else each.object).original
    if owner in chosen:
        source = _source(each, owner) if each.is_instance else None
        kind = each.object.type
        untested[owner.session_uid, _key_of(source), kind] = owner, source, kind


def _source(each, owner) -> bpy.types.Object | str | None:
    """What an instance shows; None: the owner itself."""
    source = each.instance_object.original
    if source != owner:
        return source
    if list(each.persistent_id).count(UNUSED) == LEVELS - 1:
        return None
    return name_of(each.object.data)


def _key_of(source: bpy.types.Object | str | None) -> SourceKey:
    return source if source is None or isinstance(source, str) else source.session_uid


def _empty(found: Walk, chosen: Chosen, met: dict, hidden: set) -> list[tuple]:
    """(owner, source) of what is to be named as left out: met with nothing to test, or asked for and never met.
    An object whose own mesh is empty while it makes instances is shown by these."""
    owners = found.owners
    families = {metaball_family(each) for each in owners.values() if each.type == "META"}
    never_met: dict = {}
    types = found.types
    for each in chosen.objects:
        kind = each.type
        if kind == "META":
            family = metaball_family(each)
            if family not in families:
                never_met.setdefault(family, (each, None))
        elif kind in types and (each.session_uid, None) not in hidden:
            never_met[each.session_uid, None] = (each, None)
    everything = {**never_met, **met}.values()
    return [(owner, source) for owner, source in everything if source is not None or owner.session_uid not in owners]
