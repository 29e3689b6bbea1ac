# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of a report in groups, by what Blender knows of its objects."""
from typing import TYPE_CHECKING

from ..core.grouping import ASSEMBLY, Groups
from .scene_read.relations import assembly_names

if TYPE_CHECKING:
    from ..core.report import Report


def groups_of(report: "Report", by: str, distance: float | None = None) -> Groups:
    """As `report.groups`. An assembly is what has the same top parent or the same armature, and all instances that one
    object makes; it is called by that. report: of the file that is open."""
    assembly = None
    if by == ASSEMBLY:
        owners = report.source.find_objects()
        assembly = assembly_names([owners[each.index] for each in report.objects])
    return report.groups(by, assembly, distance)
