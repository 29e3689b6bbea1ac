# SPDX-License-Identifier: GPL-3.0-or-later
"""What files beside a scene hold."""
import struct

POINTER = b"version https://git-lfs.github.com/spec/v1\n"      # what version control leaves in place of a file


def motion(places, frames=2):
    """The content of a PC2 file in which nothing moves."""
    head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(places), 0, 1, frames)
    return head + frames * b"".join(struct.pack("<3f", *each) for each in places)
