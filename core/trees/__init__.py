# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees over triangles and objects: linear BVHs (bvh/), trees of oriented boxes (obb/), balanced trees (balanced/).

The layout of bvh/: a tree is `children` (m,4) int32 and, once placed, `boxes` (m,6,4) float32 with rows lo x y z
hi x y z and a column per child. Node 0 is the root. A child of an inner node is the code of a node (bvh/nodes.py). A
child of a leaf is the slot of an item, or -1; slots number the items in leaf order. Children have larger numbers than
their parent, so that one sweep from the end refits a tree.
"""
