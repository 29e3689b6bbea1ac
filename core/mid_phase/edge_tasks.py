# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of `edge_volume`: edges down a tree of boxes, each task bringing those that meet its node to the front.

A task's two children find those edges, and no others, in front of the same array, in whatever order: what one child
does to the order does not concern the other. So one array of edges, whose boxes are kept beside it, serves a whole
descent. Larger sets than it has room for are taken in parts, one after the other.

Sets are ascending: they are cut anywhere, and by the least of its edges a part tells which edges of a triangle lie in
parts before it.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.balanced.trees import meet
from ..trees.bvh.node_overlap import lowest_bit

ALL = -1                        # in place of a list: all edges near the other object
STACK = 256                     # more than twice what the deepest tree needs
FACES = 32                      # of a leaf at a time: as many as a mask has bits
STATE = NEXT, TOTAL, FIRST, DEPTH, MET, EDGE, FACE, OWNER = range(8)    # of a search between two calls of the kernel


@kernel
def descend_edges(tasks, lists, object_a, object_b, node_start, children, span, box_start, boxes, triangle_start,
                  slots, leaf_start, leaf_boxes, triangles, world_start, world, edge_start, ends, owner_start, owners,
                  sides, begin_start, begin, done, edges, held, order, seen, stack, state, patience, candidates, tally):
    """Work off the tasks, (k,4) int32, until the output is full, about `patience` edges are tested or all is done;
    returns the number of candidates, or -1 for none, but more to do.

    object_a, object_b: (pairs,) int32; BalancedTrees.arrays; of Corners; Edges.arrays; done: (pairs,) uint8, pairs
    marked there are passed over. edges, int32 with room for those of any task, order (k,) int32, held (k+1,6) float64,
    seen, uint32 for the triangles of any object, stack (STACK,2) int64 and state, int64, of which seen and state are
    zero at first: scratch, to be left alone between calls. candidates: (≥ FACES,3) int32 rows of pair, triangle of a,
    triangle of b; tally: (2,) int64, counts tasks and tests of two boxes.
    """
    count = 0
    enough = tally[1] + patience
    while tally[1] < enough and count + FACES <= candidates.shape[0]:
        depth = state[DEPTH]
        more = state[FIRST] + order.shape[0] < state[TOTAL]
        if depth == 0 and not more and state[NEXT] == tasks.shape[0]:
            return count
        task = state[NEXT] - (depth > 0 or more)
        pair = tasks[task, 0]
        side = tasks[task, 1]
        mine = np.int64(object_b[pair] if side else object_a[pair])
        other = np.int64(object_a[pair] if side else object_b[pair])
        if done[pair]:
            if state[EDGE] + state[FACE] + state[OWNER] > 0:        # in the middle of a leaf
                forget(edges[state[FIRST]:], order, state[MET], edge_start[mine], owner_start, owners, seen)
            state[NEXT] = task + 1
            state[TOTAL] = state[FIRST] = state[DEPTH] = state[EDGE] = state[FACE] = state[OWNER] = 0
            continue
        if depth == 0 and more:
            state[FIRST] += order.shape[0]
        elif depth == 0:
            state[NEXT] += 1
            state[FIRST] = 0
            state[TOTAL] = tasks[task, 3]
            if tasks[task, 2] == ALL:
                state[TOTAL] = near_edges(mine, other, node_start, children, span, box_start, boxes, begin_start, begin,
                                          edges, stack, tally)
            else:
                for k in range(tasks[task, 3]):
                    edges[k] = lists[tasks[task, 2] + k]
        block = edges[state[FIRST]:]
        if depth == 0:
            depth = 1
            stack[0, 0] = 0
            stack[0, 1] = min(order.shape[0], state[TOTAL] - state[FIRST])
            box_edges(block, stack[0, 1], world_start[mine], world, edge_start[mine], ends, held)
            for k in range(stack[0, 1]):
                order[k] = k
        depth -= 1
        node = stack[depth, 0]
        size = stack[depth, 1]
        if state[EDGE] + state[FACE] + state[OWNER] == 0:
            state[MET] = keep_meeting(order, size, held, boxes, box_start[other] + node)
            tally[0] += 1
            tally[1] += size
        left = children[node_start[other] + node, 0]
        if state[MET] > 0 and left >= 0:
            stack[depth, 0] = children[node_start[other] + node, 1]
            stack[depth + 1, 0] = left
            stack[depth, 1] = stack[depth + 1, 1] = state[MET]
            depth += 2
        elif state[MET] > 0:
            count = leaf_faces(pair, side, span[node_start[other] + node], triangle_start[mine], triangle_start[other],
                               slots, leaf_start[other], leaf_boxes, triangles, world_start[mine], world_start[other],
                               world, edge_start[mine], ends, owner_start, owners, sides, block, held, order, seen,
                               state, candidates, count, tally)
            if state[EDGE] + state[FACE] + state[OWNER] > 0:
                depth += 1                          # the same task goes on here
        state[DEPTH] = depth
    return count if count > 0 else -1


