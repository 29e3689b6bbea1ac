# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules as they are kept with a scene: the list, its operators, undo, other files, renaming."""
import json

import bpy
import pytest
from scene_building import add, add_cube, add_instances, add_nodes, cube_mesh, new_collection
from test_panels_drawn import read
from touchpoint.addon import api, session
from touchpoint.addon.panels.rules import NUMBERED, TOUCHPOINT_PT_rules
from touchpoint.addon.rules.kept import add_rules, described, kept_rules, unfinished
from touchpoint.addon.rules.properties import KIND_ITEMS
from touchpoint.core.rules import Ref, Rule, read_rules
from touchpoint.core.rules.rule import KINDS

pytestmark = pytest.mark.usefixtures("registered")
BOLT = Rule("pairs", "a bolt in its hole", pairs=((Ref("A"), Ref("B")),))


def settings():
    return bpy.context.scene.touchpoint


def result_names():
    return [pair.name for pair in settings().result.pairs]


@pytest.fixture
def parts(registered):
    """A crosses B, B crosses C."""
    return [add_cube("A"), add_cube("B", (1, 0.25, 0.5)), add_cube("C", (2.25, 0.5, 0.75))]


def select(*objects):
    bpy.context.view_layer.update()
    for each in bpy.context.view_layer.objects:
        each.select_set(each in objects)


def test_a_depth_is_allowed_as_it_was_typed(registered):
    """Blender keeps 0.57 as 0.569999993, and what is so deep was listed, while the same rule in a file took it away."""
    first, second = add_cube("A"), add_cube("B", size=3.0)
    for vertices, low, high in ((first.data.vertices, -1.0, 0.57), (second.data.vertices, 0.0, 2.0)):
        for vertex in vertices:
            vertex.co.x = low if vertex.co.x < 0.0 else high
    rule = Rule("pairs", "a press fit", allowed_depth=0.57, pairs=BOLT.pairs)
    add_rules(settings(), [rule])
    assert kept_rules(bpy.context.scene) == [rule]
    assert [len(api.detect(rules=rules).rules.taken) for rules in ([rule], None)] == [1, 1]


def test_every_kind_can_be_added(parts):
    assert {kind for kind, *_ in KIND_ITEMS} == set(KINDS)
    select(*parts[:2])
    for kind in KINDS:
        assert bpy.ops.touchpoint.add_rule(kind=kind) == {"FINISHED"}
    assert [item.kind for item in settings().rules] == list(KINDS) and settings().rule_index == 4
    assert [bool(unfinished(item)) for item in settings().rules] == [kind == "collections" for kind in KINDS]
    assert [rule.kind for rule in kept_rules(bpy.context.scene)] == [kind for kind in KINDS if kind != "collections"]
    assert kept_rules(bpy.context.scene)[0].pairs == ((Ref("A"), Ref("B")),)


def test_a_pair_needs_two_selected_objects(parts):
    select(*parts)
    assert bpy.ops.touchpoint.add_rule(kind="pairs") == {"CANCELLED"} and len(settings().rules) == 0


def test_the_list_is_edited(parts):
    for kind in ("parents", "assembly", "joints"):
        bpy.ops.touchpoint.add_rule(kind=kind)
    bpy.ops.touchpoint.move_rule(direction="UP")
    assert [item.kind for item in settings().rules] == ["parents", "joints", "assembly"] and settings().rule_index == 1
    bpy.ops.touchpoint.remove_rule()
    assert [item.kind for item in settings().rules] == ["parents", "assembly"] and settings().rule_index == 1
    bpy.ops.touchpoint.remove_rule()
    assert bpy.ops.touchpoint.move_rule(direction="UP") == {"CANCELLED"}
    bpy.ops.touchpoint.remove_rule()
    assert settings().rule_index == -1 and not bpy.ops.touchpoint.remove_rule.poll()


def test_detect_asks_the_rules_and_says_what_they_took_away(parts):
    add_rules(settings(), [BOLT])
    bpy.ops.touchpoint.detect()
    result = settings().result
    assert result_names() == ["B × C"] and result.taken_away == "1 pair taken away by 1 rule"
    assert [(line.name, line.reason) for line in result.rule_lines] == [("a bolt in its hole", "1 pair not tested")]
    assert [(line.name, line.reason) for line in result.taken] == [("A × B", "not tested, a bolt in its hole")]
    assert not session.is_outdated(result)
    settings().rules[0].enabled = False
    assert session.is_outdated(result)
    bpy.ops.touchpoint.detect()
    assert len(settings().result.pairs) == 2 and settings().result.taken_away == "" and not settings().result.taken


