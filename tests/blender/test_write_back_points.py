# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh with all contacts."""
import bpy
import numpy as np
import pytest
from report_building import point_mesh, report_of, results
from scene_building import add_cube, edit
from touchpoint.addon import write_back
from touchpoint.addon.names import OBJECT_NAMES
from touchpoint.core import TouchpointError
from touchpoint.core.codes import CROSSING, OVERLAP


@pytest.fixture(autouse=True)
def cubes(empty_file):
    return [add_cube(name) for name in "ABC"]


def column(name, width=1):
    """An attribute of the point mesh as an array."""
    attribute = point_mesh().data.attributes[name]
    assert attribute.domain == "POINT"
    member, dtype = {"FLOAT_VECTOR": ("vector", np.float32), "BOOLEAN": ("value", bool),
                     "INT": ("value", np.int32)}[attribute.data_type]
    values = np.empty(width * len(attribute.data), dtype)
    attribute.data.foreach_get(member, values)
    return values.reshape(-1, width) if width > 1 else values


def test_every_contact_is_a_vertex_with_attributes():
    write_back.write(report_of(("A", "B", "crossing", 3), ("B", "C", "overlap", 2)))
    number = np.arange(5)
    assert np.array_equal(column("position", 3), np.stack((number, 0 * number, 0 * number + 0.5), axis=1))
    assert column("pair").tolist() == [0, 0, 0, 1, 1]
    assert column("object_a").tolist() == [0, 0, 0, 1, 1]
    assert column("object_b").tolist() == [1, 1, 1, 2, 2]
    assert column("triangle_a").tolist() == [10, 11, 12, 13, 14]
    assert column("triangle_b").tolist() == [20, 21, 22, 23, 24]
    assert column("kind").tolist() == [2] * 5
    assert column("proper").tolist() == [True, False, True, False, True]
    assert column("verdict").tolist() == [CROSSING] * 3 + [OVERLAP] * 2
    assert column("normal", 3).tolist() == [[0, 1, 0]] * 5
    assert list(point_mesh()[OBJECT_NAMES]) == ["A", "B", "C"]


def test_contacts_of_pairs_that_only_touch_are_points_where_that_is_asked_for(registered):
    write_back.write(report_of(("A", "B", "crossing", 3), ("A", "C", "touching", 4), ("B", "C", "overlap", 2)))
    assert column("pair").tolist() == [0, 0, 0, 2, 2] and column("triangle_a").tolist() == [10, 11, 12, 17, 18]
    bpy.context.scene.touchpoint.points = 4
    assert column("pair").tolist() == [0, 0, 2, 2]
    bpy.context.scene.touchpoint.show_touching = True
    assert sorted(set(column("pair").tolist())) == [0, 1, 2] and len(column("pair")) == 4
    bpy.context.scene.touchpoint.points = 100
    assert len(column("pair")) == 9
    write_back.write(report_of(("A", "B", "touching", 3)))
    assert len(column("pair")) == 3
    bpy.context.scene.touchpoint.show_touching = False
    assert point_mesh() is None or len(point_mesh().data.vertices) == 0


def test_a_rerun_keeps_object_and_mesh():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    point_mesh().name = "My Contacts"
    before = point_mesh().session_uid, point_mesh().data.session_uid
    write_back.write(report_of(("A", "B", "crossing", 7)))
    assert (point_mesh().session_uid, point_mesh().data.session_uid) == before
    assert point_mesh().name == "My Contacts" and len(point_mesh().data.vertices) == 7
    assert column("triangle_a").tolist() == list(range(10, 17))
    assert len(bpy.data.meshes) == 4


def test_a_rerun_without_contacts_empties_it():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    write_back.write(report_of())
    assert len(point_mesh().data.vertices) == 0 and len(column("pair")) == 0


def test_nothing_is_made_without_contacts():
    write_back.write(report_of())
    assert results() == [] and len(bpy.data.collections) == 0


def test_a_hundred_thousand_contacts(registered):
    bpy.context.scene.touchpoint.points = 100_000
    write_back.write(report_of(("A", "B", "crossing", 100_000)))
    assert len(point_mesh().data.vertices) == 100_000
    assert column("triangle_b")[-1] == 100_019


@pytest.mark.parametrize("limit, kept", [
    (1, [0]), (4, [0, 4, 8, 9]), (9, [0, 1, 3, 4, 6, 8, 9, 10, 11]), (12, list(range(12)))])
def test_of_too_many_contacts_some_of_each_pair_are_points(registered, limit, kept):
    for name in "ABC":
        add_cube(name)
    settings = bpy.context.scene.touchpoint
    settings.points = limit
    report = report_of(("A", "B", "crossing", 8), ("A", "C", "crossing", 1), ("B", "C", "crossing", 3))
    write_back.write(report)
    assert column("triangle_a").tolist() == [10 + number for number in kept]
    assert (", 4 as points" in settings.result.contacts) == (limit == 4)
    assert column("object_b").tolist() == [report.pairs["b"][report.contacts.pair[number]] for number in kept]
    settings.points = 11        # at once
    assert len(column("pair")) == 11 and set(column("pair").tolist()) == {0, 1, 2}
    assert settings.result.contacts == "12 contacts at 12 places, 11 as points"
    settings.empties = 3
    assert settings.result.contacts == "12 contacts at 12 places, 3 marked, 11 as points"
    settings.show_points = False
    assert point_mesh() is None and settings.result.contacts == "12 contacts at 12 places, 3 marked"


def test_it_is_not_opened_beside_the_users_meshes(cubes):
    write_back.write(report_of(("A", "B", "crossing", 3)))
    bpy.ops.object.select_all(action="SELECT")
    assert not point_mesh().select_get()


def drawn():
    """Names of what Blender evaluates, and so can draw."""
    bpy.context.view_layer.update()
    return {each.object.name for each in bpy.context.evaluated_depsgraph_get().object_instances}


def test_viewports_draw_it_where_that_is_asked_for(registered):
    settings, report = bpy.context.scene.touchpoint, report_of(("A", "B", "crossing", 3))
    write_back.write(report)
    assert point_mesh().hide_viewport and len(drawn()) == 6     # cubes and empties
    settings.draw_points = True
    assert point_mesh().name in drawn()
    point_mesh().hide_viewport = True
    write_back.write(report)
    assert point_mesh().name not in drawn()     # as the user left it
    write_back.clear()
    write_back.write(report)
    assert point_mesh().name in drawn()
    settings.draw_points = False
    assert point_mesh().name not in drawn()


def test_open_in_edit_mode_it_is_refused_and_nothing_changes(cubes):
    write_back.write(report_of(("A", "B", "crossing", 3)))
    own = tuple(cubes[2].color)
    point_mesh().hide_select = point_mesh().hide_viewport = False
    edit(point_mesh())
    with pytest.raises(TouchpointError, match="Edit Mode"):
        write_back.write(report_of(("A", "C", "crossing", 5)))
    assert tuple(cubes[2].color) == own
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(point_mesh().data.vertices) == 3


def test_a_mesh_open_in_edit_mode_is_no_hindrance(cubes):
    edit(cubes[0])
    write_back.write(report_of(("A", "B", "crossing", 3)))
    assert bpy.context.mode == "EDIT_MESH" and len(point_mesh().data.vertices) == 3


def test_a_deleted_point_mesh_is_made_again():
    write_back.write(report_of(("A", "B", "crossing", 3)))
    bpy.data.objects.remove(point_mesh())
    write_back.write(report_of(("A", "B", "crossing", 4)))
    assert len(point_mesh().data.vertices) == 4
