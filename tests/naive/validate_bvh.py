# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker of trees: plain Python, for tests and for hunting faults."""
import numpy as np
from touchpoint.core.trees.bvh.build import ITEMS_PER_LEAF, Tree
from touchpoint.core.trees.bvh.nodes import EMPTY


def tree_faults(tree: Tree, items: int) -> list[str]:
    """Sentences about what is wrong with the topology of a tree over so many items; empty when nothing is."""
    faults, seen_nodes, seen_slots = [], set(), []
    stack = [tree.root]
    while stack:
        code = stack.pop()
        node = ~code if code < 0 else code
        if node in seen_nodes:
            faults.append(f"node {node} has two parents")
            continue
        seen_nodes.add(node)
        if bool(tree.leaf[node]) != (code < 0):
            faults.append(f"node {node} is named by a code of the other kind")
        children = tree.children[node].tolist()
        if code < 0:
            slots = [slot for slot in children if slot >= 0]
            seen_slots += slots
            if not 1 <= len(slots) <= ITEMS_PER_LEAF:
                faults.append(f"leaf {node} holds {len(slots)} items")
        else:
            inner = [child for child in children if child != EMPTY]
            if len(inner) < 2:
                faults.append(f"inner node {node} has {len(inner)} children")
            faults += [f"child {child} of node {node} does not come behind it"
                       for child in inner if (~child if child < 0 else child) <= node]
            stack += inner
    if len(seen_nodes) != len(tree.children):
        faults.append(f"{len(tree.children) - len(seen_nodes)} nodes cannot be reached")
    if sorted(seen_slots) != list(range(items)):
        faults.append("the leaves do not hold every slot once")
    if sorted(tree.order.tolist()) != list(range(items)):
        faults.append("the order is no permutation of the items")
    return faults


def box_faults(tree: Tree, boxes: np.ndarray, items: np.ndarray, quantization: np.ndarray) -> list[str]:
    """Sentences about boxes that do not hold what is below them. boxes: (m,6,4) float32; items: (n,6) float64 boxes in
    world coordinates, by slot; quantization: (4,) origin and scale."""
    faults = []
    origin, scale = quantization[:3], quantization[3]
    placed = np.concatenate([(items[:, :3] - origin) * scale, (items[:, 3:] - origin) * scale], axis=1)
    for node, children in enumerate(tree.children.tolist()):
        for q, child in enumerate(children):
            low, high = boxes[node, :3, q].astype(float), boxes[node, 3:, q].astype(float)
            if tree.leaf[node]:
                inside = child < 0 or ((low <= placed[child, :3]).all() and (placed[child, 3:] <= high).all())
            else:
                below = boxes[~child if child < 0 else child].astype(float)
                inside = child == EMPTY or ((low <= below[:3].min(axis=1)).all()
                                            and (below[3:].max(axis=1) <= high).all())
            if not inside:
                faults.append(f"box {q} of node {node} does not hold what is in it")
    return faults
