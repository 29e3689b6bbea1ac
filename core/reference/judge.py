# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on one pair of objects."""
from ..codes import A_IN_B, B_IN_A, CANNOT_TELL, CLEAR, CONTAINED, CROSSING, NEITHER, NOT_CLOSED, OK, OVERLAP, TOUCHING
from ..contacts import Contacts
from .inside import OPEN, components_inside, seems_enclosed
from .pieces import Solid, shared_volume
from .surface import Surface
from .verdict import crosses


def judge(one: Surface, other: Surface, found: Contacts) -> tuple[int, int, int]:
    """(verdict, status, inner), codes of codes.py. A_IN_B means that `one` lies in `other`. found: all contacts of the
    pair, triangle_a being of `one`."""
    if len(found) == 0:
        return apart(one, other)
    if crosses(one, other, found):
        return CROSSING, OK, NEITHER
    return touching(one, other, found)


def touching(one: Surface, other: Surface, found: Contacts) -> tuple[int, int, int]:
    """(verdict, status, inner) of surfaces that meet without passing through each other: do they share volume all the
    same?"""
    shared = shared_volume(Solid(one.corners, one.solid), Solid(other.corners, other.solid), found)
    return {"a in b": (CONTAINED, OK, A_IN_B), "b in a": (CONTAINED, OK, B_IN_A), "overlap": (OVERLAP, OK, NEITHER),
            "": (TOUCHING, OK, NEITHER)}[shared]


def apart(one: Surface, other: Surface) -> tuple[int, int, int]:
    """(verdict, status, inner) of surfaces that do not meet."""
    one_in_other, other_in_one = lies_within(one, other), lies_within(other, one)
    if one_in_other == {True} and True not in other_in_one:
        return CONTAINED, OK, A_IN_B
    if other_in_one == {True} and True not in one_in_other:
        return CONTAINED, OK, B_IN_A
    if True in one_in_other | other_in_one:
        return OVERLAP, OK, NEITHER
    for inner, outer, how in ((one, other, A_IN_B), (other, one, B_IN_A)):
        if outer.closed == OPEN and not outer.shell and seems_enclosed(
                inner.vertices, inner.triangles, outer.vertices, outer.triangles):
            return CANNOT_TELL, NOT_CLOSED, how
    return CLEAR, OK, NEITHER


def lies_within(inner: Surface, outer: Surface) -> set[bool]:
    """Whether each component of the one surface is inside the other; the empty set where that one is not closed."""
    if outer.solid == OPEN:
        return set()
    return components_inside(inner.vertices, inner.triangles, outer.corners, outer.solid)
