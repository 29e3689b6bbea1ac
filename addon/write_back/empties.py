# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty at each of the first N contacts, spread fairly over the pairs.

An empty keeps its name and its data-block as long as its pair has that many contacts, so that what the user
attached to it (drivers, constraints, keys) survives a rerun.
"""
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ...core.shown import escaped
from ..names import CONTACT_KEY, NAME_BYTES, pair_label
from .collection import find_results, new_result, remove_objects

NAME = "Touchpoint {label} {number:03d}"
LABEL_BYTES = NAME_BYTES - len(NAME.format(label="", number=0)) - 6     # 6: ".001" of Blender, and longer numbers


@dataclass(frozen=True)
class Place:
    """Where an empty stands, and the name it is known by."""

    key: str
    point: np.ndarray


def write_empties(report, rows, limit: int, size: float, collection) -> None:
    """Let the collection hold an empty for each of at most `limit` contacts.

    rows: rows of Report.pairs, the most important first. size: of an empty, in scene units.
    """
    wanted = {place.key: place for place in _places(report, rows, limit)}
    present = {each[CONTACT_KEY]: each for each in collection.objects if CONTACT_KEY in each}
    remove_objects([each for key, each in present.items() if key not in wanted])
    for key, place in wanted.items():
        empty = present.get(key) or _new_empty(collection, key)
        empty.location = place.point
        empty.empty_display_size = size


def remove_empties(scene) -> None:
    """Remove all contact empties of a scene."""
    collection = find_results(scene)
    if collection is not None:
        remove_objects([each for each in collection.objects if CONTACT_KEY in each])


def share(counts: np.ndarray, limit: int) -> np.ndarray:
    """How many of `limit` places each pair gets: all get the same number, except pairs with fewer contacts; what is
    left over goes to the first pairs. counts: (n,) contacts per pair; returns (n,)."""
    shares = np.zeros_like(counts)
    left = min(limit, int(counts.sum()))
    while left:
        open_pairs = np.flatnonzero(shares < counts)
        each = left // len(open_pairs)
        if each == 0:
            shares[open_pairs[:left]] += 1
            break
        added = np.minimum(counts[open_pairs] - shares[open_pairs], each)
        shares[open_pairs] += added
        left -= int(added.sum())
    return shares


def _places(report, rows, limit: int):
    middle = report.contacts.middle
    counts, starts = report.pairs["contacts"][rows], report.pairs["contact_start"][rows]
    names = {info.index: info.name for info in report.objects}
    numbers: Counter = Counter()
    for row, start, count, places in zip(rows, starts, counts, share(counts, limit)):
        if places == 0:
            continue
        a, b = report.pairs["a"][row], report.pairs["b"][row]
        label = pair_label(escaped(names[int(a)]), escaped(names[int(b)]), LABEL_BYTES)
        # Contacts follow the order of the triangles: equal steps through it spread over the whole intersection.
        for contact in start + np.linspace(0, count - 1, places).round().astype(int):
            numbers[label] += 1
            yield Place(NAME.format(label=label, number=numbers[label]), middle[contact])


def _new_empty(collection, key: str):
    empty = new_result(collection, key)
    empty[CONTACT_KEY] = key
    empty.empty_display_type = "SPHERE"
    empty.show_in_front = True
    return empty
