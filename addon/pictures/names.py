# SPDX-License-Identifier: GPL-3.0-or-later
"""How the files of pictures are called. Nothing here knows Blender."""
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import Refused

if TYPE_CHECKING:
    from ...core.report import Report

MOST_PICTURES = 20      # of a report, where nobody asks for another number
NAME_LETTERS = 40       # of each object, in the name of a file
OTHERS = re.compile(r"[^A-Za-z0-9-]+")      # what file systems, shells or web pages could stumble over


def folder_named(text: str | Path) -> Path:
    """The folder of this name. Raises Refused where there is no name: pictures shall not land wherever the program was
    started."""
    if not str(text).strip():
        raise Refused("Name a folder for the pictures.")
    return Path(text)


def names_of(report: "Report", most: int) -> dict[int, str]:
    """{row of Report.pairs: name of its file}, the worst first, at most so many.

    A name begins with the row of the list, from 1, so no two are the same. Of the names of objects only ASCII letters,
    digits and "-" are left.
    """
    names, found = {each.index: each.name for each in report.objects}, {}
    for number, row in enumerate(report.worst_first()[:most].tolist(), 1):
        own = dict.fromkeys(int(report.pairs[side][row]) for side in "ab")
        found[row] = "_".join((f"{number:04d}", *(_plain(names[each]) for each in own))) + ".png"
    return found


def _plain(name: str) -> str:
    return OTHERS.sub("_", name)[:NAME_LETTERS].strip("_")
