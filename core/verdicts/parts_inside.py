# SPDX-License-Identifier: GPL-3.0-or-later
"""Which components of an object are inside another one, whose surface they do not meet: a ray from each that may be."""
import numpy as np

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..records import BoxSearch
from ..trees.bounds import HIGH
from ..trees.bvh.refit import EMPTY_BOX_EDGE
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle
from .rays import STACK_SIZE, WITHIN, WITHOUT, ask, root_box, shortest_side, start_at

FEW_COMPONENTS = 8              # are asked one by one


def box_search() -> BoxSearch:
    """Memory for what is in a box, beside `ray_scratch`."""
    box = np.empty((1, 6, 4), np.float32)
    box[:, :HIGH], box[:, HIGH:] = EMPTY_BOX_EDGE, -EMPTY_BOX_EDGE
    return BoxSearch(box, np.empty(STACK_SIZE, np.int32))


@kernel
def rays_of_components(inner, outer, decides, fits, first, last, vertices, trees, scratch, within, answer):
    """answer[k] |= WITHIN, WITHOUT or UNDECIDED for a ray from each component of object inner[k] through outer[k].

    inner, outer: (n,) objects of `trees`, PlacedTrees; decides: (n,) uint8, the bit of a ray that means "inside
    outer[k]"; fits: (n,) bool, the box of outer[k] holds that of inner[k]; vertices[first[k]:last[k]]: the vertex of
    each component of inner[k] with the least number, ascending; scratch: RayScratch; within: BoxSearch; answer: (n,)
    uint8. Rays run along the shortest side of outer[k], so that they meet the fewest nodes of a floor or a wall.
    """
    for k in range(inner.shape[0]):
        axis = shortest_side(outer[k], trees)
        if fits[k] or last[k] - first[k] <= FEW_COMPONENTS:
            for row in range(first[k], last[k]):
                answer[k] |= _ask_from(inner[k], vertices[row], outer[k], axis, decides[k], trees, scratch)
        else:       # a component that reaches out of the box is outside, as those are that are not asked
            answer[k] |= np.uint8(WITHOUT)
            answer[k] |= _ask_within_box(inner[k], vertices[first[k]:last[k]], outer[k], axis, decides[k], trees,
                                         scratch, within)


@kernel
def _ask_from(inner, vertex, outer, axis, decides, trees, scratch):
    """WITHIN, WITHOUT or UNDECIDED for a ray from a vertex of one object through another one."""
    start_at(trees.corners.world, trees.corners.world_start[inner] + vertex, scratch.P)
    found = ask(outer, axis, trees, scratch)
    if found & UNDECIDED:
        return np.uint8(UNDECIDED)
    return np.uint8(WITHIN if found & decides else WITHOUT)


@kernel
def _ask_within_box(inner, vertices, outer, axis, decides, trees, scratch, within):
    """Bits of rays from those of some vertices that are at triangles whose boxes meet the box of the other object: a
    scan can have very many components. vertices: (n,), each the least of its component, ascending."""
    around = within.box
    for x in range(3):
        low, high = root_box(outer, x, trees)
        around[0, x, 0] = low
        around[0, HIGH + x, 0] = high
    triangles = trees.corners.triangles
    triangle_start = trees.corners.triangle_start[inner]
    answer = np.uint8(0)
    before = np.int64(-1)
    at = before_first(np.int64(inner), trees, within.stack)
    while True:
        child, at = next_triangle(around, trees, within.stack, at)
        if child == NO_TRIANGLE:
            break
        slot = unsigned(triangle_start + child)
        vertex = np.int64(min(triangles[slot, 0], min(triangles[slot, 1], triangles[slot, 2])))
        if vertex != before and _is_among(vertices, vertex):
            before = vertex
            answer |= _ask_from(inner, vertex, outer, axis, decides, trees, scratch)
    return answer


@kernel
def _is_among(ascending, number):
    """True where a number is one of those that ascend, (n,)."""
    low, high = 0, ascending.shape[0]
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < ascending.shape[0] and ascending[low] == number
