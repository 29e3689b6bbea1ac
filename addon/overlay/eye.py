# SPDX-License-Identifier: GPL-3.0-or-later
"""How what is drawn over surfaces comes to lie above them."""
from typing import TYPE_CHECKING

from mathutils import Matrix

if TYPE_CHECKING:
    import bpy

NEARER = 0.999      # of the distance to the eye


def towards_eye(view: "bpy.types.RegionView3D") -> Matrix:
    """Moves what is drawn a little towards the eye, in the space of a view (`bpy.types.RegionView3D`), where the eye
    looks along -z."""
    if view.is_perspective:
        return Matrix.Scale(NEARER, 4)
    return Matrix.Translation((0.0, 0.0, (1.0 - NEARER) * view.view_distance))
