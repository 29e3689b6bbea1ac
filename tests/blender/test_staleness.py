# SPDX-License-Identifier: GPL-3.0-or-later
"""What is marked as changed since a run, at which rows; and that nothing is where nothing changed."""
import bpy
import pytest
from moving_building import curves, edited
from report_building import report_of
from scene_building import add_cube, add_text
from touchpoint.addon import session, staleness, write_back
from touchpoint.addon.rules.kept import add_rules

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name) for name in "ABC"]


def result():
    return bpy.context.scene.touchpoint.result


def object_of(name):
    return bpy.data.objects[name]


def detected(*rules):
    """Detect with these rules; nothing has changed since."""
    add_rules(bpy.context.scene.touchpoint, rules)
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    assert said() == []


def said():
    """What the panel says of the result, once Blender has told all."""
    bpy.context.view_layer.update()
    return staleness.sentences(result())


def write(*pairs):
    bpy.context.view_layer.update()
    write_back.write(report_of(*(pairs or [("A", "B", "crossing", 1), ("B", "C", "touching", 1)])))


def marks():
    """What stands at each row, in the order of the list."""
    bpy.context.view_layer.update()
    return [staleness.change_of(result(), pair) for pair in result().pairs]


def is_fresh():
    return marks() == ["", ""] and not staleness.is_stale(result()) and staleness.sentences(result()) == []


def move():
    object_of("A").location.x += 1.0


def move_back():
    object_of("A").location.x -= 1.0


def edit():
    object_of("A").data.vertices[0].co.x += 1.0
    object_of("A").data.update()


def edit_back():
    object_of("A").data.vertices[0].co.x -= 1.0
    object_of("A").data.update()


def hide():
    object_of("A").hide_set(True)


def show():
    object_of("A").hide_set(False)


def disable():
    object_of("A").hide_viewport = True


def enable():
    object_of("A").hide_viewport = False


def unlink():
    bpy.context.scene.collection.objects.unlink(object_of("A"))


def link():
    bpy.context.scene.collection.objects.link(object_of("A"))


def into_collection():
    new = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(new)
    new.objects.link(object_of("A"))
    unlink()


def exclude():
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = True


def include():
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = False


CHANGES = [(move, move_back, "A moved"), (edit, edit_back, "A changed"), (hide, show, "A hidden"),
           (disable, enable, "A hidden"), (unlink, link, "A not in the view layer")]


@pytest.mark.parametrize("change, back, said", CHANGES)
def test_a_change_is_marked_at_the_rows_it_concerns_until_it_is_taken_back(change, back, said):
    write()
    assert is_fresh()
    change()
    assert marks() == [said, ""] and staleness.sentences(result()) == [f"Since then: {said}"]
    back()
    assert is_fresh()


def test_an_excluded_collection():
    into_collection()
    write()
    assert is_fresh()
    exclude()
    assert marks() == ["A not in the view layer", ""]
    include()
    assert is_fresh()


@pytest.mark.parametrize("change, back, said", CHANGES)
def test_undo_takes_the_mark_away_and_redo_brings_it_back(change, back, said):
    write()
    bpy.ops.ed.undo_push(message="detect")
    change()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="change")
    bpy.ops.ed.undo()
    assert is_fresh()
    bpy.ops.ed.redo()
    assert marks() == [said, ""]


def test_undo_of_a_deletion():
    write()
    bpy.ops.ed.undo_push(message="detect")
    bpy.data.objects.remove(object_of("A"))
    assert marks() == ["A deleted", ""]
    bpy.ops.ed.undo_push(message="delete")
    bpy.ops.ed.undo()
    assert is_fresh()


def test_undo_of_a_selection_claims_nothing():
    write()
    bpy.ops.ed.undo_push(message="detect")
    object_of("B").select_set(True)
    bpy.ops.ed.undo_push(message="select")
    bpy.ops.ed.undo()
    assert is_fresh()


@pytest.mark.parametrize("change, back, said", CHANGES[:-1])
def test_a_file_keeps_it(change, back, said, save):
    write()
    change()
    assert marks() == [said, ""]
    open_again(save)
    assert marks() == [said, ""] and staleness.sentences(result()) == [f"Since then: {said}"]
    back()
    assert is_fresh()


def test_a_file_of_which_nothing_changed(save):
    write()
    object_of("C").name = "Renamed"
    open_again(save)
    assert is_fresh()
    edit()
    assert marks() == ["A changed", ""]
    edit_back()
    assert is_fresh()


def test_a_file_keeps_a_deletion(save):
    write()
    bpy.data.objects.remove(object_of("A"))
    open_again(save)
    assert marks() == ["A deleted", ""]


def test_a_result_of_which_nothing_is_kept(save):
    write()
    path = save()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    result().watch = "[1, 2"
    session.reset()
    staleness.take_from_file(bpy.data.scenes)
    assert staleness.is_stale(result()) and staleness.sentences(result()) == [staleness.UNKNOWN_CHANGES]


def open_again(save):
    bpy.ops.wm.open_mainfile(filepath=str(save()))


def test_a_mirrored_text_is_as_it_was():
    text = add_text("Text")
    text.scale.x, text.rotation_euler.x = -1.0, 1.57079637   # its matrix has zeros of both signs
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    assert staleness.sentences(result()) == []


