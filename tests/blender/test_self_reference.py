# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collisions against the rest pose or a frame: api, sidebar, command line; nothing of the user's changes."""
import json
import shlex

import bpy
import command_line
import numpy as np
import pytest
from report_building import all_data
from scene_building import add, add_collection_instance, add_cube, mesh_of, new_collection
from touchpoint.addon import api, session
from touchpoint.addon.asked import changed_since
from touchpoint.addon.command_line import command_of
from touchpoint.core import Cancelled, Refused

# Two fins cut through each other beyond their common corner at rest; the third one gets into the first when it is bent.
FINS = ([(0, 0, 0), (4, 0, 0), (0, 4, 0), (3, 3, -2), (3, 3, 2), (2, 0.5, 5), (3, 0.5, 8), (2, 0.8, 8)],
        [(0, 1, 2), (0, 3, 4), (5, 6, 7)])
KNOWN, NEW = (0, 1), (0, 2)


@pytest.fixture
def figure(registered):
    """A mesh of fins whose last one hangs on a bone, which is moved into the first one."""
    fins = add("Fins", mesh_of("Fins", *FINS))
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (2, 0.5, 5), (2, 0.5, 6)
    bpy.ops.object.mode_set(mode="OBJECT")
    fins.vertex_groups.new(name="Bone").add([5, 6, 7], 1.0, "REPLACE")
    fins.modifiers.new("Rig", "ARMATURE").object = rig
    rig.pose.bones["Bone"].location = 0, -6, 0      # along the bone: downward
    bpy.context.view_layer.update()
    return rig


def found(report) -> set[tuple[int, int]]:
    return set(zip(report.contacts.triangle_a.tolist(), report.contacts.triangle_b.tolist()))


def test_only_what_is_new_is_listed(figure):
    before = all_data()
    assert found(api.detect(self_collisions=True)) == {KNOWN, NEW}
    report = api.detect(self_collisions=True, self_reference="REST")
    assert found(report) == {NEW} and report.settings["self_reference"] == "the rest pose"
    assert report.summary()["known_self_contacts"] == 1
    assert "Known from the rest pose, and not listed: 1 pair of triangles of one object." in report.notes
    assert figure.data.pose_position == "POSE" and all_data() == before
    assert found(api.detect(self_collisions=True)) == {KNOWN, NEW}      # the Scene that goes on is of this pose again


def test_a_frame(figure):
    bone, scene = figure.pose.bones["Bone"], bpy.context.scene
    bone.keyframe_insert("location", frame=10)
    bone.location = 0, 0, 0
    bone.keyframe_insert("location", frame=1)
    scene.frame_set(10)
    for reference, expected in ((1, {NEW}), (10, set()), (10.0, set())):
        report = api.detect(self_collisions=True, self_reference=reference)
        assert found(report) == expected and report.settings["self_reference"] == f"frame {reference:g}"
    assert scene.frame_current == 10
    assert found(api.detect(self_collisions=True, self_reference=10, frame=1)) == set()
    assert found(api.detect(self_collisions=True, frame=1)) == {KNOWN} and scene.frame_current == 10


def test_another_mesh_and_objects_that_were_not_there(figure):
    scene, fins = bpy.context.scene, bpy.data.objects["Fins"]
    build = fins.modifiers.new("More", "ARRAY")
    build.use_relative_offset, build.use_constant_offset, build.constant_offset_displace = False, True, (50, 0, 0)
    build.count = 1
    build.keyframe_insert("count", frame=1)
    build.count = 2
    build.keyframe_insert("count", frame=2)
    late = add("Late", mesh_of("Late", *FINS), (0, 90, 0))
    late.hide_viewport = True
    late.keyframe_insert("hide_viewport", frame=1)
    late.hide_viewport = False
    late.keyframe_insert("hide_viewport", frame=2)
    scene.frame_set(2)
    report = api.detect(self_collisions=True, self_reference=1)
    assert len(report.contacts) == len(api.detect(self_collisions=True).contacts) == 5
    assert "In frame 1 another mesh, so all self-collisions are listed: Fins." in report.notes
    assert "In frame 1 not there, so all self-collisions are listed: Late." in report.notes


def test_a_rig_that_only_instances_show_is_at_rest_too(figure):
    """It is in no list of the scene; what the moved bone does is no touch of the rest pose."""
    collection = new_collection("Figure")
    for each in (figure, bpy.data.objects["Fins"]):
        collection.objects.link(each)
        bpy.context.scene.collection.objects.unlink(each)
    add_collection_instance("Instance", collection)
    for _ in range(2):
        report = api.detect(self_collisions=True, self_reference="REST")
        assert found(report) == {NEW} and figure.data.pose_position == "POSE"
        add("Another", bpy.data.armatures.new("Another"))       # of the scene itself


