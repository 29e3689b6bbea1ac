# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that take the place of older ones when they are complete: several together, or none of them.

Until then they are beside their targets, as `.touchpoint-<32 hex digits>-<number>`, a name that nobody can have taken
or prepared, and a lock file of that stem is held. What a killed run leaves there is removed by the next one that writes
into the folder: files of a stem whose lock nobody holds, and nothing else.
"""
import errno
import os
import re
import shutil
import stat
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:         # Windows, where no file that is open can be removed
    fcntl = None            # type: ignore[assignment]

LOCK = re.compile(r"(\.touchpoint-[0-9a-f]{32})\.lock")
STREAM = re.compile(r"/dev/(stdout|stderr|fd/[0-9]+)|/proc/[^/]+/fd/[0-9]+")  # that is open: its name may be a link
SPOOLED = 1 << 24           # bytes for a pipe that are kept in memory


@contextmanager
def replaced(path) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of the old one when the block has ended well. Raises OSError that names it."""
    with Outputs() as outputs, outputs.file(path) as file:
        yield file


@dataclass
class _Planned:
    """A file that will take the place of `path`."""

    path: Path
    temporary: Path
    old: os.stat_result | None      # of the file that is there, None where there is none
    versions: int                   # how many old ones to keep, as path + "1", path + "2" …
    kept: Path | None = None        # the old file, until all are replaced
    done: bool = False


class Outputs:
    """The files of one run, as a context manager: replaced where its block ends well, all as they were otherwise.

    A file keeps the permissions of the old one. A link is replaced, not followed. Pipes and devices that are named are
    written to at the end. Only a process that is killed between two of the last renames can leave some replaced and
    others not.
    """

    def __init__(self):
        self._planned: list[_Planned] = []
        self._streams: list[tuple[Path, IO[bytes]]] = []
        self._stems: dict[Path, _Stem] = {}     # by folder
        self._folders: list[Path] = []          # that were made for them

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        try:
            if kind is None:
                self._replace_all()
        finally:
            self._discard()

    @contextmanager
    def file(self, path, may_be_device: bool = True) -> Iterator[IO[bytes]]:
        """A binary file to write; all OSErrors of the block get the name of `path`. may_be_device: the user has named
        the file, and may mean a pipe or a device; else one that is there is refused."""
        path = Path(path)
        with _naming(path):
            if _is_device(path):
                if not may_be_device:
                    raise FileExistsError(errno.EEXIST, "There is a pipe or a device", str(path))
                spooled = tempfile.SpooledTemporaryFile(SPOOLED)
                self._streams.append((path, spooled))
                yield spooled
                return
            planned = self._plan(path)
            with open(planned.temporary, "xb") as file:     # "x" follows no link
                if planned.old:
                    _give_permissions(planned.temporary, planned.old)
                yield file
                file.flush()
                os.fsync(file.fileno())     # some full disks say so only here

    @contextmanager
    def place(self, path, versions: int = 0) -> Iterator[Path]:
        """Where another writer shall put the file `path`. versions: how many old ones to keep, as Blender does."""
        path = Path(path)
        with _naming(path):
            planned = self._plan(path, versions)
            before = os.umask(0o777 & ~planned.old.st_mode) if planned.old else None    # not readable meanwhile
            try:
                yield planned.temporary
            finally:
                if before is not None:
                    os.umask(before)
            if planned.old:
                _give_permissions(planned.temporary, planned.old)

    def folder(self, path) -> None:
        """Make a folder for files where there is none; it is removed again if they are not written."""
        path = Path(path)
        with _naming(path):
            if not path.is_dir():
                path.mkdir()
                self._folders.append(path)

    def _plan(self, path: Path, versions: int = 0) -> _Planned:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory", str(path))
        if any(path.absolute() == each.path.absolute() for each in self._planned):
            raise FileExistsError(errno.EEXIST, "Another file of this run has the same name", str(path))
        folder = path.absolute().parent
        if folder not in self._stems:
            self._stems[folder] = _Stem(folder)
        try:
            old = os.lstat(path)
        except FileNotFoundError:
            old = None
        if old and stat.S_ISLNK(old.st_mode):
            old, versions = None, 0         # what it leads to stays as it is
        if old and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied", str(path))
        planned = _Planned(path, self._stems[folder].name(path.suffix), old, versions)
        self._planned.append(planned)
        return planned

    def _replace_all(self) -> None:
        for path, spooled in self._streams:
            with _naming(path), path.open("wb") as stream:
                spooled.seek(0)
                shutil.copyfileobj(spooled, stream)
        try:
            for each in self._planned:
                with _naming(each.path):
                    self._keep_old(each)
            for each in self._planned:
                with _naming(each.path):
                    os.replace(each.temporary, each.path)
                each.done = True
        except BaseException:
            for each in self._planned:
                _put_back(each)
            raise
        for each in self._planned:
            _keep_versions(each)

    def _keep_old(self, planned: _Planned) -> None:
        """A second name for the old file, by which it can be put back. Needed where there are others to replace."""
        if not os.path.lexists(planned.path) or (len(self._planned) == 1 and not planned.versions):
            return
        planned.kept = self._stems[planned.path.absolute().parent].name("")
        if planned.path.is_symlink():
            planned.kept.symlink_to(os.readlink(planned.path))
            return
        try:
            os.link(planned.path, planned.kept)
        except OSError:         # a file system without links
            shutil.copy2(planned.path, planned.kept)

    def _discard(self) -> None:
        for _, spooled in self._streams:
            spooled.close()
        for each in self._planned:
            for path in (each.temporary, f"{each.temporary}@", each.kept):     # Blender's own temporary file ends in @
                if path:
                    with suppress(OSError):
                        os.unlink(path)
        for stem in self._stems.values():
            stem.close()
        for folder in self._folders:
            with suppress(OSError):     # one with files in it stays
                folder.rmdir()


