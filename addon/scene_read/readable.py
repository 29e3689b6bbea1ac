# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a file that a scene names is there and can be read.

Blender passes over one that it cannot read as over one that is missing, without a word that a run without a window
would show. Most often that is a file whose content was not fetched: version control then leaves a short text, or
nothing, in its place.
"""
import os
import struct
from typing import Any

import bpy

from ..names import text_in

POINTER = b"version https://git-lfs"        # how such a text begins
SIGN_BYTES = 32
# How files of a kind begin; those of kinds that are not named may begin in any way.
SIGNS = {
    ".abc": (b"Ogawa", b"\x89HDF"),
    ".usd": (b"PXR-USDC", b"#usda"),
    ".usda": (b"#usda",),
    ".usdc": (b"PXR-USDC",),
    ".usdz": (b"PK\x03\x04",),
    ".vdb": (b" BDV",),
    ".btx": (b"BCDF",),
    ".bphys": (b"BPHYSICS",),
}


def absolute(path: str, owner: bpy.types.ID) -> str:
    """Of a path that a data-block names: it counts from the file that this is in."""
    return bpy.path.abspath(path, library=owner.library)


def is_there(holder: Any, owner: bpy.types.ID) -> bool:
    """True where the file can be read that a modifier or data-block names. owner: the data-block that it is, or is
    of."""
    return is_readable(absolute(text_in(holder, "filepath"), owner))


def is_readable(path: str) -> bool:
    """True for a file with something in it that begins as its kind does, as far as that is known."""
    start = _start_of(path)[0]
    signs = SIGNS.get(os.path.splitext(path)[1].lower(), (b"",))
    return bool(start) and not start.startswith(POINTER) and start.startswith(signs)


def has_motion(path: str, kind: str, count: int | None) -> bool:
    """True for a file with the places of vertices over time, as Blender reads it. kind: "PC2" or "MDD"; count: how many
    vertices it is read for, None where that is not known."""
    start, size = _start_of(path)
    try:
        if kind == "PC2":
            sign, version, vertices, frames = struct.unpack_from("<12sii8xi", start)
            needed = SIGN_BYTES + 12 * vertices * frames
            known = sign == b"POINTCACHE2\0" and version == 1
        else:
            frames, vertices = struct.unpack_from(">ii", start)
            needed, known = 8 + 4 * frames + 12 * vertices * frames, True
    except struct.error:        # it is shorter
        return False
    return known and frames > 0 and size >= needed and count in (None, vertices)


def _start_of(path: str) -> tuple[bytes, int]:
    """The first bytes of a file, and how many it has; none of what is no file (a pipe would have to be waited for) and
    of what cannot be read."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(SIGN_BYTES), os.fstat(file.fileno()).st_size
    except (OSError, ValueError):       # the latter of a path with a zero byte
        pass
    return b"", 0
