# SPDX-License-Identifier: GPL-3.0-or-later
"""Help: the page that comes with the extension, also behind Online Manual in the menus of its buttons."""
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .reasoned import Outcome

HELP_PAGE = Path(__file__).resolve().parents[1] / "help" / "index.html"
# Blender asks for lower-case names of operators, and of properties by their group; the first that fits is taken.
MANUAL_PARTS = (
    ("bpy.ops.touchpoint.check_animation*", "#animations"), ("bpy.ops.touchpoint.*collision", "#animations"),
    ("bpy.types.touchpoint_pg_animation*", "#animations"),
    ("bpy.ops.touchpoint.*rule*", "#normal"), ("bpy.types.touchpoint_pg_rule*", "#normal"),
    ("bpy.ops.touchpoint.*", "#first"), ("bpy.types.touchpoint_*", "#verdicts"))


class TOUCHPOINT_OT_help(bpy.types.Operator):
    """Open the help in the web browser. It comes with Touchpoint: nothing is loaded from the network"""

    bl_idname = "touchpoint.help"
    bl_label = "Help"
    bl_options = {"REGISTER"}

    def execute(self, _context: bpy.types.Context) -> "Outcome":
        bpy.ops.wm.url_open(url=HELP_PAGE.as_uri())
        return {"FINISHED"}


def manual() -> tuple[str, tuple[tuple[str, str], ...]]:
    """What `bpy.utils.register_manual_map` asks for."""
    return HELP_PAGE.as_uri(), MANUAL_PARTS


def register() -> None:
    bpy.utils.register_manual_map(manual)


def unregister() -> None:
    bpy.utils.unregister_manual_map(manual)
