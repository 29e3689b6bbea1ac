# SPDX-License-Identifier: GPL-3.0-or-later
"""An object is deleted during a run: the rest gets its result, nothing else is lost."""
import bpy
from harness import run, until
from touchpoint_panel import add_heavy_scene, check_result_is_there, coloured, has_result, running, start_detect


def session():
    add_heavy_scene(count=6)
    names = {each.name for each in bpy.data.objects}
    start_detect()
    yield 1.0
    assert running()
    bpy.data.objects.remove(bpy.data.objects["Wave 2"])
    yield from until(has_result, 120)
    check_result_is_there()
    assert "Wave 2" not in coloured()
    assert names - {each.name for each in bpy.data.objects} == {"Wave 2"}


run(session)