@kernel
def near_edges(mine, other, node_start, children, span, box_start, boxes, begin_start, begin, edges, stack, tally):
    """edges = those of object `mine` whose leaf's box meets the root of the other; returns how many they are. All edges
    of a triangle lie in boxes that hold it, so whole subtrees are left out."""
    stack[0, 0] = 0
    depth = 1
    size = 0
    while depth > 0:
        depth -= 1
        tally[1] += 1
        k = stack[depth, 0]
        if not meet(boxes, box_start[mine] + k, boxes, box_start[other]):
            continue
        row = node_start[mine] + k
        if children[row, 0] >= 0:
            stack[depth, 0] = children[row, 1]
            stack[depth + 1, 0] = children[row, 0]
            depth += 2
            continue
        first = begin_start[mine] + span[row, 0]
        for edge in range(begin[first], begin[first + span[row, 1]]):
            edges[size] = edge
            size += 1
    return size


@kernel
def box_edges(edges, size, place, world, first, ends, held):
    """held[i] = the box of the edge edges[i]."""
    for i in range(size):
        fit_edge(np.int64(first + edges[i]), place, world, ends, held, i)


@kernel
def fit_edge(edge, place, world, ends, held, row):
    """held[row] = the box of an edge."""
    p = place + ends[edge, 0]
    q = place + ends[edge, 1]
    for x in range(3):
        held[row, x] = min(world[p, x], world[q, x])
        held[row, 3 + x] = max(world[p, x], world[q, x])


@kernel
def keep_meeting(order, size, held, boxes, k):
    """Those of order[:size] whose boxes, rows of `held`, meet boxes[k] to the front, in place and without a branch;
    returns how many."""
    kept = 0
    for i in range(size):
        row = np.int64(order[i])
        meets = meet(held, row, boxes, k)
        order[i] = order[kept]
        order[kept] = row
        kept += meets
    return kept


@kernel
def leaf_faces(pair, side, part, start_mine, start_other, slots, leaf, leaf_boxes, triangles, place_mine, place_other,
               world, first, ends, owner_start, owners, sides, edges, held, order, seen, state, candidates, count,
               tally):
    """Append the pairs of triangles that the edges order[:state[MET]] give with those of a leaf, `part` of the slots;
    returns their number. Where there is no more room, `state` says where to go on, else its places are zero.

    FACES at a time are tested against an edge; `seen` holds, for each triangle with the edge, those that another of
    its edges has given, and parts of the set before this one have given those that its edges there meet.
    """
    spare = held.shape[0] - 1
    for s in range(part[0] + state[FACE], part[0] + part[1], FACES):
        faces = min(FACES, part[0] + part[1] - s)
        for i in range(state[EDGE], state[MET]):
            mask = met_faces(held, np.int64(order[i]), leaf_boxes, leaf + s, faces)
            tally[1] += faces
            if mask == 0:
                continue
            edge = first + edges[order[i]]
            for k in range(owner_start[edge] + state[OWNER], owner_start[edge + 1]):
                if count + FACES > candidates.shape[0]:
                    state[FACE] = s - part[0]
                    state[EDGE] = i
                    state[OWNER] = k - owner_start[edge]
                    return count
                triangle = np.int64(owners[k]) // 3
                new = np.uint32(mask & ~seen[triangle])
                seen[triangle] |= mask
                for side_of in range(3 * triangle, 3 * triangle + 3):
                    before = sides[3 * start_mine + side_of]
                    if new != 0 and before < edges[0]:
                        fit_edge(first + before, place_mine, world, ends, held, spare)
                        new &= ~met_faces(held, spare, leaf_boxes, leaf + s, faces)
                while new != 0:
                    face = np.int64(slots[start_other + s + lowest_bit(new)])
                    new &= new - np.uint32(1)
                    if side and edge_meets(triangles, start_mine + triangle, place_mine, start_other + face,
                                           place_other, world):
                        continue                    # given by side 0
                    candidates[count, 0] = pair
                    candidates[count, 1] = face if side else triangle
                    candidates[count, 2] = triangle if side else face
                    count += 1
            state[OWNER] = 0
        forget(edges, order, state[MET], first, owner_start, owners, seen)
        state[EDGE] = 0
    state[FACE] = 0
    return count


@kernel
def forget(edges, order, size, first, owner_start, owners, seen):
    """seen = 0 for the triangles with the edges order[:size]."""
    for i in range(size):
        edge = first + edges[order[i]]
        for k in range(owner_start[edge], owner_start[edge + 1]):
            seen[np.int64(owners[k]) // 3] = 0


@kernel
def met_faces(held, row, leaf_boxes, leaf, faces):
    """Bit s is set where held[row] meets leaf_boxes[leaf + s], for s < faces."""
    mask = np.uint32(0)
    for s in range(faces):
        mask |= np.uint32(meet(held, row, leaf_boxes, leaf + s)) << np.uint32(s)
    return mask


@kernel
def edge_meets(triangles, triangle, place, face, place_face, world):
    """1 where the box of an edge of the face meets the box of the triangle."""
    a = place + triangles[triangle, 0]
    b = place + triangles[triangle, 1]
    c = place + triangles[triangle, 2]
    found = 0
    for k in range(3):
        p = place_face + triangles[face, k]
        q = place_face + triangles[face, (k + 1) % 3]
        meets = 1
        for x in range(3):
            meets &= min(world[p, x], world[q, x]) <= max(world[a, x], max(world[b, x], world[c, x]))
            meets &= max(world[p, x], world[q, x]) >= min(world[a, x], min(world[b, x], world[c, x]))
        found |= meets
    return found
