# SPDX-License-Identifier: GPL-3.0-or-later
"""How the arrays of a tree are read: codes of children.

A child's code is the number of an inner node (≥ 1), ~number of a leaf (< 0), or EMPTY. The kernels here take codes as
int64, as each kernel keeps one signature.
"""
from numba.extending import register_jitable

from ...machine_code.jit import kernel

EMPTY = 0                       # code of a missing child: 0 is the root, which is nobody's child
NODE_FLOATS = 24                # float32 numbers in the boxes of a node
CHILD_PAIRS = 16                # of two nodes


@register_jitable(inline="always")     # a call, which LLVM inlines, costs a twelfth of the kernel that asks most often
def is_leaf(code):
    """True for the code of a leaf."""
    return code < 0


@register_jitable(inline="always")
def node_of(code):
    """The number of the node that a code names: the code, or ~code where it is negative."""
    return code ^ (code >> 63)


@kernel
def leaf_code(node):
    """The code of a leaf."""
    return ~node
