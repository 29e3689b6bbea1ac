# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin objects that stand askew: needles, beams, wires, and walls, panes, slopes. Boxes along the axes say little of
them. Pairs of finely divided bars are left to bars.py.

All boxes of such an object's tree are as long as it is, and what is in the same part of space meets most of them. So
each has a core, a segment along its middle with a radius around it that holds all of its vertices. What is apart from
that is apart from the object: another core, or a box of the other object's tree. Coordinates are those of boxes.
What is flat lies between two planes instead. Its core has a point in the middle of them, and their normal.

Rounding: vertices are float64 and counted from the boxes' origin, u = 2^-53 of `size` off. A projection on a direction
is a sum of three products, a few u of the sizes of both sides. CORE_NOISE takes 2^13 u for it all.
"""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from ..records import Corners, PlacedTrees, ThinObjects
from ..trees.bounds import HIGH
from ..trees.bvh.node_overlap import MASK_COLUMN, MASK_ROW
from ..trees.bvh.nodes import is_leaf, node_of

THINNESS = 8.0              # times as long as it is wide is an object that is thin
ASKEW = 4.0                 # times as long as its box is wide is one whose box is thin as well
FEW_VERTICES = 1 << 8       # of an object that is looked at in any case: boxes of finer ones may be short
FLATNESS = 4.0              # times as thick as it is its box is, in all directions, where a flat object stands askew
LOOKED_AT = 8               # triangles of an object, the largest of which tells in which plane it may lie
WIDER = 3.0                 # times the radius of a bar that is not askew its box is not wide
FEW_OF_BARS = 1 << 6        # of an object whose long triangles are few enough to compare them all
MOST_THIN_VERTICES = 1 << 14    # of one that is looked at
LONG_PART = 0.6             # of a fine object's length: a part below its root that is longer has long triangles
SINGLE_LEAVES = 16          # triangles of a pair, compared with each other, where cores are of no use
FEW_PAIRS = 1 << 5          # and
FEW_TRIANGLE_PAIRS = 1 << 14    # are searched in the time that it takes to look for thin objects
CORE_NOISE = 2.0 ** -40     # of lengths
SHORTEST, LONGEST = 1e-60, 1e60     # of a core: products of such lengths neither vanish nor overflow
LEAST_WAY, LEAST_PRODUCT = 1e-150, 1e-290   # above these, what vanishes in sums of products is less than the noise
# Of objects. Bars are thin, and many of their triangles are as long as they are; from THIN on an object is askew.
UNSEEN, NOT_THIN, STRAIGHT_BAR, THIN, ASKEW_BAR, FLAT = range(6)
MIDDLE, ALONG, CORE_RADIUS, CORE_SIZE, REACH_ASIDE = 0, 3, 6, 7, 8     # where these begin in a core
SLAB_NORMAL, HALF_THICK = ALONG, CORE_RADIUS     # of one that is flat, in place of these
CORE_NUMBERS = 11


def thin_objects(forest, a: np.ndarray, b: np.ndarray) -> ThinObjects:
    """Which objects of the pairs (a[i], b[i]) are thin. They are placed. forest: a Forest, which keeps what is known of
    objects as long as they stay where they are; a, b: (pairs,) int32."""
    n = len(forest.objects)
    compared = forest.triangle_count[a] @ forest.triangle_count[b]
    if compared <= SINGLE_LEAVES * len(a) or (len(a) <= FEW_PAIRS and compared <= FEW_TRIANGLE_PAIRS):
        return none_thin(n)
    thin = forest.thin
    if thin is None:
        thin = forest.thin = ThinObjects(np.full(n, UNSEEN, np.uint8), np.empty((n, CORE_NUMBERS)))
    find_thin(a, b, forest.bounds, forest.vertex_count, forest.triangle_count, forest.placed_trees, thin)
    return thin


def none_thin(objects: int) -> ThinObjects:
    """No one of so many objects is known to be thin."""
    return ThinObjects(np.zeros(objects, np.uint8), np.empty((0, CORE_NUMBERS)))


def compile_search() -> None:
    """Load or compile the kernel without a scene of many pairs."""
    pair, row = np.zeros(1, np.int32), np.zeros(1, np.int64)
    corners = Corners(row, np.zeros((1, 3), np.int32), pair, row, np.zeros((1, 3)))
    trees = PlacedTrees(pair, row, row, np.zeros((1, 4), np.int32), np.zeros((1, 6, 4), np.float32),
                        np.array([0.0, 0.0, 0.0, 1.0]), corners)
    thin = ThinObjects(np.zeros(1, np.uint8), np.empty((1, CORE_NUMBERS)))
    find_thin(pair, pair, np.zeros((1, 6)), row, row, trees, thin)


@kernel
def find_thin(a, b, bounds, vertices, triangles, trees, thin):
    """Fill in the rows of `thin`, ThinObjects, of all objects in pairs. bounds: (objects,6) float64, world boxes;
    vertices, triangles: (objects,) int64, how many; trees: PlacedTrees."""
    for k in range(a.shape[0]):
        for side in range(2):
            obj = np.int64(a[k] if side == 0 else b[k])
            if thin.kind[obj] == UNSEEN:
                thin.kind[obj] = kind_of(obj, bounds[obj], vertices[obj], triangles[obj], trees, thin.core[obj])


@kernel
def kind_of(obj, box, vertices, triangles, trees, core):
    """What an object is, by its world box (6,) and the numbers of its vertices and triangles; where it is thin, its
    core, as in `find_core`, is written."""
    if vertices > MOST_THIN_VERTICES:
        return NOT_THIN
    first = trees.corners.world_start[obj]
    world, quantization = trees.corners.world, trees.quantization
    if vertices > FEW_OF_BARS and has_long_part(trees, obj):
        if not find_core(world, first, first + vertices, quantization, core):
            return NOT_THIN
        width = WIDER * core[CORE_RADIUS]
        return ASKEW_BAR if second_side(box) * quantization[3] > width else STRAIGHT_BAR
    found = is_askew(box) and vertices <= FEW_VERTICES and find_core(world, first, first + vertices, quantization, core)
    if found:
        return THIN
    return FLAT if vertices <= FEW_VERTICES and find_slab(obj, box, vertices, triangles, trees, core) else NOT_THIN


@kernel
def has_long_part(trees, obj):
    """True where a child of an object's root is nearly as long as the object, as in a round bar of many triangles that
    go from one end to the other. Those of an object of small triangles are halves of it at most."""
    boxes = trees.boxes
    node = trees.box_start[obj] + node_of(np.int64(trees.root[obj]))
    length = 0.0
    along = 0
    for x in range(3):
        low = boxes[node, x]
        high = boxes[node, HIGH + x]
        whole = (float(max(max(high[0], high[1]), max(high[2], high[3])))
                 - float(min(min(low[0], low[1]), min(low[2], low[3]))))
        if whole > length:
            length = whole
            along = x
    for child in range(4):
        part = np.float64(boxes[node, HIGH + along, child]) - np.float64(boxes[node, along, child])
        if part > LONG_PART * length:
            return True
    return False


@kernel
def is_askew(box):
    """True where a box (6,) is not thin itself."""
    longest = max(box[HIGH] - box[0], max(box[HIGH + 1] - box[1], box[HIGH + 2] - box[2]))
    return ASKEW * second_side(box) > longest


@kernel
def second_side(box):
    """How long the second longest side of a box (6,) is."""
    x = box[HIGH] - box[0]
    y = box[HIGH + 1] - box[1]
    z = box[HIGH + 2] - box[2]
    return max(min(x, y), max(min(y, z), min(z, x)))


@kernel
def find_core(world, first, last, quantization, core):
    """True where the vertices world[first:last] are those of a thin object, whose core, (CORE_NUMBERS,) float64, is
    written."""
    if last - first < 2:
        return False
    near = farthest_from(world, first, first, last)
    far = farthest_from(world, near, first, last)
    length = 0.0
    for x in range(3):
        core[ALONG + x] = (world[far, x] - world[near, x]) * quantization[3]
        length += squared(core[ALONG + x])
    length = math.sqrt(length)
    if not SHORTEST < length < LONGEST:
        return False
    ux, uy, uz = core[ALONG] / length, core[ALONG + 1] / length, core[ALONG + 2] / length
    # Two more directions, at right angles to it and to each other but for rounding.
    if abs(ux) < 0.6:
        vx, vy, vz = 0.0, uz, -uy
    else:
        vx, vy, vz = -uz, 0.0, ux
    over = 1.0 / math.sqrt(vx * vx + vy * vy + vz * vz)
    vx, vy, vz = vx * over, vy * over, vz * over
    wx, wy, wz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    low_u = low_v = low_w = math.inf
    high_u = high_v = high_w = -math.inf
    size = 0.0
    for row in range(first, last):
        x, y, z = in_numbers_of_boxes(world, row, quantization)
        size = max(size, abs(x) + abs(y) + abs(z))
        along = x * ux + y * uy + z * uz
        low_u, high_u = min(low_u, along), max(high_u, along)
        along = x * vx + y * vy + z * vz
        low_v, high_v = min(low_v, along), max(high_v, along)
        along = x * wx + y * wy + z * wz
        low_w, high_w = min(low_w, along), max(high_w, along)
        if THINNESS * max(high_v - low_v, high_w - low_w) > length:
            return False
    half = 0.5 * (high_u - low_u)
    u, v, w = 0.5 * (low_u + high_u), 0.5 * (low_v + high_v), 0.5 * (low_w + high_w)
    core[MIDDLE] = u * ux + v * vx + w * wx
    core[MIDDLE + 1] = u * uy + v * vy + w * wy
    core[MIDDLE + 2] = u * uz + v * vz + w * wz
    core[ALONG], core[ALONG + 1], core[ALONG + 2] = half * ux, half * uy, half * uz
    core[CORE_SIZE] = size
    core[CORE_RADIUS] = (0.5 * math.sqrt(squared(high_v - low_v) + squared(high_w - low_w))) * (1.0 + CORE_NOISE) + (
        CORE_NOISE * size)
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        core[REACH_ASIDE + x] = core[CORE_RADIUS] * (abs(core[ALONG + y]) + abs(core[ALONG + z]))
    return True


@kernel
def find_slab(obj, box, vertices, triangles, trees, core):
    """True where an object is flat and stands askew; then its core is written. Arguments as of `kind_of`."""
    world, quantization = trees.corners.world, trees.quantization
    world_start, triangle_start = trees.corners.world_start[obj], trees.corners.triangle_start[obj]
    nx = ny = nz = 0.0
    most = 0.0
    for k in range(LOOKED_AT):
        # Of an object of fewer triangles some are looked at twice.
        slot = triangle_start + k * triangles // LOOKED_AT
        i = world_start + trees.corners.triangles[slot, 0]
        j = world_start + trees.corners.triangles[slot, 1]
        m = world_start + trees.corners.triangles[slot, 2]
        ex, ey, ez = world[j, 0] - world[i, 0], world[j, 1] - world[i, 1], world[j, 2] - world[i, 2]
        fx, fy, fz = world[m, 0] - world[i, 0], world[m, 1] - world[i, 1], world[m, 2] - world[i, 2]
        gx, gy, gz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
        square = gx * gx + gy * gy + gz * gz
        if square > most:
            most = square
            nx, ny, nz = gx, gy, gz
    if not LEAST_PRODUCT < most < 1.0 / LEAST_PRODUCT:
        return False
    over = 1.0 / math.sqrt(most)
    nx, ny, nz = nx * over, ny * over, nz * over
    narrowest = quantization[3] * min(box[HIGH] - box[0], min(box[HIGH + 1] - box[1], box[HIGH + 2] - box[2]))
    low = math.inf
    high = -math.inf
    size = 0.0
    for row in range(world_start, world_start + vertices):
        x, y, z = in_numbers_of_boxes(world, row, quantization)
        size = max(size, abs(x) + abs(y) + abs(z))
        along = x * nx + y * ny + z * nz
        low, high = min(low, along), max(high, along)
        if FLATNESS * (high - low) >= narrowest:
            return False
    middle = 0.5 * (low + high)
    core[MIDDLE], core[MIDDLE + 1], core[MIDDLE + 2] = middle * nx, middle * ny, middle * nz
    core[SLAB_NORMAL], core[SLAB_NORMAL + 1], core[SLAB_NORMAL + 2] = nx, ny, nz
    core[HALF_THICK] = 0.5 * (high - low) + CORE_NOISE * size
    core[CORE_SIZE] = size
    return True


@kernel
def in_numbers_of_boxes(world, row, quantization):
    """The place world[row], as boxes count."""
    scale = quantization[3]
    return ((world[row, 0] - quantization[0]) * scale, (world[row, 1] - quantization[1]) * scale,
            (world[row, 2] - quantization[2]) * scale)


@kernel
def farthest_from(world, start, first, last):
    """The row of world[first:last] that is farthest from row `start`."""
    best = -1.0
    found = first
    for row in range(first, last):
        square = (squared(world[row, 0] - world[start, 0]) + squared(world[row, 1] - world[start, 1])
                  + squared(world[row, 2] - world[start, 2]))
        if square > best:
            best = square
            found = row
    return found


@kernel
def cores_apart(p, q):
    """True where nothing that is in one core, p, meets what is in the other, q, both (CORE_NUMBERS,).

    The way between the two points where the segments come nearest parts them. However it was found, only what lies
    along it counts.
    """
    dx, dy, dz = p[MIDDLE] - q[MIDDLE], p[MIDDLE + 1] - q[MIDDLE + 1], p[MIDDLE + 2] - q[MIDDLE + 2]
    px, py, pz = p[ALONG], p[ALONG + 1], p[ALONG + 2]
    qx, qy, qz = q[ALONG], q[ALONG + 1], q[ALONG + 2]
    pp = px * px + py * py + pz * pz
    qq = qx * qx + qy * qy + qz * qz
    pq = px * qx + py * qy + pz * qz
    pd = px * dx + py * dy + pz * dz
    qd = qx * dx + qy * dy + qz * dz
    square = pp * qq - pq * pq
    s = min(max((pq * qd - pd * qq) / square, -1.0), 1.0) if square > 0.0 else 0.0
    t = min(max((pq * s + qd) / qq, -1.0), 1.0)
    s = min(max((pq * t - pd) / pp, -1.0), 1.0)
    nx, ny, nz = dx + s * px - t * qx, dy + s * py - t * qy, dz + s * pz - t * qz
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    if not length > LEAST_WAY:
        return False
    between = abs(nx * dx + ny * dy + nz * dz)
    reach = abs(nx * px + ny * py + nz * pz) + abs(nx * qx + ny * qy + nz * qz)
    return between > reach + length * ((p[CORE_RADIUS] + q[CORE_RADIUS]) * (1.0 + CORE_NOISE)
                                       + CORE_NOISE * (p[CORE_SIZE] + q[CORE_SIZE]))


@kernel
def box_apart(core, boxes, node, child):
    """True where nothing that is in a core, (CORE_NUMBERS,), meets one of the four boxes of a node: by the axes across
    the segment and an edge of the box. boxes: (…,6,4) float32."""
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        half_y = 0.5 * (np.float64(boxes[node, HIGH + y, child]) - np.float64(boxes[node, y, child]))
        half_z = 0.5 * (np.float64(boxes[node, HIGH + z, child]) - np.float64(boxes[node, z, child]))
        away_y = np.float64(boxes[node, y, child]) + half_y - core[MIDDLE + y]
        away_z = np.float64(boxes[node, z, child]) + half_z - core[MIDDLE + z]
        along_y = abs(core[ALONG + y])
        along_z = abs(core[ALONG + z])
        noise = LEAST_PRODUCT + (CORE_NOISE * (along_y + along_z)
                                 * (core[CORE_SIZE] + abs(away_y) + abs(away_z) + half_y + half_z))
        if (abs(core[ALONG + z] * away_y - core[ALONG + y] * away_z)
                > half_y * along_z + half_z * along_y + core[REACH_ASIDE + x] + noise):
            return True
    return False


@kernel
def slab_apart(core, boxes, node, child):
    """True where nothing that is between the two planes of a flat core, (CORE_NUMBERS,), meets one of the four boxes of
    a node. boxes: (…,6,4) float32."""
    away = reach = size = 0.0
    for x in range(3):
        half = 0.5 * (np.float64(boxes[node, HIGH + x, child]) - np.float64(boxes[node, x, child]))
        off = np.float64(boxes[node, x, child]) + half - core[MIDDLE + x]
        away += core[SLAB_NORMAL + x] * off
        reach += abs(core[SLAB_NORMAL + x]) * half
        size += abs(off) + half
    return abs(away) > reach + core[HALF_THICK] + CORE_NOISE * (core[CORE_SIZE] + size)


@kernel
def slab_beside(flat, core):
    """True where nothing that is between the planes of a flat core meets what is in another core, both
    (CORE_NUMBERS,)."""
    away = along = size = 0.0
    for x in range(3):
        off = core[MIDDLE + x] - flat[MIDDLE + x]
        away += flat[SLAB_NORMAL + x] * off
        along += flat[SLAB_NORMAL + x] * core[ALONG + x]
        size += abs(off) + abs(core[ALONG + x])
    return abs(away) > abs(along) + flat[HALF_THICK] + core[CORE_RADIUS] * (1.0 + CORE_NOISE) + CORE_NOISE * (
        flat[CORE_SIZE] + core[CORE_SIZE] + size)


@kernel
def cores_help(a, b, i, j, thin):
    """True where one of two objects is thin, and its core worth a look below the nodes with these codes: two leaves are
    compared in the same time. thin: ThinObjects."""
    return (thin.kind[a] >= THIN or thin.kind[b] >= THIN) and not (is_leaf(i) and is_leaf(j))


@kernel
def cores_part(a, b, thin):
    """True where two objects are thin and their cores are apart. thin: ThinObjects."""
    kind_a, kind_b = thin.kind[a], thin.kind[b]
    if kind_a < THIN or kind_b < THIN:
        return False
    if kind_a != FLAT:
        return slab_beside(thin.core[b], thin.core[a]) if kind_b == FLAT else cores_apart(thin.core[a], thin.core[b])
    return kind_b != FLAT and slab_beside(thin.core[a], thin.core[b])


@kernel
def apart_from(kind, core, boxes, node, child):
    """True where an object of this kind and core is apart from one of the four boxes of a node."""
    return slab_apart(core, boxes, node, child) if kind == FLAT else box_apart(core, boxes, node, child)


@kernel
def beside_cores(mask, a, b, thin, boxes, node_a, node_b):
    """The mask of `node_overlap_16` without the boxes of either node, of objects a and b, that are apart from the other
    object's core. thin: ThinObjects."""
    kind_a, kind_b = thin.kind[a], thin.kind[b]
    for child in range(4):
        column = np.uint32(MASK_COLUMN << np.uint32(child))
        if kind_a >= THIN and mask & column != 0 and apart_from(kind_a, thin.core[a], boxes, node_b, np.int64(child)):
            mask = np.uint32(mask & ~column)
        row = np.uint32(MASK_ROW << np.uint32(4 * child))
        if kind_b >= THIN and mask & row != 0 and apart_from(kind_b, thin.core[b], boxes, node_a, np.int64(child)):
            mask = np.uint32(mask & ~row)
    return np.uint32(mask)
