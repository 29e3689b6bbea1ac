# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instancing`: what objects instance, beside where that is and what shape it has."""
import zlib

import bpy

from ..names import name_of
from .counted import ON_PARTS
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
