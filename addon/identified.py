# SPDX-License-Identifier: GPL-3.0-or-later
"""A report whose objects are identified by a property that was not asked for when it was made."""
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from .names import identifier_of

if TYPE_CHECKING:
    from ..core.report import Report


def identified(report: "Report", name: str) -> "Report":
    """The report with a custom property of its objects, as they are now, beside their names; the report itself where
    the name is empty. name: of the property, such as GlobalId."""
    if not name:
        return report
    by_uid = {each.session_uid: each for each in bpy.data.objects}
    rows, known = report.source.rows, copy(report)
    known.settings = {**report.settings, "identified_by": name}
    known.objects = [replace(each, identifier=_of(by_uid, rows[each.index], name)) for each in report.objects]
    return known


def _of(by_uid, row, name: str) -> str | None:
    """Of the object of a `scene_read.snapshot.Row`, or of what is instanced; None of one that was deleted since."""
    thing = by_uid.get(row.source_uid or row.session_uid)
    return None if thing is None else identifier_of(thing, name)
