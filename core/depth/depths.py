# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage `depths`: how deep the objects of each pair reach into each other. Threads, cancelling, memory."""
from collections.abc import Iterator
from functools import partial

import numpy as np

from ..codes import A_IN_B, CONTAINED, CROSSING, NEITHER, OVERLAP, TOUCHING
from ..contacts import Contacts
from ..errors import Cancelled
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..records import (
    ContactColumns,
    ContainedScratch,
    Corners,
    CoverScratch,
    DepthItems,
    DepthScratch,
    LocalPair,
    PairDepths,
    PlacedTrees,
    SupportPlanes,
)
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.mesh_topology import MeshTopology
from ..verdicts.rays import INSIDE_BITS, STACK_SIZE, ray_scratch
from .contained import MOST_LEFT, MOST_PLANES
from .covering import MOST_BESIDE, MOST_COVERED_CORNERS
from .crossing import MOST_MEETING
from .cutting import MOST_CUT_CORNERS
from .items import BEGUN, FIRST_ITEMS, FREE_ROWS, ITEM_FEATURES
from .kept_depths import KEPT_DEPTHS, Asked, KeptDepths
from .local_boxes import MOST_BOXES_WAITING
from .local_faces import MOST_BORDER
from .local_loops import END_COLUMNS, MOST_LOOP
from .local_mesh import MOST_ENDS, MOST_FLIPS, MOST_MESHED
from .local_parts import MOST_LISTED
from .local_planes import MOST_ABOVE
from .local_search import MOST_SQUARES
from .local_triangles import COLUMN_ROWS, LOCAL_STRIDE, MOST_PIECE_CORNERS, MOST_TRIANGLES, MOST_VERTICES
from .search import FINISHED, FULL, search_pairs
from .seeds import MOST_CHAINED, MOST_SEEDED
from .supports import no_planes, supports_of

DEPTH_STEPS_PER_CALL = 1 << 10      # of the kernel: some milliseconds
DEPTH_CHUNKS_PER_THREAD = 16        # enough that the last one to finish does not matter
PAIRS_PER_CHUNK_ALONE = 4           # of one thread, whose chunks serve progress only: a call costs as much as a pair
IS_MEASURED = np.isin(np.arange(1 << 7), (CONTAINED, OVERLAP, CROSSING))     # by verdict
MANY_TRIANGLES = 1 << 16            # of one object: to measure a single point may take milliseconds, a pair seconds


