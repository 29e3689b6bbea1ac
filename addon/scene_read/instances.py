# SPDX-License-Identifier: GPL-3.0-or-later
"""The walk over all that the dependency graph shows: objects, and the instances that collections, geometry nodes,
particles and parents make of them.

The graph lists the surface of a text, curve or metaball as a mesh of its own behind the object, looking like an
instance that the object makes of itself; only rows that are meshes are taken, so each surface comes once. It also
lists objects of collections whose eye is closed (not in `Chosen`) and instancers that are not drawn (`show_self`).
"""
from dataclasses import dataclass, field
from typing import Any

import bpy

from ..names import is_made, name_of
from .mesh_source import MeshSource
from .scope import Chosen, metaball_family
from .untested import REASONS, is_untested

UNUSED = 2**31 - 1      # fills the places of a persistent id that mean nothing
SURFACE_TYPES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


@dataclass(slots=True)
class Instance:
    """One mesh at one place. owner: the (original) object itself or the instancer. source: None for the object itself,
    otherwise what the instance shows, an (original) object or the name of a mesh that nodes made."""

    owner: bpy.types.Object
    source: bpy.types.Object | str | None
    key: tuple              # their session_uids, or that name; None for no source
    number: int             # of the instance among those of the same owner and source, from 1
    persistent_id: tuple[int, ...]
    mesh: int               # key of Walk.sources
    matrix: tuple[float, ...]       # 16 numbers, row by row

    @property
    def source_uid(self) -> int:
        """The session_uid of the object that it shows; 0 for the object itself, and for a mesh that nodes made."""
        return self.key[1] if isinstance(self.key[1], int) else 0


@dataclass(eq=False)
class Walk:
    """What was met. takes_points: what has points and no faces counts, too. sources: where each evaluated mesh is to be
    read. empty: (owner, source) of what has nothing to test. untested: (owner, source, type) of what is seen without
    being a surface."""

    takes_points: bool = False
    instances: list[Instance] = field(default_factory=list)
    sources: dict[int, MeshSource] = field(default_factory=dict)
    empty: list[tuple] = field(default_factory=list)
    untested: list[tuple] = field(default_factory=list)

    @property
    def types(self) -> set[str]:
        """Types of objects that are named where nothing of them can be tested."""
        return SURFACE_TYPES | ({"POINTCLOUD"} if self.takes_points else set())


def walk(depsgraph: bpy.types.Depsgraph, chosen: Chosen, takes_points: bool = False) -> Walk:
    """Everything asked for that has faces (or points), in the order of the graph; meshes are still to be read."""
    found = Walk(takes_points)
    numbers: dict[tuple, int] = {}
    empty, untested, hidden = {}, {}, set()
    for each in depsgraph.object_instances:     # each question costs Blender some 0.1 µs, and there may be thousands
        shown, is_instance = each.object, each.is_instance
        kind = shown.type
        if kind != "MESH" and not (takes_points and kind == "POINTCLOUD"):
            if kind in REASONS and each.show_self and is_untested(shown, is_instance):
                _note_untested(untested, each, chosen)
            continue
        owner = (each.parent if is_instance else shown).original
        if owner not in chosen:
            continue
        source, persistent_id = _source(each, owner) if is_instance else (None, ())
        key = owner.session_uid, None if source is None else getattr(source, "session_uid", source)
        number = numbers[key] = numbers.get(key, 0) + 1
        if not each.show_self:
            hidden.add(key)
            continue
        data = shown.data
        mesh = data.as_pointer()
        read_at = found.sources.get(mesh)
        if read_at is None:
            read_at = found.sources[mesh] = MeshSource.of(shown, data, each.instance_object if is_instance else shown)
        nothing = not read_at.has(points=takes_points)
        if (nothing or takes_points) and is_instance and is_made(each.instance_object.original):
            continue        # an instance of results
        if nothing:
            empty[key] = (owner, source)
            continue
        rows: Any = each.matrix_world.copy()        # without the copy, Blender is asked anew for each row
        a, b, c, d = rows
        matrix = a[:] + b[:] + c[:] + d[:]
        found.instances.append(Instance(owner, source, key, number, persistent_id, mesh, matrix))
    found.empty = _empty(found, chosen, empty, hidden)
    found.untested = [entry for (*key, kind), entry in untested.items()
                      if kind != "CURVE" or tuple(key) not in numbers or entry[1] is None]
    return found


def _note_untested(untested: dict, each, chosen: Chosen) -> None:
    """Take down an entry of the graph that is seen and cannot be tested, once for all instances of it."""
    owner = (each.parent if each.is_instance else each.object).original
    if owner in chosen:
        source = _source(each, owner)[0] if each.is_instance else None
        kind = each.object.type
        untested[owner.session_uid, getattr(source, "session_uid", source), kind] = owner, source, kind


def _source(each, owner) -> tuple[bpy.types.Object | str | None, tuple[int, ...]]:
    """What an instance shows (None: the owner itself) and its persistent id."""
    persistent_id = tuple(number for number in each.persistent_id if number != UNUSED)
    source = each.instance_object.original
    if source != owner:
        return source, persistent_id
    if len(persistent_id) == 1:
        return None, ()
    return name_of(each.object.data), persistent_id


def _empty(found: Walk, chosen: Chosen, met: dict, hidden: set) -> list[tuple]:
    """(owner, source) of what is to be named as left out: met with nothing to test, or asked for and never met.
    An object whose own mesh is empty while it makes instances is shown by these."""
    owners = {each.owner.session_uid for each in found.instances}
    families = {metaball_family(each.owner) for each in found.instances if each.owner.type == "META"}
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
