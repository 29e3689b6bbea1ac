# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours in saved pictures of the screen."""
import os

import bpy
import numpy as np
from harness import OUT, view3d


def in_view_where(name, *wanted):
    """How many pixels of a saved picture of the screen, in the 3D view, each of the functions picks. They take red,
    green and blue, (h,w) float32 each, and return (h,w) bool."""
    image = bpy.data.images.load(os.path.join(OUT, name))
    width, height = image.size
    pixels = np.zeros(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    _, region = view3d()
    colours = pixels.reshape(height, width, 4)[region.y:region.y + region.height, region.x:region.x + region.width, :3]
    return [int(np.count_nonzero(each(*colours.transpose(2, 0, 1)))) for each in wanted]
