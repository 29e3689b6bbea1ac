# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a mesh leaks: its border edges, selected in Edit Mode."""
from typing import TYPE_CHECKING, Any

import bmesh
import bpy
import numpy as np

from ...core.shown import escaped
from .. import session
from ..listed import find_object
from ..names import name_of

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_select_border(bpy.types.Operator):
    """Enter Edit Mode of the mesh that is not closed and seems to hold the other object, and select its border edges"""

    bl_idname = "touchpoint.select_border"
    bl_label = "Select Its Border"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        settings = context.scene.touchpoint if context.scene else None
        if settings is None or not 0 <= settings.pair_index < len(settings.result.pairs):
            cls.poll_message_set("Choose a row of the list first")
            return False
        if context.mode != "OBJECT" or session.run() is not None:
            cls.poll_message_set("Only in Object Mode, and while nothing runs")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        pair = settings.result.pairs[settings.pair_index]
        found: Any = find_object(settings.result, pair, pair.holder) if pair.holder else None
        problem = _why_not(found, context)
        if problem:
            self.report({"WARNING"}, problem)
            return {"CANCELLED"}
        border = np.flatnonzero(border_of(found.data)).tolist()
        for each in context.view_layer.objects.selected:
            each.select_set(False)
        found.select_set(True)
        context.view_layer.objects.active = found
        context.tool_settings.mesh_select_mode = (False, True, False)
        bpy.ops.object.mode_set(mode="EDIT")
        select_edges(found.data, border)
        self.report({"INFO"}, f"{len(border):,} border edges of {escaped(name_of(found))}"
                              + (", without its modifiers" if found.modifiers else ""))
        return {"FINISHED"}


def _why_not(found, context) -> str:
    """Why the border of an object, or None, cannot be selected; "" where it can."""
    if found is None:
        return "No object of this row holds the other one, or it was deleted since"
    name = escaped(name_of(found))
    if found.type != "MESH":
        return f"{name} is no mesh that can be edited"
    if not (found.is_editable and found.data.is_editable):
        return f"{name} is linked from another file and cannot be edited here"
    if not found.visible_get(view_layer=context.view_layer):
        return f"{name} is hidden"
    return ""


def border_of(mesh: bpy.types.Mesh) -> np.ndarray:
    """(n,) bool: which edges of a `bpy.types.Mesh` are border edges."""
    mesh.calc_loop_triangles()
    return border_edges(_numbers(mesh.vertices, "co", np.float32, 3),
                        _numbers(mesh.loop_triangles, "vertices", np.int32, 3),
                        _numbers(mesh.edges, "vertices", np.int32, 2))


def select_edges(mesh: bpy.types.Mesh, numbers: list[int]) -> None:
    """Select these edges of a mesh that is in Edit Mode, and nothing else of it. Blender 5.0 crashes where a selection
    is written into the mesh itself."""
    bpy.ops.mesh.select_all(action="DESELECT")
    edited = bmesh.from_edit_mesh(mesh)
    edited.edges.ensure_lookup_table()
    for number in numbers:
        edited.edges[number].select_set(True)
    bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)


def border_edges(vertices: np.ndarray, triangles: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """(n,) bool: edges (n,2) that an odd number of triangles (m,3) has. Vertices (v,3) at one position count as one, as
    in the core: a seam that is not welded is no border."""
    _, place = np.unique(vertices + 0.0, axis=0, return_inverse=True)       # + 0.0: -0 is 0
    place = place.reshape(-1)

    def codes(ends: np.ndarray) -> np.ndarray:
        low, high = np.sort(place[ends], axis=-1).T
        return low * len(vertices) + high

    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    sides = sides[place[sides[:, 0]] != place[sides[:, 1]]]
    code, count = np.unique(codes(sides), return_counts=True)
    return np.isin(codes(edges), code[count % 2 == 1])


def _numbers(items, name: str, kind, width: int) -> np.ndarray:
    """(n,width): an attribute of all items of a mesh."""
    found = np.empty(width * len(items), kind)
    items.foreach_get(name, found)
    return found.reshape(-1, width)
