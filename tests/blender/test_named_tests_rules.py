# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests with rules of their own: asked, shown, learned, kept, as JSON, and what says whose they are."""
import json

import bpy
import jsonschema
import pytest
from command_line import ROOT, SCHEMA, refused, run
from scene_building import add_cube, new_collection
from test_named_tests import add_test
from touchpoint.addon import session
from touchpoint.addon.named_tests.files import add_tests, read_tests, write_tests
from touchpoint.addon.named_tests.named_test import NamedTest
from touchpoint.addon.rules.kept import add_rules, kept_rules, rules_of_list
from touchpoint.core import Refused
from touchpoint.core.rules import Ref, Rule, read_rules

TESTS_SCHEMA = json.loads((ROOT / "docs" / "named-tests.schema.json").read_text(encoding="utf-8"))
RESULT_SCHEMA = json.loads((ROOT / "docs" / "tests.schema.json").read_text(encoding="utf-8"))
A_B = Rule("pairs", "a bolt in its hole", pairs=((Ref("A"), Ref("B")),))
B_C = Rule("pairs", "a sleeve", pairs=((Ref("B"), Ref("C")),))


def settings():
    return bpy.context.scene.touchpoint


def named():
    return settings().tests


def result_names():
    return [pair.name for pair in settings().result.pairs]


@pytest.fixture
def parts(empty_file, registered):
    """A crosses B, B crosses C, and a rule of the scene calls A and B normal."""
    objects = [add_cube("A"), add_cube("B", (1, 0.25, 0.5)), add_cube("C", (2.25, 0.5, 0.75))]
    add_rules(settings(), [A_B])
    return objects


def add_own(name="Sleeves", *rules, **values):
    item = add_test(name, asked_rules="OWN", **values)
    add_rules(item, rules)
    settings().test_index = len(named()) - 1
    return item


def select(*objects):
    bpy.context.view_layer.update()
    for each in bpy.context.view_layer.objects:
        each.select_set(each in objects)


def asked(item):
    return NamedTest.of(item, kept_rules(bpy.context.scene)).rules


def test_a_test_asks_the_rules_of_the_scene_none_or_its_own(parts):
    scene, none, own = add_test("Scene"), add_test("None", asked_rules="NONE"), add_own("Own", B_C)
    assert (asked(scene), asked(none), asked(own)) == ([A_B], [], [B_C])
    bpy.ops.touchpoint.run_tests()
    assert [item.line for item in named()] == [
        "1 pair collides, 1 pair taken away by 1 rule", "2 pairs collide",
        "1 pair collides, 1 pair taken away by 1 rule of the test Own"]


def test_rules_are_no_longer_asked_where_the_test_has_others(parts):
    item = add_own("Own", A_B, B_C)
    bpy.ops.touchpoint.run_tests()
    assert item.code == 0
    item.asked_rules = "SCENE"
    bpy.ops.touchpoint.run_tests()
    assert item.code == 1 and len(item.rules) == 2      # and the list is kept
    item.asked_rules, item.rules[1].enabled = "OWN", False
    bpy.ops.touchpoint.run_tests()
    assert item.code == 1


def test_an_allowed_depth_of_a_test_holds_in_units_of_the_scene(parts):
    bpy.context.scene.unit_settings.scale_length = 0.01
    item = add_own("Own", A_B, B_C)
    for rule in item.rules:
        rule.is_tested, rule.allowed_depth = True, 1.5
    bpy.ops.touchpoint.run_tests()
    assert item.code == 0
    item.rules[0].allowed_depth = 0.5
    bpy.ops.touchpoint.run_tests()
    assert item.code == 1


