# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of `edge_volume`: edges down a tree of boxes, each task bringing those that meet its node to the front.

A task's two children find those edges, and no others, in front of the same array, in whatever order: what one child
does to the order does not concern the other. So one array of edges, whose boxes are kept beside it, serves a whole
descent. Sets of edges that are larger than it come in blocks, one after another.

Sets are ascending, and may be cut anywhere. By the least of its edges a set tells which sides of a triangle lie in sets
before it.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH, bounds_overlap
from ..trees.bvh.node_overlap import lowest_bit

ALL_EDGES = -1                  # in place of a list: all edges near the other object
STACK_ROWS = 256                # more than twice what the deepest tree needs
MASK_BITS = 32                  # triangles of a leaf at a time
# The state of a search between two calls of the kernel: the next task; how many edges the current task has, and the
# first one of its block; nodes that wait; and in a leaf, how many edges met it, the next edge, triangle and owner.
STATE = NEXT_TASK, EDGE_TOTAL, FIRST_EDGE, STACK_DEPTH, EDGES_MET, NEXT_EDGE, NEXT_FACE, NEXT_OWNER = range(8)


@kernel
def descend_edges(tasks, lists, pairs, trees, edges, search, max_tests, candidates, stats):
    """Work off the tasks, (k,4) int32, until the output is full, about `max_tests` edges are tested or all is done;
    returns the number of candidates, or -1 for none, but more to do.

    lists: (…,) int32, edges of the tasks that do not take all; pairs: ObjectPairs, those that are done are passed over;
    trees: PlacedBalancedTrees; edges: EdgeArrays; search: EdgeScratch, with memory for the edges of any task, which
    nobody changes between calls. candidates: (≥ MASK_BITS,3) int32 rows of pair, triangle of a, triangle of b; stats:
    (2,) int64, counts tasks and tests of two boxes.
    """
    state = search.state
    stack = search.stack
    order = search.order
    children = trees.children
    block_size = order.shape[0]
    count = 0
    enough = stats[1] + max_tests
    while stats[1] < enough and count + MASK_BITS <= candidates.shape[0]:
        depth = state[STACK_DEPTH]
        more = state[FIRST_EDGE] + block_size < state[EDGE_TOTAL]
        if depth == 0 and not more and state[NEXT_TASK] == tasks.shape[0]:
            return count
        task = state[NEXT_TASK] - (depth > 0 or more)
        pair = tasks[task, 0]
        side = tasks[task, 1]
        mine = np.int64(pairs.b[pair] if side else pairs.a[pair])
        other = np.int64(pairs.a[pair] if side else pairs.b[pair])
        if pairs.done[pair]:
            pass_over(task, mine, edges, search)
            continue
        if depth == 0:
            if more:
                state[FIRST_EDGE] += block_size
            else:
                begin_task(task, mine, other, tasks, lists, trees, edges, search, stats)
            depth = 1
            stack[0, 0] = 0
            stack[0, 1] = min(block_size, state[EDGE_TOTAL] - state[FIRST_EDGE])
            fit_block(mine, stack[0, 1], trees, edges, search)
        depth -= 1
        node = stack[depth, 0]
        size = stack[depth, 1]
        if state[NEXT_EDGE] + state[NEXT_FACE] + state[NEXT_OWNER] == 0:
            state[EDGES_MET] = keep_meeting(order, size, search.boxes, trees.boxes, trees.box_start[other] + node)
            stats[0] += 1
            stats[1] += size
        row = trees.node_start[other] + node
        left = children[row, 0]
        if state[EDGES_MET] > 0 and left >= 0:
            stack[depth, 0] = children[row, 1]
            stack[depth + 1, 0] = left
            stack[depth, 1] = stack[depth + 1, 1] = state[EDGES_MET]
            depth += 2
        elif state[EDGES_MET] > 0:
            count = leaf_triangles(pair, side, mine, other, row, trees, edges, search, candidates, count, stats)
            if state[NEXT_EDGE] + state[NEXT_FACE] + state[NEXT_OWNER] > 0:
                depth += 1                          # the same task goes on here
        state[STACK_DEPTH] = depth
    return count if count > 0 else -1


