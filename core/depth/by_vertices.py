# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep a finely divided object is that lies inside another one as a whole: by the distance of each of its vertices.

Of a ball in a ball all places are nearly equally deep, and no few planes are near to all of the outer one. A search
down trees would open nearly all nodes before it measures a point. So vertices are measured, each from the triangle on
that was nearest to the one before, unless one of those before shows it to be no deeper than what was found. The nearest
triangles of its corners bound the depth of a triangle (envelope.py), or rather their planes, where these have all of
the outer object below them. The triangles with the largest bounds are left to the search for pieces.
"""
import math

import numpy as np

from ..codes import A_IN_B, NEITHER
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .contained import measure_inner_point
from .envelope import envelope
from .features import (
    BEST,
    DEPTH_MARGIN,
    LEEWAY,
    LENGTH_UNIT,
    NO_FEATURE,
    feature_distance,
    lift,
    plane_code,
)
from .items import ITEM_FEATURES, push_new_piece, room
from .pieces import too_shallow
from .planes import height_over, unit_normal
from .point_triangle import corner_rows
from .supports import rise_above

MOST_MEASURED = 1 << 16     # vertices of the inner object: a tenth of a second
MOST_PIECES = 1 << 12       # triangles that are left to the search
HALVINGS = 24               # of the range of bounds, until it is known which ones these are
SAMPLED = 16                # of so many triangles one, before the others
UNMEASURED = -1.0
NO_PLANE_YET = 0               # in the place of a feature
ASKED, ALL_BELOW = 1, 2        # bits of SupportPlanes.over_all: whether all is below a plane; twice that, turned over


@kernel
def measure_by_vertices(row, pairs, planes, trees, items, held, scratch):
    """True where the depth of a pair is between scratch.numbers[BEST] and the bound of what was left out or is in
    `items`, pieces of triangles. False where that is not known: then only the former is. The pair's surfaces do not
    meet.

    pairs: PairDepths; planes: SupportPlanes, of all solids that have another inside; trees: PlacedTrees; items:
    DepthItems; held: ContainedScratch; scratch: DepthScratch."""
    side = 0 if pairs.inner[row] == A_IN_B else 1
    inner = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
    outer = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    apart = pairs.contact_first[row] >= 0 and pairs.contact_last[row] == pairs.contact_first[row]
    if pairs.inner[row] == NEITHER or not apart or pairs.decides[outer] == 0:
        return False
    step = 1 + pairs.vertices[inner] // MOST_MEASURED
    measure_vertices(row, side, inner, outer, step, pairs, planes, trees, held, scratch)
    if step > 1:
        return False
    largest = bound_triangles(inner, outer, pairs, trees, held, scratch)
    least = least_of_largest(pairs.triangles[inner], largest, min(MOST_PIECES, room(items) // 2), held, scratch.numbers)
    for slot in range(pairs.triangles[inner]):
        bound = held.triangle_bound[slot]
        if bound <= least:
            too_shallow(bound, math.inf, scratch.numbers)
        elif not too_shallow(bound, scratch.numbers[LEEWAY], scratch.numbers):
            push_triangle(side, inner, slot, bound, trees, items, held, scratch.numbers)
    return True


@kernel
def measure_vertices(row, side, inner, outer, step, pairs, planes, trees, held, scratch):
    """Measure the vertices of every step-th triangle, neighbours after one another, but for those that are no deeper
    than what was found, by a feature that is nearest to one before. held.vertex_depth = how deep each is at
    least, 0 where that is not known, held.shallowest = the feature that is nearest to it."""
    corners = trees.corners
    numbers = scratch.numbers
    start = corners.world_start[inner]
    kept = kept_planes(inner, outer, pairs, planes)
    for number in range(pairs.vertices[inner]):
        held.vertex_depth[number] = UNMEASURED
    for slot in range(pairs.triangles[outer]):
        held.plane_of[slot] = NO_PLANE_YET
    nearest = np.int64(-1)
    for k in range(ITEM_FEATURES):
        scratch.features[k] = NO_FEATURE
    for turn in range(2):       # some from everywhere first: the deeper the point that was found, the more are left out
        for slot in range(0, pairs.triangles[inner], step * SAMPLED if turn == 0 else step):
            triangle = corners.triangle_start[inner] + slot
            for i in range(3):
                vertex = np.int64(corners.triangles[triangle, i])
                if held.vertex_depth[vertex] != UNMEASURED:
                    remember_feature(np.int64(held.shallowest[vertex]), scratch.features)
                    continue
                point = corners.world[start + vertex]
                if is_shallow(point, outer, trees, scratch):
                    held.vertex_depth[vertex] = 0.0
                    held.shallowest[vertex] = scratch.features[0]
                    continue
                for x in range(3):
                    scratch.points[0, x] = point[x]
                least, nearest = measure_inner_point(row, side, outer, nearest, pairs, trees, scratch)
                held.vertex_depth[vertex] = max(0.0, least - numbers[DEPTH_MARGIN])
                if held.plane_of[nearest] == NO_PLANE_YET:
                    at = kept + nearest if kept >= 0 else kept
                    held.plane_of[nearest] = plane_over_all(outer, nearest, at, planes, trees, scratch)
                held.shallowest[vertex] = held.plane_of[nearest] - 1
                remember_feature(np.int64(held.shallowest[vertex]), scratch.features)


@kernel
def remember_feature(feature, features):
    """Let a feature be the first of features (n,), the others in the order in which they were of use."""
    k = 0
    while k < features.shape[0] - 1 and features[k] != feature:
        k += 1
    while k > 0:
        features[k] = features[k - 1]
        k -= 1
    features[0] = feature


@kernel
def is_shallow(point, outer, trees, scratch):
    """True where one of scratch.features, the first one then, shows a point (3,) to be no deeper than what was
    found."""
    enough = scratch.numbers[BEST] + scratch.numbers[LEEWAY]
    for k in range(scratch.features.shape[0]):
        feature = np.int64(scratch.features[k])
        if feature == NO_FEATURE:
            return False
        if feature_distance(point, outer, feature, trees, scratch) <= enough:
            remember_feature(feature, scratch.features)
            return True
    return False


@kernel
def plane_over_all(obj, slot, at, planes, trees, scratch):
    """One more than the feature that is the plane of a triangle, where all of the object is below that plane and
    scratch.points[0] is, too; else than the triangle. at: where planes.over_all keeps whether it is, -1: nowhere."""
    unit = scratch.numbers[LENGTH_UNIT]
    world = trees.corners.world
    corner_rows(trees.corners, obj, slot, scratch.rows)
    base = scratch.rows[0]
    nx, ny, nz = unit_normal(world, base, scratch.rows[1], scratch.rows[2], unit)
    turned = 1 if height_over(scratch.points[0], world, base, nx, ny, nz, unit) > 0.0 else 0
    sign = -1.0 if turned else 1.0
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return 1 + slot
    known = np.int64(planes.over_all[at]) if at >= 0 else 0
    if known & (ASKED << (2 * turned)) == 0:
        known |= ASKED << (2 * turned)
        most = 0.5 * lift(scratch) / unit       # half of what planes lie outside of their triangles
        if rise_above(obj, base, sign * nx, sign * ny, sign * nz, most, most, trees, scratch.stack) <= most:
            known |= ALL_BELOW << (2 * turned)
        if at >= 0:     # of two threads that write here at once one may be lost, and asks again
            planes.over_all[at] = known
    return 1 + (plane_code(slot, turned) if known & (ALL_BELOW << (2 * turned)) else slot)


@kernel
def kept_planes(inner, outer, pairs, planes):
    """Where what is known of the outer object's planes begins in planes.over_all; -1 where it is not kept. It is the
    same for all objects in the outer one's box: the larger and farther box of each pair is that one."""
    row = planes.row[outer]
    if row < 0:
        return np.int64(-1)
    for x in range(3):
        if (pairs.bounds[inner, x] < pairs.bounds[outer, x]
                or pairs.bounds[inner, HIGH + x] > pairs.bounds[outer, HIGH + x]):
            return np.int64(-1)
    return planes.first[row]


