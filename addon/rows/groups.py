# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows that the list shows, in groups: a line per row, and above the rows of a group a heading that folds them."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.grouping import (
    ASSEMBLY,
    CONTAINER,
    OBJECT,
    SPACE,
    container_of,
    in_groups,
    keys_by_container,
    keys_by_object,
    keys_by_place,
    share_of_all,
)
from ...core.shown import escaped
from ..listed import finder
from ..scene_read.relations import assembly_names
from .table import Rows

GROUPING_ITEMS = (
    (CONTAINER, "Pairs", "A row for each pair; what one object contains, or seems to, is one row that unfolds"),
    (OBJECT, "Shared Object", "Together what the object has that most pairs share, then the one that most of the "
                              "others share, and so on"),
    (ASSEMBLY, "Assembly", "Together the pairs within an assembly, and between the same two: what has the same top "
                           "parent or armature, or is made by the same object, when the list is put in groups. After "
                           "a change of parents choose this again, or run again"),
    (SPACE, "Place", "Together what is near the worst pair, then what is near the worst of the others, and so on"),
)


@dataclass(eq=False)
class Listing:
    """rows: (n,) int64, those of a result that are shown, group after group. start: (groups+1,) int64, where in `rows`
    each group begins. title(group): of one with several rows."""

    rows: np.ndarray
    start: np.ndarray
    title: Callable[[int], str]
    open: frozenset[int] = frozenset()      # the groups whose rows are shown below their heading

    def size(self, group: int) -> int:
        """How many rows it has."""
        return int(self.start[group + 1] - self.start[group])

    def group_of(self, row: int) -> int:
        """The group of a row, -1 where it is not shown."""
        place = np.flatnonzero(self.rows == row)
        return int(np.searchsorted(self.start, place[0], "right")) - 1 if len(place) else -1

    def lines(self) -> np.ndarray:
        """(m,) int64: what the list draws, a row, or ~group for a heading."""
        size = np.diff(self.start)
        several = np.flatnonzero(size > 1)
        unfolded = size == 1
        unfolded[list(self.open)] = True
        lines = np.insert(self.rows, self.start[several], ~several)
        return lines[np.insert(np.repeat(unfolded, size), self.start[several], True)]


def listing(rows: Rows, found: np.ndarray, by: str, result: Any) -> Listing:
    """The rows `found` (n,), in their order, in groups. result: the `TOUCHPOINT_PG_result` that they are of."""
    table = rows.table[found]
    if by == OBJECT:
        keys = keys_by_object(table)
        return _listed(found, keys, lambda key: rows.sides[key].name)
    if by == SPACE:
        centres = table["centre"].astype(np.float64)
        keys = keys_by_place(centres, np.arange(len(found)), share_of_all(centres))
        return _listed(found, keys, lambda key: f"around {rows[int(found[key])].name}")
    if by == ASSEMBLY:
        names = _assemblies(rows, result)
        known = {name: number for number, name in enumerate(dict.fromkeys(names))}
        number, titles = np.array([known[name] for name in names], np.int64), list(known)
        one, other = number[table["a"]], number[table["b"]]
        keys = np.minimum(one, other) * len(known) + np.maximum(one, other)
        return _listed(found, keys, lambda key: " × ".join(dict.fromkeys(
            titles[each] for each in divmod(key, len(titles)))))
    return _listed(found, keys_by_container(table), lambda key: _inside(rows, key))


def _inside(rows: Rows, key: int) -> str:
    outer, how = container_of(key)
    return f"{how} {rows.sides[outer].name}"


def _listed(found: np.ndarray, keys: np.ndarray, title: Callable[[int], str]) -> Listing:
    places, start = in_groups(keys)
    return Listing(found[places], start, lambda group: title(int(keys[places[start[group]]])))


def _assemblies(rows: Rows, result) -> list[str]:
    """What the assembly of each side is called, as Blender knows it now; that of an object that is gone by its name."""
    sides, first = np.unique(np.concatenate([rows.table["a"], rows.table["b"]]), return_index=True)
    find, owners = finder(result), [None] * len(rows.sides)
    for side, place in zip(sides.tolist(), first.tolist()):
        owners[side] = find(rows[place % len(rows)], "ab"[place // len(rows)])
    return [side.name if name is None else escaped(name) for side, name in zip(rows.sides, assembly_names(owners))]
