# SPDX-License-Identifier: GPL-3.0-or-later
"""Results are marked where an instancer is drawn itself or not (Show Instancer), and was otherwise."""
import bpy
import pytest
from scene_building import add_cube
from test_staleness import is_fresh, marks, object_of, open_again, write

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name) for name in "ABC"]


def instancer_inside_an_instancer():
    """Row shows a collection of which Crate shows Apple at its corners, and itself."""
    shelf = bpy.data.collections.new("Shelf")
    crate, apple = add_cube("Crate", collection=shelf), add_cube("Apple", collection=shelf)
    apple.parent, crate.instance_type = crate, "VERTS"
    row = bpy.data.objects.new("Row", None)
    bpy.context.scene.collection.objects.link(row)
    row.instance_type, row.instance_collection = "COLLECTION", shelf
    bpy.context.view_layer.update()
    return crate


def test_an_instancer_that_is_itself_not_drawn_any_more(save):
    """What it instances stays. Of one that others instance, nothing else tells."""
    crate = instancer_inside_an_instancer()
    write(("Row ▸ Crate #1", "A", "crossing", 1), ("B", "C", "touching", 1))
    assert is_fresh()
    crate.show_instancer_for_viewport = False
    assert marks() == ["Row changed", ""]
    open_again(save)
    assert marks() == ["Row changed", ""]
    object_of("Crate").show_instancer_for_viewport = True
    assert is_fresh()


def test_an_instancer_that_was_not_drawn_itself():
    crate = instancer_inside_an_instancer()
    crate.show_instancer_for_viewport = False
    write(("Row ▸ Apple #1", "A", "crossing", 1), ("B", "C", "touching", 1))
    assert is_fresh()
    crate.show_instancer_for_viewport = True
    assert marks() == ["Row changed", ""]


def test_what_does_not_instance_is_drawn_anyway():
    write()
    object_of("A").show_instancer_for_viewport = False
    assert is_fresh()
