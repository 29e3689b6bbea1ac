# SPDX-License-Identifier: GPL-3.0-or-later
"""`Contacts`: one row per pair of triangles that meet."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import first_of_each
from .records import ContactColumns

POINT, SEGMENT, AREA = 1, 2, 3      # codes of the column `kind`
GATHERED_AT_ONCE = 1 << 17          # rows: ten megabytes
LONG_RUN = 1 << 10                  # rows that numpy takes as long to copy as to be asked for all columns of them
FILTERED, EXACT = 0, 1              # codes of the column `status`: decided by the float filter, by exact arithmetic


@dataclass(eq=False)
class Contacts:
    """Flat arrays with one row per pair of triangles, ordered by (pair, triangle_a, triangle_b).

    `point` holds the two ends of a segment, the same point twice for a point, and the two farthest corners of the
    shared polygon for an area. `normal` is the unit normal of triangle b in world coordinates, zero where the triangle
    has no area. `depth` and `toi` are NaN where the method does not measure them.
    """

    pair: np.ndarray            # (n,) int32, row of Report.pairs
    triangle_a: np.ndarray      # (n,) int32, index into the triangles of object a's mesh
    triangle_b: np.ndarray      # (n,) int32
    kind: np.ndarray            # (n,) int8: POINT, SEGMENT or (coplanar) AREA
    proper: np.ndarray          # (n,) bool: each triangle passes through the other
    point: np.ndarray           # (n,2,3) float64, world coordinates
    normal: np.ndarray          # (n,3) float64
    depth: np.ndarray           # (n,) float64, NaN: not measured
    toi: np.ndarray             # (n,) float64, NaN: not measured
    status: np.ndarray          # (n,) uint8: FILTERED or EXACT

    def __len__(self) -> int:
        return len(self.pair)

    @property
    def middle(self) -> np.ndarray:
        """(n,3) float64: the point half way between the two ends of each contact."""
        return 0.5 * self.point[:, 0] + 0.5 * self.point[:, 1]

    @property
    def columns(self) -> ContactColumns:
        """The columns that the narrow phase fills in."""
        return ContactColumns(self.pair, self.triangle_a, self.triangle_b, self.kind, self.proper, self.point,
                              self.normal, self.status)

    @classmethod
    def empty(cls, n: int = 0) -> "Contacts":
        """n rows of zeros (depth and toi NaN)."""
        if n == 0 and _none:
            return cls(*_none)
        return cls(np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.int8),
                   np.zeros(n, bool), np.zeros((n, 2, 3)), np.zeros((n, 3)), np.full(n, np.nan),
                   np.full(n, np.nan), np.zeros(n, np.uint8))

    @classmethod
    def unset(cls, n: int) -> "Contacts":
        """n rows to be written (depth and toi NaN)."""
        return cls(np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int8),
                   np.empty(n, bool), np.empty((n, 2, 3)), np.empty((n, 3)), np.full(n, np.nan), np.full(n, np.nan),
                   np.empty(n, np.uint8))

    def take(self, rows: np.ndarray | slice) -> "Contacts":
        """The given rows (indices, mask or slice), in the given order."""
        if isinstance(rows, np.ndarray) and rows.dtype == bool:
            rows = rows.nonzero()[0]            # once, not for each column
        columns = (getattr(self, name) for name in self.__dataclass_fields__)
        if isinstance(rows, slice):
            return Contacts(*(column[rows] for column in columns))
        return Contacts(*(column.take(rows, axis=0) for column in columns))     # in half the time of an index

    def copied(self, pause: Callable[[], object] = lambda: None) -> "Contacts":
        """The same rows in arrays of its own. pause(): called between pieces of them, may raise."""
        if len(self) == 0:
            return Contacts.empty()
        if len(self) <= GATHERED_AT_ONCE:
            return Contacts(*(getattr(self, name).copy() for name in self.__dataclass_fields__))
        found = Contacts.unset(len(self))
        for start in range(0, len(self), GATHERED_AT_ONCE):
            pause()
            some = slice(start, start + GATHERED_AT_ONCE)
            for name in self.__dataclass_fields__:
                getattr(found, name)[some] = getattr(self, name)[some]
        return found

    @classmethod
    def join(cls, chunks: list["Contacts"]) -> "Contacts":
        """The rows of all chunks, one chunk after the other."""
        if not chunks:
            return cls.empty()
        if len(chunks) == 1:
            return chunks[0]
        return cls(*(np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in cls.__dataclass_fields__))

    @classmethod
    def gathered(cls, chunks: Sequence["Contacts"], rows: np.ndarray, pause: Callable[[], object]) -> "Contacts":
        """The given rows of all chunks one after the other, in pieces. rows: (k,) int64, ascending where there are
        several chunks. pause(): called before each piece, may raise."""
        found, first, begin = cls.unset(len(rows)), 0, 0
        for chunk in chunks:
            end = len(rows) if len(chunks) == 1 else int(np.searchsorted(rows, first + len(chunk)))
            for start in range(begin, end, GATHERED_AT_ONCE):
                pause()
                some = slice(start, min(end, start + GATHERED_AT_ONCE))
                for name in cls.__dataclass_fields__:       # "clip": numpy writes into `out` itself
                    getattr(chunk, name).take(rows[some] - first, axis=0, out=getattr(found, name)[some], mode="clip")
            first, begin = first + len(chunk), end
        return found

    @classmethod
    def of_runs(cls, chunks: Sequence["Contacts"], first: np.ndarray, count: np.ndarray,
                pause: Callable[[], object]) -> "Contacts":
        """The rows first[i] … first[i] + count[i] - 1 of all chunks one after the other, of each i. first, count: (k,)
        int64; pause: as in `gathered`."""
        begin, length, times = _runs(first, count)
        total = int(count.sum())
        if LONG_RUN * len(begin) > total:
            return cls.picked(chunks, first_of_each(first, count), pause)
        found, to, ends = cls.unset(total), 0, np.cumsum([len(chunk) for chunk in chunks])
        for start, rows, again in zip(begin.tolist(), length.tolist(), times.tolist()):
            pause()
            number, stop = int(ends.searchsorted(start, side="right")), to + rows * again
            if start + rows <= ends[number]:
                chunk, here = chunks[number], start - int(ends[number]) + len(chunks[number])
            else:           # begun in one chunk, and ended in another one
                chunk, here = cls.picked(chunks, np.arange(start, start + rows), pause), 0
            for name in cls.__dataclass_fields__:
                column = getattr(chunk, name)[here:here + rows]
                getattr(found, name)[to:stop].reshape(again, *column.shape)[:] = column
            to = stop
        return found

    @classmethod
    def picked(cls, chunks: Sequence["Contacts"], rows: np.ndarray, pause: Callable[[], object]) -> "Contacts":
        """The given rows of all chunks one after the other, in any order, without joining the chunks. rows: (k,) int64;
        pause: as in `gathered`, not called where they are few."""
        if len(chunks) <= 1 and len(rows) > GATHERED_AT_ONCE:
            return cls.gathered(chunks, rows, pause)
        if len(chunks) <= 1:
            return cls.join(list(chunks)).take(rows)
        found, ends = cls.unset(len(rows)), np.cumsum([len(chunk) for chunk in chunks])
        for start in range(0, len(rows), GATHERED_AT_ONCE):
            if start:
                pause()
            some = rows[start:start + GATHERED_AT_ONCE]
            of_chunk = ends.searchsorted(some, side="right")
            for number in np.unique(of_chunk).tolist():
                here = np.flatnonzero(of_chunk == number)
                there = some[here] - (ends[number] - len(chunks[number]))
                for name in cls.__dataclass_fields__:
                    getattr(found, name)[start + here] = getattr(chunks[number], name).take(there, axis=0)
        return found


def _runs(first: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, length, times) int64: the rows first[i] … first[i] + count[i] - 1 of each i as runs, those that follow
    one another in one, and each so many times where it comes again at once."""
    some = count.nonzero()[0]
    first, count = first[some], count[some]
    begins = np.ones(len(first), bool)
    begins[1:] = first[1:] != first[:-1] + count[:-1]
    begin, length = first[begins], np.add.reduceat(count, begins.nonzero()[0]) if len(count) else count
    differs = np.ones(len(begin), bool)
    differs[1:] = (begin[1:] != begin[:-1]) | (length[1:] != length[:-1])
    others = differs.nonzero()[0]
    return begin[others], length[others], np.diff(others, append=len(begin))


_none: list[np.ndarray] = []        # the columns of no contacts, which nobody can write to
_none += Contacts.empty().__dict__.values()
