# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests: the list in the panel, runs of one or all, --test."""
import csv
import json

import bpy
import jsonschema
import pytest
from command_line import ROOT, SCHEMA, refused, run
from scene_building import add_cube, new_collection
from touchpoint.addon import properties, session
from touchpoint.addon.named_tests import named_test
from touchpoint.addon.rules.kept import add_rules
from touchpoint.addon.run import how_of
from touchpoint.core import Refused
from touchpoint.core.rules import Ref, Rule, write_rules

TESTS_SCHEMA = json.loads((ROOT / "docs" / "tests.schema.json").read_text(encoding="utf-8"))
BOLT = Rule("pairs", "a bolt in its hole", pairs=((Ref("Bolt"), Ref("Plate")),))


def settings():
    return bpy.context.scene.touchpoint


def add_test(name, **values):
    item = settings().tests.add()
    for key, value in {"name": name, **values}.items():
        setattr(item, key, value)
    return item


@pytest.fixture
def workshop(empty_file):
    """A Bolt crosses a Plate; a Ball in collection Balls meets the Wall in Walls from frame 11 on."""
    add_cube("Bolt")
    add_cube("Plate", (1, 0.25, 0.5))
    balls, walls = (new_collection(name, bpy.context.scene.collection) for name in ("Balls", "Walls"))
    ball = add_cube("Ball", (20, 0, 0), balls)
    for frame, x in ((10, 20), (11, 31)):
        ball.location.x = x
        ball.keyframe_insert("location", frame=frame)
    add_cube("Wall", (32, 0.25, 0.5), walls)
    bpy.context.scene.frame_set(1)
    return balls, walls


def add_tests(balls, walls):
    add_rules(settings(), [BOLT])
    add_test("Clash")
    add_test("Clash without rules", asked_rules="NONE")
    add_test("Balls", scope="COLLECTIONS", collection_a=balls, collection_b=walls, frames="1, 9:12")
    add_test("Gap", scope="COLLECTIONS", collection_a=balls, collection_b=walls, clearance=11.0)
    add_test("Gone", scope="COLLECTIONS", collection_a=balls)
    add_test("Wrong", frames="soon")


EXPECTED = {"Clash": 0, "Clash without rules": 1, "Balls": 1, "Gap": 1, "Gone": 3, "Wrong": 3}


def test_lengths_are_those_that_were_typed(empty_file, registered):
    """0.7 is kept as 0.699999988, and the gap is between the two."""
    first, second = add_cube("First"), add_cube("Second")
    for each, low, high in ((first, -1.0, -1e-9), (second, 0.7, 2.0)):
        for vertex in each.data.vertices:
            vertex.co.x = low if vertex.co.x < 0.0 else high
    settings().clearance = 0.7
    test = add_test("Gap", clearance=0.7)
    asked = named_test.NamedTest.of(test, []).how
    assert asked == how_of(bpy.context.scene) and asked["clearance"] == 0.7
    bpy.ops.touchpoint.detect()
    bpy.ops.touchpoint.run_tests(every=True)
    assert [pair.verdict for pair in settings().result.pairs] == ["near"] and test.code == 1
    first.select_set(True)
    second.select_set(True)
    bpy.ops.touchpoint.why()
    assert "near" in session.message()


def test_all_tests_are_run_and_each_says_how_it_ended(workshop, registered):
    add_tests(*workshop)
    assert bpy.ops.touchpoint.run_tests(every=True) == {"FINISHED"}
    assert {item.name: item.code for item in settings().tests} == EXPECTED
    lines = {item.name: item.line for item in settings().tests}
    assert lines["Clash"] == "No collisions, 1 pair taken away by 1 rule"
    assert lines["Balls"] == "Frame 11: 1 pair collides" and lines["Gap"] == "No collisions; 1 pair is near"
    assert "one is missing" in lines["Gone"] and '"soon" is no frame' in lines["Wrong"]
    assert bpy.context.scene.frame_current == 1 and not settings().result.run_id and session.run() is None


