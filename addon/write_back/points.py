# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh object whose vertices are all contacts of a result.

Attributes of a vertex: pair (row of Report.pairs), object_a and object_b (places in the list of names that the object
carries as a custom property), triangle_a and triangle_b (of their evaluated meshes), normal (world), kind (1 point,
2 segment, 3 coplanar area), proper (each triangle passes through the other), verdict (code of the pair's verdict).
"""
import bpy
import numpy as np

from ...core import TouchpointError
from ..names import CONTACT_POINTS, OBJECT_NAMES
from .collection import find_results, new_result, remove_objects


def write_points(report, collection) -> None:
    """Put all contacts into the collection's point mesh, which is made when there is none.

    Raises TouchpointError while the mesh is open in Edit Mode.
    """
    points = _find(collection)
    if points is not None and points.mode == "EDIT":
        raise TouchpointError(f'The result "{points.name}" is open in Edit Mode. Leave that mode and detect again.')
    if points is None:
        points = new_result(collection, CONTACT_POINTS, bpy.data.meshes.new(CONTACT_POINTS))
        points[CONTACT_POINTS] = True
        points.show_in_front = True
        points.hide_select = True       # or "select all" and Edit Mode would open it beside the user's own meshes
    points[OBJECT_NAMES] = _object_names(report)
    _fill(points.data, report)


def remove_points(scene) -> None:
    """Remove the point mesh and its object."""
    collection = find_results(scene)
    points = _find(collection) if collection else None
    if points is not None:
        remove_objects([points])


def _find(collection):
    """The point mesh's object, whatever the user called it."""
    return next((each for each in collection.objects if CONTACT_POINTS in each), None)


def _object_names(report) -> list[str]:
    """Name by index in the Scene; empty where an index was left out of the run."""
    names = [""] * (1 + max((info.index for info in report.objects), default=-1))
    for info in report.objects:
        names[info.index] = info.name
    return names


def _fill(mesh, report) -> None:
    contacts = report.contacts
    mesh.clear_geometry()
    mesh.vertices.add(len(contacts))
    mesh.attributes["position"].data.foreach_set("vector", contacts.middle.astype(np.float32).ravel())
    pair = report.pairs[contacts.pair]
    integers = {"pair": contacts.pair, "object_a": pair["a"], "object_b": pair["b"],
                "triangle_a": contacts.triangle_a, "triangle_b": contacts.triangle_b,
                "kind": contacts.kind, "verdict": pair["verdict"]}
    for name, values in integers.items():
        _add(mesh, name, "INT", "value", values.astype(np.int32))
    _add(mesh, "proper", "BOOLEAN", "value", contacts.proper)
    _add(mesh, "normal", "FLOAT_VECTOR", "vector", contacts.normal.astype(np.float32).ravel())
    mesh.update()


def _add(mesh, name: str, data_type: str, member: str, values: np.ndarray) -> None:
    attribute = mesh.attributes.new(name, data_type, "POINT")
    if len(values):
        attribute.data.foreach_set(member, np.ascontiguousarray(values))
