# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of one large mesh, built in pieces: between them the run tells how far it is, and can be cancelled."""
import numpy as np

from ...machine_code.jit import kernel
from ...records import MeshTreeArrays
from .build import (
    begin_splitting,
    build_scratch,
    code_grid,
    codes_in_grid,
    count_digits,
    counts_to_places,
    go_on_splitting,
    sort_by_digit,
)
from .nodes import leaf_code

TRIANGLES_PER_PIECE = 1 << 20       # some hundredths of a second in each step
# How long the steps take: codes, counting, three times sorting, splitting, renumbering (20 million triangles).
STEPS = np.cumsum([0.0, 0.2, 0.04, 0.1, 0.03, 0.02, 0.17, 0.44])


def build_in_pieces(row: int, source: np.ndarray, corners: np.ndarray, trees: MeshTreeArrays, pause) -> None:
    """As `build_meshes` of one mesh in that row. source: (v,3) float64; corners: (m,3) int32; pause(share that is done)
    may raise."""
    n, node = len(corners), int(trees.node_start[row])
    vertices = slice(trees.vertex_start[row], trees.vertex_start[row + 1])
    slots, nodes = slice(trees.triangle_start[row], trees.triangle_start[row + 1]), slice(node, node + 2 * n)
    order, scratch = trees.order[slots], build_scratch(n)
    _sort(source, corners, order, scratch, pause)
    begin_splitting(n, scratch)
    while scratch.splitting[0]:
        go_on_splitting(scratch.codes[1], trees.children[nodes], trees.leaf[nodes], TRIANGLES_PER_PIECE // 4, scratch)
        pause(_share(5, min(1.0, scratch.splitting[1] / (0.46 * n))))    # of about as many nodes
    trees.node_count[row] = scratch.splitting[1]
    trees.root[row] = leaf_code(0) if trees.leaf[node] else 0
    number, used = np.full(len(source), -1, np.int32), 0
    for piece in _pieces(n):
        used = renumber(source, corners, order[piece], number, used, trees.vertices[vertices],
                        trees.vertex_order[vertices], trees.triangles[slots][piece])
        find_slots(order[piece], piece.start, trees.slots[slots])
        pause(_share(6, piece.stop / n))
    trees.vertex_count[row] = used


def _sort(source, corners, order, scratch, pause) -> None:
    """Sort the triangles along the Morton curve, as `sort_codes` does it."""
    n, grid = len(corners), code_grid(source)
    codes, sorted_codes = scratch.codes
    for piece in _pieces(n):
        codes_in_grid(grid, source, corners[piece], codes[piece])
        pause(_share(0, piece.stop / n))
    scratch.histogram[:] = 0
    for piece in _pieces(n):
        count_digits(codes[piece], piece.start, scratch.items[piece], scratch.histogram)
        pause(_share(1, piece.stop / n))
    counts_to_places(scratch.histogram)
    here, there = (codes, scratch.items), (sorted_codes, order)
    for digit in range(3):
        for piece in _pieces(n):
            sort_by_digit(digit, here[0][piece], here[1][piece], *there, scratch.histogram)
            pause(_share(2 + digit, piece.stop / n))
        here, there = there, here


def _pieces(n: int) -> list[slice]:
    """All n triangles, in pieces."""
    return [slice(start, min(n, start + TRIANGLES_PER_PIECE)) for start in range(0, n, TRIANGLES_PER_PIECE)]


def _share(step: int, part: float) -> float:
    """The share of all work that is done with a part of a step."""
    return float(STEPS[step] + part * (STEPS[step + 1] - STEPS[step]))


@kernel
def renumber(source, corners, order, number, used, vertices, vertex_order, triangles):
    """Write the triangles of the slots in `order` (k,), and the vertices in the order in which they first occur there;
    returns how many vertices have occurred, `used` of them before these slots.

    source: (v,3) float64; corners: (m,3) int32; number: (≥ v,) int32, scratch, -1 for those that did not occur;
    vertices: (v,3) float64; vertex_order: (v,) int32; triangles: (k,3) int32.
    """
    for slot in range(order.shape[0]):
        for c in range(3):
            v = corners[order[slot], c]
            if number[v] < 0:
                number[v] = used
                vertex_order[used] = v
                for x in range(3):
                    vertices[used, x] = source[v, x]
                used += 1
            triangles[slot, c] = number[v]
    return used


@kernel
def find_slots(order, first, slots):
    """Write the slots of the triangles in `order` (k,), which are those from `first` on, by the triangles' numbers.
    slots: (m,) int32."""
    for k in range(order.shape[0]):
        slots[order[k]] = first + k