def test_what_makes_no_sense_is_refused(figure):
    for reference in ("rest", float("nan"), True, [1]):
        with pytest.raises(Refused, match="REST or a frame"):
            api.detect(self_collisions=True, self_reference=reference)
    with pytest.raises(Refused, match="none are asked for"):
        api.detect(self_reference="REST")
    bpy.data.objects.remove(figure)
    before = all_data()
    with pytest.raises(Refused, match="no armature"):
        api.detect(self_collisions=True, self_reference="REST")
    assert all_data() == before


def test_cancelled_in_the_reference(figure):
    stages = []

    def stop(stage, _fraction):
        stages.append(stage)
        return stage != "self-collisions"

    with pytest.raises(Cancelled, match="before it found out anything"):
        api.detect(self_collisions=True, self_reference="REST", progress=stop)
    assert figure.data.pose_position == "POSE" and stages.count("self-collisions") == 1


def test_the_sidebar_asks(figure, tmp_path):
    settings = bpy.context.scene.touchpoint
    settings.self_collisions, settings.self_reference = True, "REST"
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}
    assert "Known from the rest pose" in settings.result.notes
    assert settings.result.pairs[0].line == "Crossing, 1 contact" and not changed_since(settings.result, settings)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "figure.blend"))
    words = shlex.split(command_of(bpy.context.scene))
    assert words[words.index("--self-reference") + 1] == "rest"
    settings.self_reference, settings.self_reference_frame = "FRAME", 3
    assert changed_since(settings.result, settings) == ["Known Self-Collisions"]
    words = shlex.split(command_of(bpy.context.scene))
    assert words[words.index("--self-reference") + 1] == "3"
    assert bpy.ops.touchpoint.detect() == {"FINISHED"} and len(settings.result.pairs) == 0
    assert figure.data.pose_position == "POSE" and session.run() is None
    settings.self_collisions = False
    assert "--self-reference" not in command_of(bpy.context.scene)


def test_command_line(figure, tmp_path, capsys):
    scene = tmp_path / "figure.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    data = command_line.detect(scene, tmp_path, "--self-collisions", "--self-reference", "rest", code=1)
    assert data["settings"]["self_reference"] == "the rest pose" and data["summary"]["known_self_contacts"] == 1
    assert data["pairs"][0]["contacts"] == 1
    assert "Known from the rest pose" in capsys.readouterr().out
    data = command_line.detect(scene, tmp_path, "--self-collisions", "--self-reference", "1", code=0)
    assert data["pairs"] == [] and data["summary"]["known_self_contacts"] == 2
    for words, said in ((["--self-reference", "rest"], "none are asked for"), (["--test", "all", "--self-reference",
                                                                               "1"], "does not go with --test"),
                        (["--self-collisions", "--self-reference", "soon"], "not a number")):
        assert said in command_line.refused(capsys, "detect", scene, *words)


@pytest.fixture
def bending(figure):
    """The same figure, straight until frame 4, bent from frame 7 to 12, straight from frame 15 on."""
    bone, scene = figure.pose.bones["Bone"], bpy.context.scene
    for frame, down in ((1, 0), (4, 0), (7, -6), (12, -6), (15, 0), (70, 0)):
        bone.location = 0, down, 0
        bone.keyframe_insert("location", frame=frame)
    scene.frame_start, scene.frame_end = 1, 20
    scene.frame_set(9)
    return figure


def frames_with(report) -> list:
    return [each.tolist() for each in report.intervals]


def test_an_animation(bending):
    before = all_data()
    everything = api.check_animation(self_collisions=True)
    assert frames_with(everything) == [[[1, 20]]]
    report = api.check_animation(self_collisions=True, self_reference="REST")
    (start, end), = frames_with(report)[0]
    assert 4 < start <= 7 and 12 <= end < 15 and found(report) == {NEW}
    assert report.settings["self_reference"] == "the rest pose"
    assert "What collides with itself in the rest pose is not listed." in report.notes
    for frame in range(1, 21):
        alone = api.detect(self_collisions=True, self_reference="REST", frame=frame)
        assert bool(len(alone.pairs)) == (start <= frame <= end), frame
    assert frames_with(api.check_animation(self_collisions=True, self_reference=2)) == frames_with(report)
    assert frames_with(api.check_animation(self_collisions=True, self_reference=9)) == []
    between = api.check_animation(self_collisions=True, self_reference="REST", continuous=True, method="certified")
    ((first, last),), = frames_with(between)
    assert start - 1 < first < start and end < last < end + 1
    assert all_data() == before and bpy.context.scene.frame_current == 9 and bending.data.pose_position == "POSE"


