# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker of trees of oriented boxes: plain Python and whole numbers, for tests and for hunting faults."""
from fractions import Fraction

import numpy as np
from touchpoint.core.trees.obb.trees import ObbTrees


def tree_faults(trees: ObbTrees, root: int, triangles: int) -> list[str]:
    """Sentences about what is wrong with the topology of the tree below `root`, over so many triangles."""
    faults, leaves, stack = [], [], [root]
    start = int(trees.first[root])
    if trees.count[root] != triangles:
        faults.append(f"the root holds {trees.count[root]} triangles")
    while stack:
        node = stack.pop()
        first, count, code = int(trees.first[node]), int(trees.count[node]), int(trees.code[node])
        if code < 0:
            leaves.append(~code)
            if count != 1 or trees.slots[first] != ~code:
                faults.append(f"leaf {node} does not hold the triangle that it names")
            continue
        (left, behind), (right, _) = ((int(trees.first[k]), int(trees.first[k] + trees.count[k]))
                                      for k in (code, code + 1))
        sizes = int(trees.count[code]), int(trees.count[code + 1])
        if left != first or right != behind or sum(sizes) != count or min(sizes) < 1:
            faults.append(f"the children of node {node} do not share what it holds")
        stack += [code, code + 1]
    if sorted(leaves) != list(range(triangles)):
        faults.append("the leaves do not hold every triangle once")
    if sorted(trees.slots[start:start + triangles].tolist()) != list(range(triangles)):
        faults.append("the slots are no permutation of the triangles")
    return faults


def box_faults(trees: ObbTrees, obj: int, corners: np.ndarray) -> list[str]:
    """Sentences about nodes of an object whose box in the world does not hold what is below them, in exact arithmetic.
    corners: (triangles,3,3) float64, where the triangles are in the world."""
    points = [[[Fraction(x) for x in corner] for corner in triangle] for triangle in corners.tolist()]
    faults, stack = [], [int(trees.root[obj])]
    while stack:
        node = stack.pop()
        stack += [] if trees.code[node] < 0 else [int(trees.code[node]), int(trees.code[node]) + 1]
        centre, axes, half = (array[0] for array in trees.node_boxes(obj, np.array([node])))
        first = int(trees.first[node])
        below = trees.slots[first:first + int(trees.count[node])].tolist()
        if not box_holds(centre, axes, half, [corner for t in below for corner in points[t]]):
            faults.append(f"the box of node {node} does not hold its triangles")
    return faults


def box_holds(centre, axes, half, points) -> bool:
    """Do all points, of Fractions, lie in the body of all centre + x axes[0] + y axes[1] + z axes[2] with |x| ≤ half[0]
    and so on? In exact arithmetic; (3,), (3,3), (3,) float64."""
    middle, size = ([Fraction(float(x)) for x in row] for row in (centre, half))
    a, b, c = ([Fraction(float(x)) for x in row] for row in axes)
    across = _cross(b, c), _cross(c, a), _cross(a, b)
    volume = abs(_dot(a, across[0]))
    for point in points:
        way = [p - q for p, q in zip(point, middle)]
        if any(abs(_dot(way, across[k])) > size[k] * volume for k in range(3)):
            return False
    return True


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a, b):
    return [a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3] for k in range(3)]
