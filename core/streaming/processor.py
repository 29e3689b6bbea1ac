# SPDX-License-Identifier: GPL-3.0-or-later
"""The port on the processor, in float32 as on a GPU: for tests, for comparison, and where there is no GPU."""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..records import StreamRows
from .edge_tests import edge_box, edge_triangle
from .port import END, MISS, NODE_COUNT, NODE_FIRST, NODE_SKIP, TASK_COUNT, TASK_FIRST

FIRST_HITS = 1 << 12        # there is room for, at first
WALK_STEPS = 1 << 8         # of an item in one call: nodes and triangles


class Processor:
    """The processor as `port.Streams`."""

    def load(self, rows: StreamRows) -> "InMemory":
        return InMemory(rows)


class InMemory:
    """`port.Loaded` on the processor. Threads may share it."""

    def __init__(self, rows: StreamRows):
        self.rows = rows

    def meet(self, items: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _all_hits(lambda hits, codes: meet_triangles(self.rows, items, tasks, hits, codes))

    def boxes(self, items: np.ndarray, tasks: np.ndarray) -> np.ndarray:
        met = np.empty(len(items), np.bool_)
        meet_boxes(self.rows, items, tasks, met)
        return met

    def walk(self, items: np.ndarray, tasks: np.ndarray,
             begin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        after = np.empty(len(items), np.int32)
        hits, codes = _all_hits(lambda hits, codes: walk_down(self.rows, items, tasks, begin, after, hits, codes))
        return hits, codes, after

    def free(self) -> None:
        """Nothing: the rows go with their last reference."""


def _all_hits(search) -> tuple[np.ndarray, np.ndarray]:
    """All that search(hits, codes) finds: it writes what there is room for and returns how many they are."""
    room = FIRST_HITS
    while True:
        hits, codes = np.empty((room, 3), np.int32), np.empty(room, np.uint8)
        found = search(hits, codes)
        if found <= room:
            return hits[:found], codes[:found]
        room = 2 * found


@kernel
def meet_triangles(rows, items, tasks, hits, codes):
    """Each item against the triangles of its task; returns how many hits there are, written as far as there is room.

    rows: StreamRows; items: (n,2) int32; tasks: (…,8) float32; hits: (room,3) int32; codes: (room,) uint8.
    """
    found = 0
    for i in range(items.shape[0]):
        e = unsigned(items[i, 0])
        t = unsigned(items[i, 1])
        first = int(tasks[t, TASK_FIRST])
        found = try_triangles(rows, e, t, tasks, first, first + int(tasks[t, TASK_COUNT]), hits, codes, found)
    return found


@kernel
def try_triangles(rows, e, t, tasks, first, last, hits, codes, found):
    """Append the hits of one edge among the triangles first … last - 1; returns how many there are then."""
    for k in range(first, last):
        code = edge_triangle(rows.edges, e, tasks, t, rows.triangles, unsigned(k))
        if code != MISS:
            if found < hits.shape[0]:
                hits[found, 0] = e
                hits[found, 1] = t
                hits[found, 2] = k
                codes[found] = code
            found += 1
    return found


@kernel
def meet_boxes(rows, items, tasks, met):
    """met[i] = the edge of item i meets the box of its task's node, or may meet it."""
    for i in range(items.shape[0]):
        t = unsigned(items[i, 1])
        met[i] = edge_box(rows.edges, unsigned(items[i, 0]), tasks, t, rows.nodes, unsigned(tasks[t, TASK_FIRST]))


@kernel
def walk_down(rows, items, tasks, begin, after, hits, codes):
    """Each item down a tree from the node begin[i] on, to after[i]; returns the number of hits as `meet_triangles`.

    begin, after: (n,) int32. A box that is missed sends the item to the node after all that are inside it.
    """
    found = 0
    nodes = rows.nodes
    for i in range(items.shape[0]):
        e = unsigned(items[i, 0])
        t = unsigned(items[i, 1])
        at = int(begin[i])
        steps = 0
        while at != END and steps < WALK_STEPS:
            node = unsigned(at)
            steps += 1
            count = int(nodes[node, NODE_COUNT])
            if not edge_box(rows.edges, e, tasks, t, nodes, node):
                at = int(nodes[node, NODE_SKIP])
            elif count > 0:
                first = int(nodes[node, NODE_FIRST])
                found = try_triangles(rows, e, t, tasks, first, first + count, hits, codes, found)
                steps += count
                at = int(nodes[node, NODE_SKIP])
            else:
                at += 1
        after[i] = at
    return found
