# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a mesh leaks: the border edges of what seems to hold the other object."""
import bpy
import pytest
from scene_building import CUBE_FACES, add, add_cube, mesh_of
from touchpoint.addon.rows.table import Row

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def leaky(registered):
    """A large cube that lacks half a face, a hole too small for the cube in it; its faces are not welded."""
    corners = [(x, y, z) for x in (-2, 2) for y in (-2, 2) for z in (-2, 2)]
    vertices = [corners[i] for face in CUBE_FACES for i in face]
    faces = [tuple(range(4 * number, 4 * number + 4 - (number == 5))) for number in range(6)]
    add_cube("Held", size=3.0)
    leaky = add("Leaky", mesh_of("Leaky", vertices[:23], faces))
    bpy.ops.touchpoint.detect()
    return leaky


def selected_edges(mesh):
    return [edge for edge in mesh.edges if edge.select]


def test_the_border_of_the_holder_is_selected(leaky):
    settings = bpy.context.scene.touchpoint
    settings.pair_index = 0
    pair = settings.result.pairs[0]
    assert pair.verdict == "cannot tell" and pair.holder == "b"
    assert "Held seems to be inside Leaky, which has a hole, with a winding number of 0.9" in pair.line
    for vertex in leaky.data.vertices:
        vertex.select = True
    assert bpy.ops.touchpoint.select_border() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH" and bpy.context.object == leaky
    # Not bpy.context.tool_settings: in Blender 4.2 bpy.context then keeps the scene as the owner of what it gives, and
    # who assigns bpy.context.window.scene writes into that scene, also when it is gone: a crash some tests later.
    assert tuple(bpy.context.scene.tool_settings.mesh_select_mode) == (False, True, False)
    bpy.ops.object.mode_set(mode="OBJECT")
    found = selected_edges(leaky.data)
    rim = {tuple(leaky.data.vertices[i].co) for edge in found for i in edge.vertices}
    # No seam between faces that are not welded is selected.
    assert len(found) == 3 and len(rim) == 3 and {z for _, _, z in rim} == {2.0}


def test_rows_and_objects_that_have_none_are_told(leaky, monkeypatch):
    settings = bpy.context.scene.touchpoint
    settings.pair_index = -1
    assert not bpy.ops.touchpoint.select_border.poll()
    settings.pair_index = 0
    leaky.hide_set(True)
    assert bpy.ops.touchpoint.select_border() == {"CANCELLED"}
    leaky.hide_set(False)
    monkeypatch.setattr(Row, "holder", "")
    assert bpy.ops.touchpoint.select_border() == {"CANCELLED"}
    monkeypatch.undo()
    bpy.data.objects.remove(leaky)
    assert bpy.ops.touchpoint.select_border() == {"CANCELLED"}
    assert bpy.context.mode == "OBJECT"
