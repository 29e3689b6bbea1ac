# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of machine code on disk: what of it is deleted.

BASE/TOOLCHAIN/STAMP/ROLE/KERNEL, and empty files TOOLCHAIN/complete-STAMP. BASE may be any folder that the user names,
with other files in it: only what has our names and our content is ever deleted, and no link is followed.
"""
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TOOLCHAIN = re.compile(r"\d+(\.\w+)+-py\d+-[0-9a-f]{16}")
STAMP = re.compile(r"[0-9a-f]{16}")
ROLE = re.compile("whole|part")
KERNEL = re.compile(r"\w+\.\w+-[0-9a-f]{16}")
UNFINISHED = re.compile(KERNEL.pattern + r"\.[0-9a-f]{8}\.tmp")
COMPLETE = re.compile("complete-[0-9a-f]{16}")
DIGEST_SIZE = hashlib.sha256().digest_size
AFTER_DIGEST = b"\x80\x04"      # how a pickle begins


def remove_unused(folder: Path, used: set[str], seconds: float) -> None:
    """Delete kernels of other toolchains, and in `folder` of other sources, that no session has used for that long.

    used: names in `folder` that this session uses; they are marked as used now.
    """
    with suppress(OSError):         # no such folder, read-only, or another session is doing the same
        for path in (folder, *(folder / name for name in used)):
            if path.exists():
                os.utime(path)
        latest = time.time() - seconds
        for other in _named(folder.parent, TOOLCHAIN):
            if other != folder and os.lstat(other).st_mtime < latest:
                for part in (*_named(other, STAMP), *_named(other, COMPLETE)):
                    _remove(part)
                _remove_empty(other)
        for part in (*_named(folder, STAMP), *_named(folder, COMPLETE)):
            if part.name not in used and os.lstat(part).st_mtime < latest:
                _remove(part)


def _named(folder: Path, pattern: re.Pattern) -> Iterator[Path]:
    """What has such a name in a folder that is no link."""
    if stat.S_ISDIR(os.lstat(folder).st_mode):
        yield from (folder / name for name in os.listdir(folder) if pattern.fullmatch(name))


def _remove(path: Path) -> None:
    """Delete a mark, or the kernels of one stamp."""
    if COMPLETE.fullmatch(path.name):
        if _content(path) == b"":
            path.unlink()
        return
    for role in _named(path, ROLE):
        for kernel in (*_named(role, KERNEL), *_named(role, UNFINISHED)):
            data = _content(kernel)
            if data is not None and _is_code(data, UNFINISHED.fullmatch(kernel.name) is not None):
                kernel.unlink()
        _remove_empty(role)
    _remove_empty(path)


def _content(path: Path) -> bytes | None:
    """The bytes of a file; None for what is none."""
    return path.read_bytes() if stat.S_ISREG(os.lstat(path).st_mode) else None


def _is_code(data: bytes, unfinished: bool) -> bool:
    """True for what `packed_kernel.pack` makes, or for the beginning of it."""
    if unfinished and (not data or data[DIGEST_SIZE:].startswith(AFTER_DIGEST)):
        return True
    return hashlib.sha256(data[DIGEST_SIZE:]).digest() == data[:DIGEST_SIZE]


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):         # somebody else's files are in it
        folder.rmdir()
