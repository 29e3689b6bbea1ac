# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint: finds where meshes collide.

The repository root is the package. Nothing is imported at module level, so that ``touchpoint.core`` can be
used without Blender and pytest can import the root.
"""


def register():
    from . import addon

    addon.register()


def unregister():
    from . import addon

    addon.unregister()
