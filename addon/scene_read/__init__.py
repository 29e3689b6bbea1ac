# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the evaluated scene: the only place where Touchpoint takes numbers out of Blender's data.

`read_scene` makes a `Snapshot`: a core `Scene` of plain arrays and the rows that say which Blender object each of
its objects came from. Nothing in it refers to Blender's memory, so it outlives undo, edits and other files.
"""
from .follower import Follower
from .mesh_source import Moved
from .read import metres_per_unit, read_scene, reading
from .snapshot import Row, Snapshot
from .users_frame import show_frame

__all__ = ["Follower", "Moved", "Row", "Snapshot", "metres_per_unit", "read_scene", "reading", "show_frame"]
