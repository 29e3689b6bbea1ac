# SPDX-License-Identifier: GPL-3.0-or-later
"""Common surface that encloses nothing, as all of it is parallel to an axis: a block on a block, a pin in its hole.

Where neither solid has surface inside the other, all that they share is enclosed by common surface. Something that has
a volume is not enclosed by planes that are all parallel to one line. So there is no need to ask on which side of their
common surface the solids are.
"""
import numpy as np

from ..contacts import AREA, Contacts
from ..geometry.orientation import EXPANSION_SIZE, orientation2
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel
from ..trees.bvh.forest import Forest
from ..trees.bvh.place_objects import place_triangle

ALL_AXES = 7        # a bit for each axis that all common surface of a pair is parallel to


def may_enclose(forest: Forest, a: np.ndarray, pair: np.ndarray, found: Contacts) -> np.ndarray:
    """(pairs,) bool: the common surface of a pair is not all parallel to an axis.

    a: (pairs,) int32, positions of placed objects in the forest; found: all contacts of these pairs, pair: (contacts,)
    int64, the pair of each.
    """
    axes = np.full(len(a), ALL_AXES, np.uint8)
    find_axes(pair, found.triangle_a, found.kind, a, forest.meshes.slots, forest.corners, np.empty((3, 3)),
              np.empty(EXPANSION_SIZE), axes)
    return axes == 0


@kernel
def find_axes(pair, triangle, kind, a, slots, corners, P, expansion, axes):
    """Take off axes[k], (pairs,) uint8, the axes that some triangle of a[k] in an area of contact is not parallel to.

    pair, triangle, kind: (contacts,); slots: of MeshTreeArrays; corners: Corners; P (3,3) and expansion: scratch. The
    rest as in `may_enclose`.
    """
    for k in range(pair.shape[0]):
        owner = pair[k]
        if kind[k] != AREA or axes[owner] == 0:
            continue
        place_triangle(np.int64(a[owner]), np.int64(triangle[k]), slots, corners, P, 0)
        exponent = scale_exponent(P)
        if exponent == NO_EXPONENT:
            axes[owner] = 0
            continue
        scale_rows(P, exponent)
        for axis in range(3):
            if (axes[owner] >> axis & 1
                    and orientation2(P, 0, 1, 2, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0):
                axes[owner] &= ~(1 << axis)
