# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG files. Blender would write them through an image of the user's file."""
import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, RGB = 8, 2       # bits of a colour, and that there are three


def png_bytes(pixels: np.ndarray) -> bytes:
    """The file with a picture. pixels: (h,w,3) uint8, sRGB, the top row first. The same pixels give the same bytes."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)      # each row begins with the number of its filter, 0 for none
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, DEPTH, RGB, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows.tobytes())) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
