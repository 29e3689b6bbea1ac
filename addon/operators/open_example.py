# SPDX-License-Identifier: GPL-3.0-or-later
"""Open Example: the scenes that come with the extension."""
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from ..scene_read.instances import SURFACE_TYPES

if TYPE_CHECKING:
    from .reasoned import Outcome

EXAMPLES_FOLDER = Path(__file__).resolve().parents[2] / "sample_scenes"
FRAME_AFTER = 0.1       # seconds, for Blender to draw the new file first
KNOWN = {       # file: (title, what to see in it); other files are listed behind them
    "workshop": ("Workshop", "An everyday scene: modifiers, instances, text, a curve, a figure; some of it collides"),
    "dominoes": ("Dominoes", "A row of dominoes on a table"),
    "ramp_ball": ("Ball on a Ramp", "A ball is pushed onto a ramp, flies off and comes down on the floor"),
    "bullets": ("Bullets", "Bullets and blades so fast and thin that they meet what they pass between two frames"),
    "walk": ("Walk", "A figure deformed by its skeleton; its arms pass through its body, a bag and a post"),
    "robot_cell": ("Robot Cell", "An arm whose links cross at every joint, as they must, and pass three fixtures"),
    "swarm": ("Swarm", "Cubes that fly through each other, turning: they come together and part again"),
    "mine": ("Mine", "A hundred fragments of rock"),
    "fifteen_objects": ("Fifteen Objects", "Fifteen objects that move at random in a small space"),
    "close_shells": ("Close Shells", "Two shells of 5,000 triangles that cross all over; one turns"),
    "equal_tori": ("Equal Tori", "A hundred tori of one size"),
    "mixed_tori": ("Mixed Tori", "A hundred tori of very different sizes, one in another"),
}


_opening = False        # until it is there: Blender may ask first whether to save changes


def opened() -> None:
    """A file was loaded: let 3D viewports show an example as a whole."""
    global _opening
    if _opening and not bpy.data.filepath:
        _frame_soon()
    _opening = False


def _frame_soon() -> None:
    if not bpy.app.background:
        bpy.app.timers.register(_frame, first_interval=FRAME_AFTER, persistent=True)     # others end with the file


def _frame() -> None:
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            for region in area.regions if area.type == "VIEW_3D" else ():
                if region.type == "WINDOW":
                    with bpy.context.temp_override(window=window, area=area, region=region):
                        _frame_surfaces(window.scene, window.view_layer)


def _frame_surfaces(scene: bpy.types.Scene, layer: bpy.types.ViewLayer) -> None:
    """What can be tested fills the view, as far as the camera sees it: not the lamp high above it, nor bullets that
    are still on their way."""
    selected = [each for each in layer.objects if each.select_get(view_layer=layer)]
    surfaces = [each for each in layer.objects if each.type in SURFACE_TYPES or each.instance_type != "NONE"]
    wanted = [each for each in surfaces if _is_in_picture(scene, each)] or surfaces
    for each in layer.objects:
        each.select_set(each in wanted, view_layer=layer)
    try:
        bpy.ops.view3d.view_selected()
    finally:
        for each in layer.objects:
            each.select_set(each in selected, view_layer=layer)


def _is_in_picture(scene, each) -> bool:
    """True where the scene's camera, if there is one, sees the middle of the object's box."""
    if scene.camera is None:
        return True
    middle = each.matrix_world @ (sum(map(Vector, each.bound_box), Vector()) / 8.0)
    seen = world_to_camera_view(scene, scene.camera, middle)
    return 0.0 <= seen.x <= 1.0 and 0.0 <= seen.y <= 1.0 and seen.z > 0.0


def examples() -> list[str]:
    """Names of the scenes that are there, the known ones first."""
    found = sorted(path.stem for path in EXAMPLES_FOLDER.glob("*.blend"))
    return [name for name in KNOWN if name in found] + [name for name in found if name not in KNOWN]


class TOUCHPOINT_OT_open_example(bpy.types.Operator):
    """Open a scene that comes with Touchpoint, as a new file; Blender asks first whether to save changes"""

    bl_idname = "touchpoint.open_example"
    bl_label = "Open Example"
    bl_options = {"INTERNAL"}

    name: StringProperty(name="Name", description="Name of the example, without .blend")

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        return KNOWN[properties.name][1] if properties.name in KNOWN else ""

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> "Outcome":
        return self._open("INVOKE_DEFAULT")

    def execute(self, context: bpy.types.Context) -> "Outcome":
        return self._open("EXEC_DEFAULT")

    def _open(self, how: str):
        if self.name not in examples():
            self.report({"ERROR"}, f'There is no example "{self.name}"')
            return {"CANCELLED"}
        global _opening
        _opening = True
        # As a start-up file: it has no path then, and saving cannot change the extension's own copy.
        bpy.ops.wm.read_homefile(how, filepath=str(EXAMPLES_FOLDER / f"{self.name}.blend"), load_ui=False)
        return {"FINISHED"}


class TOUCHPOINT_MT_examples(bpy.types.Menu):
    bl_idname = "TOUCHPOINT_MT_examples"
    bl_label = "Open Example"

    def draw(self, _context: bpy.types.Context) -> None:
        names = examples()
        for name in names:
            title = KNOWN[name][0] if name in KNOWN else name.replace("_", " ").title()
            self.layout.operator(TOUCHPOINT_OT_open_example.bl_idname, text=title).name = name
        if not names:
            self.layout.label(text="No examples are installed")
