# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders of Cycles show nothing of a result."""
import bpy
import numpy as np
import pytest
from scene_building import add_cube

pytestmark = pytest.mark.usefixtures("registered")

SIZE = 48


@pytest.fixture
def film(registered, tmp_path):
    """Takes a picture of two cubes that cross; (SIZE,SIZE,4) float32."""
    add_cube("A")
    moving = add_cube("B", (1.3, 1.2, 1.1))
    for frame, x in ((1, 1.3), (4, 3.0)):
        moving.location.x = x
        moving.keyframe_insert("location", frame=frame)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 4
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.camera.location, scene.camera.rotation_euler = (6.5, -6.5, 5.5), (1.1, 0.0, 0.785)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler = 0.4, 0.3, 0.0
    for each in (scene.camera, sun):
        scene.collection.objects.link(each)
    if "cycles" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="cycles")
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.use_adaptive_sampling = 4, False, False
    scene.render.filepath = str(tmp_path / "picture.png")

    def taken():
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath, check_existing=False)
        try:
            return np.array(image.pixels[:], np.float32).reshape(SIZE, SIZE, 4)
        finally:
            bpy.data.images.remove(image)

    return taken


def test_renders_are_those_without_a_result(film):
    """With points, empties, colours of objects and an active row; of one frame and of an animation."""
    settings, before = bpy.context.scene.touchpoint, film()
    assert np.ptp(before[..., :3]) > 0.2        # there is something to be seen
    settings.show_points = settings.empties = settings.colour_objects = True
    assert bpy.ops.touchpoint.detect() == {"FINISHED"} and len(settings.result.pairs) == 1
    assert tuple(bpy.data.objects["A"].color) != (1.0, 1.0, 1.0, 1.0)
    assert np.array_equal(film(), before)
    settings.result.pair_index = 0
    assert np.array_equal(film(), before)
    assert bpy.ops.touchpoint.check_animation() == {"FINISHED"} and len(settings.result.pairs) == 1
    assert np.array_equal(film(), before)
    bpy.ops.touchpoint.clear()
    assert np.array_equal(film(), before)


def test_the_picture_would_tell(film):
    """Of any object that renders, be it as small as an empty's place."""
    before = film()
    add_cube("Dot", (1.5, -1.5, 1.5), size=0.3)
    assert not np.array_equal(film(), before)


def test_a_material_that_asks_for_the_colour_of_objects(film):
    """It shows results, as README says, unless objects are to keep their colours."""
    settings, material = bpy.context.scene.touchpoint, bpy.data.materials.new("Asks")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    links.new(nodes.new("ShaderNodeObjectInfo").outputs["Color"], shader.inputs["Base Color"])
    for name in "AB":
        bpy.data.objects[name].data.materials.append(material)
    before = film()
    settings.colour_objects = False
    bpy.ops.touchpoint.detect()
    assert np.array_equal(film(), before)
    settings.colour_objects = True
    bpy.ops.touchpoint.detect()
    assert not np.array_equal(film(), before)
    bpy.ops.touchpoint.clear()
    assert np.array_equal(film(), before)
