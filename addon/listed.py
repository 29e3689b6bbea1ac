# SPDX-License-Identifier: GPL-3.0-or-later
"""From a row of a list, as it is kept with a scene, to the Blender objects that it is about."""
from collections.abc import Callable
from typing import Any

import bpy

from ..core.shown import escaped
from . import session
from .names import name_of
from .scene_read.names import library_path


def find_object(result: Any, pair: Any, side: str) -> bpy.types.Object | None:
    """The Blender object of a side ("a" or "b"), or None when it was deleted: by its identity, or by its name where
    the result came with the file. A name that is kept escaped is found where only one object can be meant."""
    if result.file_token != session.file_token():
        return _by_name(pair, side)
    uid = getattr(pair, f"uid_{side}")
    return next((each for each in bpy.data.objects if each.session_uid == uid), None)


def finder(result: Any) -> Callable:
    """`find_object` for many rows of a result: (pair, side) → its object or None, by one pass over the file."""
    if result.file_token != session.file_token():
        return _by_name
    by_uid = {each.session_uid: each for each in bpy.data.objects}
    return lambda pair, side: by_uid.get(getattr(pair, f"uid_{side}"))


def _by_name(pair, side: str):
    name, library = (getattr(pair, f"{part}_{side}") for part in ("object", "library"))
    if "\\" not in name + library:
        return bpy.data.objects.get((name, library or None))
    found = [each for each in bpy.data.objects
             if escaped(name_of(each)) == name and escaped(library_path(each) or "") == library]
    return found[0] if len(found) == 1 else None
