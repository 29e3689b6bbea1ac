# SPDX-License-Identifier: GPL-3.0-or-later
"""`ObjectInfos`: what a report says of a million objects, without a million Python objects."""
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from itertools import repeat

import numpy as np

from .findings import ObjectInfo

MADE_AT_ONCE = 4096     # of which a loop that ends early makes no more than it needs


class ObjectInfos(MutableSequence):
    """A sequence of ObjectInfo, each made when it is asked for. Once it is changed, it keeps a list of all."""

    def __init__(self, names: Sequence[str], index: np.ndarray, triangles: np.ndarray, clearance: np.ndarray):
        """names: of all objects of the Scene, by their number; not to be written to afterwards. index: (n,) int, the
        numbers of the tested ones; triangles: (n,) int64; clearance: (n,) float64. None of them is copied."""
        self._names, self._index, self._triangles, self._clearance = names, index, triangles, clearance
        self._list: list[ObjectInfo] | None = None

    def _made(self, part: slice) -> list[ObjectInfo]:
        index = self._index[part].tolist()
        return list(map(ObjectInfo, index, map(self._names.__getitem__, index), self._triangles[part].tolist(),
                        repeat(None), self._clearance[part].tolist()))

    def names_of(self, numbers: Iterable[int]) -> list[str]:
        """Those of objects of the Scene, by their numbers."""
        return list(map(self._names.__getitem__, numbers))

    def _changed(self) -> list[ObjectInfo]:
        """All of them, as a list that may be changed."""
        if self._list is None:
            self._list = self._made(slice(None))
        return self._list

    def __copy__(self) -> "ObjectInfos":
        other = ObjectInfos(self._names, self._index, self._triangles, self._clearance)
        other._list = None if self._list is None else list(self._list)
        return other

    def __len__(self) -> int:
        return len(self._index if self._list is None else self._list)

    def __iter__(self) -> Iterator[ObjectInfo]:
        if self._list is not None:
            yield from self._list
            return
        for begin in range(0, len(self._index), MADE_AT_ONCE):
            yield from self._made(slice(begin, begin + MADE_AT_ONCE))

    def __getitem__(self, which):
        if self._list is not None:
            return self._list[which]
        if isinstance(which, slice):
            return self._made(which)
        row = range(len(self._index))[which]        # IndexError and TypeError as a list raises them
        index = int(self._index[row])
        return ObjectInfo(index, self._names[index], int(self._triangles[row]), None, float(self._clearance[row]))

    def __setitem__(self, which, value) -> None:
        self._changed()[which] = value

    def __delitem__(self, which) -> None:
        del self._changed()[which]

    def insert(self, index: int, value: ObjectInfo) -> None:
        """As that of a list."""
        self._changed().insert(index, value)

    def __eq__(self, other) -> bool:
        return list(self) == list(other) if isinstance(other, list | ObjectInfos) else NotImplemented

    __hash__ = None     # type: ignore[assignment]      # as of a list

    def __repr__(self) -> str:
        return repr(list(self))
