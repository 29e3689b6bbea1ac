# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep two placed objects reach into each other: branch and bound over both surfaces, the deepest bound first.

An item is a node of one object's tree or a piece of one of its triangles. A bound says that no point of it is deeper in
the other object. The search ends when no bound is above the deepest point found by more than LEEWAY, or what is
tolerated. docs/depth.md derives the bounds.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .by_vertices import measure_by_vertices
from .contained import measure_contained
from .features import BEST, CAP, DEPTH_MARGIN, DROPPED, ENOUGH_KNOWN, LEEWAY, LENGTH_UNIT, SEED_SLACK
from .items import BEGUN, FREE_ROWS, NODE, PIECE, SIDE, STEPS_TAKEN, WAITING, clear, pop, push
from .local_boxes import MOST_IN_BOXES, MOST_IN_BOXES_AT_LAST, measure_boxes
from .local_search import ENDED_EARLY, MEASURED, NOT_GATHERED, measure_local
from .pieces import is_open, refine_piece, set_cap, too_shallow
from .point_triangle import POINT_ROUNDING
from .seeds import MOST_SEEDED, SEEDED, TOO_MUCH, seed_items, set_slack
from .tree_nodes import open_node

FINISHED, GOES_ON, FULL = range(3)      # what `search_pairs` returns
MOST_NEW = 32               # items that one step makes at most
MOST_STEPS = 1 << 14        # for one pair; the bounds are reported as they are then
STEPS_UNTIL_CLOSE = 1 << 13     # after these, where contacts told what is left, bounds that are so close are enough,
CLOSE = 2.0 ** -7           # relative to the depth
STEPS_BEFORE_AGAIN = 1 << 8 # before the triangles near by are asked for once more
STEPS_AFTER_VERTICES = 1 << 12  # of these, where each vertex of an object was measured
# Steps before contacts are asked what is left, and how many times what was found the bound must be by then.
STEPS_BEFORE_SEEDS = 1, 1 << 8, 1 << 10
FAR_ABOVE = 0.0, 1.5, 4.0
FEW_SEEDED = 1 << 13        # at first, of triangles of one object in the box that both objects' boxes have in common,
MANY_SEEDED = 1 << 17       # after some steps,
FEW_PER_CONTACT = 8         # and for each contact: with more, to look at each takes longer than to bound nodes,
FEW_INNER_PER_CONTACT = 1   # as it does at first and then with more triangles away from contacts that may be inside
FAR_APART = 1.5             # times the lower bound, an upper one that says little
AGREEMENT = 2.0 ** -31      # how far the bounds may be apart, rounding aside, relative to the smaller object


@kernel
def search_pairs(rows, state, pairs, contacts, planes, trees, items, local, held, max_steps, scratch):
    """FINISHED when the pairs in `rows` are, GOES_ON after about max_steps steps, FULL where `items` must grow.

    rows: (k,) int64; state: (1,) int64, the position in rows, 0 at first. pairs: PairDepths; contacts: ContactColumns;
    planes: SupportPlanes; trees: PlacedTrees; items: DepthItems; local: LocalPair; held: ContainedScratch; scratch:
    DepthScratch.
    """
    while state[0] < rows.shape[0]:
        row = rows[state[0]]
        if items.state[BEGUN] == 0:
            items.state[BEGUN] = 1
            clear(items)
            if not begin(row, pairs, scratch.numbers):
                items.state[BEGUN] = 0
                pairs.done[row] = 1
                state[0] += 1
                continue
            begin_items(row, pairs, contacts, planes, trees, items, local, held, scratch)
        while _open(items, scratch.numbers):
            if max_steps <= 0:
                return GOES_ON
            if items.state[FREE_ROWS] < MOST_NEW:
                return FULL
            max_steps -= 1
            items.state[STEPS_TAKEN] += 1
            step(row, pairs, trees, items, scratch)
            if items.state[STEPS_TAKEN] == STEPS_BEFORE_AGAIN:
                again(row, pairs, contacts, trees, items, local, scratch)
            if seeds_fit(items, scratch.numbers):
                seed(row, pairs, contacts, trees, items, local, held, scratch)
        last(row, pairs, contacts, trees, items, local, scratch)
        finish(row, pairs, items, scratch.numbers)
        items.state[BEGUN] = 0
        state[0] += 1
        max_steps -= 1
    return FINISHED


