# SPDX-License-Identifier: GPL-3.0-or-later
"""A hash that changes with everything in our own sources that the machine code of a module can depend on.

numba notices no edit in another file, although a kernel holds the code of those it calls. So machine code is kept
under a hash of all sources that its module can reach by its imports: what an update leaves alone stays valid.
"""
import functools
import hashlib
import os
import re
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]
IMPORTS = re.compile(rb"^[ \t]*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.M)
WORD = re.compile(r"\w+")


@functools.cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.name.encode() + _source(path)).digest()


@functools.cache
def _files(folder: Path) -> frozenset[str]:
    """The names in a folder; none where there is no such folder."""
    try:
        return frozenset(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()


@functools.cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of core/ that the imports of one file name, those inside functions included."""
    found = set()
    for dots, module, names in IMPORTS.findall(_source(path)):
        target = path.parents[len(dots) - 1].joinpath(*module.decode().split("."))
        if f"{target.name}.py" in _files(target.parent):
            found.add(target.with_suffix(".py"))
        inside = _files(target)
        found.update(target / name for name in ("__init__.py", *(f"{each}.py" for each in WORD.findall(names.decode())))
                     if name in inside)
    return frozenset(found)


@functools.cache
def stamp(path: Path) -> str:
    """Hash of a source file and of all files of core/ that its imports lead to."""
    reached, waiting = set(), [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting += _imported(file)
    return hashlib.sha256(b"".join(_digest(file) for file in sorted(reached, key=str))).hexdigest()[:16]