def test_an_allowed_depth_is_in_the_units_of_the_scene(parts):
    bpy.context.scene.unit_settings.scale_length = 0.01
    add_rules(settings(), [BOLT])
    rule = settings().rules[0]
    rule.is_tested, rule.allowed_depth = True, 1.5
    bpy.ops.touchpoint.detect()
    assert result_names() == ["B × C"]
    assert [line.reason for line in settings().result.rule_lines] == ["1 pair up to 0.015 m deep"]
    assert [line.reason for line in settings().result.taken] == ["crossing, a bolt in its hole"]
    rule.allowed_depth = 0.5
    bpy.ops.touchpoint.detect()
    assert len(result_names()) == 2
    assert [line.reason for line in settings().result.rule_lines] == ["0 pairs up to 0.005 m deep, 1 stays"]
    assert settings().result.taken_away == "No pair was taken away by a rule"


def test_compare_compares_on_all_pairs(parts):
    add_rules(settings(), [BOLT])
    comparison = api.compare(["touchpoint"], repeats=1, memory=False)
    assert comparison.rows[0].pairs == 2


def test_a_row_of_the_results_becomes_a_rule(parts):
    assert not bpy.ops.touchpoint.ignore_pair.poll()
    bpy.ops.touchpoint.detect()
    before = result_names()
    assert bpy.ops.touchpoint.ignore_pair(index=-1) == {"CANCELLED"}
    settings().pair_index = 1
    assert bpy.ops.touchpoint.ignore_pair() == {"FINISHED"}
    assert described(settings().rules[0]) == before[1] and session.is_outdated(settings().result)
    bpy.ops.touchpoint.detect()
    assert result_names() == before[:1]
    assert bpy.ops.touchpoint.ignore_pair(index=7) == {"CANCELLED"}
    bpy.data.objects.remove(bpy.data.objects["C"])
    bpy.data.objects.remove(bpy.data.objects["A"])
    assert bpy.ops.touchpoint.ignore_pair(index=0) == {"CANCELLED"} and len(settings().rules) == 1


def test_one_instance_of_many_is_ignored_by_itself(registered):
    tree = add_cube("Tree", (0, 50, 0))
    forest = add("Forest", cube_mesh("Ground"))
    add_nodes(forest, lambda nodes, _start, end: nodes.links.new(add_instances(nodes, tree, 3), end))
    add_cube("Fence", (4.5, 0.25, 0.5), size=9.0)
    bpy.ops.touchpoint.detect()
    before = result_names()
    assert len(before) == 3 and any("Tree #2" in name for name in before)
    row = next(i for i, name in enumerate(before) if "Tree #2" in name)
    bpy.ops.touchpoint.ignore_pair(index=row)
    bpy.ops.touchpoint.detect()
    assert result_names() == [name for name in before if "Tree #2" not in name]
    assert any(NUMBERED in text for _, text in read(TOUCHPOINT_PT_rules))
    bpy.context.scene.touchpoint.rules.clear()
    bpy.ops.touchpoint.add_rule(kind="parents")
    assert not any(NUMBERED in text for _, text in read(TOUCHPOINT_PT_rules))


def test_rules_follow_renamed_objects_and_collections(parts):
    bolts, plates = (new_collection(name, bpy.context.scene.collection) for name in ("Bolts", "Plates"))
    bolts.objects.link(parts[1])
    plates.objects.link(parts[2])
    add_rules(settings(), [BOLT, Rule("collections", a=Ref("Bolts"), b=Ref("Plates"))])
    parts[0].name, bolts.name = "Axle", "Screws"
    assert [rule.title for rule in kept_rules(bpy.context.scene)] == ["a bolt in its hole", "Screws × Plates"]
    assert kept_rules(bpy.context.scene)[0].pairs[0][0] == Ref("Axle")
    assert [described(item) for item in settings().rules] == ["Axle × B", "Screws × Plates"]
    add_cube("Far", (99, 0, 0))
    bpy.ops.touchpoint.detect()
    assert result_names() == [] and settings().result.taken_away == "2 pairs taken away by 2 rules"


