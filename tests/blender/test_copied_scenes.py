# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of a scene of which somebody makes a copy."""
import bpy
import pytest
from scene_building import add_cube
from test_staleness import said
from touchpoint.addon import session, staleness

pytestmark = pytest.mark.usefixtures("registered")


def test_a_copy_of_a_tested_scene_has_objects_of_its_own(tmp_path, capfd):
    """What became of them was asked of the other scene: a result that was out of date was shown as if nothing had
    changed. Once the file was opened, the scene that is shown was compared with the copy, which Blender has not
    evaluated by then: an error, which Blender prints only."""
    first, *_ = [add_cube(name) for name in "ABC"]
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    assert said() == []
    first.data.vertices[0].co.x -= 0.5
    first.data.update()
    assert said() == ["Since then: A changed"]
    tested = bpy.context.scene
    bpy.ops.scene.new(type="FULL_COPY")
    assert session.report_of(tested) and session.report_of(bpy.context.scene) is None
    bpy.context.scene.objects[0].location.x = 50.0
    assert said() == [staleness.UNKNOWN_CHANGES]
    bpy.context.window.scene = tested
    path = str(tmp_path / "two_scenes.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert said() == ["Since then: A changed"]
    bpy.context.window.scene = bpy.data.scenes["Scene.001"]
    assert said() == [staleness.UNKNOWN_CHANGES]
    assert "Traceback" not in "".join(capfd.readouterr())