def measure_depths(forest: Forest, table: PairTable, run: Run,
                   decides: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """The columns depth and depth_upper (pairs,) and depth_points (pairs,2,3) of a table, float64, world units.

    The true depth is from depth to depth_upper. NaN: not measured; docs/depth.md says where. Pairs that touch have the
    depth 0, and so do copies. The points, on a and on b, are where the depth was found, NaN where it is 0. A pair that
    is seen to be no deeper than `table.enough` says is not measured any closer. Pairs whose objects have not moved
    since the last run have what that found. decides: `inside_bits` of the objects, where these are known already.
    """
    lower, upper = np.full((2, len(table)), np.nan)
    points = np.full((len(table), 2, 3), np.nan)
    columns = {"depth": lower, "depth_upper": upper, "depth_points": points}
    touching = table.verdict == TOUCHING
    lower[touching] = upper[touching] = 0.0
    rows = np.flatnonzero(IS_MEASURED[table.verdict] & table.finished)
    if len(rows) == 0 or run.stopped():
        return columns
    if decides is None:
        decides = inside_bits(forest, table.a[rows], table.b[rows])
    inner = np.where(table.verdict == CONTAINED, table.inner, np.int8(NEITHER))
    # What only the weld distance closes has no inside by which to measure, and no surface in what it contains.
    outer = np.where(inner == A_IN_B, table.b, table.a)
    rows = rows[(inner[rows] == NEITHER) | (decides[outer[rows]] > 0)]
    rows = rows[~_known_of_copies(table, rows, decides, columns)]
    first_alike, which = table.alike(rows)
    enough = np.zeros(len(table)) if table.enough is None else table.enough
    asked = Asked(decides, first_alike, table.a, table.b, inner, enough)
    kept: KeptDepths | None = forest.scene.cache.get(KEPT_DEPTHS)
    new = first_alike if kept is None else kept.fill(forest, asked, columns)
    try:
        measured = 0
        for some, contacts, first, last in _with_contacts(table, new, run) if len(new) and not run.stopped() else ():
            a, b = table.a[some], table.b[some]
            for batch in forest.batches(a, b) if len(some) else ():
                i, j = np.ascontiguousarray(a[batch]), np.ascontiguousarray(b[batch])
                here = some[batch]
                pairs = PairDepths(i, j, forest.tight_bounds(i, j), decides, lower[here], upper[here], points[here],
                                   np.zeros(len(i), np.uint8), forest.triangle_count, first[batch], last[batch],
                                   inner[here], forest.vertex_count, enough[here])
                try:
                    with run.share(measured / len(new), len(here) / len(new)):
                        _search(forest, pairs, contacts.columns, run)
                    measured += len(here)
                finally:
                    done = pairs.done > 0
                    for column, found in zip(columns.values(), (pairs.lower, pairs.upper, pairs.points)):
                        column[here[done]] = found[done]
    except Cancelled:
        pass
    forest.scene.cache[KEPT_DEPTHS] = KeptDepths(forest, asked, columns)
    for column in columns.values() if table.like is not None else ():
        column[rows] = column[first_alike[which]]
    return columns


def _known_of_copies(table: PairTable, rows: np.ndarray, decides: np.ndarray, columns: dict) -> np.ndarray:
    """(k,) bool: those of the rows whose objects are copies of each other. All of the one surface is on the other one,
    so that nothing of it is below that: writes the depth 0 where one of them has an inside."""
    copy = table.measured.get("copy")
    if copy is None:
        return np.zeros(len(rows), bool)
    same = copy[rows]
    measured = rows[same & (decides[table.a[rows]] | decides[table.b[rows]] > 0)]
    columns["depth"][measured] = columns["depth_upper"][measured] = 0.0
    return same


def compile_search() -> None:
    """Load or compile the kernels of the search without a scene: half of what Detect compiles, so that another process
    can do it."""
    def rows(kind, *columns):
        return np.empty((0, *columns), kind)

    corners = Corners(rows(np.int64), rows(np.int32, 3), rows(np.int32), rows(np.int64), rows(np.float64, 3))
    trees = PlacedTrees(rows(np.int32), rows(np.int64), rows(np.int64), rows(np.int32, 4), rows(np.float32, 6, 4),
                        np.zeros(4), corners)
    pairs = PairDepths(rows(np.int32), rows(np.int32), rows(np.float64, 6), rows(np.uint8), rows(np.float64),
                       rows(np.float64), rows(np.float64, 2, 3), rows(np.uint8), rows(np.int64), rows(np.int64),
                       rows(np.int64), rows(np.int8), rows(np.int64), rows(np.float64))
    search_pairs(rows(np.int64), np.zeros(1, np.int64), pairs, Contacts.empty().columns, no_planes(0), trees, _items(1),
                 _local_pair(1, 1), _contained_scratch(1, 1), 1, depth_scratch())


def _planes_of_outer(forest: Forest, pairs: PairDepths) -> SupportPlanes:
    """The planes of all solids that have another object inside."""
    if not pairs.inner.any():
        return no_planes(len(pairs.decides))
    outer = np.where(pairs.inner == A_IN_B, pairs.b, pairs.a)[pairs.inner != NEITHER]
    return supports_of(forest, pairs, np.unique(outer[pairs.decides[outer] > 0]).astype(np.int64))


def inside_bits(forest: Forest, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(objects,) uint8: the bit of a ray that means "inside" the object, 0 where its mesh is open, or it is in no
    pair."""
    decides = np.zeros(len(forest.objects), np.uint8)
    used = np.unique(np.concatenate([a, b]))
    decides[used] = INSIDE_BITS[MeshTopology(forest.scene).solid(forest.objects[used])]
    return decides


def _with_contacts(table: PairTable, rows: np.ndarray,
                   run: Run) -> Iterator[tuple[np.ndarray, Contacts, np.ndarray, np.ndarray]]:
    """Yield (some, contacts, first, last): pairs, contacts, and where the pairs' own are among these, (k,) int64; first
    is -1 where not all are known. All rows come, (k,) int64, ascending.

    Contacts that are not listed are searched again, so that bounds and, with them, verdicts within a tolerance are
    those of a run that lists all. No other search looks at contacts of pairs that have very many.
    """
    listed = Contacts.empty() if table.contacts is None else table.contacts
    first, last = _places(listed, rows)
    if table.cut is None:
        yield rows, listed, first, last
        return
    found = table.cut.found[rows]
    whole = last - first == found
    first[~whole] = -1
    again = ~whole & (found <= MOST_LISTED)
    yield rows[~again], listed, first[~again], last[~again]
    pieces: list[Contacts] = []
    for some, part in _unseen(table.cut.whole(rows[again]), run):
        if run.cancelled:
            return
        assert part.contacts is not None
        pieces.append(part.contacts)
        if part.last_piece:
            contacts, pieces = Contacts.join(pieces), []
            yield some, contacts, *_places(contacts, np.arange(len(some)))


def _unseen(parts: Iterator, run: Run) -> Iterator:
    """The same parts. What is done to find them is no progress of the stage."""
    while True:
        with run.share(0.0, 0.0):
            part = next(parts, None)
        if part is None:
            return
        yield part


def _places(contacts: Contacts, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(first, last), (k,) int64: where the contacts of pairs are. rows: (k,)."""
    first, last = (np.searchsorted(contacts.pair, rows, side) for side in ("left", "right"))
    return first, last


def _search(forest: Forest, pairs: PairDepths, contacts: ContactColumns, run: Run) -> None:
    """Measure all pairs, on several threads. Raises Cancelled."""
    rows = np.arange(len(pairs.a), dtype=np.int64)
    alone = 1 if run.threads > 1 else PAIRS_PER_CHUNK_ALONE
    count = min(-(-len(rows) // alone), DEPTH_CHUNKS_PER_THREAD * run.threads)
    largest = int(forest.vertex_count.max()), int(forest.triangle_count.max())
    kept, spare = forest.scene.cache.get("depth memory", (None, []))
    if kept != largest:
        spare = []
        forest.scene.cache["depth memory"] = largest, spare

    planes, stop = _planes_of_outer(forest, pairs), np.zeros(1, np.int64)

    def measure(number: int) -> None:
        # To make memory anew, and to have the system find its pages, takes as long as some pairs.
        try:
            memory = spare.pop()
        except IndexError:          # another thread may have taken the last one at this moment
            memory = [_items(FIRST_ITEMS), _local_pair(*largest), _contained_scratch(*largest), depth_scratch()]
        memory[-1] = memory[-1]._replace(stop=stop)
        _measure_rows(np.ascontiguousarray(rows[number::count]), forest, pairs, contacts, planes, memory, run)
        spare.append(memory)

    run_chunks(measure, count, run.threads, lambda finished: run.tick(finished / count),
               partial(stop.fill, 1) if largest[1] > MANY_TRIANGLES else None)


def _measure_rows(rows: np.ndarray, forest: Forest, pairs: PairDepths, contacts: ContactColumns, planes: SupportPlanes,
                  memory: list, run: Run) -> None:
    """One thread's part of the pairs; those that a cancelled run has no time for are not done. memory: DepthItems,
    which may be replaced by larger ones, LocalPair, ContainedScratch, DepthScratch, whose `stop` ends it in the middle
    of a pair."""
    state, (items, local, held, scratch) = np.zeros(1, np.int64), memory
    items.state[BEGUN] = scratch.tests[0] = 0
    answer = -1
    while answer != FINISHED and not run.stopped():
        before = state[0]
        answer = search_pairs(rows, state, pairs, contacts, planes, forest.placed_trees, items, local, held,
                              DEPTH_STEPS_PER_CALL, scratch)
        if scratch.stop[0]:         # anywhere in that call
            pairs.done[rows[before:]] = 0
            break
        if answer == FULL:
            items = memory[0] = _grown(items)
    run.count(depth_tests=int(scratch.tests[0]))


def _items(capacity: int) -> DepthItems:
    """Memory for so many items."""
    state = np.zeros(4, np.int64)
    state[FREE_ROWS] = capacity
    return DepthItems(np.empty(capacity), np.empty(capacity, np.int32), np.arange(capacity, dtype=np.int32),
                      np.empty((capacity, 4), np.int32), np.empty((capacity, 3, 3)), np.empty((capacity, 3, 3)),
                      np.empty((capacity, ITEM_FEATURES), np.int32), np.empty((capacity, ITEM_FEATURES, 3)),
                      np.empty((capacity, 4)), state)


def _grown(items: DepthItems) -> DepthItems:
    """The same items in twice the memory."""
    count = len(items.bound)
    more = _items(2 * count)
    for old, new in zip(items[:-1], more[:-1]):
        new[:count] = old
    more.state[:] = items.state
    free = int(items.state[FREE_ROWS])
    more.free[free:free + count] = np.arange(2 * count - 1, count - 1, -1)
    more.state[FREE_ROWS] = free + count
    return more


def depth_scratch() -> DepthScratch:
    """Memory of one thread."""
    rays = ray_scratch()
    return DepthScratch(rays, np.empty(STACK_SIZE, np.int32), np.empty(STACK_SIZE, np.float32), rays.ray.copy(),
                        np.empty(16, np.float32), np.empty(3, np.int64), np.empty((2, 3)), np.empty(3), np.empty(3),
                        np.empty((ITEM_FEATURES, 5)), np.empty(ITEM_FEATURES, np.int32), np.empty((3, 3)),
                        np.empty((5, 3)),
                        np.empty((3, 3)), np.empty((2, MOST_CUT_CORNERS, 3)), np.empty(MOST_CUT_CORNERS),
                        np.empty(MOST_MEETING, np.int32), np.empty((3, 3)), np.empty(4), _cover_scratch(), np.empty(8),
                        np.zeros(1, np.int64), np.zeros(1, np.int64))


def _cover_scratch() -> CoverScratch:
    """Memory of one thread."""
    return CoverScratch(np.empty(MOST_BESIDE, np.int32), np.empty((MOST_BESIDE, 3, 3)),
                        np.empty(MOST_BESIDE, np.uint8), np.empty(MOST_BESIDE, np.int32), np.empty((3, 3)),
                        np.empty((3, 3)), np.empty((2, MOST_COVERED_CORNERS, 3)), np.empty(MOST_COVERED_CORNERS))


def _contained_scratch(vertices: int, triangles: int) -> ContainedScratch:
    """Memory of one thread; vertices, triangles: the most of any object."""
    return ContainedScratch(np.empty((MOST_PLANES, 4)), np.empty(3), np.empty(vertices, np.int32), np.empty(vertices),
                            np.empty(triangles), np.empty(triangles, np.int32), np.empty(3, np.int64),
                            np.empty((MOST_LEFT, 2), np.int32), np.empty(MOST_LEFT), np.empty((MOST_LEFT, 4)),
                            np.zeros(2, np.int64))


def _local_pair(vertices: int, triangles: int) -> LocalPair:
    """Memory of one thread; vertices, triangles: the most of any object."""
    of_triangles, of_vertices = (2, MOST_TRIANGLES), (2, MOST_VERTICES)
    return LocalPair(
        sizes=np.zeros((2, 3), np.int64), origin=np.empty(3), common=np.empty(6), reach=np.empty(2),
        columns=np.empty((2, COLUMN_ROWS * int(LOCAL_STRIDE))), slots=np.empty(of_triangles, np.int32),
        corners=np.empty((*of_triangles, 3), np.int32), points=np.empty((*of_vertices, 3)),
        rows=np.empty(of_vertices, np.int64), group=np.empty(of_vertices, np.int32),
        sides=np.empty(of_vertices, np.int8), row_start=np.empty(of_vertices, np.int64),
        nearest=np.empty(of_vertices, np.int64), vertex_of=np.full((2, vertices), -1, np.int32),
        triangle_of=np.full((2, triangles), -1, np.int32), first=np.empty((2, MOST_TRIANGLES + 1), np.int64),
        listed=np.empty((2, MOST_LISTED), np.int64), whole=np.empty(of_triangles, np.uint8),
        plane=np.empty(of_triangles, np.int8), outer=np.empty((*of_triangles, 3)),
        above=np.empty((*of_triangles, MOST_ABOVE), np.int32), above_count=np.empty(of_triangles, np.int32),
        face_first=np.empty(of_triangles, np.int32), face_count=np.empty(of_triangles, np.int32),
        face_slack=np.empty(of_triangles), members=np.empty(of_triangles, np.int32),
        coplanar=np.empty(MOST_TRIANGLES, np.int32), reached=np.empty(MOST_TRIANGLES, np.uint8),
        queue=np.empty(MOST_TRIANGLES, np.int32), edge_head=np.empty(MOST_VERTICES, np.int32),
        edge_next=np.empty(3 * MOST_TRIANGLES, np.int32), border=np.empty(MOST_BORDER, np.int32),
        away=np.empty(MOST_LOOP), deepest=np.empty(2, np.int64), deepest_by=np.empty(2), squares=np.empty(MOST_SQUARES),
        used=np.zeros(7, np.int64), largest=np.empty(MOST_TRIANGLES), corner_points=np.empty((MOST_PIECE_CORNERS, 3)),
        corner_slack=np.empty(MOST_PIECE_CORNERS), corner_rows=np.empty(MOST_PIECE_CORNERS, np.int64),
        corner_nearest=np.empty(MOST_PIECE_CORNERS, np.int64), order=np.empty(MOST_ENDS + 3, np.int64),
        ring=np.empty(2 * (MOST_ENDS + 3), np.int64), near=np.empty((2, MOST_SEEDED), np.int32),
        near_count=np.zeros(2, np.int64),
        parent=np.empty(vertices, np.int32), side_of=np.empty(vertices, np.int8),
        next_contact=np.empty(MOST_CHAINED, np.int32), inner=np.empty(6), boxes=np.empty((MOST_BOXES_WAITING, 6)),
        mesh=np.empty((MOST_MESHED, 6), np.int64), meshed=np.empty(MOST_FLIPS + 4, np.int64),
        ways=np.empty((MOST_ENDS + 1, 4)), known=np.empty((2, 6)),
        loop_of=np.empty(MOST_ENDS, np.int32), ends=np.empty((MOST_ENDS, END_COLUMNS), np.int64),
        loop_boxes=np.empty((MOST_ENDS, 6)), part_box=np.empty(6),
        across=np.empty((6, 5)), end_doubt=np.zeros(1))
