# SPDX-License-Identifier: GPL-3.0-or-later
"""How the arrays of trees of oriented boxes are read.

A box is 15 numbers: its centre, three axes one after another, and half its sizes. A node's code, int32, is the number
of its left child, the right one being next; a leaf's is ~triangle (< 0).
"""
from ...machine_code.jit import kernel

BOX_NUMBERS, AXES_AT, HALF_AT = 15, 3, 12   # how many numbers a box has, where its axes and its half sizes begin


@kernel
def is_leaf(code):
    """True for the code of a leaf."""
    return code < 0


@kernel
def triangle_of(code):
    """The triangle in the leaf with this code."""
    return ~code
