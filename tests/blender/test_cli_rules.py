# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules on the command line and in scripts: those of a file, those that are kept with the scene, none."""
import json

import bpy
import pytest
from command_line import detect, refused, run
from scene_building import add_cube
from touchpoint.addon import api, properties
from touchpoint.addon.rules.kept import add_rules
from touchpoint.core.rules import Ref, Rule, read_rules, write_rules

BOLT = Rule("pairs", "a bolt in its hole", pairs=((Ref("A"), Ref("B")),))
DEEP = Rule("pairs", "a press fit", allowed_depth=1.5, pairs=((Ref("A"), Ref("B")),))


@pytest.fixture
def rules_file(tmp_path):
    def written(*rules):
        write_rules(rules, tmp_path / "rules.json")
        return tmp_path / "rules.json"
    return written


def keep(*rules):
    """Keep rules with the current scene."""
    properties.register()
    try:
        add_rules(bpy.context.scene.touchpoint, rules)
    finally:
        properties.unregister()


def test_rules_of_a_file_take_pairs_away(crossing, rules_file, tmp_path, capsys):
    data = detect(crossing, tmp_path, "--rules", rules_file(BOLT), code=0)
    assert [(each["a"], each["b"]) for each in data["pairs"]] == [("B", "C")]
    assert [(each["a"], each["b"], each["tested"], each["reason"]) for each in data["taken_away"]] == [
        ("A", "B", False, "a bolt in its hole")]
    lines = capsys.readouterr().out.splitlines()
    assert "1 pair taken away by 1 rule." in lines and "  a bolt in its hole: 1 pair not tested" in lines


def test_an_allowed_depth_is_in_metres(crossing, rules_file, tmp_path, capsys):
    bpy.ops.wm.open_mainfile(filepath=str(crossing))
    bpy.context.scene.unit_settings.scale_length = 0.001        # A reaches 1 mm into B
    bpy.ops.wm.save_mainfile()
    for metres, code in ((0.0015, 0), (0.0005, 1)):
        rule = Rule("pairs", "a press fit", allowed_depth=metres, pairs=((Ref("A"), Ref("B")),))
        data = detect(crossing, tmp_path, "--rules", rules_file(rule), code=code)
        assert data["rules"][0]["allowed_depth"] == pytest.approx(metres)
        assert (data["rules"][0]["taken_away"], data["rules"][0]["kept"]) == (1 - code, code)
    assert "1 pair stays" not in capsys.readouterr().out


def test_rules_that_are_kept_with_the_scene_are_asked(save, tmp_path):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (3, 9, 9))
    keep(BOLT)
    scene = save()
    assert detect(scene, tmp_path, code=0)["rules"][0]["reason"] == "a bolt in its hole"
    assert "rules" not in detect(scene, tmp_path, "--rules", "none", code=1)
    assert not hasattr(bpy.types.Scene, "touchpoint")


def test_a_file_of_rules_replaces_those_of_the_scene(save, rules_file, tmp_path):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (9, 9, 9))
    keep(BOLT)
    data = detect(save(), tmp_path, "--rules", rules_file(DEEP), code=0)
    assert [rule["reason"] for rule in data["rules"]] == ["a press fit"]
    assert data["taken_away"][0]["verdict"] == "crossing"


def test_a_file_that_is_no_rules_is_refused_before_the_scene_is_opened(tmp_path, capsys):
    wrong = tmp_path / "rules.json"
    wrong.write_text(json.dumps({"touchpoint_rules": 1, "rules": [{"kind": "friends"}]}))
    assert "rules[0].kind must be one of" in refused(capsys, "detect", tmp_path / "no.blend", "--rules", wrong)
    assert "No such file" in refused(capsys, "detect", tmp_path / "no.blend", "--rules", tmp_path / "no.json")


def test_rules_that_take_everything_away_are_a_refusal(save, rules_file, capsys):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    assert "the rules take all of them away" in refused(capsys, "detect", save(), "--rules", rules_file(BOLT))


def test_scripts_give_rules_or_a_file_of_them_and_take_the_kept_ones_else(rules_file, registered):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (9, 9, 9))
    assert api.detect().rules is None
    for rules in ([BOLT], rules_file(BOLT), str(rules_file(BOLT))):
        report = api.detect(rules=rules)
        assert len(report.rules.taken) == 1 and report.exit_code() == 0
    add_rules(bpy.context.scene.touchpoint, [DEEP])
    assert api.detect().rules.rules == [DEEP]
    assert api.detect(rules=()).exit_code() == 1


def test_objects_that_are_marked_as_shells_are_shells(save, tmp_path):
    add_cube("Room", size=10.0)
    add_cube("Chair")
    for shell in (True, False):
        properties.register()
        try:
            bpy.data.objects["Room"].touchpoint.shell = shell
        finally:
            properties.unregister()
        data = detect(save(), tmp_path, code=0 if shell else 1)
        assert data["settings"].get("shells") == (["Room"] if shell else None)


def test_learned_rules_are_written_beside_the_others(crossing, rules_file, tmp_path, capsys):
    out = tmp_path / "learned.json"
    assert run("learn", crossing, "--out", out) == 0
    assert "Learned from frame 1: 2 pairs.\n" in capsys.readouterr().out
    learned, = read_rules(out)
    assert {(a.name, b.name) for a, b in learned.pairs} == {("A", "B"), ("B", "C")}
    assert detect(crossing, tmp_path, "--rules", out, code=0)["pairs"] == []
    more = tmp_path / "more.json"
    assert run("learn", crossing, "--rules", rules_file(BOLT), "--frames", "1:3", "--out", more) == 0
    first, second = read_rules(more)
    assert first == BOLT and [(a.name, b.name) for a, b in second.pairs] == [("B", "C")]
    assert second.reason == "Learned from 3 frames, 1 to 3"
    assert run("learn", crossing, "--rules", out, "--out", more) == 0
    assert "Nothing meets that rules do not take away already." in capsys.readouterr().out
    assert read_rules(more) == [learned]


def test_rules_that_the_scene_has_twice_are_written_once(save, tmp_path):
    """A file in which one comes twice is refused by whoever is to ask it."""
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    keep(Rule("joints"), Rule("joints"))
    out = tmp_path / "learned.json"
    assert run("learn", save(), "--out", out) == 0
    assert [rule.kind for rule in read_rules(out)] == ["joints", "pairs"]


def test_what_cannot_be_learned(crossing, tmp_path, capsys):
    for words, said in (([], "--out RULES.json"), (["--out", crossing], "the scene itself"),
                        (["--out", tmp_path / "none" / "x.json"], "there is no folder"),
                        (["--out", tmp_path / "x.json", "--rest-pose"], "no armature"),
                        (["--out", tmp_path / "x.json", "--rest-pose", "--frames", "1:2"], "not allowed with"),
                        (["--out", tmp_path / "x.json", "--a", "Parts"], "belong together")):
        assert said in refused(capsys, "learn", crossing, *words)
    assert not (tmp_path / "x.json").exists()
