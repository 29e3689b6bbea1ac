# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulation that is not baked is where it should be only if every frame before was visited."""
import bpy
import pytest
from command_line import detect, run
from scene_building import add, add_cube, mesh_of

SAID = ("The simulation of {} is not baked, and its frames were not played one after the other: objects that depend on "
        "it may stand elsewhere. Bake it.")
NEAR = ("--clearance", 0.1)     # Blender leaves a margin between bodies


def add_body(name, kind, location, size=2.0):
    each = add_cube(name, location, size=size)
    with bpy.context.temp_override(object=each, active_object=each):
        bpy.ops.rigidbody.object_add()
    each.rigid_body.type = kind


@pytest.fixture
def falling(save):
    """A box that falls onto a floor, on which it lies from frame 14 on."""
    add_body("Box", "ACTIVE", (0, 0, 4))
    add_body("Floor", "PASSIVE", (0, 0, -1), 6.0)
    return save()


def test_a_leap_leaves_the_answer_open(falling, tmp_path, capsys):
    """The box hung in the air on frame 40, and the answer was clear."""
    data = detect(falling, tmp_path, "--frame", 40, *NEAR, code=2)
    assert data["notes"] == [SAID.format("Box")]
    assert f"Note: {SAID.format('Box')}" in capsys.readouterr().out
    assert detect(falling, tmp_path, code=0)["notes"] == []         # where it starts


def test_frames_in_turn_are_right(falling, tmp_path):
    report = tmp_path / "r.json"
    assert run("animation", falling, "--frames", "1:40", *NEAR, "--json", report) == 1
    assert "not baked" not in report.read_text(encoding="utf-8")
    assert run("animation", falling, "--frames", "1:40", "--step", 13, "--fail-on", "none", "--json", report) == 2
    assert SAID.format("Box") in report.read_text(encoding="utf-8")


def test_cloth(save, tmp_path):
    steps = range(4)
    grid = mesh_of("Cloth", [(0.1 * x, 0.1 * y, 3) for x in steps for y in steps],
                   [(4 * x + y, 4 * x + y + 1, 4 * x + y + 5, 4 * x + y + 4) for x in range(3) for y in range(3)])
    add("Cloth", grid).modifiers.new("Cloth", "CLOTH")
    add_cube("Far", (9, 0, 0))
    bpy.context.scene.frame_set(30)
    scene = save()
    assert detect(scene, tmp_path, code=2)["notes"] == [SAID.format("Cloth")]
    assert detect(scene, tmp_path, "--frame", 1, code=0)["notes"] == []


def test_in_tests(tmp_path, registered, save, capsys):
    add_body("Box", "ACTIVE", (0, 0, 4))
    add_body("Floor", "PASSIVE", (0, 0, -1), 6.0)
    test = bpy.context.scene.touchpoint.tests.add()
    test.name = "Late"
    bpy.context.scene.frame_set(40)
    assert run("detect", save(), "--test", "Late") == 2
    assert f"Note: {SAID.format('Box')}" in capsys.readouterr().out


@pytest.mark.parametrize("physics, code", [("NEWTON", 2), ("NO", 0)])
def test_particles_that_stay_are_no_simulation(physics, code, save, tmp_path):
    """It makes no difference to them which frames were visited."""
    dust = add_cube("Source").modifiers.new("Dust", "PARTICLE_SYSTEM").particle_system.settings
    dust.physics_type = physics
    add_cube("Far", (9, 0, 0))
    data = detect(save(), tmp_path, "--frame", 30, code=code)
    assert data["notes"] == ([SAID.format("Source")] if code else [])
