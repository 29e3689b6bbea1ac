# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports by the numbers that objects keep over frames, instead of their indices in one scene."""
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from ..arrays import first_of_each
from ..codes import A_IN_B, B_IN_A, NEITHER
from ..contacts import Contacts
from ..findings import Findings
from .moment import UNNUMBERED
from .rows import copied

TURNED = np.array([NEITHER, B_IN_A, A_IN_B], np.int8)       # codes of the column `inner`, the pair the other way round
CONTACTS_LEFT_OUT = -1  # contact_start of a pair whose contacts nobody asks for
Given = TypeVar("Given", bound=Findings)


class Normals(Protocol):
    """What tells how triangles stand."""

    def normals(self, rows: np.ndarray, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """(k,3) float64: unit normals in the world of triangles of objects of the scene, which belong to these rows of
        the contacts of a report. All (k,)."""


@dataclass(frozen=True, eq=False)
class StoredNormals:
    """Of all rows of some contacts, in advance."""

    of_rows: np.ndarray         # (contacts,3) float64

    def normals(self, rows: np.ndarray, _objects: np.ndarray, _triangles: np.ndarray) -> np.ndarray:
        return self.of_rows[rows]


def is_numbered(numbers: np.ndarray) -> bool:
    """True where the number of each object is its index, or it has none: `numbered` would change nothing. numbers: (n,)
    int64."""
    return bool(((numbers == np.arange(len(numbers))) | (numbers == UNNUMBERED)).all())


def numbered(report: Given, numbers: np.ndarray, normals: Normals) -> Given:
    """The same with numbers for objects, a < b; pairs stay in their rows. numbers: (n,) int64, of the objects; normals:
    of their triangles."""
    pairs = copied(report.pairs)
    a, b = numbers[pairs["a"]], numbers[pairs["b"]]
    pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
    turned = (a > b).nonzero()[0]
    if len(turned) == 0:
        return replace(report, pairs=pairs)
    for points in ("gap_points", "depth_points"):
        pairs[points][turned] = pairs[points][turned][:, ::-1]
    pairs["inner"][turned] = TURNED[pairs["inner"][turned]]
    contacts = report.contacts.take(slice(None))
    turned = turned[pairs["contact_start"][turned] != CONTACTS_LEFT_OUT]
    mine = first_of_each(pairs["contact_start"][turned], pairs["contacts"][turned].astype(np.int64))
    if len(mine):
        _turn(contacts, mine, report.pairs["a"][report.contacts.pair[mine]], normals)
    return replace(report, pairs=pairs, contacts=contacts)


def _turn(contacts: Contacts, rows: np.ndarray, was_a: np.ndarray, normals: Normals) -> None:
    """Let some contacts speak of b and a instead of a and b. rows: (k,) int64, whole pairs; was_a: (k,) indices of the
    objects that are b then."""
    some = contacts.take(rows)
    some.triangle_a, some.triangle_b = some.triangle_b, some.triangle_a
    some.normal = normals.normals(rows, was_a, some.triangle_b)
    some = some.take(np.lexsort((some.triangle_b, some.triangle_a, some.pair)))
    for name in Contacts.__dataclass_fields__:
        column = getattr(contacts, name).copy()
        column[rows] = getattr(some, name)
        setattr(contacts, name, column)
