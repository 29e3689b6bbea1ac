# SPDX-License-Identifier: GPL-3.0-or-later
"""The port: what the forms of streaming ask of whatever computes for them, and how its rows of float32 are read.

An *item* is an edge with a task. A *task* puts the edges of one object into the frame of another and says what they
are tested against. A *hit* is an edge and a triangle that meet, or are too close to call.
"""
from typing import Protocol

import numpy as np

from ..records import StreamRows

MISS, HIT, CLOSE_CALL = 0, 1, 2  # what is known of an edge and a triangle
END = -1                        # no further node
MAX_ROWS = 1 << 24              # numbers of rows travel as float32
# Where numbers begin in a row, and how many there are.
EDGE_ORIGIN, EDGE_DIRECTION, EDGE_LENGTH, EDGE_NUMBERS = 0, 4, 7, 8
CORNER, SIDE_1, SIDE_2, TRIANGLE_NUMBERS = 0, 4, 8, 12
NODE_CENTRE, NODE_SKIP, NODE_AXIS, NODE_HALF, NODE_FIRST, NODE_COUNT, NODE_NUMBERS = 0, 3, 4, 7, 16, 17, 20
OFFSET, RADIUS, TASK_FIRST, TASK_COUNT, TASK_NUMBERS = 0, 3, 4, 5, 8


class Loaded(Protocol):
    """Rows that were handed over. items: (n,2) int32, edge and task. tasks: (…,8) float32: the way that puts the edge
    into the frame of what it is tested against, a radius around that frame's origin that holds both, a first row, a
    number of rows, 0, 0. Hits: (k,3) int32 rows of edge, task, triangle and (k,) uint8, HIT or CLOSE_CALL, in any
    order.
    """

    def meet(self, items: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hits of each item among the triangles of its task."""

    def boxes(self, items: np.ndarray, tasks: np.ndarray) -> np.ndarray:
        """(n,) bool: the edge of the item meets the box of its task's node, or may meet it."""

    def walk(self, items: np.ndarray, tasks: np.ndarray,
             begin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The hits on the way of each item from the node begin[i], (n,) int32, for a number of steps, and (n,) int32,
        the nodes where they go on: END for those that are done."""

    def free(self) -> None:
        """Let go of the rows."""


class Streams(Protocol):
    """Whatever computes: the processor, or a GPU."""

    def load(self, rows: StreamRows) -> Loaded:
        """Hand rows over. Raises TooLarge where there is no room for them."""
