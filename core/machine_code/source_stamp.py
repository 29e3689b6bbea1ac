# SPDX-License-Identifier: GPL-3.0-or-later
"""A hash that changes with everything in our own sources that the machine code of a module can depend on.

numba notices no edit in another file, although a kernel holds the code of those it calls. So machine code is kept
under a hash of all sources that its module can reach by its imports: what an update leaves alone stays valid.
"""
import functools
import hashlib
import re
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]


@functools.cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of core/ that the imports of one file name, those inside functions included."""
    found = set()
    for dots, module, names in re.findall(rb"^\s*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", _source(path), re.M):
        target = path.parents[len(dots) - 1].joinpath(*module.decode().split("."))
        inside = [target / f"{name}.py" for name in re.findall(r"\w+", names.decode())]
        found.update(file for file in (target.with_suffix(".py"), target / "__init__.py", *inside) if file.is_file())
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
    digest = hashlib.sha256()
    for file in sorted(reached):
        digest.update(file.name.encode() + _source(file))
    return digest.hexdigest()[:16]