@kernel
def begin(row, pairs, numbers):
    """True where a pair can be measured: then `numbers` (8,) is set."""
    a = pairs.a[row]
    b = pairs.b[row]
    larger = 0.0
    smaller = math.inf
    farthest = 0.0
    for side in range(2):
        box = pairs.bounds[a if side == 0 else b]
        extent = 0.0
        for x in range(3):
            extent = max(extent, box[HIGH + x] - box[x])
            farthest = max(farthest, max(abs(box[x]), abs(box[HIGH + x])))
        larger = max(larger, extent)
        smaller = min(smaller, extent)
    if not 1e-290 < larger < 1e290:
        return False
    unit = math.ldexp(1.0, -math.frexp(larger)[1])
    numbers[LENGTH_UNIT] = unit
    numbers[DEPTH_MARGIN] = 2.0 * POINT_ROUNDING + 2.0 ** -49 * farthest * unit
    numbers[LEEWAY] = max(AGREEMENT * smaller * unit, 2.0 * numbers[DEPTH_MARGIN])
    numbers[BEST] = 0.0
    numbers[DROPPED] = 0.0
    numbers[CAP] = math.inf
    numbers[SEED_SLACK] = 0.0
    numbers[ENOUGH_KNOWN] = pairs.enough[row] * unit
    return pairs.decides[a] != 0 or pairs.decides[b] != 0


@kernel
def begin_items(row, pairs, contacts, planes, trees, items, local, held, scratch):
    """Let `items` be what is still to be searched, after quicker searches for what pairs often are."""
    if measure_contained(row, pairs, planes, trees, items, held, scratch):
        return
    answer = measure_local(row, pairs, contacts, trees, items, local, scratch)
    if answer == ENDED_EARLY:
        answer = measure_boxes(row, MOST_IN_BOXES, pairs, contacts, trees, items, local, scratch)
    if answer == MEASURED:
        return
    clear(items)
    if measure_by_vertices(row, pairs, planes, trees, items, held, scratch):
        items.state[STEPS_TAKEN] = MOST_STEPS - STEPS_AFTER_VERTICES
    else:
        push_roots(row, pairs, items)


@kernel
def push_roots(row, pairs, items):
    """Let the roots of those trees of a pair that can be inside the other object be the first items."""
    for side in range(2):
        if pairs.decides[pairs.b[row] if side == 0 else pairs.a[row]] == 0:
            continue
        new = push(items, math.inf)
        items.kind[new, SIDE] = side
        items.kind[new, NODE] = 0
        items.features[new, 0] = -1
        items.known[new, 3] = 0.0


@kernel
def _open(items, numbers):
    """True while some item may be deeper than what was found."""
    close = 0.0
    if items.state[STEPS_TAKEN] > STEPS_UNTIL_CLOSE and numbers[SEED_SLACK] > 0.0:
        close = CLOSE * numbers[BEST]
    return (items.state[WAITING] > 0 and items.state[STEPS_TAKEN] < MOST_STEPS
            and is_open(items.bound[0], max(numbers[LEEWAY], close), numbers))


@kernel
def again(row, pairs, contacts, trees, items, local, scratch):
    """Where too many triangles were near for measure_local: ask it once more, as fewer are within the bound that is
    known now. What is left of the search down trees is no deeper than that bound."""
    if not is_apart(row, pairs, items, scratch.numbers) or math.isfinite(scratch.numbers[CAP]):
        return
    set_cap(items, scratch.numbers)
    answer = measure_local(row, pairs, contacts, trees, items, local, scratch)
    if answer == NOT_GATHERED:
        scratch.numbers[CAP] = math.inf         # so that it is asked for the last time, too
    elif answer != MEASURED:
        clear(items)
        push_roots(row, pairs, items)