def test_an_animation_that_makes_no_sense(bending):
    with pytest.raises(Refused, match="none are asked for"):
        api.check_animation(self_reference="REST")
    with pytest.raises(Refused, match="REST or a frame"):
        api.check_animation(self_collisions=True, self_reference="rest")
    with pytest.raises(Cancelled, match="before a frame was tested"):
        api.check_animation(self_collisions=True, self_reference=1, progress=lambda *_: False)
    bpy.data.objects.remove(bending)
    with pytest.raises(Refused, match="no armature"):
        api.check_animation(self_collisions=True, self_reference="REST")
    assert bpy.context.scene.frame_current == 9


def test_an_animation_in_the_sidebar(bending):
    settings = bpy.context.scene.touchpoint
    settings.self_collisions, settings.self_reference = True, "REST"
    assert bpy.ops.touchpoint.check_animation() == {"FINISHED"}
    pair, = settings.result.pairs
    assert pair.worst_frame >= 5 and not changed_since(settings.result, settings)
    settings.self_reference, settings.self_reference_frame = "FRAME", 9
    assert changed_since(settings.result, settings) == ["Known Self-Collisions"]
    assert bpy.ops.touchpoint.check_animation() == {"FINISHED"} and len(settings.result.pairs) == 0
    settings.self_reference = "ALL"
    assert bpy.ops.touchpoint.check_animation() == {"FINISHED"}
    assert settings.result.pairs[0].when.startswith("1-20")


def test_an_animation_on_the_command_line(bending, tmp_path):
    """By one process and by workers: the same bytes."""
    bpy.context.scene.frame_end = 70
    scene = tmp_path / "bending.blend"
    bpy.context.scene.touchpoint.self_collisions = True
    bpy.context.scene.touchpoint.self_reference = "REST"
    bpy.ops.touchpoint.check_animation()
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    words = shlex.split(command_of(bpy.context.scene))
    assert words[words.index("--self-reference") + 1] == "rest"
    files = []
    for workers in (1, 2):
        files.append(tmp_path / f"{workers}.json")
        assert command_line.run("animation", scene, "--json", files[-1], "--self-collisions", "--self-reference",
                                "rest", "--workers", workers) == 1
    data = json.loads(files[0].read_text())
    assert data["settings"]["self_reference"] == "the rest pose" and data["summary"]["known_self_contacts"] > 3
    assert len(data["pairs"]) == 1 and files[0].read_bytes() == files[1].read_bytes()


def test_beside_pairs_and_instances(figure):
    """Pairs of two objects are what they were; each instance has what is known of it."""
    add_cube("A", (20, 0, 0))
    add_cube("B", (21, 0.3, 0.2))
    collection = bpy.data.collections.new("Cloths")
    collection.objects.link(bpy.data.objects.new("Cloth", mesh_of("Cloth", FINS[0][:5], FINS[1][:2])))
    for x in (50, 90):
        empty = add(f"Place {x}", None, (x, 0, 0))
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
    plain = api.detect(self_collisions=True)
    report = api.detect(self_collisions=True, self_reference="REST")
    names = [(report.name(pair["a"]), report.name(pair["b"])) for pair in report.pairs]
    assert names == [("A", "B"), ("Fins", "Fins")] or names == [("Fins", "Fins"), ("A", "B")]
    assert len(plain.pairs) == 4 and report.summary()["known_self_contacts"] == 3
    pair = [each.pairs[each.pairs["a"] != each.pairs["b"]] for each in (plain, report)]
    assert np.array_equal(pair[0][["a", "b", "verdict", "depth"]], pair[1][["a", "b", "verdict", "depth"]])


def test_what_passes_through_the_mesh_between_two_frames(figure):
    """The last fin is above the first one on frame 1 and below it on frame 2; the other two collide in both."""
    bone, scene = figure.pose.bones["Bone"], bpy.context.scene
    for frame, place in ((1, 0), (2, -20)):
        bone.location = 0, place, 0
        bone.keyframe_insert("location", frame=frame)
    scene.frame_start, scene.frame_end = 1, 2
    how = {"self_collisions": True, "self_reference": "REST"}
    assert len(api.check_animation(**how).pairs) == 0
    report = api.check_animation(continuous=True, **how)
    ((start, end),), = report.intervals
    assert 1 < start <= report.worst_frame[0] <= end < 2 and report.verdict(0) == "crossing"
    assert found(report) == {NEW}
    api.write_back(report)
