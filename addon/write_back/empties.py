# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty in the middle of each of the first N places where objects meet, spread fairly over the pairs.

An empty keeps its name and its data-block as long as its pair has that many places, so that what the user
attached to it (drivers, constraints, keys) survives a rerun.
"""
from collections import Counter
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.places import places
from ...core.shown import escaped
from ..names import CONTACT_KEY, CURVE_KEY, NAME_BYTES, name_of, pair_label
from .collection import find_made, new_result, remove_objects
from .framing import Bounds, diagonals

if TYPE_CHECKING:
    import bpy

    from ...core.report import Report

EMPTY_NAME = "Touchpoint {label} {number:03d}"
EMPTY_SIZE_RELATIVE = 0.04         # of an empty, as a part of the smaller one of the two objects
MOST_PLACED_CONTACTS = 1 << 14     # of a pair whose places are told apart: of more, Blender would be held up by it
LABEL_BYTES = NAME_BYTES - len(EMPTY_NAME.format(label="", number=0)) - 6     # 6: ".001" of Blender, and longer numbers


class Mark(NamedTuple):
    """An empty to be."""

    place: np.ndarray       # (3,)
    size: float             # in scene units


def count_marks(report: "Report", rows: np.ndarray, limit: int) -> np.ndarray:
    """(n,) int64: how many empties each row is to have, `limit` at most in all.

    rows: (n,) of Report.pairs, the most important first.
    """
    contacts, found = report.pairs["contacts"], report.places
    counts = np.minimum(contacts, 1) if found is None else np.where(contacts <= MOST_PLACED_CONTACTS, found, 1)
    return share(counts[rows].astype(np.int64), limit)


def empties_of(report: "Report", rows: np.ndarray, counts: np.ndarray, bounds: Bounds) -> dict[str, Mark]:
    """Empties by the names they are known by. rows, counts: as `count_marks` takes and gives them."""
    return dict(_marks(report, rows, counts, bounds))


def writing_empties(wanted: dict[str, Mark], scene: "bpy.types.Scene",
                    collection: "bpy.types.Collection | None") -> Generator[None, None, None]:
    """Let the scene hold these empties and no others; a piece for what was there, and one for each new one.

    collection: where new ones go; None where none are wanted.
    """
    present = _present(scene, wanted)
    for key, empty in present.items():
        _put(empty, *wanted[key])
    yield
    for key, mark in wanted.items():
        if key not in present:
            _put(_new_empty(collection, key), *mark)
            yield


def share(counts: np.ndarray, limit: int) -> np.ndarray:
    """How many of `limit` empties each pair gets: all get the same number, except pairs with fewer places; what is
    left over goes to the first pairs. counts: (n,) places per pair; returns (n,)."""
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


def _marks(report, rows: np.ndarray, counts: np.ndarray, bounds: Bounds):
    numbers: Counter = Counter()
    ranks = np.flatnonzero(counts)      # of millions of pairs, a few have an empty
    rows, counts = rows[ranks], counts[ranks]
    sides = [report.pairs[side][rows] for side in "ab"]
    sizes = EMPTY_SIZE_RELATIVE * np.minimum(*(diagonals(bounds.boxes[each]) for each in sides))
    places_of_rows = _with_places(report, rows, counts)
    for a, b, size, (wanted, low, high) in zip(*(each.tolist() for each in (*sides, sizes)), places_of_rows):
        name = pair_label(escaped(report.name(a)), escaped(report.name(b)), LABEL_BYTES)
        for middle in _middles(low, high, wanted):
            numbers[name] += 1
            yield EMPTY_NAME.format(label=name, number=numbers[name]), Mark(middle, size)


def _with_places(report, rows: np.ndarray, counts: np.ndarray):
    """(number of empties, lowest and highest corners (k,3) of its places) of each of rows of Report.pairs, all with
    contacts. Places are found for all rows at once, as each call takes longer than a pair."""
    begin, size = report.pairs["contact_start"][rows], report.pairs["contacts"][rows].astype(np.int64)
    single = (counts == 1) & (size > MOST_PLACED_CONTACTS)
    some = np.flatnonzero(~single)
    first = np.cumsum(size[some]) - size[some]
    taken = np.repeat(begin[some] - first, size[some]) + np.arange(size[some].sum())
    low, high, of_row = np.zeros((0, 3)), np.zeros((0, 3)), {}
    if len(taken):
        known, contacts = report.place_of, report.contacts.take(taken)
        label = places(contacts) if known is None else np.unique(known[taken], return_inverse=True)[1]
        low, high = _extents(contacts.point, label)
        begins, ends = np.minimum.reduceat(label, first), np.maximum.reduceat(label, first) + 1
        of_row = dict(zip(some.tolist(), zip(begins.tolist(), ends.tolist())))
    for number, (row, wanted) in enumerate(zip(rows.tolist(), counts.tolist())):
        if number in of_row:
            its = slice(*of_row[number])
            yield wanted, low[its], high[its]
        else:
            point = report.contacts_of(row).point.reshape(-1, 3)
            yield wanted, point.min(axis=0)[None], point.max(axis=0)[None]


def _extents(point: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corners (places,3). point: (n,2,3) ends of contacts; label: (n,) the place of each, from 0."""
    order = np.argsort(label, kind="stable")
    first = np.searchsorted(label[order], np.arange(label.max() + 1))
    return (np.minimum.reduceat(np.minimum(point[order, 0], point[order, 1]), first),
            np.maximum.reduceat(np.maximum(point[order, 0], point[order, 1]), first))


def _middles(low: np.ndarray, high: np.ndarray, wanted: int) -> np.ndarray:
    """(n,3): of the places of a pair the middle, of as many as are wanted, the largest ones, in their order; of equal
    ones some from all over that order. low, high: (k,3) corners of all."""
    chosen: Any = slice(None)
    if wanted < len(low):
        extent = np.linalg.norm(high - low, axis=1)
        least = np.sort(extent)[-wanted:][0]
        equal, chosen = np.flatnonzero(extent == least), extent > least
        chosen[equal[np.linspace(0, len(equal) - 1, wanted - chosen.sum()).round().astype(int)]] = True
    return (0.5 * low + 0.5 * high)[chosen]


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
    """Put an empty there; one that is there already is not touched, as Blender would evaluate it anew."""
    point, size = point.astype(np.float32), float(np.float32(size))
    if empty.parent is not None:
        place = empty.matrix_world.copy()
        place.translation = point
        empty.matrix_world = place
    elif tuple(empty.location) != tuple(point.tolist()):
        empty.location = point
    if empty.empty_display_size != size:
        empty.empty_display_size = size


def _new_empty(collection, key: str):
    empty = new_result(collection, key)
    empty[CONTACT_KEY] = key
    empty.empty_display_type = "SPHERE"
    empty.show_in_front = True
    return empty