def test_what_is_missing_keeps_its_name(parts):
    add_rules(settings(), [BOLT, Rule("collections", a=Ref("nowhere"), b=Ref("nowhere"))])
    bpy.data.objects.remove(parts[0])
    assert [described(item) for item in settings().rules] == ["A × B", "Within nowhere"]
    assert kept_rules(bpy.context.scene)[0].pairs == ((Ref("A"), Ref("B")),)
    item = settings().rules[1]
    item.collection_a = item.collection_b = new_collection("Bolts")
    assert described(item) == "Within Bolts"
    item.collection_b = None
    assert unfinished(item) and len(kept_rules(bpy.context.scene)) == 1


def test_saving_and_loading_keeps_rules(parts, save):
    add_rules(settings(), [BOLT, Rule("joints", "hinges", enabled=False, allowed_depth=0.5)])
    path = save()
    assert len(settings().rules) == 0
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert kept_rules(bpy.context.scene) == [BOLT, Rule("joints", "hinges", enabled=False, allowed_depth=0.5)]


def test_rules_come_along_when_their_scene_is_appended(parts, save):
    bpy.context.scene.name = "Workshop"
    add_rules(settings(), [BOLT])
    path = save()
    add_cube("A")       # the appended one is then called A.001
    with bpy.data.libraries.load(str(path)) as (_there, here):
        here.scenes = ["Workshop"]
    scene = bpy.data.scenes["Workshop"]
    renamed = scene.touchpoint.rules[0].pairs[0].object_a
    assert renamed.name == "A.001" and renamed.name in scene.objects
    assert kept_rules(scene)[0].pairs == ((Ref("A.001"), Ref("B")),)


def test_undo_takes_a_rule_back(parts):
    bpy.ops.touchpoint.detect()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.touchpoint.ignore_pair("EXEC_DEFAULT", True, index=0)
    assert len(settings().rules) == 1
    bpy.ops.ed.undo()
    assert len(settings().rules) == 0 and len(result_names()) == 2


def test_linked_objects_are_known_by_their_library(parts, save, tmp_path):
    path = save("parts.blend")
    with bpy.data.libraries.load(str(path), link=True) as (_there, here):
        here.objects = ["A"]
    linked = bpy.data.objects["A"]
    bpy.context.scene.collection.objects.link(linked)
    local = add_cube("A", (1, 0.25, 0.5))
    far = add_cube("Far", (99, 0, 0))
    select(linked, local)
    bpy.ops.touchpoint.add_rule(kind="pairs")
    first, second = kept_rules(bpy.context.scene)[0].pairs[0]
    assert {first, second} == {Ref("A"), Ref("A", linked.library.filepath)} and far
    bpy.ops.touchpoint.detect()
    assert result_names() == [] and len(settings().result.taken) == 1


def test_rules_go_to_a_file_and_come_from_one(parts, tmp_path):
    assert not bpy.ops.touchpoint.export_rules.poll()
    bpy.context.scene.unit_settings.scale_length = 0.001
    press_fit = Rule("pairs", "a press fit", allowed_depth=4.0, pairs=((Ref("A"), Ref("nobody")),))
    add_rules(settings(), [BOLT, press_fit, BOLT])
    path = tmp_path / "rules.json"
    assert bpy.ops.touchpoint.export_rules(filepath=str(path)) == {"FINISHED"}
    assert [rule["reason"] for rule in json.loads(path.read_text())["rules"]] == ["a bolt in its hole", "a press fit"]
    assert read_rules(path)[1].allowed_depth == pytest.approx(0.004)
    settings().rules.clear()
    assert bpy.ops.touchpoint.import_rules(filepath=str(path)) == {"FINISHED"}
    assert [rule.title for rule in kept_rules(bpy.context.scene)] == ["a bolt in its hole", "a press fit"]
    assert settings().rules[1].allowed_depth == pytest.approx(4.0)
    assert settings().rules[0].pairs[0].object_a == parts[0] and settings().rules[1].pairs[0].object_b is None
    path.write_text("[]")
    with pytest.raises(RuntimeError, match="the file must be an object"):
        bpy.ops.touchpoint.import_rules(filepath=str(path))
    assert len(settings().rules) == 2


def test_rules_are_not_edited_while_something_runs(parts, monkeypatch):
    class Busy:
        title = "Detect"

    monkeypatch.setattr(session, "run", Busy)
    assert not bpy.ops.touchpoint.add_rule.poll()


def test_clear_leaves_the_rules(parts):
    add_rules(settings(), [BOLT])
    bpy.ops.touchpoint.detect()
    bpy.ops.touchpoint.clear()
    assert len(settings().rules) == 1 and settings().result.taken_away == ""
