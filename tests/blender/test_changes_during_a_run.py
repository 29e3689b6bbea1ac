# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes while a run is going on is marked when its result is there."""
import bpy
import pytest
from run_pumping import Held, finish, started
from scene_building import add_cube
from test_staleness import cubes, edit, hide, move, result  # noqa: F401  (cubes: a fixture)
from touchpoint.addon import questions, staleness

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def held(monkeypatch):
    held = Held(("A", "B", "crossing", 1), ("B", "C", "touching", 1))
    monkeypatch.setattr(questions, "detect_in", held)
    return held


def push():
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="A step")


def delete():
    bpy.data.objects.remove(bpy.data.objects["A"])


def add():
    add_cube("D")


def changed_meanwhile(held, change):
    """Run, with a change after the scene was read; what is said at the rows, and above them."""
    run = started(held)
    change()
    bpy.context.view_layer.update()
    held.released.set()
    finish(run)
    bpy.context.view_layer.update()
    return [staleness.change_of(result(), pair) for pair in result().pairs], staleness.sentences(result())


@pytest.mark.parametrize("change, said", [(move, "A moved"), (edit, "A changed"), (hide, "A hidden"),
                                          (delete, "A deleted")])
def test_what_is_changed(held, change, said):
    assert changed_meanwhile(held, change) == ([said, ""], [f"Since then: {said}"])


def test_what_is_new(held):
    assert changed_meanwhile(held, add) == (["", ""], ["Since then: D new"])


def test_what_is_undone(held):
    push()
    move()
    push()
    assert changed_meanwhile(held, bpy.ops.ed.undo) == (["A moved", ""], ["Since then: A moved"])


def test_what_was_new_and_is_undone(held):
    push()
    add()
    push()
    assert changed_meanwhile(held, bpy.ops.ed.undo) == (["", ""], ["Since then: D deleted"])


def turn_off():
    bpy.context.scene.touchpoint.rules[0].enabled = False


def allow_more():
    bpy.context.scene.touchpoint.rules[0].allowed_depth = 0.5


def ask_for_clearance():
    bpy.data.objects["A"].touchpoint.clearance = 0.5


def mark_a_shell():
    bpy.data.objects["A"].touchpoint.shell = True


def turn_off_in_a_test():
    bpy.context.scene.touchpoint.tests[0].rules[0].enabled = False


@pytest.mark.parametrize("change", [turn_off, allow_more, ask_for_clearance, mark_a_shell])
def test_other_rules(held, change):
    """Also those of the first result that there is, and of the next run nothing is said."""
    bpy.ops.touchpoint.add_rule(kind="parents")
    for said in (["Rules, shells or clearances have changed since"], []):
        assert changed_meanwhile(held, change if said else lambda: None) == (["", ""], said)
        held.released.clear()


def test_rules_of_a_test_that_does_not_run(held):
    bpy.ops.touchpoint.add_test()
    bpy.context.scene.touchpoint.tests[0].asked_rules = "OWN"
    bpy.ops.touchpoint.add_rule(kind="parents", test=0)
    assert changed_meanwhile(held, turn_off_in_a_test) == (["", ""], [])


@pytest.mark.parametrize("name, value, title", [
    ("method", "exact", "Method"), ("weld", 0.1, "Weld Distance"), ("self_collisions", True, "Self-Collisions"),
    ("tolerance_kind", "EXACT", "Tolerance"), ("volumes", True, "Overlap Volumes"), ("scope", "OTHERS", "Scope")])
def test_settings_that_ask_for_something_else(held, name, value, title):
    held.released.set()
    bpy.ops.touchpoint.detect()
    setattr(bpy.context.scene.touchpoint, name, value)
    said, = staleness.sentences(result())
    assert said.startswith(f"Other settings since: {title}")
