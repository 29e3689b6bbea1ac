# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuse an allocation that would not fit. Systems that overcommit would otherwise kill Blender, with unsaved work."""
import ctypes
import gc
import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from .errors import TooLarge

try:
    import resource
except ImportError:             # Windows
    resource = None             # type: ignore[assignment]

SMALL_BYTES = 1 << 26           # of an allocation that is not checked
SPARE_BYTES = 1 << 28           # that are left to everything else
CODE_BYTES = 3 << 25            # that loading the machine code of a stage may take, with what its threads reserve
STAGE_BYTES = 1 << 27           # that a stage may take without asking: small allocations, and its machine code
PROC = Path("/proc")
CGROUP = Path("/sys/fs/cgroup")
GROUP_FILES = (                 # limits, what is used, and which of it are cached files, in both versions of cgroups
    (("memory.max", "memory.high"), "memory.current", "inactive_file"),
    (("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file"),
)


@contextmanager
def reserve(size: int, what: str):
    """A context in which arrays of `size` bytes are made. what: names them in the message.

    Raises TooLarge, with the sizes, where that is more than is free, or where the system gives less.
    """
    missing = _missing(size)
    if missing:
        raise TooLarge(f"{_sentence(size, what)}{missing} {_ADVICE}")
    try:
        yield
    except MemoryError:
        raise TooLarge(f"{_sentence(size, what)}, which the system does not give. {_ADVICE}") from None


def refuse_beyond(size: int, what: str) -> None:
    """Raise TooLarge, with the sizes, where `size` bytes are more than is free. what: names what needs them."""
    missing = _missing(size)
    if missing:
        raise TooLarge(f"{what} need {1e-9 * size:.2f} GB of memory{missing} Test fewer objects at a time, or simplify "
                       "them.")


def refuse_without_room_for_code() -> None:
    """Raise TooLarge where the process may address so little more that machine code cannot be loaded: the compiler ends
    the process, Blender with unsaved work, when it is given no memory."""
    left = _address_space()
    if left is not None and left < CODE_BYTES:
        raise TooLarge(f"Machine code needs up to {1e-9 * CODE_BYTES:.2f} GB of memory, and the limit on addresses of "
                       f"this process (ulimit -v) leaves {1e-9 * max(0, left):.2f} GB.")


def _missing(size: int) -> str:
    """How a sentence goes on where `size` bytes are more than may be taken, else ""."""
    left = free() if size > SMALL_BYTES else None
    if left is None or size <= left - SPARE_BYTES:
        return ""
    return f"; {1e-9 * max(0, left - SPARE_BYTES):.2f} GB are free for that."


def let_go(error: BaseException) -> None:
    """Free what the calls hold that the error has ended: it may be kept for long, and that of a thread and the calls
    that it went through hold each other. What it says stays, where it came from is lost."""
    error.__traceback__ = error.__context__ = error.__cause__ = None


def give_back() -> None:
    """Let the system have what was freed, and what nobody can reach any more but Python has not looked for, as it hangs
    together in circles. Between arrays of all sizes glibc keeps what is freed, and a process that opens one file after
    the other grows to twice its size."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's `malloc_trim`; None where that is another library."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):        # the last one on Windows
        return None


def refuse_with_little_left() -> None:
    """Raise TooLarge where a container around the process leaves less than a stage takes without asking: what goes on
    there is killed without a word, Blender with unsaved work. Takes some tenths of a millisecond."""
    left = min(_containers(), default=STAGE_BYTES)
    if left < STAGE_BYTES:
        raise TooLarge(f"The container of this process leaves {1e-9 * max(0, left):.2f} GB of memory, too little to go "
                       "on in. Test fewer objects at a time, or simplify them.")


_ADVICE = "The method Touchpoint works off large scenes in parts; or test fewer objects."


def _sentence(size: int, what: str) -> str:
    return f"This method keeps {what} of all objects in memory, {1e-9 * size:.2f} GB here"


def free() -> int | None:
    """Bytes that this process can still use without pushing other programs out of memory, never less than 0: the
    least of what the computer has, what each container around the process leaves, and what the process may address.
    Where none is known, the bytes of the whole computer. None where these are not known either: such systems do not
    overcommit."""
    known = [number for number in (_available(), _address_space(), *_containers()) if number is not None]
    if known:
        return max(0, min(known))
    try:
        return os.sysconf("SC_PHYS_PAGES") * mmap.PAGESIZE
    except (AttributeError, ValueError, OSError):
        return None


def _available() -> int | None:
    """Bytes that Linux calls available."""
    try:
        lines = dict(line.split(":", 1) for line in (PROC / "meminfo").read_text().splitlines())
        return 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _address_space() -> int | None:
    """Bytes that the limit of the process on its addresses leaves (ulimit -v)."""
    try:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        return limit - int((PROC / "self" / "statm").read_text().split()[0]) * mmap.PAGESIZE
    except (AttributeError, OSError, ValueError, IndexError):
        return None


def _containers() -> Iterator[int]:
    """Bytes that each control group around this process leaves. Its cache of files that were read counts as free."""
    for folder in _group_folders():
        for limits, used, cached in GROUP_FILES:
            try:
                stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
                taken = int((folder / used).read_text()) - int(stat[cached])
            except (OSError, ValueError, KeyError):     # the other version, or the root, which has no such files
                continue
            for name in limits:
                try:
                    yield int((folder / name).read_text()) - taken
                except (OSError, ValueError):           # no such limit: "max"
                    pass


def _group_folders() -> Iterator[Path]:
    """The folders of the process's control groups for memory, and of all groups around these. In a container the names
    may be those of the host, of which only the root can be seen."""
    mine = {CGROUP, CGROUP / "memory"}
    try:
        for line in (PROC / "self" / "cgroup").read_text().splitlines():
            _, controllers, name = line.split(":", 2)
            if not controllers or "memory" in controllers.split(","):
                parts = [part for part in name.split("/") if part not in ("", "..")]
                top = CGROUP / "memory" if controllers else CGROUP
                mine.update(top.joinpath(*parts[:depth]) for depth in range(1, 1 + len(parts)))
    except (OSError, ValueError):
        pass
    yield from sorted(mine)