def test_the_list_of_a_test_is_edited_and_that_of_the_scene_stays(parts):
    add_test("Other")
    item = add_own("Own")
    for kind in ("parents", "assembly", "joints"):
        assert bpy.ops.touchpoint.add_rule(kind=kind, test=1) == {"FINISHED"}
    select(*parts[1:])
    bpy.ops.touchpoint.add_rule(kind="pairs", test=1)
    assert [rule.kind for rule in item.rules] == ["parents", "assembly", "joints", "pairs"] and item.rule_index == 3
    assert asked(item)[3].pairs == B_C.pairs
    bpy.ops.touchpoint.move_rule(direction="UP", test=1)
    bpy.ops.touchpoint.remove_rule(test=1)
    assert [rule.kind for rule in item.rules] == ["parents", "assembly", "joints"] and item.rule_index == 2
    assert bpy.ops.touchpoint.remove_rule(test=0) == {"CANCELLED"}        # it has none
    assert kept_rules(bpy.context.scene) == [A_B] and not named()[0].rules
    for there_is_none in (2, 10**6):
        with pytest.raises(RuntimeError, match="There is no test"):
            bpy.ops.touchpoint.add_rule(kind="joints", test=there_is_none)


def test_rules_of_a_test_go_to_a_file_and_come_from_one(parts, tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.001
    item, other = add_own("Own", Rule("pairs", "a sleeve", allowed_depth=4.0, pairs=B_C.pairs)), add_own("Other")
    path = str(tmp_path / "rules.json")
    assert bpy.ops.touchpoint.export_rules(filepath=path, test=0) == {"FINISHED"}
    assert [(rule.title, rule.allowed_depth) for rule in read_rules(path)] == [("a sleeve", pytest.approx(0.004))]
    with pytest.raises(RuntimeError, match="There are no rules"):
        bpy.ops.touchpoint.export_rules(filepath=path, test=1)
    bpy.ops.touchpoint.import_rules(filepath=path, test=1)
    assert asked(other)[0].allowed_depth == pytest.approx(4.0) and asked(other)[0].pairs == asked(item)[0].pairs
    assert kept_rules(bpy.context.scene) == [A_B]


def test_a_test_learns_what_meets_in_it(parts):
    item = add_own("Own", A_B)
    bpy.ops.touchpoint.learn_test_rules()
    assert [rule.title for rule in asked(item)] == ["a bolt in its hole", "Learned from frame 1"]
    assert asked(item)[1].pairs == B_C.pairs and kept_rules(bpy.context.scene) == [A_B]
    bpy.ops.touchpoint.run_tests()
    assert item.code == 0
    bpy.ops.touchpoint.learn_test_rules()
    assert len(item.rules) == 2     # nothing is learned twice
    item.asked_rules = "SCENE"
    assert not bpy.ops.touchpoint.learn_test_rules.poll()


def test_a_test_of_collections_learns_of_these_alone(parts):
    balls, walls = (new_collection(name, bpy.context.scene.collection) for name in ("Balls", "Walls"))
    balls.objects.link(parts[0])
    walls.objects.link(parts[1])
    item = add_own("Own", scope="COLLECTIONS", collection_a=balls, collection_b=walls)
    bpy.ops.touchpoint.learn_test_rules()
    assert asked(item)[0].pairs == A_B.pairs


def test_show_shows_what_the_test_finds_and_says_whose_rules_it_asked(parts):
    add_own("Own", B_C)
    assert bpy.ops.touchpoint.show_test() == {"FINISHED"}
    result = settings().result
    assert result_names() == ["A × B"] and result.rules_of == "Own"
    assert result.taken_away == "1 pair taken away by 1 rule of the test Own"
    assert session.report_of(bpy.context.scene).settings["rules_of"] == "Own"
    bpy.ops.touchpoint.detect()
    assert result_names() == ["B × C"] and settings().result.rules_of == ""


def test_show_goes_to_the_frame_that_the_last_run_tells_of(parts):
    for frame, x in ((1, 50), (4, 50), (5, 2.25)):
        parts[2].location.x = x
        parts[2].keyframe_insert("location", frame=frame)
    add_own("Own", A_B, frames="2:6")
    bpy.context.scene.frame_set(1)
    bpy.ops.touchpoint.show_test()
    assert bpy.context.scene.frame_current == 2 and result_names() == []
    bpy.ops.touchpoint.run_tests()
    bpy.ops.touchpoint.show_test()
    assert bpy.context.scene.frame_current == 5 and result_names() == ["B × C"] and settings().result.frame == 5


def test_an_ignored_row_of_a_shown_test_becomes_a_rule_of_that_test(parts):
    item = add_own("Own", B_C)
    bpy.ops.touchpoint.show_test()
    bpy.ops.touchpoint.ignore_pair(index=0)
    assert [rule.pairs for rule in asked(item)] == [B_C.pairs, A_B.pairs] and len(settings().rules) == 1
    assert session.is_outdated(settings().result)
    bpy.ops.touchpoint.show_test()
    assert result_names() == []
    bpy.ops.touchpoint.detect()
    bpy.ops.touchpoint.ignore_pair(index=0)
    assert len(item.rules) == 2 and len(settings().rules) == 2


def test_a_result_is_outdated_by_changes_of_its_own_rules_alone(parts):
    item = add_own("Own", B_C)
    bpy.ops.touchpoint.detect()
    item.rules[0].enabled = False
    bpy.ops.touchpoint.add_rule(kind="joints", test=0)
    assert not session.is_outdated(settings().result)
    settings().rules[0].enabled = False
    assert session.is_outdated(settings().result)
    for change in (lambda: setattr(item.rules[0], "enabled", True), lambda: bpy.ops.touchpoint.remove_rule(test=0)):
        bpy.ops.touchpoint.show_test()
        settings().rules[0].enabled = not settings().rules[0].enabled
        assert not session.is_outdated(settings().result)
        change()
        assert session.is_outdated(settings().result)


def test_why_says_whose_rule_decides(parts):
    add_own("Own", B_C)
    select(*parts[1:])
    bpy.ops.touchpoint.why_test()
    assert 'B × C: not tested. The rule "a sleeve" of the test "Own" takes the pair away.' in session.message()
    bpy.ops.touchpoint.why()
    assert "B × C: crossing" in session.message()
    named()[0].rules[0].is_tested, named()[0].rules[0].allowed_depth = True, 0.1
    bpy.ops.touchpoint.why_test()
    assert 'The rule "a sleeve" of the test "Own" allows 0.1 m only.' in session.message()
    select(parts[0])
    assert not bpy.ops.touchpoint.why_test.poll()


def test_tests_with_rules_come_back_as_json(parts, tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.01
    depth = Rule("collections", "press fits", allowed_depth=2.0, a=Ref("Bolts"), b=Ref("Bolts"), enabled=False)
    add_own("Own", B_C, depth, B_C)
    add_own("Empty")
    bpy.ops.touchpoint.add_rule(kind="collections", test=1)     # not finished
    write_tests(bpy.context.scene, tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_bytes())
    jsonschema.validate(data, TESTS_SCHEMA)
    assert [rule["reason"] for rule in data["tests"][0]["rules"]] == ["a sleeve", "press fits"]
    assert data["tests"][0]["rules"][1]["allowed_depth"] == pytest.approx(0.02) and data["tests"][1]["rules"] == []
    named().clear()
    add_tests(bpy.context.scene, read_tests(tmp_path / "out.json"))
    assert [item.asked_rules for item in named()] == ["OWN", "OWN"] and rules_of_list(named()[1]) == []
    again = rules_of_list(named()[0])
    assert again[0] == B_C and again[1].allowed_depth == pytest.approx(2.0) and not again[1].enabled
    assert kept_rules(bpy.context.scene) == [A_B]
    first = (tmp_path / "out.json").read_bytes()
    write_tests(bpy.context.scene, tmp_path / "out.json")
    assert (tmp_path / "out.json").read_bytes() == first


@pytest.mark.parametrize("rules, said", [
    ([{"kind": "friends"}], "tests[0].rules[0].kind must be one of"), ([1], "tests[0].rules[0] must be an object"),
    ([{"kind": "joints"}, {"kind": "joints"}], "tests[0].rules[1] is the same as tests[0].rules[0]"),
    ([{"kind": "pairs", "pairs": [["A"]]}], "tests[0].rules[0].pairs[0] must name two"),
    ("none", "or a list of rules")])
def test_what_are_no_rules_is_refused_with_its_place(rules, said, tmp_path):
    path = tmp_path / "in.json"
    path.write_text(json.dumps({"touchpoint_named_tests": 1, "tests": [{"name": "T", "rules": rules}]}))
    with pytest.raises(Refused) as refusal:
        read_tests(path)
    assert said in str(refusal.value)


def test_saving_loading_and_undo_keep_the_rules_of_tests(parts, save):
    add_own("Own", B_C)
    path = save()
    assert not len(named())
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert named()[0].asked_rules == "OWN" and rules_of_list(named()[0]) == [B_C]
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.touchpoint.add_rule("EXEC_DEFAULT", True, kind="joints", test=0)
    assert len(named()[0].rules) == 2
    bpy.ops.ed.undo()
    assert rules_of_list(named()[0]) == [B_C]


def test_rules_of_tests_come_along_when_their_scene_is_appended(parts, save):
    bpy.context.scene.name = "Workshop"
    add_own("Own", B_C)
    path = save()
    add_cube("C")       # the appended one is then called C.001
    with bpy.data.libraries.load(str(path)) as (_there, here):
        here.scenes = ["Workshop"]
    kept = bpy.data.scenes["Workshop"].touchpoint.tests["Own"]
    assert rules_of_list(kept)[0].pairs == ((Ref("B"), Ref("C.001")),)
    bpy.data.objects["C.001"].name = "Sleeve"
    assert rules_of_list(kept)[0].pairs == ((Ref("B"), Ref("Sleeve")),)


def test_a_copied_scene_has_its_own_copy(parts):
    add_own("Own", B_C)
    copied = bpy.context.scene.copy()
    copied.touchpoint.tests[0].rules[0].enabled = False
    assert rules_of_list(named()[0]) == [B_C]


def test_a_test_of_a_file_brings_its_rules_headless(parts, save, tmp_path, capsys):
    scene, path = save(), tmp_path / "tests.json"
    own = [{"kind": "pairs", "reason": "a sleeve", "pairs": [["B", "C"]]}]
    path.write_text(json.dumps({"touchpoint_named_tests": 1, "tests": [
        {"name": "Scene"}, {"name": "Own", "rules": own}, {"name": "None", "rules": False}]}))
    target, cases = tmp_path / "out.json", tmp_path / "out.xml"
    assert run("detect", scene, "--test", "all", "--tests", path, "--json", target, "--junit", cases) == 1
    data = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(data, RESULT_SCHEMA)
    reports = {each["test"]: each["report"] for each in data["reports"]}
    for each in reports.values():
        jsonschema.validate(each, SCHEMA)
    assert {name: each["settings"].get("rules_of") for name, each in reports.items()} == {
        "Scene": None, "Own": "Own", "None": None}
    assert [each["reason"] for each in reports["Own"]["taken_away"]] == ["a sleeve"]
    assert "1 pair taken away by 1 rule of the test Own." in capsys.readouterr().out.splitlines()
    assert 'name="rules_of" value="Own"' in cases.read_text(encoding="utf-8")
    # --rules is instead of the rules of the scene, not of those that a test brings.
    for name in ("Own", "None"):
        assert run("detect", scene, "--test", name, "--tests", path, "--rules", "none", "--json", target) == 1
        again = json.loads(target.read_text(encoding="utf-8"))["reports"][0]["report"]
        assert [each["reason"] for each in again.get("taken_away", [])] == ["a sleeve"] * (name == "Own")


def test_why_of_a_test_headless(parts, save, capsys):
    add_own("Own", B_C)
    scene = save()
    assert run("why", scene, "--a", "B", "--b", "C", "--test", "Own") == 0
    assert 'The rule "a sleeve" of the test "Own" takes the pair away.' in capsys.readouterr().out
    assert run("why", scene, "--a", "A", "--b", "B", "--test", "Own") == 0
    assert "A × B: crossing" in capsys.readouterr().out
    assert "does not go with --test" in refused(capsys, "why", scene, "--a", "A", "--b", "B", "--test", "Own",
                                                "--clearance", 1)
    assert 'no test "Sleeve". The tests are: Own' in refused(capsys, "why", scene, "--a", "A", "--b", "B", "--test",
                                                            "Sleeve")
