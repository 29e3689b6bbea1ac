# SPDX-License-Identifier: GPL-3.0-or-later
"""What instances bring along: whether they are shells, and the clearance that they ask for."""
from collections import defaultdict

import bpy

from ..own_properties import clearance_of, own_of
from .instances import Met, Walk


class Own:
    """Asked once per object. An instance is what it shows, and stands where the object stands that makes it: of both,
    and of all collections that hold one of them, the largest clearance counts."""

    def __init__(self, found: Walk) -> None:
        self._found = found
        self._known: dict[int, tuple[bool, float]] = {}
        self._of_collections: defaultdict[int, float] = defaultdict(float)
        for collection in bpy.data.collections:
            if (asked := clearance_of(collection)) > 0.0:
                for each in collection.all_objects:
                    self._of_collections[each.session_uid] = max(asked, self._of_collections[each.session_uid])

    def of(self, met: Met) -> tuple[bool, float]:
        """(it is a shell, the clearance that it asks for in Blender units)."""
        known = self._of(met.owner, self._found.owners[met.owner])
        if not met.source_uid:
            return known
        shown = self._of(met.source_uid, self._found.shown[met.source])
        return shown[0], max(known[1], shown[1])

    def _of(self, uid: int, thing) -> tuple[bool, float]:
        known = self._known.get(uid)
        if known is None:
            shell, clearance = own_of(thing)
            known = self._known[uid] = shell, max(clearance, self._of_collections.get(uid, 0.0))
        return known