@kernel
def last(row, pairs, contacts, trees, items, local, scratch):
    """Where bounds are still apart when the search down trees ends: ask, by its bound, for what is near, and box by
    box."""
    numbers = scratch.numbers
    if not is_apart(row, pairs, items, numbers):
        return
    answer = ENDED_EARLY if math.isfinite(numbers[CAP]) else NOT_GATHERED
    set_cap(items, numbers)
    if answer == NOT_GATHERED:
        answer = measure_local(row, pairs, contacts, trees, items, local, scratch)
    if answer != MEASURED:
        far = numbers[CAP] > FAR_APART * numbers[BEST]
        answer = measure_boxes(row, MOST_IN_BOXES_AT_LAST if far else MOST_IN_BOXES, pairs, contacts, trees, items,
                               local, scratch)
    if answer != MEASURED:
        clear(items)
        numbers[DROPPED] = max(numbers[DROPPED], numbers[CAP])


@kernel
def is_apart(row, pairs, items, numbers):
    """True where the two bounds of a pair that meets are apart by more than they may be."""
    return (items.state[WAITING] > 0 and is_open(items.bound[0], numbers[LEEWAY], numbers)
            and pairs.contact_first[row] != pairs.contact_last[row])


@kernel
def seeds_fit(items, numbers):
    """True where contacts are to be asked, now, what is left to search."""
    if numbers[SEED_SLACK] > 0.0 or not _open(items, numbers):
        return False
    for k in range(len(STEPS_BEFORE_SEEDS)):
        if items.state[STEPS_TAKEN] == STEPS_BEFORE_SEEDS[k] and items.bound[0] > FAR_ABOVE[k] * numbers[BEST]:
            return True
    return False


@kernel
def seed(row, pairs, contacts, trees, items, local, held, scratch):
    """Let the contacts tell what is left to search, from now on. The longer the search went on, the more may be."""
    steps = items.state[STEPS_TAKEN]
    count = pairs.contact_last[row] - pairs.contact_first[row]
    most = max(count, min(FEW_SEEDED, FEW_PER_CONTACT * count))
    if steps > STEPS_BEFORE_SEEDS[0]:
        most = MOST_SEEDED if steps > STEPS_BEFORE_SEEDS[1] else MANY_SEEDED
    most_inner = MOST_SEEDED if steps > STEPS_BEFORE_SEEDS[1] else FEW_INNER_PER_CONTACT * count
    most = min(most, MOST_SEEDED)
    answer = seed_items(row, most, most_inner, pairs, contacts, trees, items, local, held, scratch)
    if answer != SEEDED:
        set_slack(0.0, scratch.numbers)
    if answer == TOO_MUCH:
        clear(items)
        push_roots(row, pairs, items)
        items.state[STEPS_TAKEN] = steps


@kernel
def step(row, pairs, trees, items, scratch):
    """Take the item with the largest bound, and make items of what may be deepest of it."""
    bound = items.bound[0]
    item = pop(items)
    side = items.kind[item, SIDE]
    surface = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    if items.kind[item, NODE] == PIECE:
        refine_piece(row, item, bound, solid, pairs, trees, items, scratch)
    else:
        code = trees.root[surface] if math.isinf(bound) else items.kind[item, NODE]
        open_node(item, np.int64(code), bound, surface, solid, pairs, trees, items, scratch)


@kernel
def finish(row, pairs, items, numbers):
    """Write the bounds of a pair, in world units."""
    if items.state[WAITING] > 0:
        too_shallow(items.bound[0], math.inf, numbers)
    over = 1.0 / numbers[LENGTH_UNIT]
    margin = numbers[DEPTH_MARGIN] + numbers[SEED_SLACK]
    pairs.lower[row] = max(0.0, numbers[BEST] - margin) * over
    upper = max(numbers[BEST], min(numbers[DROPPED], numbers[CAP]))
    pairs.upper[row] = (upper + margin) * over
    if pairs.lower[row] == 0.0:
        for k in range(2):
            for x in range(3):
                pairs.points[row, k, x] = math.nan
    pairs.done[row] = 1
