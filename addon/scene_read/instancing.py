# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instancing`: what objects instance, beside where that is and what shape it has."""
import zlib
from collections.abc import Container
from typing import Any

import bpy
import numpy as np

from ..names import name_of
from .counted import MAKERS, ON_PARTS
from .names import library_path

Origin = tuple[float, ...]
Prints = tuple[int, int]        # of what is instanced, and of what is hidden of that, which keys and drivers may change
NO_INSTANCES: Prints = 0, 0


class Instancing:
    """One look at it; each collection is looked at once.

    origins: where in each collection that is instanced the instancer stands, by session_uid. Of this alone Blender
    tells no scene and no instancer.
    """

    def __init__(self) -> None:
        self.origins: dict[int, Origin] = {}
        self._contents: dict[int, tuple[list, list]] = {}

    def prints_of(self, each: bpy.types.Object) -> Prints:
        """Of how an object instances, and by name what of: an instanced collection with its objects, and with what
        these instance. `NO_INSTANCES` where it makes none in such a way."""
        if each.instance_type == "NONE":
            return NO_INSTANCES
        collection = each.instance_collection if each.instance_type == "COLLECTION" else None
        shown, hidden = ([], []) if collection is None else self._of(collection)
        how: list = shown
        if each.instance_type in ON_PARTS:
            how = [each.use_instance_vertices_rotation, each.use_instance_faces_scale, each.instance_faces_scale]
        return zlib.crc32(repr((each.instance_type, how)).encode()), zlib.crc32(repr(hidden).encode())

    def _of(self, collection: bpy.types.Collection) -> tuple[list, list]:
        uid = collection.session_uid
        if uid not in self._contents:
            self._contents[uid] = [], []        # while it is looked at: what contains itself is not looked at again
            self.origins[uid] = origin_of(collection)
            shown: list = [name_of(collection), library_path(collection), self.origins[uid]]
            hidden: list = [each.hide_viewport for each in (collection, *collection.children_recursive)]
            for each in collection.all_objects:
                inner = ([], []) if each.instance_collection is None else self._of(each.instance_collection)
                shown.append((name_of(each), library_path(each), each.instance_type, inner[0]))
                hidden.append((each.hide_viewport, inner[1]))
            self._contents[uid] = shown, hidden
        return self._contents[uid]


def origin_of(collection: bpy.types.Collection) -> Origin:
    """Which point of an instanced collection stands where its instancer is."""
    origin = collection.instance_offset
    return origin.x, origin.y, origin.z


def objects_and_instancers() -> tuple[dict[int, bpy.types.Object], dict[int, bpy.types.Object]]:
    """By session_uid: those of the file, and of these the ones that make instances."""
    objects = bpy.data.objects
    uids, makes = np.empty(len(objects), np.int32), np.empty(len(objects), bool)
    objects.foreach_get("session_uid", uids)
    objects.foreach_get("is_instancer", makes)
    found = dict(zip(uids.tolist(), objects))
    return found, {uid: found[uid] for uid in uids[makes].tolist()}


def shows_otherwise(each: bpy.types.Object, kept: Any, instancing: Instancing, shown: bool) -> bool:
    """True for an object that makes instances of something else than it did, and for one whose own surface is shown
    beside them now, and was not, or the other way round. kept: the `watch.Kept` of it. shown: at the frame that was
    tested; at others, what is animated may be hidden."""
    if kept.instances is not None:
        what, hidden = instancing.prints_of(each)
        if what != kept.instances[0] or shown and hidden != kept.instances[1]:
            return True
    return each.is_instancer and kept.shows_itself is not None and each.show_instancer_for_viewport != kept.shows_itself


def shows_only(instancer: bpy.types.Object, known: Container[int]) -> bool:
    """True for an empty that instances a collection in which each object is one of these, or shows nothing: whatever
    becomes of what it shows is told by them. known: session_uid."""
    collection = instancer.instance_collection
    return instancer.type == "EMPTY" and instancer.instance_type == "COLLECTION" and collection is not None and all(
        each.session_uid in known and not _may_make(each) or each.type == "EMPTY" and (
            each.instance_type == "NONE" or shows_only(each, known)) for each in collection.all_objects)


def _may_make(each) -> bool:
    return (each.instance_type != "NONE" or len(each.particle_systems) > 0
            or any(modifier.type in MAKERS for modifier in each.modifiers))
