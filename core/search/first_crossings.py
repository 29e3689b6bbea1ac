# SPDX-License-Identifier: GPL-3.0-or-later
"""Where only verdicts are asked, a pair of objects is done at the first sure crossing of two triangles.

So the candidates of a pair are looked at while there are few: first after five, then after twice as many each time, as
long as none of them surely cross. docs/methods/touchpoint.md, "Verdicts only", says why no answer depends on that.
"""
from ..machine_code.jit import kernel, unsigned
from ..mid_phase.descend import descend
from ..narrow_phase.triangle_contacts import classify
from ..narrow_phase.triangle_filter import BLOCK, PROPER
from ..trees.bvh.nodes import CHILD_PAIRS

ROWS_AT_FIRST = CHILD_PAIRS + 4     # for candidates before the first look: `descend` ends when it has written five


@kernel
def descend_to_crossings(pairs, trees, thin, stack, depth, max_steps, hits, scratch, result, undecided, stats):
    """`descend` and `classify` in turns; returns (depth, number of hits). Where the filter says that two triangles
    cross, pairs.done is set, and no other hits of that pair are written.

    max_steps: tasks and candidates, at most about so many. hits: (≥ CHILD_PAIRS, 3) int32; scratch, result, undecided:
    as in `classify`; stats: (2,) int64, counts tasks, and candidates. The other arguments are those of `descend`.
    """
    kept = 0
    rows = ROWS_AT_FIRST
    end = stats[0] + stats[1] + max_steps
    while (depth > 0 and kept + CHILD_PAIRS <= hits.shape[0] and depth + CHILD_PAIRS <= stack.shape[0]
           and stats[0] + stats[1] < end):
        pair = unsigned(stack[unsigned(depth - 1), 0])
        if pairs.done[pair]:
            depth -= 1
            continue
        here = hits[kept:kept + rows]
        depth, count = descend(pairs, trees, thin, stack, depth, end - stats[0] - stats[1], here, stats)
        stats[1] += count
        count = classify(here, count, pairs.a, pairs.b, trees.corners, scratch, result, undecided)
        kept += up_to_one_crossing(here, result, count, pairs.done)
        same = depth > 0 and pairs.done[pair] == 0 and unsigned(stack[unsigned(depth - 1), 0]) == pair
        rows = min(2 * rows, BLOCK) if same else ROWS_AT_FIRST
    return depth, kept


@kernel
def up_to_one_crossing(hits, result, count, done):
    """Move those of hits[:count] to the front whose pair is not done, up to its first sure crossing, which makes it
    done; returns how many they are. result: (≥ count,) uint8, PROPER for sure crossings; done: (pairs,) uint8."""
    kept = 0
    for k in range(count):
        pair = hits[k, 0]
        if done[pair] == 0:
            if result[k] == PROPER:
                done[pair] = 1
                continue
            for column in range(3):
                hits[kept, column] = hits[k, column]
            kept += 1
    return kept
