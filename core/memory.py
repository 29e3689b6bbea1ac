# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuse an allocation that would not fit. Systems that overcommit would otherwise kill Blender, with unsaved work."""
import os
from contextlib import contextmanager
from pathlib import Path

from .errors import Unsupported

SMALL_BYTES = 1 << 26           # of an allocation that is not checked
SPARE_BYTES = 1 << 28           # that are left to everything else
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


@contextmanager
def reserve(size: int, what: str):
    """A context in which arrays of `size` bytes are made. what: names them in the message.

    Raises Unsupported, with the sizes, where that is more than is free, or where the system gives less.
    """
    left = free() if size > SMALL_BYTES else None
    if left is not None and size > left - SPARE_BYTES:
        raise Unsupported(f"{_sentence(size, what)}; {1e-9 * left:.1f} GB are free. {_ADVICE}")
    try:
        yield
    except MemoryError:
        raise Unsupported(f"{_sentence(size, what)}, which the system does not give. {_ADVICE}") from None


_ADVICE = "The method Touchpoint works off large scenes in parts; or test fewer objects."


def _sentence(size: int, what: str) -> str:
    return f"This method keeps {what} of all objects in memory, {1e-9 * size:.1f} GB here"


def free() -> int | None:
    """Bytes that this process can still use without pushing other programs out of memory. Where that is not known, the
    bytes of the whole computer. None where these are not known either: such systems do not overcommit."""
    known = [number for number in (_meminfo(), _container()) if number is not None]
    if known:
        return min(known)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _meminfo() -> int | None:
    """Bytes that Linux calls available."""
    try:
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text().splitlines())
        return 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _container() -> int | None:
    """Bytes that the limit of a container leaves. Its cache of files that were read counts as free."""
    try:
        used = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        left = int((CGROUP / "memory.max").read_text()) - int((CGROUP / "memory.current").read_text())
        return left + int(used["inactive_file"])
    except (OSError, ValueError, KeyError):     # no such limit: "max"
        return None
