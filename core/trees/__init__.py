# SPDX-License-Identifier: GPL-3.0-or-later
"""One layout for trees over triangles and over objects.

A tree is `children` (m,4) int32 and, once placed, `boxes` (m,6,4) float32: rows lo x y z, hi x y z, one column per
child. Node 0 is the root. In an inner node a child is the number of an inner node (≥ 1), ~number of a bottom node
(< 0), or EMPTY; in a bottom node it is the slot of an item (in leaf order) or -1. Children have larger numbers than
their parent, so that one sweep from the end refits a tree.
"""
