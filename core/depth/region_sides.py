# SPDX-License-Identifier: GPL-3.0-or-later
"""One surface of a pair while its regions are sought: triangles with contacts, and groups of vertices that triangles
without contacts join.

A group is inside the other solid or outside as a whole. One that has a vertex outside the other object's box is
outside. So only triangles whose boxes meet that box are looked at: where a group is not all in the box, the first of
its triangles that reaches out of it, on the way from one in the box, has a vertex in the box, too.
"""
import numpy as np

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import RegionScratch
from ..trees.bounds import HIGH
from ..trees.bvh.refit import EMPTY_BOX_EDGE
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from ..verdicts.closedness import number_positions
from ..verdicts.components import root_of
from ..verdicts.points_in_mesh import is_on_surface
from ..verdicts.rays import locate_point, ray_scratch
from .triangle_strips import cell_scratch

MOST_REGIONS = 1 << 10      # of a pair: of more there is nothing to be seen one by one
FIRST_TRAPEZOIDS = 1 << 10  # room for those of a triangle
WITH_CONTACTS, WITHOUT_CONTACTS, POSITIONS = range(3)         # columns of RegionScratch.sizes
NO_PLACE = NO_ROW = -1
REGION_UNKNOWN = -1
GROUP_OUTSIDE, GROUP_INSIDE, GROUP_UNASKED = range(3)   # of RegionScratch.group_side
LAST = 2 ** 31 - 1          # no triangle and no vertex has a larger number


def region_scratch(vertices: int, triangles: int, contacts: int) -> RegionScratch:
    """Memory of one thread. vertices, triangles: the most of any object; contacts: the most of any pair."""
    rows = min(contacts, triangles)
    points, box = np.empty((vertices, 3)), np.empty((1, 6, 4), np.float32)
    box[:, :HIGH], box[:, HIGH:] = EMPTY_BOX_EDGE, -EMPTY_BOX_EDGE
    return RegionScratch(
        sizes=np.zeros((2, 3), np.int64), triangle_of=np.full((2, triangles), NO_ROW, np.int32),
        slots=np.empty((2, rows), np.int32), first=np.empty((2, rows + 1), np.int64),
        own=np.empty((2, contacts), np.int64), corner_groups=np.empty((2, rows, 3), np.int32),
        rest=np.empty((2, triangles), np.int32), rest_groups=np.empty((2, triangles), np.int32),
        near=np.empty(triangles, np.int32), vertex_of=np.full(vertices, NO_ROW, np.int32),
        vertices=np.empty(vertices, np.int32), points=points, bits=points.view(np.uint64),
        position=np.empty(vertices, np.int32), table=np.empty(4 << vertices.bit_length(), np.int32),
        parent=np.empty((2, vertices), np.int32), group_side=np.empty((2, vertices), np.uint8),
        group_vertex=np.empty((2, vertices), np.int32), group_lead=np.empty((2, vertices), np.int32),
        group_place=np.empty((2, vertices), np.int32), group_region=np.empty((2, vertices), np.int32),
        place_parent=np.empty(contacts, np.int32), place_region=np.empty(contacts, np.int32),
        divided=np.empty((2 * rows, 4), np.int64), divided_slack=np.empty(2 * rows),
        divided_count=np.zeros(1, np.int64), order=np.empty((MOST_REGIONS + 1, 2), np.int64), box=box,
        cells=cell_scratch(FIRST_TRAPEZOIDS), rays=ray_scratch())


@kernel
def surface_of(side, row, pairs):
    """The object that a side of a pair is."""
    return np.int64(pairs.a[row] if side == 0 else pairs.b[row])


@kernel
def solid_of(side, row, pairs):
    """The object that a side's surface may be inside of."""
    return np.int64(pairs.b[row] if side == 0 else pairs.a[row])


@kernel
def set_side(side, row, pairs, contacts, trees, scratch):
    """Write what is known of one surface of a pair, with no group asked yet."""
    obj = surface_of(side, row, pairs)
    solid = solid_of(side, row, pairs)
    list_crossed(side, row, pairs, contacts, scratch)
    near = slots_near(obj, pairs.bounds[solid], trees, scratch)
    vertices = number_vertices(obj, near, trees.corners, scratch)
    positions = np.int64(0)
    if pairs.decides[solid] != 0:
        size = 4
        while size < 4 * vertices:
            size *= 2
        table = scratch.table[:size]
        table[:] = -1
        positions = np.int64(number_positions(scratch.bits[:vertices], table, scratch.position))
    scratch.sizes[side, POSITIONS] = positions
    for position in range(positions):
        scratch.parent[side, position] = position
        scratch.group_side[side, position] = GROUP_UNASKED
        scratch.group_lead[side, position] = scratch.group_vertex[side, position] = LAST
        scratch.group_place[side, position] = NO_PLACE
        scratch.group_region[side, position] = REGION_UNKNOWN
    join_vertices(side, obj, near, positions > 0, trees.corners, scratch)
    if positions > 0:
        find_groups(side, obj, vertices, pairs.bounds[solid], trees.corners, scratch)
    for number in range(vertices):
        scratch.vertex_of[scratch.vertices[number]] = NO_ROW


