# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules that are learned from a frame, the rest pose, or some frames: they leave no neighbour and lose no clash."""
import bpy
import pytest
from scene_building import add, add_collection_instance, add_cube, new_collection
from touchpoint.addon import api, session
from touchpoint.addon.rules.kept import add_rules, kept_rules
from touchpoint.core import Cancelled, Refused
from touchpoint.core.rules import Ref, Rule

pytestmark = pytest.mark.usefixtures("registered")


def settings():
    return bpy.context.scene.touchpoint


def names(rule):
    return {" ".join(sorted(str(ref) for ref in pair)) for pair in rule.pairs}


def listed(report):
    return {f"{report.name(pair['a'])} {report.name(pair['b'])}" for pair in report.pairs}


@pytest.fixture
def arm(registered):
    """Links Link 0 … Link 5 that overlap their neighbours; Rock, which Link 5 meets from frame 11 on, and a Wall."""
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for number in range(6):
        bone = rig.data.edit_bones.new(f"Bone {number}")
        bone.head, bone.tail, bone.parent = (0, number, 0), (0, number + 1, 0), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for number in range(6):
        link = add_cube(f"Link {number}", (0, number, 0), size=1.25)
        link.parent, link.parent_type, link.parent_bone = rig, "BONE", f"Bone {number}"
        bpy.context.view_layer.update()
        link.matrix_world.translation = (0, number, 0)
    rock = add_cube("Rock", (9, 6, 0))
    for frame, x in ((1, 9), (10, 9), (11, 1.25), (20, 1.25)):
        rock.location.x = x
        rock.keyframe_insert("location", frame=frame)
    add_cube("Wall", (0, 50, 0))
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_end = 20
    return rig


NEIGHBOURS = {f"Link {number} Link {number + 1}" for number in range(5)}


def test_a_learned_frame_leaves_no_neighbour_and_loses_no_clash(arm):
    rule = api.learn()
    assert names(rule) == NEIGHBOURS and rule.reason == "Learned from frame 1" and len(settings().rules) == 0
    assert listed(api.detect(rules=[rule])) == set()
    assert listed(api.detect(rules=[rule], frame=20)) == {"Link 5 Rock"}
    assert bpy.context.scene.frame_current == 1


def test_frames_are_learned_together(arm):
    rule = api.learn([1, 10, 20, 10])
    assert names(rule) == NEIGHBOURS | {"Link 5 Rock"} and rule.reason == "Learned from 3 frames, 1 to 20"
    assert len(rule.pairs) == 6 and bpy.context.scene.frame_current == 1


def test_the_rest_pose_is_learned_and_left_as_it_was(arm):
    arm.pose.bones["Bone 1"].rotation_mode = "XYZ"
    arm.pose.bones["Bone 1"].rotation_euler.x = 3.0     # folds back onto the first link
    bpy.context.view_layer.update()
    posed = listed(api.detect())
    assert posed - NEIGHBOURS
    assert names(api.learn(rest_pose=True)) == NEIGHBOURS
    assert arm.data.pose_position == "POSE" and listed(api.detect()) == posed


def test_a_rest_pose_needs_an_armature(registered):
    add_cube("A")
    add_cube("B")
    with pytest.raises(Refused, match="no armature"):
        api.learn(rest_pose=True)


def test_learn_adds_a_rule_that_detect_asks(arm):
    bpy.ops.touchpoint.detect()
    for source, reason in (("FRAME", "Learned from frame 1"), ("REST", "Learned from the rest pose"),
                           ("FRAMES", "Learned from 3 frames, 1 to 20")):
        settings().rules.clear()
        settings().learn_from, settings().learn_samples = source, 3
        assert bpy.ops.touchpoint.learn_rules() == {"FINISHED"}
        assert [item.name for item in settings().rules] == [reason]
    assert names(kept_rules(bpy.context.scene)[0]) == NEIGHBOURS | {"Link 5 Rock"}
    assert session.is_outdated(settings().result) and session.run() is None
    bpy.ops.touchpoint.detect()
    assert len(settings().result.pairs) == 0 and settings().result.taken_away == "5 pairs taken away by 1 rule"


def test_pairs_of_other_rules_are_not_learned_again(arm):
    add_rules(settings(), [Rule("joints", "hinges")])
    bpy.ops.touchpoint.learn_rules()
    assert len(settings().rules) == 1
    bpy.context.scene.frame_set(20)
    bpy.ops.touchpoint.learn_rules()
    assert names(kept_rules(bpy.context.scene)[1]) == {"Link 5 Rock"}


def test_instances_are_learned_one_by_one(registered):
    engine = new_collection("Engine")
    add_cube("Piston", collection=engine)
    add_cube("Rod", (1, 0.25, 0.5), engine)
    add_collection_instance("Motor", engine)
    add_collection_instance("Other", engine, (50, 0, 0))
    rule = api.learn()
    assert set(rule.pairs[0]) == {Ref("Motor", None, "Piston #1"), Ref("Motor", None, "Rod #1")}
    assert listed(api.detect(rules=[rule])) == set() and len(rule.pairs) == 2


def test_a_cancelled_learning_makes_no_rule(arm):
    with pytest.raises(Cancelled, match="no rule was made"):
        api.learn([1, 2, 3], progress=lambda stage, fraction: False)
    with pytest.raises(Refused, match="no frame"):
        api.learn([])


def test_nothing_to_learn_is_no_rule(registered):
    add_cube("A")
    add_cube("B", (9, 0, 0))
    assert api.learn() is None
    assert bpy.ops.touchpoint.learn_rules() == {"FINISHED"} and len(settings().rules) == 0


def test_undo_takes_a_learned_rule_back(arm):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.touchpoint.learn_rules("EXEC_DEFAULT", True)
    assert len(settings().rules) == 1
    bpy.ops.ed.undo()
    assert len(settings().rules) == 0
