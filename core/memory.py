# SPDX-License-Identifier: GPL-3.0-or-later
"""Is there memory for an array whose size grows with the scene? Asked before it is made: some systems promise any
amount, and end the process, Blender with all that is not saved, when it is used."""
import os
from contextlib import contextmanager
from pathlib import Path

from .errors import Unsupported

CARELESS = 1 << 26              # bytes that nobody has to ask for
NEEDED_BESIDES = 1 << 28        # bytes that are left to everything else
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


@contextmanager
def room_for(size: int, what: str):
    """Make arrays of so many bytes inside. Raises Unsupported, which says how much `what` would take, where that is
    more than is free, or than the system gives."""
    left = free() if size > CARELESS else None
    if left is not None and size > left - NEEDED_BESIDES:
        raise Unsupported(f"{_sentence(size, what)}; {1e-9 * left:.1f} GB are free. {_ADVICE}")
    try:
        yield
    except MemoryError:
        raise Unsupported(f"{_sentence(size, what)}, which the system does not give. {_ADVICE}") from None


_ADVICE = "The method Touchpoint works off large scenes in parts; or test fewer objects."


def _sentence(size: int, what: str) -> str:
    return f"This method keeps {what} of all objects in memory, {1e-9 * size:.1f} GB here"


def free() -> int | None:
    """Bytes that this process can still use without other programs being pushed out of memory; where that is not
    known, bytes of the whole computer, or None where not even these are: then the system refuses by itself."""
    known = [number for number in (_meminfo(), _container()) if number is not None]
    if known:
        return min(known)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _meminfo() -> int | None:
    try:
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text().splitlines())
        return 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _container() -> int | None:
    """What the limit of a container leaves. Files that were read and are kept in its memory make room when asked."""
    try:
        used = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        left = int((CGROUP / "memory.max").read_text()) - int((CGROUP / "memory.current").read_text())
        return left + int(used["inactive_file"])
    except (OSError, ValueError, KeyError):     # no such limit: "max"
        return None
