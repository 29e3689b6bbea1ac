# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that another surface meets on their border, or in points, but does not cut: as flush solids have, all about
the faces that they share. One sample tells of all of such a triangle, and of those that hang together with it.

Let what T shares with U be on the border of T, or a point, for each triangle U of the other surface. What is left of T
within its border hangs together then, as no points part it, and all samples in T tell the same, those at edges of the
other surface, too. A corner of T that is not on the other surface hangs together with that, and so do all such
triangles at this corner.

What T shares with U is on the border of T where the plane of U does not have T on both sides. For then T has an edge or
a corner in that plane, or is in it as a whole; and there, if U reached into T, they would share an area.
"""
import numpy as np

from ..contacts import AREA, POINT, Contacts
from ..geometry.common_corners import is_corner, same_point
from ..geometry.orientation import EXPANSION_SIZE, orientation3
from ..geometry.triangle_triangle import scale_exponent
from ..machine_code.jit import kernel, unsigned
from ..records import ObjectPairs, TriangleMarks
from ..trees.bvh.forest import Forest
from ..trees.bvh.place_objects import place_triangle
from .common_triangles import certainly_has_area
from .cut_samples import holds

# Bits of a mark, beside one for each corner that is on the other surface: both surfaces have all of the triangle; it
# may be cut; its corners are linked; a sample is taken in it.
OF_BOTH, CUT, LINKED, TOLD = 8, 16, 32, 64
ENDS_ROW = 6        # the rows of P behind two triangles, with the ends of what they share


def whole_triangles(forest: Forest, pairs: tuple[np.ndarray, np.ndarray, np.ndarray], pair: np.ndarray,
                    sides: tuple[np.ndarray, np.ndarray], found: Contacts,
                    common: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(left, covered, owner, samples) of all contacts of some pairs. left: (contacts,) bool, those whose triangle may
    be cut; covered: (contacts,) bool, the first one of each triangle that is seen to be on the other surface as it is
    in a triangle of that. owner (n,), samples (n,3,3): pairs and triangles, as `locate_corners` takes them, that tell
    of all other triangles that meet the other object, but not of common ones.

    pairs: inner and outer, (pairs,) int32 positions in the forest, which are placed, and (pairs,) bool, which are
    asked; pair: (contacts,) int64, ascending; sides: (contacts,) triangles of inner[pair] and of outer[pair]; common:
    (contacts,) bool, contacts of triangles that both surfaces have.
    """
    inner, outer, asked = pairs
    (left, covered), told = np.zeros((2, len(pair)), bool), np.empty((len(pair), 3), np.int64)
    mark, link = (np.zeros(int(count[inner].max(initial=0)), np.int32)
                  for count in (forest.triangle_count, forest.vertex_count))
    marks = TriangleMarks(mark, link, np.empty((ENDS_ROW + 2, 3)), np.empty(EXPANSION_SIZE))
    count = find_whole(pair, *sides, found.columns, common, ObjectPairs(inner, outer, asked.view(np.uint8)),
                       forest.meshes.slots, forest.corners, marks, left, covered, told)
    owner, triangle, corner = told[:count].T
    corners = forest.triangle_corners(inner[owner], triangle)
    turned = corners[np.arange(count)[:, None], (corner[:, None] + np.arange(3)) % 3]
    return left, covered, owner, np.ascontiguousarray(turned)


@kernel
def find_whole(pair, triangle, other, found, common, pairs, slots, corners, marks, left, covered, told):
    """Write `left` and `covered`, (contacts,) bool, and told[:n], (n,3) int64: pair, triangle and the corner to begin
    with of samples that tell of the triangles that are not left. Returns n.

    found: ContactColumns; pairs: ObjectPairs, `done` being 1 for those that are asked; slots: of MeshTreeArrays;
    corners: Corners; marks: TriangleMarks, all 0 before and after. The rest as in `whole_triangles`.
    """
    count = 0
    start = 0
    while start < pair.shape[0]:
        owner = pair[start]
        end = start
        while end < pair.shape[0] and pair[end] == owner:
            end += 1
        if pairs.done[owner]:
            a = np.int64(pairs.a[owner])
            b = np.int64(pairs.b[owner])
            _mark_common(start, end, triangle, other, found, common, a, b, slots, corners, marks, covered)
            _mark(start, end, triangle, other, found, a, b, slots, corners, marks)
            for k in range(start, end):
                _link(triangle[k], a, slots, corners, marks)
            for k in range(start, end):
                mark = marks.mark[triangle[k]]
                left[k] = mark & CUT != 0
                corner = _to_be_told(mark, triangle[k], a, slots, corners, marks)
                if corner >= 0:
                    told[count, 0] = owner
                    told[count, 1] = triangle[k]
                    told[count, 2] = corner
                    count += 1
                    marks.mark[triangle[k]] |= TOLD
            for k in range(start, end):
                _forget(triangle[k], a, slots, corners, marks)
        start = end
    return count


