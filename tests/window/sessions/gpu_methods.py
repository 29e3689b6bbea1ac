# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods that draw: picked from the list, run, stopped by Esc between slices while Blender goes on, compared; and Esc
while pictures are saved."""
import os
import sys
import time

import bmesh
import bpy
from harness import (
    OUT,
    choose_from_list,
    context,
    log,
    note,
    open_sidebar,
    picture,
    point_at_view,
    run,
    until,
    window,
    xdotool,
)
from touchpoint_panel import (
    detect_by_mouse,
    from_last,
    has_result,
    open_compare_panel,
    result,
    running,
    scene,
    scroll_down,
    start_detect,
)

SESSION = "bl_ext.user_default.touchpoint.addon.session"
COMPARED = ("touchpoint", "ibcd", "stream")


def clear():
    """The settings of the scene, without a result."""
    with context():
        bpy.ops.touchpoint.clear()
    return scene().touchpoint


def add_balls(count, segments):
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    mesh, made = bpy.data.meshes.new("Ball"), bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=segments, v_segments=segments // 2, radius=1.0)
    made.to_mesh(mesh)
    made.free()
    for number in range(count):
        ball = bpy.data.objects.new(f"Ball {number}", mesh)
        ball.location = 1.3 * (number % 6), 1.4 * (number // 6), 0.3 * (number % 3)
        scene().collection.objects.link(ball)
    with context():
        bpy.ops.view3d.view_all()
        bpy.ops.ed.undo_push(message="Balls")


def pick(method):
    """From the list, in a panel without a result, so that the list is in sight."""
    settings = clear()
    yield 0.5
    yield from choose_from_list(".method", from_last(settings, "method", method), f"pick_{method}.png")
    yield from until(lambda: settings.method == method, 10)


def escape(stage, name):
    """Start Detect, press Esc in the middle of a stage that draws, and measure how long it goes on. A redraw happens
    between slices meanwhile."""
    progress, redraws = bpy.context.window_manager.touchpoint, []
    handler = bpy.types.SpaceView3D.draw_handler_add(lambda: redraws.append(time.perf_counter()), (), "WINDOW",
                                                     "POST_PIXEL")
    before = result().run_id
    start_detect()
    yield from until(lambda: not running() or progress.stage == stage, 300, step=0.02)
    yield 1.0
    assert running(), f"the run was over before it could be cancelled in {stage}"
    at, seen = time.perf_counter(), len(redraws)
    log("Esc in", progress.stage, f"{progress.fraction:.0%}")
    picture(f"{name}_running.png")
    work = sys.modules[SESSION].run()
    point_at_view()
    pressed = time.perf_counter()
    xdotool("key", "Escape")
    yield from until(lambda: work.is_cancelled, 30, step=0.01)
    note(f"from Esc until it is heard, {name}", time.perf_counter() - pressed)
    yield from until(lambda: not running(), 60, step=0.01)
    note(f"from Esc to the end, {name}", time.perf_counter() - pressed)
    bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")
    log("redraws since", at, len(redraws) - seen)
    assert result().run_id == before or result().partial
    yield 0.5
    picture(f"{name}_cancelled.png")


def compare():
    for each in scene().touchpoint.compared_methods.bl_rna.properties:
        if each.type == "BOOLEAN":
            setattr(scene().touchpoint.compared_methods, each.identifier, each.identifier in COMPARED)
    clear().repeats = 1
    yield 0.5
    yield from open_compare_panel()
    with context():
        assert bpy.ops.touchpoint.compare("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    comparison = scene().touchpoint.comparison
    yield from until(lambda: not running() and comparison.run_id, 400)
    rows = {row.name: row for row in comparison.rows}
    log(comparison.headline, {name: (row.seconds, row.found, row.reason, row.notes) for name, row in rows.items()})
    assert len(rows) == len(COMPARED) and all(row.found == "same" and not row.reason for row in rows.values())
    assert any("by the pictures alone" in row.notes for row in rows.values())
    scene().touchpoint.comparison_index = next(number for number, row in enumerate(comparison.rows)
                                               if row.name.startswith("IBCD"))
    for _ in range(3):          # the region learns how long it is when it is drawn
        scroll_down()
        yield 0.5
    picture("compared.png")


def pictures_into(folder, most):
    """As the button does, and the button of the file browser."""
    os.makedirs(folder, exist_ok=True)
    with context():
        assert bpy.ops.touchpoint.save_pictures("INVOKE_DEFAULT", directory=folder, most=most) == {"RUNNING_MODAL"}
    yield from until(lambda: any(area.type == "FILE_BROWSER" for area in window().screen.areas), 30)
    yield 0.5
    area = next(each for each in window().screen.areas if each.type == "FILE_BROWSER")
    area.spaces.active.params.directory = folder.encode()
    region = next(each for each in area.regions if each.type == "WINDOW")
    with bpy.context.temp_override(window=window(), screen=window().screen, area=area, region=region):
        bpy.ops.file.execute()


def saves_pictures():
    """True from when the file browser is gone until the operator has ended."""
    return (not any(area.type == "FILE_BROWSER" for area in window().screen.areas)
            and any(each.bl_idname == "TOUCHPOINT_OT_save_pictures" for each in window().modal_operators))


def escape_of_pictures():
    """Esc between two pictures: none is written. Then all of them."""
    start_detect()
    yield from until(has_result, 120)
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    folder = os.path.join(OUT, "saved")
    yield from pictures_into(folder, 20)
    yield from until(saves_pictures, 30, step=0.02)
    point_at_view()
    pressed = time.perf_counter()
    xdotool("key", "Escape")
    yield from until(lambda: not saves_pictures(), 60, step=0.02)
    note("from Esc to the end of Pictures", time.perf_counter() - pressed)
    assert os.listdir(folder) == [], os.listdir(folder)
    yield from pictures_into(folder, 2)
    yield from until(saves_pictures, 30, step=0.02)
    yield from until(lambda: not saves_pictures(), 60)
    assert len(os.listdir(folder)) == 2 and all(each.endswith(".png") for each in os.listdir(folder))
    yield 1.0
    picture("saved_pictures.png")


def session():
    bpy.context.preferences.view.ui_scale = 0.9
    with context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    add_balls(18, 24)
    yield from open_sidebar("Touchpoint")
    yield from pick("ibcd")
    yield from detect_by_mouse("Detect with IBCD")
    found = result().pairs_found
    picture("ibcd.png")
    log(result().headline, result().notes)
    assert found and "were drawn by" in result().notes
    yield from pick("stream")
    scene().touchpoint.options.stream.device = "gpu"
    yield from detect_by_mouse("Detect with Stream")
    assert result().pairs_found == found
    picture("stream.png")

    add_balls(48, 48)
    scene().touchpoint.options.stream.form = "scd0"
    yield from escape("contacts", "stream")
    scene().touchpoint.method = "ibcd"
    scene().touchpoint.options.ibcd.resolution = 512
    yield from escape("verdicts", "ibcd")

    scene().touchpoint.options.ibcd.resolution = 64
    scene().touchpoint.options.stream.form = "walk"
    add_balls(18, 24)
    yield from compare()
    yield from escape_of_pictures()


run(session)
