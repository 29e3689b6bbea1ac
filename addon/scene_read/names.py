# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects are called in results: names that are unique there and do not change from run to run."""
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from ..names import name_of

if TYPE_CHECKING:
    import bpy


class Labels:
    """Shows an object by its name, as `library:name` where another object in the result has the same name."""

    def __init__(self, named: Iterable[tuple[str, str | None]]):
        """named: name and `library_path` of all (original) objects that will be shown."""
        self._named = named
        self._known: dict = {None: ""}

    @cached_property
    def _ambiguous(self) -> set[str]:
        libraries = defaultdict(set)
        for name, library in self._named:
            libraries[name].add(library)
        return {name for name, paths in libraries.items() if len(paths) > 1}

    def of(self, each: "bpy.types.Object | str | None") -> str:
        """Label of an (original) object; of a name itself that name, of None nothing."""
        if each not in self._known:
            self._known[each] = each if isinstance(each, str) else self._label(each)
        return self._known[each]

    def _label(self, each) -> str:
        name = name_of(each)
        if each.library is None or name not in self._ambiguous:
            return name
        return f"{name_of(each.library).removesuffix('.blend')}:{name}"


def library_path(each: "bpy.types.ID") -> str | None:
    """Path of the object's library as the file stores it, None for an object of this file."""
    return each.library.filepath if each.library else None


def made_unique(names: list[str]) -> list[str]:
    """The same names, with " (2)", " (3)" … where a name is taken: an object may be called like an instance."""
    taken = Counter(names)
    used: set[str] = set()
    unique = []
    for name in names:
        number, shown = 1, name
        while shown in used or (number > 1 and shown in taken):
            number += 1
            shown = f"{name} ({number})"
        used.add(shown)
        unique.append(shown)
    return unique
