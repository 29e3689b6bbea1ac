# SPDX-License-Identifier: GPL-3.0-or-later
"""Why? of two objects: in the panel and on the command line."""
import bpy
import pytest
from command_line import refused, run
from scene_building import add, add_collection_instance, add_cube, new_collection
from touchpoint.addon import properties, session
from touchpoint.addon.rules.kept import add_rules
from touchpoint.core.rules import Ref, Rule, write_rules

BOLT = Rule("pairs", "a bolt in its hole", pairs=((Ref("A"), Ref("B")),))


def why(capsys, scene, a, b, *more):
    capsys.readouterr()
    assert run("why", scene, "--a", a, "--b", b, *more) == 0
    return [line for line in capsys.readouterr().out.splitlines() if not line.startswith("Read ")]


def test_surfaces_and_boxes(crossing, capsys):
    assert why(capsys, crossing, "B", "A") == ["A × B: crossing, 1 m deep."]
    assert why(capsys, crossing, "B", "C") == ["B × C: touching."]
    assert why(capsys, crossing, "A", "D") == [
        "A × D: clear. Their boxes are 12.12 m apart, so nothing else is asked.",
        "Tested by themselves: the surfaces are 12.12 m apart."]
    assert why(capsys, crossing, "A", "C", "--clearance", 2)[0] == "A × C: near, the surfaces are 1 m apart."
    assert why(capsys, crossing, "A", "C", "--clearance", 0.5)[-1] == "The clearance that was asked for is 0.5 m."


def test_a_tolerance(crossing, capsys):
    assert why(capsys, crossing, "A", "B", "--tolerance", 1.5) == [
        "A × B: touching within the tolerance of 1.5 m; exactly crossing, 1 m deep."]
    assert why(capsys, crossing, "A", "C", "--tolerance", 1.5) == [
        "A × C: touching within the tolerance of 1.5 m; exactly 1 m apart."]


def test_rules(crossing, capsys, tmp_path):
    write_rules([BOLT], tmp_path / "rules.json")
    assert why(capsys, crossing, "A", "B", "--rules", tmp_path / "rules.json") == [
        'A × B: not tested. The rule "a bolt in its hole" takes the pair away.',
        "Tested by themselves: crossing, 1 m deep."]
    for allowed, sentence in ((2.0, 'A × B: taken away. The rule "a press fit" allows a depth of 2 m.'),
                              (0.5, "A × B: crossing, 1 m deep.")):
        rule = Rule("pairs", "a press fit", allowed_depth=allowed, pairs=BOLT.pairs)
        write_rules([rule], tmp_path / "rules.json")
        lines = why(capsys, crossing, "A", "B", "--rules", tmp_path / "rules.json")
        assert lines[0] == sentence
    assert lines[1] == 'The rule "a press fit" allows 0.5 m only.'


def test_a_shell_is_a_shell_here_too(save, capsys):
    properties.register()
    try:
        add_cube("Room", size=10.0)
        add_cube("Chair")
        bpy.data.objects["Room"].touchpoint.shell = True
    finally:
        properties.unregister()
    assert why(capsys, save(), "Chair", "Room") == ["Chair × Room: clear, the surfaces are 4 m apart."]


def test_what_is_not_tested(save, capsys):
    add_cube("A")
    add_cube("B")
    add_cube("Hidden").hide_viewport = True
    add("Wire", None)
    scene = save()
    assert why(capsys, scene, "A", "Hidden") == ["Hidden is not tested: it is hidden."]
    assert why(capsys, scene, "Wire", "A") == ["Wire is not tested: it has no surface."]
    assert 'There is no object "Nobody"' in refused(capsys, "why", scene, "--a", "A", "--b", "Nobody")
    assert "one and the same" in refused(capsys, "why", scene, "--a", "A", "--b", "A")
    assert "Name the two objects" in refused(capsys, "why", scene, "--a", "A")


def test_a_frame_and_instances(save, capsys):
    engine = new_collection("Engine")
    add_cube("Piston", collection=engine)
    motor = add_collection_instance("Motor", engine)
    motor.keyframe_insert("location", frame=1)
    motor.location.x = 5.0
    motor.keyframe_insert("location", frame=2)
    add_cube("Wall", (5.5, 0.25, 0.5))
    bpy.context.scene.frame_set(1)
    scene = save()
    assert why(capsys, scene, "Motor", "Wall")[0].startswith("Motor ▸ Piston #1 × Wall: clear.")
    assert why(capsys, scene, "Motor ▸ Piston #1", "Wall", "--frame", 2) == [
        "Motor ▸ Piston #1 × Wall: crossing, 0.5 m deep."]


@pytest.mark.usefixtures("registered")
def test_why_of_two_selected_objects():
    a, b = add_cube("A"), add_cube("B", (1, 0.25, 0.5))
    bpy.context.view_layer.update()
    for each in (a, b):
        each.select_set(False)
    assert not bpy.ops.touchpoint.why.poll()
    for each in (a, b):
        each.select_set(True)
    assert bpy.ops.touchpoint.why() == {"FINISHED"}
    assert session.message() == "A × B: crossing, 1 m deep." and session.run() is None
    add_cube("C", (9, 9, 9))
    add_rules(bpy.context.scene.touchpoint, [BOLT])
    bpy.ops.touchpoint.why()
    assert session.message().startswith('A × B: not tested. The rule "a bolt in its hole"')
    assert len(bpy.context.scene.touchpoint.result.pairs) == 0