def test_a_test_has_its_own_tolerance(workshop, registered):
    for name, kind in (("Wide", "LENGTH"), ("Exact", "EXACT"), ("Automatic", "AUTOMATIC")):
        add_test(name, tolerance_kind=kind, tolerance=1.5)
    bpy.ops.touchpoint.run_tests(every=True)
    assert [item.code for item in settings().tests] == [0, 1, 1]
    assert settings().tests[0].line == "No collisions; 1 pair touches"


def test_a_test_can_be_of_one_object_with_itself(registered):
    add_cube("Alone")
    add_test("Itself", self_collisions=True)
    add_test("Others")
    bpy.ops.touchpoint.run_tests(every=True)
    assert [item.code for item in settings().tests] == [0, 3]


def test_one_test_is_run_by_itself(workshop, registered):
    add_tests(*workshop)
    settings().test_index = 2
    bpy.ops.touchpoint.run_tests(every=False)
    assert [item.code for item in settings().tests] == [-1, -1, 1, -1, -1, -1]
    for index, ran in ((2**31 - 1, 5), (-7, 0)):        # scripts may leave the index anywhere
        settings().tests[ran].code, settings().test_index = -1, index
        bpy.ops.touchpoint.run_tests(every=False)
        assert settings().tests[ran].code != -1


def test_the_list_is_edited(workshop, registered):
    assert not bpy.ops.touchpoint.run_tests.poll() and not bpy.ops.touchpoint.remove_test.poll()
    settings().scope = "SELECTED"
    assert not bpy.ops.touchpoint.add_test.poll()
    settings().scope, settings().collection_a, settings().collection_b = "COLLECTIONS", *workshop
    settings().method, settings().options.tsgo.depth, settings().clearance = "tsgo", 3, 0.5
    settings().tolerance_kind, settings().tolerance = "LENGTH", 0.002
    bpy.ops.touchpoint.add_test()
    bpy.ops.touchpoint.add_test()
    assert [item.name for item in settings().tests] == ["Test", "Test (2)"] and settings().test_index == 1
    kept = named_test.NamedTest.of(settings().tests[0], [])
    assert kept.where == {"scope": "COLLECTIONS", "collection_a": workshop[0], "collection_b": workshop[1]}
    assert kept.how["method"] == "tsgo" and kept.how["options"]["depth"] == 3 and kept.how["clearance"] == 0.5
    assert kept.how["tolerance"] == 0.002
    settings().tests[1].name = "Test"
    assert settings().tests[1].name == "Test (2)"
    settings().tests[1].name = ""
    assert settings().tests[1].name == "Test (2)"
    settings().scope, settings().method, settings().options.tsgo.depth = "VISIBLE", "rapid", -1
    bpy.ops.touchpoint.use_test()
    assert (settings().scope, settings().method, settings().options.tsgo.depth) == ("COLLECTIONS", "tsgo", 3)
    assert settings().tolerance_kind == "LENGTH"
    bpy.ops.touchpoint.remove_test()
    assert len(settings().tests) == 1 and settings().test_index == 0


def test_one_name_for_several_tests_is_refused(workshop, registered, tmp_path, capsys):
    """Scripts may write it past the panel; the first one was run for both, and the second one's collision missed."""
    add_test("Same", scope="COLLECTIONS", collection_a=workshop[0], collection_b=workshop[1])
    add_test("Clash")
    scene = bpy.context.scene
    kept = scene.bl_system_properties_get() if hasattr(scene, "bl_system_properties_get") else scene
    kept["touchpoint"]["tests"][1]["name"] = "Same"
    assert bpy.ops.touchpoint.run_tests(every=True) == {"CANCELLED"} and 'called "Same"' in session.message()
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    for name in ("Same", "all"):
        assert 'Several tests are called "Same"' in refused(capsys, "detect", path, "--test", name)


def test_an_error_says_at_which_frame(workshop, registered):
    """Where something is found before, too, and Show goes there."""
    for frame, hidden in ((1, False), (12, True)):
        workshop[0].objects[0].hide_viewport = hidden
        workshop[0].objects[0].keyframe_insert("hide_viewport", frame=frame)
    test = add_test("Balls", scope="COLLECTIONS", collection_a=workshop[0], collection_b=workshop[1], frames="11:13")
    bpy.ops.touchpoint.run_tests(every=True)
    assert (test.code, test.frame) == (3, 12) and test.line.startswith("Frame 12: Nothing in collection A")