@kernel
def pass_over(task, mine, edges, search):
    """Leave a task, wherever its search is."""
    state = search.state
    if state[NEXT_EDGE] + state[NEXT_FACE] + state[NEXT_OWNER] > 0:     # in the middle of a leaf
        forget(mine, edges, search)
    state[NEXT_TASK] = task + 1
    state[EDGE_TOTAL] = state[FIRST_EDGE] = state[STACK_DEPTH] = 0
    state[NEXT_EDGE] = state[NEXT_FACE] = state[NEXT_OWNER] = 0


@kernel
def begin_task(task, mine, other, tasks, lists, trees, edges, search, stats):
    """Let the next task begin: search.edges become those of object `mine` that it brings to the other one."""
    state = search.state
    state[NEXT_TASK] += 1
    state[FIRST_EDGE] = 0
    state[EDGE_TOTAL] = tasks[task, 3]
    if tasks[task, 2] == ALL_EDGES:
        state[EDGE_TOTAL] = near_edges(mine, other, trees, edges, search.edges, search.stack, stats)
    else:
        for k in range(tasks[task, 3]):
            search.edges[k] = lists[tasks[task, 2] + k]


@kernel
def near_edges(mine, other, trees, edges, near, stack, stats):
    """near = the edges of object `mine` whose leaf's box meets the root of the other; returns how many they are. All
    edges of a triangle lie in boxes that hold it, so whole subtrees are left out."""
    children = trees.children
    span = trees.span
    first_edge = edges.first_edge
    stack[0, 0] = 0
    depth = 1
    size = 0
    while depth > 0:
        depth -= 1
        stats[1] += 1
        k = stack[depth, 0]
        if not bounds_overlap(trees.boxes, trees.box_start[mine] + k, trees.boxes, trees.box_start[other]):
            continue
        row = trees.node_start[mine] + k
        if children[row, 0] >= 0:
            stack[depth, 0] = children[row, 1]
            stack[depth + 1, 0] = children[row, 0]
            depth += 2
            continue
        slot = edges.slot_start[mine] + span[row, 0]
        for edge in range(first_edge[slot], first_edge[slot + span[row, 1]]):
            near[size] = edge
            size += 1
    return size


@kernel
def fit_block(mine, size, trees, edges, search):
    """Fit boxes to the first `size` edges of the block, and put these in order."""
    world = trees.corners.world
    start = trees.corners.world_start[mine]
    first = edges.edge_start[mine]
    block = search.edges[search.state[FIRST_EDGE]:]
    for i in range(size):
        fit_edge(first + block[i], edges.ends, start, world, search.boxes, i)
        search.order[i] = i


@kernel
def fit_edge(edge, ends, start, world, boxes, row):
    """boxes[row] = the box of an edge, a row of `ends`, of the object whose vertices begin at world[start]."""
    p = start + ends[edge, 0]
    q = start + ends[edge, 1]
    for x in range(3):
        boxes[row, x] = min(world[p, x], world[q, x])
        boxes[row, HIGH + x] = max(world[p, x], world[q, x])


@kernel
def keep_meeting(order, size, edge_boxes, boxes, k):
    """Move those of order[:size] whose rows of `edge_boxes` meet boxes[k] to the front, without a branch; returns how
    many they are."""
    kept = 0
    for i in range(size):
        row = np.int64(order[i])
        meets = bounds_overlap(edge_boxes, row, boxes, k)
        order[i] = order[kept]
        order[kept] = row
        kept += meets
    return kept


