# SPDX-License-Identifier: GPL-3.0-or-later
"""`--save-as`: a copy of the open file with the results in it."""
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import TouchpointError
from ..compare_phrases import memory
from ..opening import reason
from .output import say

if TYPE_CHECKING:
    from ...core.report import Report

ENDS = (b"ENDB", b"\xb1\xea\x92\x8f")       # of a Blender file: the last block, or that of a compressed one
END_BYTES = 64


def save_copy(report: "Report", place: Path, path: Path) -> None:
    """Write the results into the open file, and that to another place, until it becomes `path`; the opened file stays
    as it is on disk. Raises TouchpointError, which names `path`, where it cannot be saved whole."""
    import bpy

    from .. import api

    with _registered():
        api.write_back(report)
        printed = io.StringIO()
        try:
            with redirect_stdout(printed):
                bpy.ops.wm.save_as_mainfile(filepath=str(place), copy=True)
        except RuntimeError as error:
            raise _not_saved(place, path, f"Blender says: {reason(error).replace(place.name, path.name)}") from None
    if not _is_whole(place):
        raise _not_saved(place, path, "Blender has not written all of it")
    for line in printed.getvalue().splitlines():
        if place.name not in line:      # a name that the file has for a moment only
            say(line)


def _not_saved(place: Path, path: Path, why: str) -> TouchpointError:
    """With what is free on the disk: where that is full, some versions of Blender say "No such file or directory"."""
    free = memory(shutil.disk_usage(place.parent).free)
    return TouchpointError(f"{path} cannot be saved. {why} ({free} are free there)")


def _is_whole(place: Path) -> bool:
    """False where the end is missing, which Blender 5.2 does not notice on a disk that is full."""
    with open(place, "rb") as file:
        os.fsync(file.fileno())
        file.seek(max(0, place.stat().st_size - END_BYTES))
        end = file.read()
    return ENDS[0] in end or end.endswith(ENDS[1])


@contextmanager
def _registered() -> Iterator[None]:
    """Results are kept in properties of the add-on, which Blender as a Python module has not enabled."""
    import bpy

    from ... import register, unregister

    if hasattr(bpy.types.Scene, "touchpoint"):
        yield
        return
    register()
    try:
        yield
    finally:
        unregister()
