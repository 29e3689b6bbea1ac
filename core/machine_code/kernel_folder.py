# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of machine code on disk: where it is, whom it is trusted from, and what of it is deleted.

BASE/TOOLCHAIN/STAMP/ROLE/KERNEL, and empty files TOOLCHAIN/complete-STAMP. BASE may be any folder that the user names,
with other files in it: only what has our names and our content is ever deleted, and no link is followed.

What is read there is run. So nobody but the user, and root, may own or write any of it.
"""
import hashlib
import logging
import os
import re
import stat
import tempfile
import time
import uuid
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
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH

log = logging.getLogger(__name__)
_told: set[str] = set()


def user_base() -> Path:
    """Where machine code is kept without another word: the user's cache folder, or one of the temporary folder for a
    user without a home. Relative paths do not count, as they would lead into whatever folder is the current one."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.path.isabs(os.environ.get(name, "")):
            return Path(os.environ[name], "touchpoint", "kernels")
    home = os.path.expanduser("~")      # stays as it is where there is no HOME and no entry in the list of users
    if os.path.isabs(home):
        return Path(home, ".cache", "touchpoint", "kernels")
    # Directly in there, where anybody may have made a folder of that name: whose it is is looked at (`refuse_shared`).
    return Path(tempfile.gettempdir(), f"touchpoint-{os.getuid()}")


def refuse_shared(folder: Path) -> None:
    """Raises PermissionError where somebody else could have put machine code into a folder, that of a toolchain for
    instance, or the one that it is in, and says so once."""
    for each in (folder.parent, folder):
        try:
            reason = _distrust(os.stat(each))
        except FileNotFoundError:
            continue
        if reason:
            sentence = f"No machine code is kept in {each}, because it {reason}."
            if sentence not in _told:
                _told.add(sentence)
                log.warning("%s", sentence)
            raise PermissionError(sentence)


def _distrust(found: os.stat_result) -> str:
    """Why a file or folder is not this user's alone; "" where it is."""
    if not hasattr(os, "geteuid"):      # Windows, where folders of a user are closed to others
        return ""
    if found.st_uid not in (os.geteuid(), 0):
        return "belongs to somebody else"
    return "can be written by others" if found.st_mode & WRITABLE_BY_OTHERS else ""


def read(path: Path) -> bytes | None:
    """A file's bytes, None where there is none. Raises OSError for links, and for files and folders of others."""
    refuse_shared(path.parent)
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(path, flags)
    except FileNotFoundError:
        return None
    with open(number, "rb") as file:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or _distrust(found):
            raise PermissionError(f"{path} is not trusted.")
        return file.read()


def write(path: Path, data: bytes) -> None:
    """Write a file that only this user can read, so that no other process ever sees a part of it."""
    make_private(path.parent)
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        with open(temporary, "xb") as file:
            os.chmod(temporary, 0o600)
            file.write(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def make_private(folder: Path) -> None:
    """Make a folder, and those above that are missing, for this user only, whatever the umask."""
    if not folder.is_dir():
        make_private(folder.parent)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:     # another process was quicker
            return
        folder.chmod(0o700)


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
