# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh object whose vertices are contacts of a result: all, or, where there are too many, some of each pair.

Attributes of a vertex: pair (row of Report.pairs), object_a and object_b (places in the list of names that the object
carries as a custom property), triangle_a and triangle_b (of their evaluated meshes), normal (world), kind (1 point,
2 segment, 3 coplanar area), proper (each triangle passes through the other), verdict (code of the pair's verdict).
"""
from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np
from mathutils import Matrix

from ...core import TouchpointError
from ...core.shown import escaped
from ..names import CONTACT_POINTS, OBJECT_NAMES, name_of
from .collection import find_made, new_result, remove_objects
from .empties import share

if TYPE_CHECKING:
    import bpy

    from ...core.report import Report

POINT_ROWS_AT_ONCE = 1 << 17


def chosen_contacts(report: "Report", rows: np.ndarray, limit: int) -> np.ndarray | slice:
    """Which contacts become points: all of these pairs, or `limit` of them, spread over the pairs and over the contacts
    of each.

    rows: (n,) of Report.pairs, the most important first.
    """
    count, start = report.pairs["contacts"][rows].astype(np.int64), report.pairs["contact_start"][rows]
    if count.sum() == len(report.contacts) <= limit:
        return slice(None)
    wanted = share(count, limit)
    number = np.arange(wanted.sum()) - np.repeat(np.cumsum(wanted) - wanted, wanted)
    return np.sort(np.repeat(start, wanted) + number * np.repeat(count, wanted) // np.repeat(wanted, wanted))


def pieces_of(count: int) -> int:
    """Of `writing_points` for so many contacts."""
    return 12 + 2 * -(-count // POINT_ROWS_AT_ONCE)


def refuse_while_edited(scene: "bpy.types.Scene") -> None:
    """Raise TouchpointError while the scene's point mesh is open in Edit Mode."""
    _refuse_edited(_find(scene))


def _refuse_edited(found: list) -> None:
    for points in found:
        if points.mode == "EDIT":
            raise TouchpointError(f'The result "{escaped(name_of(points))}" is open in Edit Mode. Leave that mode and '
                                  'detect again.')


def writing_points(report: "Report", chosen: "np.ndarray | slice", scene: "bpy.types.Scene",
                   collection: "bpy.types.Collection", drawn: bool) -> Generator[None, None, None]:
    """Put contacts into the scene's point mesh, which is made in the collection when there is none; in as many pieces
    as `pieces_of` says. chosen: as `chosen_contacts` gives it. drawn: by viewports, where it is made;
    later on it is as the user has left it.

    Raises TouchpointError while the mesh is open in Edit Mode.
    """
    found = _find(scene)
    _refuse_edited(found)
    points, *copies = found or [None]
    remove_objects(copies)
    if points is None:
        points = new_result(collection, CONTACT_POINTS, with_mesh=True)
        points[CONTACT_POINTS] = True
        points.hide_select = True       # or "select all" and Edit Mode would open it beside the user's own meshes
        points.hide_viewport = not drawn
    points.matrix_world = Matrix()      # its vertices are in world coordinates, whoever moved it
    if points.data.shape_keys:
        points.shape_key_clear()        # they would keep the vertices of the earlier result
    points[OBJECT_NAMES] = _object_names(report)
    yield from _filling(points.data, report, report.contacts.take(chosen))


def draw_points(scene: "bpy.types.Scene", drawn: bool) -> None:
    """Let viewports draw the point mesh, or not. What no viewport draws Blender does not even evaluate, which takes as
    long as to write it."""
    for points in _find(scene):
        if points.hide_viewport == drawn:
            points.hide_viewport = not drawn


def remove_points(scene: "bpy.types.Scene") -> None:
    """Remove the point mesh and its object, where there are any."""
    remove_objects(_find(scene))


def _find(scene) -> list:
    """The point mesh's object, whatever the user called it, and copies of it."""
    return [each for each in find_made(scene) if each.type == "MESH"]


def _object_names(report) -> list[str]:
    """Name by index in the Scene; empty where an index was left out of the run."""
    tested = {info.index: info.name for info in report.objects}
    return [tested.get(index, "") for index in range(1 + max(tested, default=-1))]


def _filling(mesh, report, contacts) -> Generator[None, None, None]:
    mesh.clear_geometry()
    mesh.vertices.add(len(contacts))
    yield
    point = contacts.point
    middle = yield from _single(len(contacts), lambda rows: 0.5 * point[rows, 0] + 0.5 * point[rows, 1])
    mesh.attributes["position"].data.foreach_set("vector", middle)
    yield
    integers = {"pair": lambda: contacts.pair, "object_a": lambda: report.pairs["a"][contacts.pair],
                "object_b": lambda: report.pairs["b"][contacts.pair],
                "triangle_a": lambda: contacts.triangle_a, "triangle_b": lambda: contacts.triangle_b,
                "kind": lambda: contacts.kind, "verdict": lambda: report.pairs["verdict"][contacts.pair]}
    for name, values in integers.items():
        _add(mesh, name, "INT", "value", values().astype(np.int32))
        yield
    _add(mesh, "proper", "BOOLEAN", "value", contacts.proper)
    yield
    normal = yield from _single(len(contacts), lambda rows: contacts.normal[rows])
    _add(mesh, "normal", "FLOAT_VECTOR", "vector", normal)
    yield
    mesh.update()
    yield


def _single(count: int, rows_of) -> Generator[None, None, np.ndarray]:
    """(3 · count,) float32, one row after the other, in pieces. rows_of(slice): (…,3) float64."""
    single = np.empty((count, 3), np.float32)
    for start in range(0, count, POINT_ROWS_AT_ONCE):
        rows = slice(start, start + POINT_ROWS_AT_ONCE)
        single[rows] = rows_of(rows)
        yield
    return single.ravel()


def _add(mesh, name: str, data_type: str, member: str, values: np.ndarray) -> None:
    attribute = mesh.attributes.new(name, data_type, "POINT")
    if len(values):
        attribute.data.foreach_set(member, np.ascontiguousarray(values))
