# SPDX-License-Identifier: GPL-3.0-or-later
"""The regions of pairs: pieces of what two surfaces share, or have inside the other solid, that hang together.

Places (places.py), groups of vertices that triangles without contacts join (region_sides.py), and cells of triangles
with contacts (region_cells.py) are joined as far as they touch. Where rounding leaves in doubt whether two do, they are
joined: what is one region may be two, but no region is ever in two. docs/depth.md.

A group that touches triangles with contacts is asked whether it is inside only where the answer matters.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..verdicts.components import root_of
from .region_cells import NO_SPACE, divide_triangle, touch_corners
from .region_patches import add_regions
from .region_sides import (
    GROUP_OUTSIDE,
    MOST_REGIONS,
    NO_PLACE,
    POSITIONS,
    REGION_UNKNOWN,
    WITH_CONTACTS,
    WITHOUT_CONTACTS,
    forget_side,
    is_group_inside,
    set_side,
    solid_of,
)

LABELLED, LABELS_GO_ON, CELLS_FULL, PATCHES_FULL = range(4)     # what `label_pairs` returns
# Triangles with so few contacts are looked at first, and then others: these may need no cells then.
CONTACTS_IN_TURN = 8, 64, 1 << 62


@kernel
def label_pairs(rows, state, pairs, contacts, trees, scratch, patches, most):
    """LABELLED when the pairs in `rows` are divided, LABELS_GO_ON after about `most` triangles and contacts, CELLS_FULL
    where scratch.cells must grow, PATCHES_FULL where `patches` must.

    rows: (k,) int64; state: (1,) int64, the position in rows, 0 at first. pairs: RegionPairs; contacts: ContactColumns;
    trees: PlacedTrees; scratch: RegionScratch; patches: RegionPatches.
    """
    while state[0] < rows.shape[0]:
        if most <= 0:
            return LABELS_GO_ON
        row = rows[state[0]]
        regions, triangles, trapezoids = patches.used[0], patches.used[1], patches.used[2]
        answer = label_pair(row, pairs, contacts, trees, scratch, patches)
        if answer != LABELLED:
            patches.used[0], patches.used[1], patches.used[2] = regions, triangles, trapezoids
            return answer
        for side in range(2):
            most -= scratch.sizes[side, WITH_CONTACTS] + scratch.sizes[side, WITHOUT_CONTACTS]
        most -= pairs.contact_last[row] - pairs.contact_first[row] + 1
        state[0] += 1
    return LABELLED


@kernel
def label_pair(row, pairs, contacts, trees, scratch, patches):
    """LABELLED where a pair was divided, else what must grow."""
    scratch.divided_count[0] = 0
    before = patches.used[2]
    for side in range(2):
        set_side(side, row, pairs, contacts, trees, scratch)
    places = begin_places(row, pairs, scratch)
    answer = LABELLED
    for side in range(2):
        if answer == LABELLED and pairs.decides[solid_of(side, row, pairs)] != 0:
            answer = join_by_triangles(side, row, pairs, contacts, trees, scratch, patches)
    if answer == LABELLED:
        alone = find_alone(row, pairs, trees, scratch)
        count = count_sets(places, scratch) + alone
        pairs.region_count[row] = count
        patches.used[2] = before        # of which add_regions keeps what several regions share
        if max(alone, count - 1) > 0 and count <= MOST_REGIONS:
            number_regions(row, alone, pairs, scratch)
            if not add_regions(row, count, alone, pairs, trees, scratch, patches):
                answer = PATCHES_FULL
    for side in range(2):
        forget_side(side, row, pairs, contacts, scratch)
    return answer


@kernel
def begin_places(row, pairs, scratch):
    """How many places a pair has; none is joined to another one yet."""
    first, last = pairs.contact_first[row], pairs.contact_last[row]
    count = 0
    for contact in range(first, last):
        count = max(count, pairs.place[contact] - pairs.place[first] + 1)
    for place in range(count):
        scratch.place_parent[place] = place
        scratch.place_region[place] = REGION_UNKNOWN
    return count


@kernel
def join_by_triangles(side, row, pairs, contacts, trees, scratch, patches):
    """Join the places that triangles of a side have in one cell, and those that a group touches. LABELLED, or what must
    grow."""
    before = 0
    for most in CONTACTS_IN_TURN:
        for k in range(scratch.sizes[side, WITH_CONTACTS]):
            count = scratch.first[side, k + 1] - scratch.first[side, k]
            if not before < count <= most:
                continue
            if is_one_set(side, k, row, pairs, scratch):
                touch_corners(side, k, row, pairs, trees, scratch)
                continue
            answer = divide_triangle(side, k, row, pairs, contacts, trees, scratch, patches)
            if answer != 0:
                return CELLS_FULL if answer == NO_SPACE else PATCHES_FULL
        before = most
    return LABELLED


@kernel
def is_one_set(side, k, row, pairs, scratch):
    """True where all contacts of a triangle are of places that are joined. What the triangle has inside hangs together
    with them: where it has contacts, each connected part of what is inside of it has one on its border."""
    base = pairs.place[pairs.contact_first[row]]
    first = root_of(scratch.place_parent, np.int64(pairs.place[scratch.own[side, scratch.first[side, k]]] - base))
    for at in range(scratch.first[side, k] + 1, scratch.first[side, k + 1]):
        if root_of(scratch.place_parent, np.int64(pairs.place[scratch.own[side, at]] - base)) != first:
            return False
    return True


@kernel
def find_alone(row, pairs, trees, scratch):
    """How many groups are inside that touch no triangle with contacts; they are put into scratch.order, in the order of
    their first triangles. More than MOST_REGIONS are not counted."""
    order = scratch.order
    count = 0
    for side in range(2):
        first = count
        for group in range(scratch.sizes[side, POSITIONS]):
            if (scratch.parent[side, group] != group or scratch.group_place[side, group] != NO_PLACE
                    or scratch.group_side[side, group] == GROUP_OUTSIDE):
                continue
            if not is_group_inside(side, group, row, pairs, trees, scratch):
                continue
            place = count
            while place > first and (scratch.group_lead[side, order[place - 1, 1]] > scratch.group_lead[side, group]):
                order[place, 0], order[place, 1] = order[place - 1, 0], order[place - 1, 1]
                place -= 1
            order[place, 0], order[place, 1] = side, group
            count += 1
            if count > MOST_REGIONS:
                return count
    return count


@kernel
def count_sets(places, scratch):
    """How many sets the places are joined to."""
    count = 0
    for place in range(places):
        count += scratch.place_parent[place] == place
    return count


@kernel
def number_regions(row, alone, pairs, scratch):
    """Number the regions of a pair: those with contacts, in the order of these, then the others."""
    first = pairs.contact_first[row]
    count = 0
    for contact in range(first, pairs.contact_last[row]):
        root = root_of(scratch.place_parent, np.int64(pairs.place[contact] - pairs.place[first]))
        if scratch.place_region[root] == REGION_UNKNOWN:
            scratch.place_region[root] = count
            count += 1
        pairs.region[contact] = scratch.place_region[root]
    for k in range(alone):
        scratch.group_region[scratch.order[k, 0], scratch.order[k, 1]] = count
        count += 1