@kernel
def bound_triangles(inner, outer, pairs, trees, held, scratch):
    """The largest of the bounds of all triangles, held.triangle_bound."""
    corners = trees.corners
    start = corners.world_start[inner]
    D = scratch.distances
    enough = scratch.numbers[BEST] + scratch.numbers[LEEWAY]
    largest = 0.0
    for slot in range(pairs.triangles[inner]):
        triangle = corners.triangle_start[inner] + slot
        count = 0
        bound = math.inf
        while count < 3 and bound > enough:     # most triangles need one feature
            near = np.int64(held.shallowest[corners.triangles[triangle, count]])
            for j in range(3):
                point = corners.world[start + corners.triangles[triangle, j]]
                D[count, j] = feature_distance(point, outer, near, trees, scratch)
            bound = min(bound, max(D[count, 0], max(D[count, 1], D[count, 2])))
            count += 1
        if bound > enough:
            bound = envelope(D, 3, enough, scratch.share)
        held.triangle_bound[slot] = bound
        largest = max(largest, bound)
    return largest


@kernel
def least_of_largest(count, largest, most, held, numbers):
    """A number above which no more than `most` of the first `count` bounds are; the deepest point that was found,
    where no more are above that."""
    low = numbers[BEST] + numbers[LEEWAY]
    high = largest
    if _above(low, count, held) <= most:
        return numbers[BEST]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _above(middle, count, held) <= most:
            high = middle
        else:
            low = middle
    return high


@kernel
def _above(least, count, held):
    """How many of the first `count` bounds are larger."""
    found = 0
    for slot in range(count):
        found += held.triangle_bound[slot] > least
    return found


@kernel
def push_triangle(side, inner, slot, bound, trees, items, held, numbers):
    """Let a triangle be a piece that remembers the features nearest to its corners, and its first corner's depth."""
    corners = trees.corners
    new = push_new_piece(items, side, bound)
    corner_rows(corners, inner, slot, held.rows)
    for i in range(3):
        for x in range(3):
            items.base[new, i, x] = corners.world[held.rows[i], x]
            items.shares[new, i, x] = 1.0 if i == x else 0.0
    count = 0
    for i in range(3):
        near = held.shallowest[corners.triangles[corners.triangle_start[inner] + slot, i]]
        if count == 0 or (near != items.features[new, 0] and near != items.features[new, count - 1]):
            items.features[new, count] = near
            count += 1
    for k in range(count, ITEM_FEATURES):
        items.features[new, k] = NO_FEATURE
    for x in range(3):
        items.known[new, x] = corners.world[held.rows[0], x]
    items.known[new, 3] = held.vertex_depth[corners.triangles[corners.triangle_start[inner] + slot, 0]]