def test_what_is_new():
    write()
    add_cube("D")
    bpy.context.view_layer.update()
    assert marks() == ["", ""] and staleness.sentences(result()) == ["Since then: D new"]
    bpy.data.objects.remove(object_of("D"))
    assert is_fresh()


def test_something_that_was_hidden_is_shown():
    add_cube("D").hide_set(True)
    write()
    assert is_fresh()
    object_of("D").hide_set(False)
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == ["Since then: D new"]


def test_what_a_key_hides():
    object_of("A").keyframe_insert("hide_viewport", frame=1)
    write()
    assert is_fresh()
    for hidden in (1.0, 0.0):
        for curve in curves():
            curve.keyframe_points[0].co.y = hidden
        edited()
        assert marks() == (["A hidden", ""] if hidden else ["", ""])


def hidden_by(each, expression):
    """Let a driver hide it. Returns the driver."""
    driver = each.driver_add("hide_viewport").driver
    driver.expression = expression
    bpy.context.view_layer.update()
    return driver


def test_what_a_driver_shows():
    driver = hidden_by(add_cube("D"), "1")
    write()
    assert is_fresh()
    driver.expression = "0"
    assert marks() == ["", ""] and staleness.sentences(result()) == ["Since then: D new"]
    driver.expression = "1"
    assert is_fresh()


def test_what_a_driver_hides_while_something_else_is_dragged():
    """By where that is."""
    driver = hidden_by(object_of("A"), "0")
    variable = driver.variables.new()
    variable.type, variable.targets[0].id = "TRANSFORMS", object_of("C")
    variable.targets[0].transform_type, driver.expression = "LOC_X", f"{variable.name} > 3"
    write()
    assert is_fresh()
    object_of("C").location.x = 4.0
    assert marks() == ["A hidden", "C moved"]


def test_what_is_hidden_at_the_frame_that_was_tested_by_an_edit_at_another_one():
    for frame in (1, 2):
        object_of("A").keyframe_insert("hide_viewport", frame=frame)
    write()
    bpy.context.scene.frame_set(5)
    for curve in curves():
        curve.keyframe_points[0].co.y = 1.0
    edited()
    assert is_fresh()
    bpy.context.scene.frame_set(1)
    assert marks() == ["A hidden", ""]


def test_at_another_frame_nothing_can_be_compared_and_at_its_own_it_is():
    object_of("A").keyframe_insert("location", frame=1)
    write()
    bpy.context.scene.frame_set(5)
    assert is_fresh()
    edit()
    assert marks() == ["A changed", ""]
    edit_back()
    assert marks() == ["A changed", ""]
    bpy.context.scene.frame_set(1)
    assert is_fresh()


def test_an_instanced_object_is_marked_at_its_instancer():
    shelf = bpy.data.collections.new("Shelf")
    mug = add_cube("Mug", collection=shelf)
    row = bpy.data.objects.new("Row", None)
    bpy.context.scene.collection.objects.link(row)
    row.instance_type, row.instance_collection = "COLLECTION", shelf
    bpy.context.view_layer.update()
    write(("Row ▸ Mug #1", "A", "crossing", 1), ("B", "C", "touching", 1))
    assert is_fresh()
    mug.data.vertices[0].co.x += 1.0
    mug.data.update()
    assert marks() == ["Row changed", ""]
    mug.data.vertices[0].co.x -= 1.0
    mug.data.update()
    assert is_fresh()
    row.location.x += 1.0
    assert marks() == ["Row moved", ""]


def test_a_text():
    add_text("T")
    write(("T", "A", "crossing", 1), ("B", "C", "touching", 1))
    assert is_fresh()
    object_of("T").data.body = "Other"
    assert marks() == ["T changed", ""]
    object_of("T").data.body = "Hi"
    assert is_fresh()


def test_many_are_counted():
    for number in range(4):
        add_cube(f"D{number}")
    write()
    for number in range(4):
        object_of(f"D{number}").location.x += 1.0
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == ["Since then: 4 objects moved"]
    write()
    assert is_fresh()


def test_an_animation(save):
    object_of("A").keyframe_insert("location", frame=1)
    bpy.context.scene.frame_end = 2
    bpy.ops.touchpoint.check_animation()
    bpy.context.view_layer.update()
    assert not staleness.is_stale(result())
    bpy.context.scene.frame_set(2)
    assert not staleness.is_stale(result())
    object_of("B").location.x += 1.0
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == ["Since then: B moved"]
    open_again(save)
    bpy.context.view_layer.update()
    assert staleness.sentences(result()) == ["Since then: B moved"]


@pytest.fixture
def viewport(registered):
    """The 3D viewport that asks."""
    bpy.ops.wm.read_factory_settings()
    for name in "AB":
        add_cube(name)
    window = bpy.context.window_manager.windows[0]
    area = next(each for each in window.screen.areas if each.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        yield area.spaces.active


@pytest.mark.parametrize("inside", [False, True], ids=["found before", "found in it"])
def test_a_local_view_changes_nothing(viewport, inside):
    """It shows a part of the scene, in one viewport."""
    object_of("A").select_set(True)
    object_of("B").select_set(True)
    object_of("Cube").select_set(False)
    if inside:
        bpy.ops.view3d.localview(frame_selected=False)
    detected()
    assert result().tested.startswith("2" if inside else "3")
    bpy.ops.view3d.localview(frame_selected=False)
    assert said() == []
    object_of("Cube" if not inside else "A").hide_set(True)
    assert said() == [f"Since then: {'A' if inside else 'Cube'} hidden"]
