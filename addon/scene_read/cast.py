# SPDX-License-Identifier: GPL-3.0-or-later
"""`Cast`: what the objects of a reading are called and in which order they stand, kept while nothing of it changes."""
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass

import bpy
import numpy as np

from ..names import identifier_of, name_of
from ..pieces import ITEMS_AT_ONCE, mapped
from .instances import UNUSED, Met, Walk
from .mesh_source import MeshKey
from .names import Labels, library_path, made_unique, numbered, shared_names
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
    def by(cls, found: Walk, chosen: Chosen, identify_by: str) -> "Generator[None, None, Told]":
        """In pieces. identify_by: a custom property of objects, "" for none."""
        own, met, owners = Own(found), found.met, found.owners
        ids, names = found.persistent_ids, _names(found, chosen)
        groups: list[str | None] = []
        if chosen.sides:
            groups = yield from mapped(lambda each: chosen.group_of(owners[each.owner]), met)
        asked = yield from mapped(own.of, met)
        identifiers: list[str | None] = []
        if identify_by:
            identifiers = yield from mapped(lambda each: _identifier(found, each, identify_by), met)
        return cls(met, b"" if ids is None else ids.tobytes(), names, shared_names(names.values()), groups, asked,
                   identifiers)


def cast_of(found: Walk, labels: Labels, told: Told) -> Generator[None, None, Cast]:
    """What a reading was told, put in order, in pieces. labels: of all objects that will be shown."""
    met, shown = found.met, {key: labels.of(source) for key, source in found.shown.items()}
    owners = {uid: (labels.of(each), name_of(each), library_path(each)) for uid, each in found.owners.items()}
    titles = yield from mapped(lambda each: (owners[each.owner][0], shown[each.source]), met)
    rank = {title: number for number, title in enumerate(sorted(set(titles)))}
    numbers = yield from mapped(lambda each: each.number, met)
    ordered = np.lexsort((numbers, [rank[title] for title in titles]))
    order = ordered.tolist()
    yield
    names = yield from mapped(lambda place: instance_name(titles[place][0], titles[place][1], met[place].number), order)
    names = made_unique(names)
    yield
    ids = yield from _persistent_ids(found)
    rows, keys, times = [], [], dict[tuple, int]()
    alike = {label for label, count in Counter(shown.values()).items() if count > 1}    # of different things
    for count, (name, place) in enumerate(zip(names, order)):
        if count % ITEMS_AT_ONCE == ITEMS_AT_ONCE - 1:
            yield
        each, (_, object_name, library) = met[place], owners[met[place].owner]
        source = shown[each.source]
        instance = f"{source} #{each.number}" if source else ""
        if source in alike:     # a rule means one of them
            same = times[each.owner, instance] = times.get((each.owner, instance), 0) + 1
            instance = numbered(instance, same)
        rows.append(Row(name, object_name, library, each.owner, each.source is not None, ids[place], instance,
                        told.identifiers[place] if told.identifiers else None, each.source_uid))
        key = each.owner, each.source, ids[place]
        times[key] = times.get(key, 0) + 1
        keys.append((*key, times[key]))
    return Cast(told, ordered.astype(np.int64), rows,
                [told.groups[place] for place in order] if told.groups else [None] * len(order),
                [met[place].mesh for place in order], [told.own[place] for place in order], keys)


def instance_name(owner: str, source: str, number: int) -> str:
    """`Forest ▸ Tree #128`, or the owner's name where it is shown itself (source "")."""
    return f"{owner} ▸ {source} #{number}" if source else owner


def _names(found: Walk, chosen: Chosen) -> dict[int, tuple[str, str | None]]:
    """Name and library of all (original) objects whose names will be shown, by session_uid."""
    shown = dict(zip(chosen.groups, chosen.objects, strict=True)) | found.owners
    others = [*found.shown.values(), *(each for entry in (*found.empty, *found.untested, *found.modified)
                                     for each in entry[:2])]
    shown |= {each.session_uid: each for each in others if isinstance(each, bpy.types.Object)}
    return {uid: (name_of(each), library_path(each)) for uid, each in shown.items()}


def _identifier(found: Walk, each: Met, name: str) -> str | None:
    """A custom property of what an instance shows, as text; None where there is none, or it is neither text nor a
    number. name: of the property."""
    return identifier_of(found.shown[each.source] if each.source_uid else found.owners[each.owner], name)


def _persistent_ids(found: Walk) -> Generator[None, None, list[tuple[int, ...]]]:
    """Blender's numbers of what was met, innermost level first; () for objects that show themselves. In pieces."""
    if found.persistent_ids is None:
        return [()] * len(found.met)
    return (yield from mapped(lambda each: tuple(number for number in each if number != UNUSED),
                              found.persistent_ids.tolist()))
