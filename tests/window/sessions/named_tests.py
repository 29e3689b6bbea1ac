# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests in the panel: one gets a rule of its own, Learn makes one more, Show shows what it finds, Why? says whose
rule decides, undo takes a rule back, and the menu beside the list adds to the rules of the test."""
import sys

import bpy
from harness import context, find_upper_edge, log, picture, press_button, run, until, view3d, xdotool
from touchpoint_panel import add_bolt_and_plate, detect_by_mouse, has_result, result, scene, scroll_down


def settings():
    return scene().touchpoint


def rules(holder):
    return [[(pair.name_a, pair.name_b) for pair in rule.pairs] or rule.kind for rule in holder.rules]


def open_tests():
    """Let the panel, which is closed at first, be open."""
    panel = sys.modules["bl_ext.user_default.touchpoint.addon.panels.named_tests"].TOUCHPOINT_PT_tests
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def add_joints_by_menu():
    """Click the + beside the rules of the test, and take an entry by its letter."""
    scroll_down()
    yield 1.0
    _, y = yield from find_upper_edge("tests[0].rule_index")      # the buttons below the + begin beside the first row
    _, region = view3d("UI")
    x = region.x + region.width - round(50 * bpy.context.preferences.view.ui_scale)
    for place in ((x, y + 6), (x, y + 4)):      # a busy Blender must have noticed where the mouse is
        xdotool("mousemove", *place)
        yield 1.0
    xdotool("click", "1")
    yield 2.0
    picture("named_tests_menu.png")
    xdotool("key", "j")
    yield from until(lambda: len(settings().tests[0].rules) == 2, 20)


def session():
    bpy.context.preferences.view.ui_scale = 0.8      # all of the panel's buttons are in the window
    add_bolt_and_plate()
    open_tests()
    with context():
        bpy.ops.ed.undo_push(message="Cubes")       # what a session does is no undo step by itself
    yield 0.5
    yield from detect_by_mouse()
    with context():
        assert bpy.ops.touchpoint.add_test("INVOKE_DEFAULT", True) == {"FINISHED"}
    test = settings().tests[0]
    test.name = "Bolts in plates"
    yield 0.5
    scroll_down()
    yield 0.5
    picture("named_tests_new.png")
    settings().tests[0].asked_rules = "OWN"
    with context():
        bpy.ops.ed.undo_push(message="Own rules")
    for each in scene().objects:
        each.select_set(each.name in ("Bolt", "Plate"))
    yield 0.5
    scroll_down()
    yield 0.5
    picture("named_tests_own_rules.png")
    with context():
        assert bpy.ops.touchpoint.add_rule("EXEC_DEFAULT", True, kind="pairs", test=0) == {"FINISHED"}
    yield 0.5
    scroll_down()
    yield 0.5
    test = settings().tests[0]
    test.rules[0].name = "A bolt in its plate"
    assert len(test.rules) == 1 and len(settings().rules) == 0
    picture("named_tests_one_rule.png")

    yield from press_button("touchpoint.show_test")
    yield from until(lambda: has_result() and result().rules_of == "Bolts in plates", 60)
    assert result().taken_away == "1 pair taken away by 1 rule of the test Bolts in plates", result().taken_away
    yield 1.0
    picture("named_tests_shown.png")
    with context():
        assert bpy.ops.touchpoint.why_test("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: "of the test" in bpy.context.window_manager.touchpoint.message, 60)
    yield 0.5
    picture("named_tests_why.png")
    with context():
        assert bpy.ops.touchpoint.learn_test_rules("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: len(settings().tests[0].rules) == 2, 60)
    log(rules(settings().tests[0]))
    xdotool("key", "ctrl+z")
    yield from until(lambda: len(settings().tests[0].rules) == 1, 20)
    yield 0.5
    picture("named_tests_undone.png")
    yield from add_joints_by_menu()
    assert rules(settings().tests[0])[1] == "joints" and len(settings().rules) == 0


run(session)
