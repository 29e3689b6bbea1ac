# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of the last run of a scene, for pairs whose objects have not moved since: to measure a pair takes several
times as long as to find its contacts, and while one part of an assembly is moved, most pairs rest."""
from dataclasses import dataclass

import numpy as np

from ..arrays import moved_poses
from ..trees.bvh.forest import Forest

KEPT_DEPTHS = "depths"             # in Scene.cache


@dataclass(frozen=True, eq=False)
class Asked:
    """The pairs whose depths a run asks for. decides: (objects,) uint8, as of `inside_bits`; rows: (k,) int64 of the
    columns a, b (pairs,) int32, positions in the forest, inner (pairs,) int8, NEITHER but for contained pairs, and
    enough (pairs,) float64, below which bounds may be apart."""

    decides: np.ndarray
    rows: np.ndarray
    a: np.ndarray
    b: np.ndarray
    inner: np.ndarray
    enough: np.ndarray

    def codes(self, rows: np.ndarray, number: np.ndarray, count: int) -> np.ndarray:
        """(k,) int64: one number for the two objects of each row, that differ from others' numbers (objects,) below
        `count`."""
        return number[self.a[rows]].astype(np.int64) * count + number[self.b[rows]]


class KeptDepths:
    """What a run has measured, with all that it was measured by: each object's mesh, its version, its pose to the last
    bit, whether it has an inside, which one is inside the other, and how closely it was asked."""

    has_history = True      # trees are refitted between runs: measured anew, a depth may differ within its bounds

    def __init__(self, forest: Forest, asked: Asked, columns: dict[str, np.ndarray]):
        """columns: as `measure_depths` returns them, NaN where a pair was not measured. They are not to change."""
        self._asked, self._columns = asked, columns
        # Not the forest, whose boxes and vertices are not needed.
        self._layout, self._objects, self._mesh = forest.layout, forest.objects, forest.mesh_index
        self._poses, self._versions = forest.poses, forest.versions

    def fill(self, forest: Forest, asked: Asked, columns: dict[str, np.ndarray]) -> np.ndarray:
        """Those of the rows that are asked, in order, whose depths are not known; the others' are in the columns then.
        """
        old, rests = self._resting(forest, asked)
        may = np.flatnonzero(rests[asked.a[asked.rows]] & rests[asked.b[asked.rows]])
        if not len(may):
            return asked.rows
        count = len(self._objects)
        rows = self._asked.rows[~np.isnan(self._columns["depth"][self._asked.rows])]
        if not len(rows):
            return asked.rows
        codes = self._asked.codes(rows, np.arange(count), count)
        order = np.argsort(codes)
        wanted = asked.codes(asked.rows[may], old, count)
        place = order[np.minimum(np.searchsorted(codes, wanted, sorter=order), len(order) - 1)]
        found = rows[place]
        known = (codes[place] == wanted) & (self._asked.inner[found] == asked.inner[asked.rows[may]])
        known &= self._asked.enough[found] <= asked.enough[asked.rows[may]]
        may, found = may[known], found[known]
        for name, column in columns.items():
            column[asked.rows[may]] = self._columns[name][found]
        return np.delete(asked.rows, may)

    def _resting(self, forest: Forest, asked: Asked) -> tuple[np.ndarray, np.ndarray]:
        """(old, rests) of the objects now: (n,) int64 position then, (n,) bool whether the object was there, just as it
        is now."""
        if forest.layout is self._layout and forest.objects is self._objects:
            old = np.arange(len(forest.objects))
            rests = np.ones(len(old), bool)
        else:
            then, now = self._layout.serial[self._objects], forest.layout.serial[forest.objects]
            order = np.argsort(then)
            old = order[np.minimum(np.searchsorted(then, now, sorter=order), len(order) - 1)]
            rests = then[old] == now
        rests &= (self._mesh[old] == forest.mesh_index) & (self._versions[old] == forest.versions)
        rests &= self._asked.decides[old] == asked.decides
        return old, rests & ~moved_poses(self._poses[old], forest.poses)
