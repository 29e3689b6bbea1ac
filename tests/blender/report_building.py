# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports made by hand of a scene that was really read, and where to look at what became of them."""
import bpy
import numpy as np
from touchpoint.addon.names import RESULTS_MARKER
from touchpoint.addon.scene_read import read_scene
from touchpoint.core import Report
from touchpoint.core.codes import CANCELLED, VERDICTS
from touchpoint.core.contacts import SEGMENT, Contacts
from touchpoint.core.findings import PAIR_DTYPE, ObjectInfo


def report_of(*pairs, snapshot=None, cancelled=False, skipped=()):
    """A report with these pairs, each (name a, name b, verdict, number of contacts), of the scene as it is now."""
    snapshot = snapshot or read_scene()
    index = {row.name: number for number, row in enumerate(snapshot.rows)}
    columns = np.zeros(len(pairs), PAIR_DTYPE)
    for row, (a, b, verdict, contacts) in enumerate(pairs):
        columns[row]["a"], columns[row]["b"] = sorted((index[a], index[b]))
        columns[row]["verdict"], columns[row]["contacts"] = VERDICTS.index(verdict), contacts
        columns[row]["status"] = CANCELLED if cancelled and verdict == "cannot tell" else 0
    columns["contact_start"] = np.cumsum(columns["contacts"]) - columns["contacts"]
    objects = [ObjectInfo(number, each.name, 12) for number, each in enumerate(snapshot.core.objects)]
    return Report("touchpoint", {}, objects, list(skipped), columns, _contacts(columns), cancelled=cancelled,
                  frame=snapshot.frame, source=snapshot)


def _contacts(pairs):
    """Contact number i lies between (i, 0, 0) and (i, 0, 1), and all its columns can be told from i."""
    contacts = Contacts.empty(int(pairs["contacts"].sum()))
    number = np.arange(len(contacts))
    contacts.pair[:] = np.repeat(np.arange(len(pairs)), pairs["contacts"])
    contacts.triangle_a[:], contacts.triangle_b[:] = number + 10, number + 20
    contacts.kind[:] = SEGMENT
    contacts.proper[:] = number % 2 == 0
    contacts.point[:, :, 0] = number[:, None]
    contacts.point[:, 1, 2] = 1.0
    contacts.normal[:, 1] = 1.0
    return contacts


def results():
    """All objects that Touchpoint made."""
    return [each for each in bpy.data.objects if RESULTS_MARKER in each]


def empties():
    return sorted(each.name for each in results() if each.type == "EMPTY")


def point_mesh():
    """The object with all contacts, or None."""
    return next((each for each in results() if each.type == "MESH"), None)


def colour(each):
    return tuple(each.color)


def told_anew(work, names):
    """Those objects of these names that Blender evaluates anew because of work()."""
    bpy.context.view_layer.update()
    told = set()

    def note(_scene, depsgraph):
        told.update(update.id.name for update in depsgraph.updates if update.id.id_type == "OBJECT")

    bpy.app.handlers.depsgraph_update_post.append(note)
    try:
        work()
        bpy.context.view_layer.update()
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(note)
    return told & set(names)


def all_data():
    """Names of everything in the file, per kind; the window manager's own things change by themselves."""
    kinds = [name for name, kind in bpy.types.BlendData.bl_rna.properties.items()
             if kind.type == "COLLECTION" and name not in ("window_managers", "workspaces", "screens", "brushes")]
    return {kind: sorted(each.name for each in getattr(bpy.data, kind)) for kind in kinds}
