# SPDX-License-Identifier: GPL-3.0-or-later
"""What instances bring along: whether they are shells, and the clearance that they ask for."""
from collections import defaultdict

import bpy

from ..own_properties import clearance_of, is_shell


class Own:
    """Asked once per object. An instance is what it shows, and stands where the object stands that makes it: of both,
    and of all collections that hold one of them, the largest clearance counts."""

    def __init__(self) -> None:
        self._shells: dict[int, bool] = {}
        self._clearances: dict[int, float] = {}
        self._of_collections: defaultdict[int, float] = defaultdict(float)
        for collection in bpy.data.collections:
            if (asked := clearance_of(collection)) > 0.0:
                for each in collection.all_objects:
                    self._of_collections[each.session_uid] = max(asked, self._of_collections[each.session_uid])

    def is_shell(self, instance) -> bool:
        uid = _uid_of_shown(instance)
        if uid not in self._shells:
            self._shells[uid] = is_shell(shown_by(instance))
        return self._shells[uid]

    def clearance(self, instance) -> float:
        """In Blender units."""
        own, shown = instance.key[0], _uid_of_shown(instance)
        asked = self._clearance(own, instance.owner)
        return asked if shown == own else max(asked, self._clearance(shown, instance.source))

    def _clearance(self, uid: int, thing) -> float:
        if uid not in self._clearances:
            self._clearances[uid] = max(clearance_of(thing), self._of_collections.get(uid, 0.0))
        return self._clearances[uid]


def _uid_of_shown(instance) -> int:
    own, source = instance.key
    return source if isinstance(source, int) else own


def shown_by(instance) -> bpy.types.Object:
    """The object whose surface an instance shows."""
    return instance.source if isinstance(instance.source, bpy.types.Object) else instance.owner