class _Stem:
    """The beginning of the names of this run in one folder, and its lock."""

    def __init__(self, folder: Path):
        _remove_leftovers(folder)
        self._stem = folder / f".touchpoint-{uuid.uuid4().hex}"
        self._count = 0
        self._lock_path = self._stem.with_name(self._stem.name + ".lock")
        self._lock = open(self._lock_path, "xb")
        if fcntl:
            with suppress(OSError):     # a file system without locks: then nobody can take it either
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def name(self, suffix: str) -> Path:
        """The next name. suffix: such as ".blend", for writers that look at it."""
        self._count += 1
        return self._stem.with_name(f"{self._stem.name}-{self._count}{suffix[:20]}")

    def close(self) -> None:
        with suppress(OSError):
            if fcntl:
                self._lock_path.unlink()
            self._lock.close()
            if not fcntl:
                self._lock_path.unlink()


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed runs of this user have left in a folder."""
    with suppress(OSError):
        names = os.listdir(folder)
        for name in names:
            found = LOCK.fullmatch(name)
            if found and _is_ours(folder / name) and _is_abandoned(folder / name):
                for each in names:
                    if each.startswith(found[1] + "-") and _is_ours(folder / each):
                        (folder / each).unlink()
                (folder / name).unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    """True for this user's files and links."""
    found = os.lstat(path)
    kind = stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)
    return kind and (not hasattr(os, "geteuid") or found.st_uid == os.geteuid())


def _is_abandoned(lock: Path) -> bool:
    """True where no process holds a lock file."""
    try:
        if fcntl is None:
            lock.unlink()
            return True
        with open(lock, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.fstat(file.fileno()).st_size == 0
    except OSError:
        return False


def _is_device(path: Path) -> bool:
    """True for pipes and devices, which are written to: they cannot be replaced. A link to one is a link."""
    if STREAM.fullmatch(str(path.absolute())):
        return True
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _give_permissions(path: Path, old: os.stat_result) -> None:
    mode = stat.S_IMODE(old.st_mode) & 0o777
    if hasattr(os, "chown"):
        try:
            os.chown(path, old.st_uid, old.st_gid)
        except OSError:
            if os.lstat(path).st_gid != old.st_gid:
                mode &= ~0o070      # they were meant for another group
    os.chmod(path, mode)


def _put_back(planned: _Planned) -> None:
    """As it was before."""
    with suppress(OSError):
        if planned.done and planned.kept:
            os.replace(planned.kept, planned.path)
        elif planned.done:
            planned.path.unlink()


def _keep_versions(planned: _Planned) -> None:
    """Move the older ones up by one, then the one that was replaced."""
    if not planned.versions or not planned.kept:
        return
    with suppress(OSError):
        for number in range(planned.versions, 1, -1):
            with suppress(FileNotFoundError):
                os.replace(f"{planned.path}{number - 1}", f"{planned.path}{number}")
        os.replace(planned.kept, f"{planned.path}1")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """OSErrors of the block say which file they are about."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
