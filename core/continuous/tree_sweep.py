# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two moving trees at once to the triangles that first meet or come within a distance, or that come nearest:
branch and bound, what overlaps earliest first.

A task is a pair of nodes, one of each tree, in the codes of trees/; its bound is the share of the slice of time at
which their boxes begin to overlap.
"""

import numpy as np

from ..distance.nearest import FAN, push_children
from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.node_overlap import lowest_bit
from ..trees.bvh.nodes import node_of
from ..trees.bvh.refit import round_up
from .least_gap import lower_gap
from .moving_boxes import entries_16, sweeps_overlap_16
from .moving_triangles import first_touch
from .parting_faces import parted_by_a_face


@kernel
def entry_limit(toi, span):
    """A share of the slice of time, float32, that no box needs to enter after: contact is known at toi."""
    share = (toi - span[0]) / (span[1] - span[0])
    return np.float32(1.0) if share >= 1.0 else round_up(share)


@kernel
def growth(row, meetings, motions, swept):
    """How far apart boxes of a pair may be, float32, in the numbers of boxes: how far a vertex of each object together
    leave their lines within the slice, and the distance to come within."""
    a = meetings.a[row]
    b = meetings.b[row]
    duration = swept.span[1] - swept.span[0]
    away = 0.125 * (motions.curvature[a] + motions.curvature[b]) * duration * duration
    away += motions.rounding[a] + motions.rounding[b] + meetings.within[row]
    return np.float32(0.0) if away == 0.0 else round_up(away * swept.before.quantization[3])


@kernel
def earliest(entries, mask):
    """The number of the least entry among those whose bit is set. entries: (16,); mask: uint32, not 0."""
    best = lowest_bit(mask)
    mask &= mask - np.uint32(1)
    while mask != 0:
        k = lowest_bit(mask)
        mask &= mask - np.uint32(1)
        if entries[k] < entries[best]:
            best = k
    return best


@kernel
def search(row, meetings, motions, swept, tasks, depth, max_steps, scratch):
    """The new depth of the stack after at most `max_steps` of the tasks in rows 0 … depth - 1. Returns early where the
    stack is nearly full; then it is to be called again.

    meetings: Meetings, whose row becomes what was asked of what was searched; motions: ObjectMotions; swept:
    SweptTrees; tasks: DistanceTasks; scratch: MeetingScratch.
    """
    before = swept.before
    children = before.children
    boxes = before.boxes
    entries = scratch.entries
    a = meetings.a[row]
    b = meetings.b[row]
    grow = growth(row, meetings, motions, swept)
    limit = entry_limit(meetings.toi[row], swept.span)
    capacity = tasks.nodes.shape[0] - FAN
    while depth > 0 and depth <= capacity and max_steps > 0:
        depth -= 1
        if tasks.lower_bounds[depth] > limit:
            continue
        max_steps -= 1
        scratch.stats[0] += 1
        i = np.int64(tasks.nodes[depth, 0])
        j = np.int64(tasks.nodes[depth, 1])
        node_a = node_of(i)
        node_b = node_of(j)
        row_a = before.node_start[a] + node_a
        row_b = before.node_start[b] + node_b
        a_before = before.box_start[a] + node_a
        a_after = swept.after.box_start[a] + node_a
        b_before = before.box_start[b] + node_b
        b_after = swept.after.box_start[b] + node_b
        if sweeps_overlap_16(boxes, a_before, a_after, b_before, b_after, grow) == 0:
            continue
        mask = entries_16(boxes, a_before, a_after, b_before, b_after, grow, limit, entries)
        if i >= 0 or j >= 0:
            depth = push_children(children, row_a, row_b, i, j, entries, mask, limit, tasks, depth)
            continue
        while mask != 0:
            k = earliest(entries, mask)
            mask = np.uint32(mask & ~(np.uint32(1) << np.uint32(k)))
            slot_a = children[unsigned(row_a), unsigned(k >> 2)]
            slot_b = children[unsigned(row_b), unsigned(k & 3)]
            if slot_a < 0 or slot_b < 0 or entries[k] > limit:
                continue
            scratch.stats[1] += 1
            time, reached = first_touch(row, np.int64(slot_a), np.int64(slot_b), meetings, motions, swept, scratch)
            if not time < meetings.toi[row]:
                continue
            if meetings.gap.shape[0] > 0:
                lower_gap(row, np.int64(slot_a), np.int64(slot_b), time, meetings, motions, swept, scratch)
                grow = growth(row, meetings, motions, swept)
                continue
            meetings.toi[row] = time
            meetings.reached[row] = reached
            limit = entry_limit(time, swept.span)
    return depth


@kernel
def search_pairs(rows, state, meetings, motions, swept, tasks, max_steps, scratch):
    """Search the pairs in `rows` for what `meetings` asks within the slice, after one another, in at most about
    `max_steps` steps; to be called again until state[0] is the number of rows.

    rows: (k,) int64; state: (2,) int64, the position in rows and the depth of its stack, 0 and -1 at first.
    """
    end = scratch.stats[0] + max_steps
    while state[0] < rows.shape[0] and scratch.stats[0] < end:
        row = rows[state[0]]
        if state[1] < 0:
            if parted_by_a_face(row, meetings, motions, swept, scratch):
                scratch.stats[0] += 1
                state[0] += 1
                continue
            tasks.nodes[0, 0] = swept.before.root[meetings.a[row]]
            tasks.nodes[0, 1] = swept.before.root[meetings.b[row]]
            tasks.lower_bounds[0] = 0.0
            state[1] = 1
        state[1] = search(row, meetings, motions, swept, tasks, state[1], end - scratch.stats[0], scratch)
        if state[1] > 0:
            return
        state[0] += 1
        state[1] = -1
