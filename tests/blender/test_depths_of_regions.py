# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of regions from the command line and from Python."""
import bpy
import pytest
from command_line import detect, refused
from scene_building import add, add_cube, mesh_of
from touchpoint.addon import api, phrases
from touchpoint.addon.asked import changed_since
from touchpoint.addon.chosen import depths_of_regions

FEET = [(-0.5, 0.25), (0.25, 0.5)]      # where two feet stand along x, and how deep in the cube


def add_bodies():
    """A cube from -1 to 1 and one mesh with two feet in its top."""
    add_cube("Table")
    corners = [(x + dx, dy, 1 - deep + dz) for x, deep in FEET for dx in (0, 0.125) for dy in (0, 0.125)
               for dz in (0, 2)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    add("Feet", mesh_of("Feet", corners, [[8 * k + i for i in quad] for k in (0, 1) for quad in quads]), (0, 0, 0))


def test_the_command_line_lists_regions_in_metres(save, tmp_path, capsys):
    bpy.context.scene.unit_settings.scale_length = 0.1
    add_bodies()
    scene = save()
    pair = detect(scene, tmp_path, "--regions", code=1)["pairs"][0]
    assert [each["depth"] for each in pair["regions"]] == pytest.approx([0.05, 0.025], abs=1e-7)
    assert "0.05 m deep in 2 regions (0.05 m, 0.025 m)" in capsys.readouterr().out
    assert "regions" not in detect(scene, tmp_path, code=1)["pairs"][0]
    assert "--regions does not go with --test" in refused(capsys, "detect", scene, "--test", "all", "--regions")


def test_python_has_them_in_blender_units():
    add_bodies()
    found = api.detect(regions=True, tolerance=0).regions
    assert found["depth"] == pytest.approx([0.5, 0.25], abs=1e-6)


@pytest.mark.usefixtures("registered")
def test_the_sidebar_asks_and_tells_those_of_the_chosen_row():
    add_bodies()
    settings, scene = bpy.context.scene.touchpoint, bpy.context.scene
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    settings.pair_index = 0
    assert depths_of_regions(scene) == []
    settings.regions = True
    assert changed_since(settings.result, settings) == ["Depths of Regions"]
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    settings.pair_index = 0
    assert depths_of_regions(scene) == ["50 cm", "25 cm"]
    assert phrases.in_regions(depths_of_regions(scene)) == " in 2 regions (50 cm, 25 cm)"
    bpy.data.objects["Feet"].location.z = 0.1
    bpy.context.view_layer.update()
    assert depths_of_regions(scene) == []           # it is not true any more
    settings.pair_index = -1
    assert depths_of_regions(scene) == []
