# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth that is not baked: checked, shown, played again, and jumped to."""
import bpy
import numpy as np
from harness import log, open_sidebar, picture, run, until
from touchpoint_panel import coloured, detect_by_mouse, press_undo, result, running, scene

LAST = 20


def build():
    """A sheet two metres up, which falls through a cube that reaches up to one and a half from frame 13 on."""
    bpy.data.objects["Cube"].location.z = 0.5
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=12, y_subdivisions=12, size=3, location=(0, 0, 2))
    cloth = bpy.context.object
    cloth.name = "Cloth"
    cloth.modifiers.new("Cloth", "CLOTH")
    scene().frame_end = LAST


def places(frame):
    """Where the cloth is in a frame."""
    scene().frame_set(frame)
    evaluated = bpy.data.objects["Cloth"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", found)
    return found


def session():
    build()
    played = [places(frame) for frame in range(1, LAST + 1)]
    log("lowest in each frame", [round(float(each[2::3].min()), 3) for each in played])
    assert played[-1][2::3].min() < -0.3, "it does not fall: the session tells nothing"
    bpy.data.objects["Cloth"].modifiers["Cloth"].settings.quality += 1     # so that nothing of it is known any more
    bpy.data.objects["Cloth"].modifiers["Cloth"].settings.quality -= 1
    scene().frame_set(1)
    scene().touchpoint.animation.range = "CUSTOM"
    scene().touchpoint.animation.first, scene().touchpoint.animation.last = 14, LAST
    bpy.ops.ed.undo_push(message="Build")

    yield from open_sidebar("Touchpoint")
    yield from until(lambda: bpy.ops.touchpoint.check_animation.poll(), 60)
    bpy.ops.touchpoint.check_animation("INVOKE_DEFAULT")
    yield from until(lambda: not running() and result().animated, 120)
    yield 1.0
    picture("simulated_checked.png")
    log(result().headline, result().notes, [(pair.name, pair.when) for pair in result().pairs])
    pair, = result().pairs
    assert pair.when.startswith("14") and scene().frame_current == 1
    scene().frame_set(LAST)
    assert coloured() == {"Cube"}       # a colour would begin the cloth anew
    again = [places(frame) for frame in range(1, LAST + 1)]
    assert all(np.array_equal(one, other) for one, other in zip(played, again)), "the check has spoiled its cache"

    yield from press_undo()
    scene().frame_set(1)
    bpy.data.objects["Cloth"].modifiers["Cloth"].settings.quality += 1
    scene().frame_set(15)
    yield from detect_by_mouse()
    picture("simulated_jumped.png")
    log(result().headline, result().notes)
    assert "The simulation of Cloth is not baked" in str(result().notes)


run(session)
