# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms: marked in the panel or by a script, kept with the object, asked headless as in the window."""
import bpy
import pytest
from report_building import report_of
from scene_building import CUBE_FACES, add, add_collection_instance, add_cube, mesh_of, new_collection
from touchpoint.addon import api, session, write_back
from touchpoint.core.codes import A_IN_B, B_IN_A

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def room(registered):
    """A room with three cubes in it, and one through its wall."""
    for number in range(3):
        add_cube(f"Chair {number}", (3 * number - 3, 0, 0), size=1.0)
    add_cube("Pipe", (0, 0, 5), size=1.0)
    return add_cube("Room", size=10.0)


def verdicts(report) -> dict:
    return {(report.name(pair["a"]), report.name(pair["b"])): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


CONTAINED = {(f"Chair {number}", "Room"): "contained" for number in range(3)}


def test_what_is_inside_a_marked_room_is_clear(room):
    assert verdicts(api.detect()) == {**CONTAINED, ("Pipe", "Room"): "crossing"}
    room.touchpoint.shell = True
    report = api.detect()
    assert verdicts(report) == {("Pipe", "Room"): "crossing"} and report.settings["shells"] == ["Room"]
    room.touchpoint.shell = False
    assert verdicts(api.detect()) == {**CONTAINED, ("Pipe", "Room"): "crossing"}


def test_instances_of_a_room_are_rooms(registered):
    collection = new_collection("Building")
    add_cube("Room", size=10.0, collection=collection).touchpoint.shell = True
    add_cube("Chair", size=1.0, collection=collection)
    add_collection_instance("Left", collection, (0, 0, 0))
    add_collection_instance("Right", collection, (20, 0, 0))
    report = api.detect()
    assert verdicts(report) == {} and len(report.settings["shells"]) == 2


def test_a_room_is_marked_from_the_list_and_by_proposal(room):
    bpy.ops.touchpoint.detect()
    settings = bpy.context.scene.touchpoint
    result = settings.result
    assert [item.name for item in result.containers] == ["Room contains 3 objects"]
    assert {pair.name: pair.holder for pair in result.pairs} == {
        "Chair 0 × Room": "b", "Chair 1 × Room": "b", "Chair 2 × Room": "b", "Pipe × Room": ""}
    settings.pair_index = next(row for row, pair in enumerate(result.pairs) if not pair.holder)
    assert bpy.ops.touchpoint.mark_shell() == {"CANCELLED"} and not room.touchpoint.shell
    assert bpy.ops.touchpoint.mark_shell(container=7) == {"CANCELLED"} and not room.touchpoint.shell
    settings.pair_index = next(row for row, pair in enumerate(result.pairs) if pair.holder)
    assert bpy.ops.touchpoint.mark_shell() == {"FINISHED"} and room.touchpoint.shell
    room.touchpoint.shell = False
    assert bpy.ops.touchpoint.mark_shell(container=0) == {"FINISHED"} and room.touchpoint.shell
    assert session.is_outdated(result)
    bpy.ops.touchpoint.detect()
    assert [pair.name for pair in result.pairs] == ["Pipe × Room"] and not result.containers


def test_a_car_without_its_windows_is_proposed(registered):
    """Of who sits in it nothing is said for certain; marked as a shell it is as empty as it looks."""
    corners = [(x, y, z) for x in (-5, 5) for y in (-2, 2) for z in (-2, 2)]
    add("Car", mesh_of("Car", corners, CUBE_FACES[:-1] + [CUBE_FACES[-1][:3]]))
    for number in range(3):
        add_cube(f"Person {number}", (3 * number - 3, 0, 0), size=2.9)
    report = api.detect()
    assert set(verdicts(report).values()) == {"cannot tell"}
    assert [title for title, _ in report.groups("container")] == ["perhaps inside Car"]
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    assert [item.name for item in result.containers] == ["Car perhaps contains 3 objects"]
    assert bpy.ops.touchpoint.mark_shell(container=0) == {"FINISHED"}
    bpy.ops.touchpoint.detect()
    assert not result.pairs and not result.containers


def test_few_contents_are_no_proposal(registered):
    for name in "ABC":
        add_cube(name)
    report = report_of(("A", "B", "contained", 0), ("A", "C", "contained", 0))
    report.pairs["inner"] = [B_IN_A, A_IN_B]
    write_back.write(report)
    assert not bpy.context.scene.touchpoint.result.containers


def test_the_mark_is_saved_and_copied(room, tmp_path):
    room.touchpoint.shell = True
    assert room.copy().touchpoint.shell
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "room.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "room.blend"))
    assert bpy.data.objects["Room"].touchpoint.shell and not bpy.data.objects["Pipe"].touchpoint.shell
