# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rows the list shows, in what order and in which groups: filter, search and order look at all of them; the list
has room for a page."""
from collections import OrderedDict
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import bpy
import numpy as np

from ...core.codes import VERDICTS
from ...core.grouping import CONTAINER
from ..phrases import ALL, COPIES, COPLANAR, VERDICT_TITLES
from .groups import Listing, listing
from .kept import RESULTS, rows_of
from .table import Rows

PAGE = 200          # rows: Blender draws a list anew at each move of the mouse, and looks at all of its items
ORDERS = (
    ("WORST", "Worst First", "By verdict, then by depth, where it was measured, and number of contacts"),
    ("FIRST", "First Contact", "Of an animation: in the order in which they first meet"),
    ("CONTACTS", "Contacts", "Most contacts first"),
    ("NAME", "Name", "By name"),
)
SHOWN_VERDICTS = ((ALL, "All Verdicts", "Show every pair of the list"),
                  *((verdict, title, f"Show only the pairs with the verdict {title.lower()}")
                    for verdict, title in VERDICT_TITLES.items()),
                  (COPIES, "Exact Copies", "Show only pairs that have the same triangles at the same place"),
                  (COPLANAR, "In One Plane", "Show only pairs with faces that lie on each other, which flicker"))


@dataclass(frozen=True)
class Asked:
    """What the list is asked for. verdict: a word of VERDICTS, ALL, COPIES or COPLANAR; search: as in `matches`; order:
    of ORDERS; group_by: of groups.GROUPING_ITEMS."""

    verdict: str = ALL
    search: str = ""
    invert: bool = False
    order: str = "WORST"
    reverse: bool = False
    group_by: str = CONTAINER


@dataclass(frozen=True, eq=False)
class _Answer:
    """What was asked, the rows in their groups, and the lines of the list."""

    asked: Asked
    listing: Listing
    lines: np.ndarray


_answers: OrderedDict[Rows, _Answer] = OrderedDict()    # of the rows that were shown last, the latest last


def shown_in(scene: bpy.types.Scene) -> np.ndarray:
    """(n,) int64: the rows of a scene's result that its list shows, folded ones among them, the first one first."""
    return _answer(scene).listing.rows


def groups_in(scene: bpy.types.Scene) -> Listing:
    """The same rows in their groups."""
    return _answer(scene).listing


def _answer(scene) -> _Answer:
    """What the list of a scene shows. Two windows may show two scenes, so that of the others is kept."""
    window, rows = bpy.context.window_manager.touchpoint, rows_of(scene.touchpoint.result)
    asked = Asked(scene.touchpoint.show_verdict, window.search, window.invert, window.order, window.reverse,
                  window.group_by)
    known = _answers.get(rows)
    if known is None or known.asked != asked:
        known = _keep(rows, asked, listing(rows, shown_rows(rows, asked), asked.group_by, scene.touchpoint.result))
    return known


def put_in_groups_again(_group: object, context: bpy.types.Context) -> None:
    """Groups were chosen, perhaps the same ones, after parents have changed: an update callback."""
    _answers.clear()
    context.window_manager.touchpoint.page = 1


def fold(scene: bpy.types.Scene, group: int, unfold: bool) -> None:
    """Show the rows of a group below its heading, or the heading alone."""
    known = _answer(scene)
    made = known.listing
    _keep(rows_of(scene.touchpoint.result), known.asked,
          replace(made, open=made.open | {group} if unfold else made.open - {group}))


def _keep(rows: Rows, asked: Asked, made: Listing) -> _Answer:
    known = _answers[rows] = _Answer(asked, made, made.lines())
    _answers.move_to_end(rows)
    while len(_answers) > RESULTS:
        _answers.popitem(last=False)
    return known


def shown_rows(rows: Rows, asked: Asked) -> np.ndarray:
    """(n,) int64: the rows that were asked for, in their order."""
    table = rows.table
    chosen = np.ones(len(rows), bool)
    if asked.search.strip():
        chosen = matches(rows, asked.search) ^ asked.invert
    if asked.verdict == COPIES:
        chosen &= table["copy"] > 0
    elif asked.verdict == COPLANAR:
        chosen &= table["coplanar"] > 0
    elif asked.verdict != ALL:
        chosen &= table["verdict"] == VERDICTS.index(asked.verdict)
    found = np.flatnonzero(chosen)
    if asked.order == "CONTACTS":
        found = found[np.argsort(-table["contacts"][found], kind="stable")]
    elif asked.order == "FIRST":
        found = found[np.argsort(rows.first[found], kind="stable")]
    elif asked.order == "NAME":
        rank = _name_ranks(rows)
        found = found[np.lexsort((rank[table["b"][found]], rank[table["a"][found]]))]
    return found[::-1] if asked.reverse else found


def matches(rows: Rows, search: str) -> np.ndarray:
    """(n,) bool: in which rows an object has this text in its name; with a × in it, the one before and the one behind
    it. Small letters stand for capital ones, too, * for anything and ? for any one letter."""
    a, b = rows.table["a"], rows.table["b"]
    first, *others = [_named(rows, part) for part in search.split("×", 1)]
    if not others:
        return first[a] | first[b]
    return first[a] & others[0][b] | first[b] & others[0][a]


def _named(rows: Rows, part: str) -> np.ndarray:
    """(sides,) bool: whose names have this text in them."""
    part = part.strip().lower()
    names = [side.name.lower() for side in rows.sides]
    if "*" in part or "?" in part:
        pattern = f"*{part.replace('[', '[[]')}*"
        return np.array([fnmatchcase(name, pattern) for name in names], bool)
    return np.array([part in name for name in names], bool)


def _name_ranks(rows: Rows) -> np.ndarray:
    """(sides,) int64: places of the objects in the order of their names."""
    rank = np.empty(len(rows.sides), np.int64)
    rank[sorted(range(len(rank)), key=lambda side: rows.sides[side].name.lower())] = np.arange(len(rank))
    return rank


def page_count(scene: bpy.types.Scene) -> int:
    """How many pages the list of a scene has, one at least."""
    return max(1, -(-len(_answer(scene).lines) // PAGE))


def page_of(scene: bpy.types.Scene) -> np.ndarray:
    """(n,) int64: the lines of the page that the list of a scene shows, each a row, or ~group for a heading."""
    page = min(bpy.context.window_manager.touchpoint.page, page_count(scene)) - 1
    return _answer(scene).lines[page * PAGE:(page + 1) * PAGE]


def turn_to(scene: bpy.types.Scene, index: int) -> None:
    """Let the list show the page with a row, where it has it, and unfold its group."""
    group = groups_in(scene).group_of(index)
    if group >= 0 and groups_in(scene).size(group) > 1:
        fold(scene, group, True)
    place = np.flatnonzero(_answer(scene).lines == index)
    if len(place):
        bpy.context.window_manager.touchpoint.page = 1 + int(place[0]) // PAGE
