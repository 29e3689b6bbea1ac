# SPDX-License-Identifier: GPL-3.0-or-later
"""For scripts that run inside a real Blender window: the mouse, the keyboard, waiting, pictures.

    def session():                          a generator: each `yield seconds` lets Blender draw and handle input
        yield from open_sidebar("Touchpoint")
        yield from press_button("touchpoint.detect")
        yield from until(lambda: finished())

    run(session)

run() ends Blender when the generator ends, with exit status 0, or with 1 after an exception; its traceback is printed
and the screen saved as error.png. Files go to the folder named by SESSION_OUT. Needs xdotool and ImageMagick.
"""
import json
import os
import subprocess
import sys
import time
import traceback

import bpy

OUT = os.environ["SESSION_OUT"]
HOVER_SECONDS = 0.15        # Blender needs a moment and a redraw to know what is under the mouse
HOVER_STEP = 13             # pixels, less than a button is high
EDGE_STEP = 3
_START = time.perf_counter()
_figures = {}
_places = {}                # where something was found before: it is looked for there first


def log(*words):
    print(f"[{time.perf_counter() - _START:7.2f}]", *words, flush=True)


def note(name, seconds, digits=2):
    """Keep a measured time; the test that started the session prints it."""
    _figures[name] = round(seconds, digits)
    with open(os.path.join(OUT, "figures.json"), "w") as file:
        json.dump(_figures, file)


def window():
    # bpy.context.window is None inside a timer.
    return bpy.context.window_manager.windows[0]


def view3d(region_type="WINDOW"):
    """(area, region) of the first 3D view."""
    area = next(area for area in window().screen.areas if area.type == "VIEW_3D")
    return area, next(region for region in area.regions if region.type == region_type)


def context(region_type="WINDOW"):
    """The context that operators have when the mouse is in that region of the 3D view."""
    area, region = view3d(region_type)
    return bpy.context.temp_override(window=window(), screen=window().screen, area=area, region=region)


def until(condition, seconds=180.0, step=0.1):
    """`yield from until(lambda: ...)`. Raises TimeoutError. Never rely on fixed pauses: machines are slow at times."""
    end = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > end:
            raise TimeoutError(f"not reached within {seconds:g} s")
        yield step


def picture(name):
    """The whole screen; Blender's own screenshot operator gives a black one with software OpenGL."""
    subprocess.run(["import", "-window", "root", os.path.join(OUT, name)], check=True, timeout=60)


def xdotool(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True, timeout=30)


def point_at_view():
    """Move the mouse into the 3D view."""
    _, region = view3d()
    xdotool("mousemove", region.x + region.width // 3, window().height - region.y - region.height // 2)
    time.sleep(0.05)


def key(name):
    """Press a key, named as xdotool does, with the mouse in the 3D view."""
    point_at_view()
    xdotool("key", name)


def open_sidebar(tab, width=None):
    """Open the sidebar of the 3D view on a tab. The tabs exist only after a first drawing, hence the waiting."""
    view3d()[0].spaces.active.show_region_ui = True

    def shown():
        area, region = view3d("UI")
        try:
            region.active_panel_category = tab
        except (TypeError, AttributeError):     # not drawn yet
            pass
        area.tag_redraw()
        return region.active_panel_category == tab

    yield from until(shown)
    yield 0.3


def _under_mouse(copy, **options):
    """What one of Blender's copy operators says about the button under the mouse, '' for none."""
    manager = bpy.context.window_manager
    manager.clipboard = ""
    with context("UI"):
        if copy.poll():
            copy(**options)
    return manager.clipboard


def _find(matches, description):
    """Move the mouse down the sidebar until `matches()`. Returns the place (x, y), y from the top of the screen."""
    _, region = view3d("UI")
    x = region.x + region.width // 2 - 20
    top = window().height - region.y - region.height
    # A busy Blender does not always notice at once: twice.
    down = [y for start in (6, 12) for y in range(top + start, top + region.height - 6, HOVER_STEP)]
    for y in [*_places.get(description, ()), *down]:
        xdotool("mousemove", x, y)
        yield HOVER_SECONDS
        if matches():
            _places[description] = [y]
            return x, y
    raise LookupError(f"not in the sidebar: {description}")


def find_button(operator):
    """Place of the button of an operator ("touchpoint.detect") in the open sidebar."""
    return (yield from _find(
        lambda: _under_mouse(bpy.ops.ui.copy_python_command_button).startswith(f"bpy.ops.{operator}("), operator))


def find_property(end):
    """Place of the first button of a property whose full data path ends like this."""
    return (yield from _find(lambda: _is_of(end), end))


def find_upper_edge(end):
    """The same place, but no more than EDGE_STEP pixels below the upper edge of that button."""
    x, y = yield from find_property(end)
    while _is_of(end):
        y -= EDGE_STEP
        xdotool("mousemove", x, y)
        yield HOVER_SECONDS
    return x, y + EDGE_STEP


def _is_of(end):
    """Is the button under the mouse of a property whose full data path ends like this."""
    return _under_mouse(bpy.ops.ui.copy_data_path_button, full_path=True).endswith(end)


def click(place):
    xdotool("mousemove", *place, "sleep", "0.1", "click", "1")


def press_button(operator):
    """Find an operator's button in the sidebar and click it with the mouse."""
    place = yield from find_button(operator)
    click(place)


def choose_from_list(end, from_last, name):
    """Open the list of a property, save a picture of it, and take the entry so far above its last one."""
    click((yield from find_property(end)))
    yield 1.0
    picture(name)
    for key_name in ("End", *from_last * ("Up",), "Return"):
        xdotool("key", key_name)
        yield 0.4


def type_into(end, text, done):
    """Type into the field of a property, which Enter opens where the mouse is in its middle."""
    x, y = yield from find_property(end)
    xdotool("mousemove", x + 60, y)
    yield 0.4
    for key_name in ("Return", "ctrl+a", text, "Return"):
        xdotool("key", key_name)
        yield 0.4
    yield from until(done, 10)


def _end(status):
    log("exit", status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)            # the quit operator always gives 0


def run(session):
    """Run the generator function from a timer, which survives the loading of files, then end Blender."""
    bpy.context.preferences.view.show_splash = False
    steps = session()

    def tick():
        try:
            return max(float(next(steps)), 0.01)
        except StopIteration:
            _end(0)
        except BaseException:
            traceback.print_exc()
            try:
                picture("error.png")
            finally:
                _end(1)

    bpy.app.timers.register(tick, first_interval=1.0, persistent=True)
