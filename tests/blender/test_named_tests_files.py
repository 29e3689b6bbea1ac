# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests as JSON: there and back, imported in the panel, asked headless."""
import json

import bpy
import jsonschema
import pytest
from command_line import ROOT, refused, run
from scene_building import add_cube, new_collection
from touchpoint.addon.named_tests.files import add_tests, read_tests, write_tests
from touchpoint.addon.named_tests.named_test import NamedTest
from touchpoint.core import Refused

SCHEMA = json.loads((ROOT / "docs" / "named-tests.schema.json").read_text(encoding="utf-8"))
ALL = {"name": "All", "a": "Balls", "b": {"name": "Walls"}, "clearance": 0.25, "tolerance": 0.002, "weld": 0.5,
       "self_collisions": True, "method": "tsgo", "options": {"depth": 3}, "rules": False, "frames": "1, 9:12"}


def settings():
    return bpy.context.scene.touchpoint


def written(path, *tests, version=1):
    path.write_text(json.dumps({"touchpoint_named_tests": version, "tests": list(tests)}), encoding="utf-8")
    return path


@pytest.fixture
def two(empty_file):
    """A Ball in collection Balls crosses a Wall in Walls, a Bolt is far away."""
    balls, walls = (new_collection(name, bpy.context.scene.collection) for name in ("Balls", "Walls"))
    add_cube("Ball", (0, 0, 0), balls)
    add_cube("Wall", (0.5, 0.25, 0.5), walls)
    add_cube("Bolt", (90, 0, 0))


def test_tests_come_back_as_they_were(two, registered, tmp_path):
    tests = read_tests(written(tmp_path / "in.json", ALL, {"name": "Plain"}, {"name": "Exact", "tolerance": 0}))
    add_tests(bpy.context.scene, tests)
    kept = [NamedTest.of(item, []) for item in settings().tests]
    assert kept[0].where == {"scope": "COLLECTIONS", "collection_a": bpy.data.collections["Balls"],
                             "collection_b": bpy.data.collections["Walls"]}
    how = kept[0].how
    assert (how["clearance"], how["tolerance"], how["weld"]) == (0.25, 0.002, 0.5)
    assert how["self_collisions"] and how["method"] == "tsgo" and how["options"]["depth"] == 3
    assert kept[0].frames == (1, 9, 10, 11, 12) and settings().tests[0].asked_rules == "NONE"
    assert [each.how["tolerance"] for each in kept[1:]] == ["auto", 0.0] and kept[1].where == {"scope": "VISIBLE"}
    assert settings().tests[1].asked_rules == "SCENE" and settings().test_index == 2
    write_tests(bpy.context.scene, tmp_path / "out.json")
    jsonschema.validate(json.loads((tmp_path / "out.json").read_bytes()), SCHEMA)
    again = read_tests(tmp_path / "out.json")
    assert [each._replace(options={}) for each in again] == [each._replace(options={}) for each in tests]
    assert again[0].options["depth"] == 3
    settings().tests.clear()
    add_tests(bpy.context.scene, again)
    first = (tmp_path / "out.json").read_bytes()
    write_tests(bpy.context.scene, tmp_path / "out.json")
    assert (tmp_path / "out.json").read_bytes() == first


def test_lengths_are_metres_in_the_file(two, registered, tmp_path):
    bpy.context.scene.unit_settings.system, bpy.context.scene.unit_settings.scale_length = "METRIC", 0.01
    add_tests(bpy.context.scene, read_tests(written(tmp_path / "in.json", ALL)))
    assert settings().tests[0].clearance == pytest.approx(25.0)
    write_tests(bpy.context.scene, tmp_path / "out.json")
    assert read_tests(tmp_path / "out.json")[0].clearance == pytest.approx(0.25)


def test_import_and_export_in_the_panel(two, registered, tmp_path):
    assert not bpy.ops.touchpoint.export_tests.poll()
    path = str(written(tmp_path / "in.json", ALL, {"name": "Other"}))
    assert bpy.ops.touchpoint.import_tests(filepath=path) == bpy.ops.touchpoint.import_tests(filepath=path)
    assert [item.name for item in settings().tests] == ["All", "Other", "All (2)", "Other (2)"]
    bpy.ops.touchpoint.export_tests(filepath=str(tmp_path / "out.json"))
    assert [each.name for each in read_tests(tmp_path / "out.json")] == [item.name for item in settings().tests]


def test_nothing_is_imported_where_a_collection_is_missing(two, registered, tmp_path):
    path = written(tmp_path / "in.json", {"name": "Fine"}, {**ALL, "b": "Roofs"})
    with pytest.raises(RuntimeError, match='"All" names the collection Roofs'):
        bpy.ops.touchpoint.import_tests(filepath=str(path))
    assert not settings().tests
    settings().tests.add().scope = "COLLECTIONS"
    with pytest.raises(RuntimeError, match="one is missing"):
        bpy.ops.touchpoint.export_tests(filepath=str(tmp_path / "out.json"))


WRONG = [
    ({}, "tests[0].name must be a text"), ({"name": ""}, "must have 1 to"), ({"name": "T", "x": 1}, "unknown key"),
    ({"name": "T", "a": "Balls"}, "two collections"), ({"name": "T", "clearance": -1}, "clearance must be a length"),
    ({"name": "T", "weld": True}, "weld must be a length"), ({"name": "T", "tolerance": "none"}, "tolerance must be"),
    ({"name": "T", "method": "magic"}, "no method 'magic'"), ({"name": "T", "options": {"x": 1}}, "unknown key"),
    ({"name": "T", "method": "tsgo", "options": {"depth": "x"}}, "tests[0]:"),
    ({"name": "T", "rules": 1}, "true or false, or a list"),
    ({"name": "T", "frames": "soon"}, "no frame"), ({"name": "T", "self_collisions": None}, "true or false"),
    ({"name": "T", "a": 1, "b": 2}, "must be an object"), ({"name": "T", "clearance": 1e999}, "no number")]


@pytest.mark.parametrize("test, said", WRONG)
def test_what_is_no_test_is_refused_with_its_place(test, said, tmp_path):
    with pytest.raises(Refused) as refusal:
        read_tests(written(tmp_path / "in.json", test))
    assert said in str(refusal.value) and str(tmp_path / "in.json") in str(refusal.value)


def test_other_versions_and_equal_names_are_refused(tmp_path):
    with pytest.raises(Refused, match="must be 1"):
        read_tests(written(tmp_path / "in.json", version=2))
    with pytest.raises(Refused, match="has the name of"):
        read_tests(written(tmp_path / "in.json", {"name": "T"}, {"name": "T"}))


def test_tests_of_a_file_are_run_headless(two, save, tmp_path, capsys):
    scene = save()
    path = written(tmp_path / "in.json", {"name": "Clash", "a": "Balls", "b": "Walls"},
                   {"name": "Wide", "tolerance": 5.0}, {"name": "Later", "frames": "2"})
    assert run("detect", scene, "--test", "all", "--tests", path, "--json", tmp_path / "out.json") == 1
    ended = json.loads((tmp_path / "out.json").read_bytes())["tests"]
    assert {each["name"]: each["exit_code"] for each in ended} == {"Clash": 1, "Wide": 0, "Later": 1}
    assert run("detect", scene, "--test", "Wide", "--tests", path) == 0
    assert "--tests goes with --test" in refused(capsys, "detect", scene, "--tests", path)
    assert "Roofs" in refused(capsys, "detect", scene, "--test", "all", "--tests",
                              written(tmp_path / "in.json", {**ALL, "a": "Roofs"}))