@kernel
def list_crossed(side, row, pairs, contacts, scratch):
    """Give each triangle with contacts a row, and list its contacts."""
    triangle_of = scratch.triangle_of[side]
    first = scratch.first[side]
    count = 0
    for contact in range(pairs.contact_first[row], pairs.contact_last[row]):
        triangle = contacts.triangle_a[contact] if side == 0 else contacts.triangle_b[contact]
        if triangle_of[triangle] == NO_ROW:
            triangle_of[triangle] = count
            first[count] = 0
            count += 1
        first[triangle_of[triangle]] += 1
    end = 0
    for k in range(count):
        end += first[k]
        first[k] = end
    first[count] = end
    for contact in range(pairs.contact_last[row] - 1, pairs.contact_first[row] - 1, -1):
        triangle = contacts.triangle_a[contact] if side == 0 else contacts.triangle_b[contact]
        k = triangle_of[triangle]
        first[k] -= 1
        scratch.own[side, first[k]] = contact
    scratch.sizes[side, WITH_CONTACTS] = count


@kernel
def slots_near(obj, box, trees, scratch):
    """How many triangles an object has whose boxes meet a box (6,); their slots are put into scratch.near."""
    for x in range(3):
        set_box(scratch.box, x, box[x], box[HIGH + x], trees.quantization)
    count = 0
    at = before_first(obj, trees, scratch.rays.stack)
    while True:
        slot, at = next_triangle(scratch.box, trees, scratch.rays.stack, at)
        if slot == NO_TRIANGLE:
            return count
        scratch.near[count] = slot
        count += 1


@kernel
def number_vertices(obj, near, corners, scratch):
    """How many vertices the first `near` of scratch.near have; each is given a number."""
    count = 0
    for k in range(near):
        triangle = corners.triangle_start[obj] + scratch.near[k]
        for i in range(3):
            vertex = corners.triangles[triangle, i]
            if scratch.vertex_of[vertex] == NO_ROW:
                scratch.vertex_of[vertex] = count
                scratch.vertices[count] = vertex
                for x in range(3):
                    scratch.points[count, x] = corners.world[corners.world_start[obj] + vertex, x] + 0.0    # -0 is 0
                count += 1
    return count


@kernel
def join_vertices(side, obj, near, grouped, corners, scratch):
    """Note where triangles with contacts are, and list those without. grouped: join the vertices of these."""
    parent = scratch.parent[side]
    rest = 0
    for k in range(near):
        slot = scratch.near[k]
        triangle = corners.triangle_start[obj] + slot
        crossed = scratch.triangle_of[side, corners.order[triangle]]
        if crossed != NO_ROW:
            scratch.slots[side, crossed] = slot
        if not grouped:
            continue
        if crossed == NO_ROW:
            scratch.rest[side, rest] = slot
            first = position_of(triangle, 0, corners, scratch)
            scratch.rest_groups[side, rest] = first
            rest += 1
            root = root_of(parent, first)
            for i in range(1, 3):
                other = root_of(parent, position_of(triangle, i, corners, scratch))
                parent[max(root, other)] = min(root, other)
                root = min(root, other)
        else:
            for i in range(3):
                scratch.corner_groups[side, crossed, i] = position_of(triangle, i, corners, scratch)
    scratch.sizes[side, WITHOUT_CONTACTS] = rest


@kernel
def position_of(triangle, i, corners, scratch):
    """The number of the position of a triangle's corner."""
    return np.int64(scratch.position[scratch.vertex_of[corners.triangles[triangle, i]]])


@kernel
def find_groups(side, obj, vertices, box, corners, scratch):
    """Let triangles name the groups of their vertices by the position that stands for each. Note what groups have. box:
    (6,), of the other object."""
    parent = scratch.parent[side]
    for number in range(vertices):
        root = root_of(parent, np.int64(scratch.position[number]))
        scratch.group_vertex[side, root] = min(scratch.group_vertex[side, root], scratch.vertices[number])
        for x in range(3):
            if scratch.points[number, x] < box[x] or scratch.points[number, x] > box[HIGH + x]:
                scratch.group_side[side, root] = GROUP_OUTSIDE
    for k in range(scratch.sizes[side, WITHOUT_CONTACTS]):
        root = root_of(parent, np.int64(scratch.rest_groups[side, k]))
        scratch.rest_groups[side, k] = root
        triangle = corners.triangle_start[obj] + scratch.rest[side, k]
        scratch.group_lead[side, root] = min(scratch.group_lead[side, root], corners.order[triangle])
    for k in range(scratch.sizes[side, WITH_CONTACTS]):
        for i in range(3):
            position = np.int64(scratch.corner_groups[side, k, i])
            scratch.corner_groups[side, k, i] = root_of(parent, position)


@kernel
def forget_side(side, row, pairs, contacts, scratch):
    """Leave no triangle a row."""
    for contact in range(pairs.contact_first[row], pairs.contact_last[row]):
        triangle = contacts.triangle_a[contact] if side == 0 else contacts.triangle_b[contact]
        scratch.triangle_of[side, triangle] = NO_ROW


@kernel
def is_group_inside(side, group, row, pairs, trees, scratch):
    """True where a group may be inside the other solid; one ray is cast for it."""
    if scratch.group_side[side, group] == GROUP_UNASKED:
        solid = solid_of(side, row, pairs)
        vertex = trees.corners.world_start[surface_of(side, row, pairs)] + scratch.group_vertex[side, group]
        inside = may_hold(trees.corners.world, vertex, solid, pairs.decides[solid], trees, scratch.rays)
        scratch.group_side[side, group] = GROUP_INSIDE if inside else GROUP_OUTSIDE
    return scratch.group_side[side, group] == GROUP_INSIDE


@kernel
def may_hold(points, row, solid, decides, trees, rays):
    """True where points[row], (n,3) float64, may be inside a solid. decides: the bit of a ray that means that."""
    if is_on_surface(points, row, solid, trees, rays):
        return False
    bits = locate_point(points, row, solid, trees, rays)
    return bits & UNDECIDED != 0 or bits & decides != 0
