# SPDX-License-Identifier: GPL-3.0-or-later
"""`Cast`: what the objects of a reading are called and in which order they stand, kept while nothing of it changes."""
from dataclasses import dataclass

import bpy
import numpy as np

from ..names import identifier_of, name_of
from .instances import UNUSED, Met, Walk
from .mesh_source import MeshKey
from .names import Labels, library_path, made_unique, shared_names
from .own import Own
from .scope import Chosen
from .snapshot import Row


@dataclass(eq=False)
class Cast:
    """All that is said of the objects of a reading but where they are. Lists have an entry per object, in the order of
    names, whatever order the graph was in.

    told: what it was made of, in plain words and numbers; None for a part of that. order: (n,) places in `Walk.met`.
    meshes: of the objects, as `Assembly.sources` has them. own: (it is a shell, the clearance that it asks for by
    itself). keys: what each is, whatever it is called.
    """

    told: "Told | None"
    order: np.ndarray
    rows: list[Row]
    groups: list[str | None]
    meshes: list[MeshKey]
    own: list[tuple[bool, float]]
    keys: list[tuple]

    def without(self, left_out: np.ndarray) -> "Cast":
        """The same but for some objects. left_out: (n,) bool."""
        keep = np.flatnonzero(~left_out).tolist()
        kept = ([column[place] for place in keep]
                for column in (self.rows, self.groups, self.meshes, self.own, self.keys))
        return Cast(None, self.order[keep], *kept)


@dataclass(frozen=True)
class Told:
    """What a Cast follows from."""

    met: list[Met]
    persistent_ids: bytes
    names: dict[int, tuple[str, str | None]]    # name and library of all objects that will be shown, by session_uid
    shared: frozenset[str]                      # `shared_names` of these
    groups: list[str | None]
    own: list[tuple[bool, float]]
    identifiers: list[str | None]

    @classmethod
    def by(cls, found: Walk, chosen: Chosen, identify_by: str) -> "Told":
        """identify_by: a custom property of objects, "" for none."""
        own, met, owners = Own(found), found.met, found.owners
        ids, names = found.persistent_ids, _names(found, chosen)
        return cls(met, b"" if ids is None else ids.tobytes(), names, shared_names(names.values()),
                   [chosen.group_of(owners[each.owner]) for each in met] if chosen.sides else [],
                   [own.of(each) for each in met],
                   [_identifier(found, each, identify_by) for each in met] if identify_by else [])


def cast_of(found: Walk, chosen: Chosen, labels: Labels, told: Told) -> Cast:
    """What a reading was told, put in order. labels: of all objects that will be shown."""
    met, shown = found.met, {key: labels.of(source) for key, source in found.shown.items()}
    owners = {uid: (labels.of(each), name_of(each), library_path(each)) for uid, each in found.owners.items()}
    order = sorted(range(len(met)), key=lambda place: (owners[met[place].owner][0], shown[met[place].source],
                                                       met[place].number))
    names = made_unique([instance_name(owners[met[place].owner][0], shown[met[place].source], met[place].number)
                         for place in order])
    ids = _persistent_ids(found)
    rows, keys, times = [], [], dict[tuple, int]()
    for name, place in zip(names, order):
        each, (_, object_name, library) = met[place], owners[met[place].owner]
        source = shown[each.source]
        rows.append(Row(name, object_name, library, each.owner, each.source is not None, ids[place],
                        f"{source} #{each.number}" if source else "",
                        told.identifiers[place] if told.identifiers else None, each.source_uid))
        key = each.owner, each.source, ids[place]
        times[key] = times.get(key, 0) + 1
        keys.append((*key, times[key]))
    return Cast(told, np.array(order, np.int64), rows,
                [told.groups[place] for place in order] if told.groups else [None] * len(order),
                [met[place].mesh for place in order], [told.own[place] for place in order], keys)


def instance_name(owner: str, source: str, number: int) -> str:
    """`Forest ▸ Tree #128`, or the owner's name where it is shown itself (source "")."""
    return f"{owner} ▸ {source} #{number}" if source else owner


def _names(found: Walk, chosen: Chosen) -> dict[int, tuple[str, str | None]]:
    """Name and library of all (original) objects whose names will be shown, by session_uid."""
    shown = dict(zip(chosen.groups, chosen.objects, strict=True)) | found.owners
    others = [*found.shown.values(), *(each for entry in (*found.empty, *found.untested) for each in entry[:2])]
    shown |= {each.session_uid: each for each in others if isinstance(each, bpy.types.Object)}
    return {uid: (name_of(each), library_path(each)) for uid, each in shown.items()}


def _identifier(found: Walk, each: Met, name: str) -> str | None:
    """A custom property of what an instance shows, as text; None where there is none, or it is neither text nor a
    number. name: of the property."""
    return identifier_of(found.shown[each.source] if each.source_uid else found.owners[each.owner], name)


def _persistent_ids(found: Walk) -> list[tuple[int, ...]]:
    """Blender's numbers of what was met, innermost level first; () for objects that show themselves."""
    if found.persistent_ids is None:
        return [()] * len(found.met)
    return [tuple(number for number in each if number != UNUSED) for each in found.persistent_ids.tolist()]