@kernel
def leaf_triangles(pair, side, mine, other, leaf, trees, edges, search, candidates, count, stats):
    """Append the pairs of triangles that the edges order[:state[EDGES_MET]] give with those of a leaf, a row of the
    other's nodes; returns their number. Where there is no more room, `state` says where to go on, else its rows are
    zero.

    MASK_BITS triangles at a time are tested against an edge. Of each triangle with the edge, `seen` holds the
    triangles that another of its edges has given; sets of edges before this one have given those that its sides there
    meet.
    """
    state = search.state
    order = search.order
    seen = search.seen
    boxes = search.boxes
    owners = edges.owners
    owner_start = edges.owner_start
    slot_boxes = trees.slot_boxes
    triangle_start = trees.corners.triangle_start
    first = edges.edge_start[mine]
    first_slot = trees.span[leaf, 0]
    slot_end = first_slot + trees.span[leaf, 1]
    block = search.edges[state[FIRST_EDGE]:]
    spare = boxes.shape[0] - 1
    for s in range(first_slot + state[NEXT_FACE], slot_end, MASK_BITS):
        faces = min(MASK_BITS, slot_end - s)
        slot_box = trees.slot_box_start[other] + s
        for i in range(state[NEXT_EDGE], state[EDGES_MET]):
            mask = met_slots(boxes, np.int64(order[i]), slot_boxes, slot_box, faces)
            stats[1] += faces
            if mask == 0:
                continue
            edge = first + block[order[i]]
            for k in range(owner_start[edge] + state[NEXT_OWNER], owner_start[edge + 1]):
                if count + MASK_BITS > candidates.shape[0]:
                    state[NEXT_FACE] = s - first_slot
                    state[NEXT_EDGE] = i
                    state[NEXT_OWNER] = k - owner_start[edge]
                    return count
                triangle = triangle_of_owner(owners[k])
                new = np.uint32(mask & ~seen[triangle])
                seen[triangle] |= mask
                for side_of in range(3 * triangle, 3 * triangle + 3):
                    before = edges.sides[3 * triangle_start[mine] + side_of]
                    if new != 0 and before < block[0]:
                        fit_edge(first + before, edges.ends, trees.corners.world_start[mine], trees.corners.world,
                                 boxes, spare)
                        new &= ~met_slots(boxes, spare, slot_boxes, slot_box, faces)
                while new != 0:
                    face = np.int64(trees.slots[triangle_start[other] + s + lowest_bit(new)])
                    new &= new - np.uint32(1)
                    if side and edges_meet_triangle(other, face, mine, triangle, trees):
                        continue                    # given by side 0
                    candidates[count, 0] = pair
                    candidates[count, 1] = face if side else triangle
                    candidates[count, 2] = triangle if side else face
                    count += 1
            state[NEXT_OWNER] = 0
        forget(mine, edges, search)
        state[NEXT_EDGE] = 0
    state[NEXT_FACE] = 0
    return count


@kernel
def triangle_of_owner(owner):
    """The triangle of 3·triangle + k."""
    return np.int64(owner) // 3


@kernel
def forget(mine, edges, search):
    """seen = 0 for the triangles with the edges order[:state[EDGES_MET]] of the block."""
    owner_start = edges.owner_start
    block = search.edges[search.state[FIRST_EDGE]:]
    for i in range(search.state[EDGES_MET]):
        edge = edges.edge_start[mine] + block[search.order[i]]
        for k in range(owner_start[edge], owner_start[edge + 1]):
            search.seen[triangle_of_owner(edges.owners[k])] = 0


@kernel
def met_slots(edge_boxes, row, slot_boxes, first, count):
    """uint32: bit s is set where edge_boxes[row] meets slot_boxes[first + s], for s < count."""
    mask = np.uint32(0)
    for s in range(count):
        mask |= np.uint32(bounds_overlap(edge_boxes, row, slot_boxes, first + s)) << np.uint32(s)
    return mask


@kernel
def edges_meet_triangle(obj, face, other, triangle, trees):
    """1 where the box of an edge of the triangle `face` of an object meets the box of a triangle of the other one."""
    world = trees.corners.world
    triangles = trees.corners.triangles
    row = trees.corners.triangle_start[obj] + face
    start = trees.corners.world_start[obj]
    other_row = trees.corners.triangle_start[other] + triangle
    other_start = trees.corners.world_start[other]
    a = other_start + triangles[other_row, 0]
    b = other_start + triangles[other_row, 1]
    c = other_start + triangles[other_row, 2]
    found = 0
    for k in range(3):
        p = start + triangles[row, k]
        q = start + triangles[row, (k + 1) % 3]
        meets = 1
        for x in range(3):
            meets &= min(world[p, x], world[q, x]) <= max(world[a, x], max(world[b, x], world[c, x]))
            meets &= max(world[p, x], world[q, x]) >= min(world[a, x], min(world[b, x], world[c, x]))
        found |= meets
    return found
