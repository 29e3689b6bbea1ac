# SPDX-License-Identifier: GPL-3.0-or-later
"""What is proposed as a shell, as it stands in the panel."""
from typing import TYPE_CHECKING, Any

from ...core.shown import escaped
from ..holders import proposed_shells

if TYPE_CHECKING:
    from ...core.report import Report


def write_containers(result: Any, report: "Report") -> None:
    """Name the objects that hold several others."""
    for holder, contains in proposed_shells(report):
        row, item = report.source.rows[holder], result.containers.add()
        item.name = escaped(f"{row.name} {contains}")
        item.object_a, item.library_a = escaped(row.object_name), escaped(row.library or "")
        item.uid_a = row.session_uid