@kernel
def _mark_common(start, end, triangle, other, found, common, a, b, slots, corners, marks, covered):
    """Mark the triangles of object a that are on object b as a whole, by the contacts start … end-1."""
    P = marks.P
    for k in range(start, end):
        if common[k]:
            marks.mark[triangle[k]] = OF_BOTH
    for k in range(start, end):
        if found.kind[k] == AREA and marks.mark[triangle[k]] != OF_BOTH:
            place_triangle(b, np.int64(other[k]), slots, corners, P, 0)
            place_triangle(a, np.int64(triangle[k]), slots, corners, P, 3)
            if (scale_exponent(P) == 0 and certainly_has_area(P, 3) and holds(P, 3, False, marks.expansion)
                    and holds(P, 4, False, marks.expansion) and holds(P, 5, False, marks.expansion)):
                marks.mark[triangle[k]] = OF_BOTH
                covered[k] = True


@kernel
def _mark(start, end, triangle, other, found, a, b, slots, corners, marks):
    """Mark all other triangles of object a in the contacts start … end-1 with object b."""
    P = marks.P
    for k in range(start, end):
        t = unsigned(triangle[k])
        if marks.mark[t] & (OF_BOTH | CUT):
            continue
        if found.kind[k] == AREA:
            marks.mark[t] = CUT
            continue
        place_triangle(a, np.int64(triangle[k]), slots, corners, P, 0)
        for x in range(3):
            P[ENDS_ROW, x] = found.point[k, 0, x]
            P[ENDS_ROW + 1, x] = found.point[k, 1, x]
        if found.kind[k] != POINT:
            place_triangle(b, np.int64(other[k]), slots, corners, P, 3)
            if not _on_border(P, marks.expansion):
                marks.mark[t] = CUT
                continue
        for i in range(3):
            if same_point(P, i, ENDS_ROW) or same_point(P, i, ENDS_ROW + 1):
                marks.mark[t] |= 1 << i


@kernel
def _on_border(P, expansion):
    """True where the segment that two triangles share is seen to be on the border of the first one, if that has area.
    P: both triangles, and the ends of the segment."""
    if (not same_point(P, ENDS_ROW, ENDS_ROW + 1) and is_corner(P, ENDS_ROW, 0) and is_corner(P, ENDS_ROW + 1, 0)
            and is_corner(P, ENDS_ROW, 3) and is_corner(P, ENDS_ROW + 1, 3)):
        return True             # an edge of both
    if scale_exponent(P) != 0 or not certainly_has_area(P, 3):
        return False
    above = False
    below = False
    for i in range(3):
        side = orientation3(P, 3, 4, 5, i, 0, expansion)
        above |= side > 0.0
        below |= side < 0.0
    return not (above and below)


@kernel
def _link(t, a, slots, corners, marks):
    """Link the corners of a triangle that are not on the other surface, unless it is cut or was seen before."""
    mark = marks.mark[t]
    if mark & (OF_BOTH | CUT | LINKED):
        return
    place_triangle(a, np.int64(t), slots, corners, marks.P, 0)
    if not certainly_has_area(marks.P, 0):
        marks.mark[t] = CUT
        return
    marks.mark[t] = mark | LINKED
    slot = _slot(t, a, slots, corners)
    first = -1
    for i in range(3):
        if mark >> i & 1 == 0:
            v = np.int64(corners.triangles[slot, i])
            if marks.link[v] == 0:
                marks.link[v] = v + 1
            v = _root(v, marks.link)
            if first < 0:
                first = v
            elif v < first:
                marks.link[first] = v + 1
                first = v
            elif first < v:
                marks.link[v] = first + 1


@kernel
def _to_be_told(mark, t, a, slots, corners, marks):
    """The corner next to which a sample is to be taken in a triangle, that tells of it; -1 where another one does, or
    none is wanted. Takes note of that."""
    if mark & LINKED == 0 or mark & TOLD:
        return -1
    slot = _slot(t, a, slots, corners)
    for i in range(3):
        if mark >> i & 1 == 0:
            root = _root(np.int64(corners.triangles[slot, i]), marks.link)
            if marks.link[root] < 0:
                return -1
            marks.link[root] = -marks.link[root]
            return i
    return 0


@kernel
def _forget(t, a, slots, corners, marks):
    """Take the marks of a triangle off, and the links of its corners."""
    if marks.mark[t] & LINKED:
        slot = _slot(t, a, slots, corners)
        for i in range(3):
            marks.link[corners.triangles[slot, i]] = 0
    marks.mark[t] = 0


@kernel
def _root(v, link):
    """The vertex that stands for all that are linked to v; halves the way there, which is long where a strip is linked
    against the order of its vertices. link: (vertices,) int32, 1 more than the next one's number, or its own; below 0
    where a sample tells of them."""
    while abs(link[v]) != v + 1:
        link[v] = abs(link[link[v] - 1])
        v = np.int64(link[v]) - 1
    return v


@kernel
def _slot(t, a, slots, corners):
    """The row of corners.triangles of a triangle of object a."""
    start = unsigned(corners.triangle_start[a])
    return start + unsigned(slots[start + unsigned(t)])