def test_undo_takes_a_test_back(workshop, registered):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.touchpoint.add_test("EXEC_DEFAULT", True)
    assert len(settings().tests) == 1
    bpy.ops.ed.undo()
    assert len(settings().tests) == 0


@pytest.mark.parametrize("text, frames", [
    ("", ()), ("1", (1,)), (" 1, 12.5 ,1", (1, 12.5)), ("20:23", (20, 21, 22, 23)), ("1:10:4", (1, 5, 9)),
    ("0:1:0.25", (0, 0.25, 0.5, 0.75, 1)), ("0:0.3:0.1, 0.3", (0, 0.1, 0.2, 0.3)), ("-2:0, 7", (-2, -1, 0, 7))])
def test_frames(text, frames):
    assert named_test.frames_of(text) == frames


@pytest.mark.parametrize("text", ["a", "1;2", "1:2:3:4", "5:1", "1:9:0", "1:9:-1", "nan", "1:inf", "1:9999999", "1:x"])
def test_what_is_no_frame_is_refused(text):
    with pytest.raises(Refused, match="no frame"):
        named_test.frames_of(text)


@pytest.fixture
def saved(workshop, save):
    properties.register()
    try:
        add_tests(*workshop)
    finally:
        properties.unregister()
    return save()


def test_all_tests_on_the_command_line(saved, tmp_path, capsys):
    target, table = tmp_path / "tests.json", tmp_path / "tests.csv"
    assert run("detect", saved, "--test", "all", "--json", target, "--csv", table) == 3
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, TESTS_SCHEMA)
    assert {each["name"]: each["exit_code"] for each in data["tests"]} == EXPECTED
    for each in data["reports"]:
        jsonschema.validate(each["report"], SCHEMA)
    frames = [each["report"]["frame"] for each in data["reports"] if each["test"] == "Balls"]
    assert frames == [1, 9, 10, 11, 12] and len(data["reports"]) == 8
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert [row["frame"] for row in rows if row["test"] == "Balls"] == ["11", "12"]
    assert [(row["test"], row["verdict"]) for row in rows if row["test"] in ("Clash", "Gone")] == [
        ("Clash", "not tested"), ("Gone", "error")]
    assert "Balls: exit code 1. Frame 11: 1 pair collides" in capsys.readouterr().out.splitlines()
    first = target.read_bytes()
    run("detect", saved, "--test", "all", "--json", target, "--threads", 1)
    assert target.read_bytes() == first
    assert not hasattr(bpy.types.Scene, "touchpoint")


@pytest.mark.parametrize("name", EXPECTED)
def test_one_test_on_the_command_line(saved, name):
    assert run("detect", saved, "--test", name) == EXPECTED[name]


def test_fail_on_and_rules_hold_for_tests(saved, tmp_path):
    assert run("detect", saved, "--test", "Balls", "--fail-on", "none") == 0
    assert run("detect", saved, "--test", "Clash", "--rules", "none") == 1
    write_rules([BOLT], tmp_path / "rules.json")
    assert run("detect", saved, "--test", "Clash", "--rules", tmp_path / "rules.json") == 0
    assert run("detect", saved, "--test", "Clash without rules", "--rules", tmp_path / "rules.json") == 1


def test_a_scene_without_tests_is_refused(crossing, capsys):
    assert "There are no tests" in refused(capsys, "detect", crossing, "--test", "all")


def test_what_does_not_go_with_tests_is_refused(saved, capsys, tmp_path):
    for arguments in (("--a", "Balls", "--b", "Walls"), ("--method", "rapid"), ("--clearance", 1), ("--frame", 3),
                      ("--tolerance", 0), ("--save-as", tmp_path / "x.blend"), ("--timings", tmp_path / "x.json"),
                      ("--option", "a=1")):
        assert "does not go with --test" in refused(capsys, "detect", saved, "--test", "all", *arguments)
    assert 'no test "Ball". The tests are: Clash, ' in refused(capsys, "detect", saved, "--test", "Ball")
