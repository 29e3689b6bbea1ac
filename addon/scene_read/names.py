# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects are called in results: names that are unique there and do not change from run to run."""
from collections import Counter
from collections.abc import Collection, Iterable

import bpy

from ..names import name_of


class Labels:
    """Shows an object by its name, a linked one as `library:name` where another object of the file has that name."""

    def __init__(self, shared: Collection[str]):
        """shared: as `shared_names` gives it."""
        self._ambiguous = shared
        self._known: dict = {None: ""}

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


def shared_names(named: Iterable[tuple[str, str | None]]) -> frozenset[str]:
    """Names of linked objects that other objects of the file have, too, shown or not: one that is hidden in a frame may
    be seen in the next one, and nobody is called otherwise there. named: name and `library_path` of all (original)
    objects that will be shown."""
    linked = {name for name, library in named if library is not None}
    if not linked:
        return frozenset()
    count = Counter(map(name_of, bpy.data.objects))
    return frozenset(name for name in linked if count[name] > 1)


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
            shown = numbered(name, number)
        used.add(shown)
        unique.append(shown)
    return unique


def numbered(name: str, number: int) -> str:
    """What the first, second … of several things of one name are called."""
    return f"{name} ({number})" if number > 1 else name
