# SPDX-License-Identifier: GPL-3.0-or-later
"""What meets in the open scene, by rational arithmetic: for scenes whose objects lie at random."""
import bpy

from ..addon.scene_read import read_scene
from ..core import detect
from .expectation import Expected


def by_reference() -> Expected:
    """Asks the method `exact`, which shares no code with the fast ones: seconds to minutes. Of the current frame."""
    report = detect(read_scene(bpy.context).core, method="exact")
    found = Expected()
    for row, pair in enumerate(report.pairs):
        names, verdict = [report.name(pair["a"]), report.name(pair["b"])], report.verdict(row)
        if verdict == "crossing":
            found.crosses(*names)
        elif verdict == "contained":
            inner = names.pop(0 if report.inner(row) == pair["a"] else 1)
            found.contains(*names, inner)
        else:
            raise ValueError(f"{' and '.join(names)}: {verdict}, which a file of expectations has no list for")
    return found
