# SPDX-License-Identifier: GPL-3.0-or-later
"""What came from a library, and has come from it anew: it is known by its name, as its session_uid is another one."""
from collections.abc import Iterable, Mapping

import bpy

from ...core.shown import escaped
from ..names import name_of
from .names import library_path

Key = tuple[str, str]       # a name and the path of its library, escaped
NAMELESS = "", ""


def key_of(data_block: bpy.types.ID) -> Key:
    return escaped(name_of(data_block)), escaped(library_path(data_block) or "")


def reloaded(known: Mapping[int, Key], there: Iterable[bpy.types.ID]) -> dict[int, int]:
    """session_uid of now, by the one that linked data-blocks had, for those that came anew. known: what they were
    called, by the session_uid that they had; there: objects, or collections, of the file."""
    now = {each.session_uid: each for each in there}
    lost = {key: uid for uid, key in known.items() if key[1] and uid not in now}
    if not lost:
        return {}
    return {lost[key]: uid for uid, each in now.items()
            if each.library is not None and uid not in known and (key := key_of(each)) in lost}


def renumbered(uids: Iterable[int], new: Mapping[int, int]) -> set[int]:
    return {new.get(uid, uid) for uid in uids}
