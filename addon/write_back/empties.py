# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty at each of the first N contacts, spread fairly over the pairs.

An empty keeps its name and its data-block as long as its pair has that many contacts, so that what the user
attached to it (drivers, constraints, keys) survives a rerun.
"""
from collections import Counter
from collections.abc import Generator

import numpy as np

from ...core.shown import escaped
from ..names import CONTACT_KEY, CURVE_KEY, NAME_BYTES, name_of, pair_label
from .collection import find_made, new_result, remove_objects

NAME = "Touchpoint {label} {number:03d}"
LABEL_BYTES = NAME_BYTES - len(NAME.format(label="", number=0)) - 6     # 6: ".001" of Blender, and longer numbers


def empties_of(report, rows, limit: int) -> dict[str, np.ndarray]:
    """Where the empties of at most `limit` contacts are to stand, (3,) each, by the names they are known by.

    rows: rows of Report.pairs, the most important first.
    """
    return dict(_places(report, rows, limit))


def writing_empties(wanted: dict[str, np.ndarray], size: float, scene, collection) -> Generator[None, None, None]:
    """Let the scene hold these empties and no others; a piece for what was there, and one for each new one.

    size: of an empty, in scene units. collection: where new ones go; None where none are wanted.
    """
    present = _present(scene, wanted)
    for key, empty in present.items():
        _put(empty, wanted[key], size)
    yield
    for key, point in wanted.items():
        if key not in present:
            _put(_new_empty(collection, key), point, size)
            yield


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
    point = report.contacts.point
    counts, starts = report.pairs["contacts"][rows], report.pairs["contact_start"][rows]
    names = {info.index: info.name for info in report.objects}
    numbers: Counter = Counter()
    shares = share(counts, limit)
    for rank in np.flatnonzero(shares).tolist():        # of millions of pairs, a few have an empty
        row, start, count, places = rows[rank], starts[rank], counts[rank], shares[rank]
        a, b = report.pairs["a"][row], report.pairs["b"][row]
        label = pair_label(escaped(names[int(a)]), escaped(names[int(b)]), LABEL_BYTES)
        # Contacts follow the order of the triangles: equal steps through it spread over the whole intersection.
        for contact in start + np.linspace(0, count - 1, places).round().astype(int):
            numbers[label] += 1
            yield NAME.format(label=label, number=numbers[label]), 0.5 * point[contact, 0] + 0.5 * point[contact, 1]


def _present(scene, wanted) -> dict:
    """Empties of an earlier result that are still wanted, by their keys. All others are removed: those of contacts that
    are gone, copies, and those whose key somebody has overwritten."""
    present: dict = {}
    surplus = []
    for each in find_made(scene):
        if each.type != "EMPTY" or CURVE_KEY in each:
            continue
        key = each.get(CONTACT_KEY)
        if not isinstance(key, str) or key not in wanted:
            surplus.append(each)
        elif key in present and name_of(each) != key:
            surplus.append(each)
        else:
            surplus += [present[key]] if key in present else []
            present[key] = each
    remove_objects(surplus)
    return present


def _put(empty, point: np.ndarray, size: float) -> None:
    if empty.parent is None:
        empty.location = point
    else:
        place = empty.matrix_world.copy()
        place.translation = point
        empty.matrix_world = place
    empty.empty_display_size = size


def _new_empty(collection, key: str):
    empty = new_result(collection, key)
    empty[CONTACT_KEY] = key
    empty.empty_display_type = "SPHERE"
    empty.show_in_front = True
    return empty
