# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules in the panel: a row of the results becomes a rule by its button and by a right-click, undo takes it back,
Detect asks it, Learn makes one, and Why? says what decides."""
import bpy
from harness import context, find_property, log, picture, press_button, run, until, xdotool
from touchpoint_panel import add_bolt_and_plate, detect_by_mouse, result, scene


def settings():
    return scene().touchpoint


def rules():
    return [[(pair.name_a, pair.name_b) for pair in rule.pairs] or rule.kind for rule in settings().rules]


def session():
    bpy.context.preferences.view.ui_scale = 0.8      # all of the panel's buttons are in the window
    add_bolt_and_plate()
    with context():
        bpy.ops.ed.undo_push(message="Cubes")       # what a session does is no undo step by itself
    yield 0.5
    yield from detect_by_mouse()
    assert len(result().pairs) == 2, [row.name for row in result().pairs]
    settings().pair_index = 0
    yield 1.0
    first = result().pairs[0].name
    picture("rules_results.png")

    yield from press_button("touchpoint.ignore_pair")
    yield from until(lambda: len(settings().rules) == 1, 20)
    log(rules())
    assert {*rules()[0][0]} == {*first.split(" × ")}
    xdotool("key", "ctrl+z")
    yield from until(lambda: len(settings().rules) == 0, 20)

    place = yield from find_property("pair_index")
    xdotool("mousemove", *place, "sleep", "0.2", "click", "1")
    yield from until(lambda: settings().pair_index >= 0, 20)     # the undo took the choice back, too
    xdotool("mousemove", *place, "sleep", "0.2", "click", "3")
    yield 1.0
    picture("rules_right_click.png")
    for name in ("End", "Return"):
        xdotool("key", name)
        yield 0.5
    yield from until(lambda: len(settings().rules) == 1, 20)
    ignored = " × ".join(rules()[0][0])
    log("ignored", ignored)

    yield from detect_by_mouse()
    assert len(result().pairs) == 1 and result().taken_away == "1 pair taken away by 1 rule", result().taken_away
    yield 0.5
    picture("rules_taken_away.png")
    with context():
        assert bpy.ops.touchpoint.learn_rules("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: len(settings().rules) == 2, 60)
    log([rule.name for rule in settings().rules])
    for each in scene().objects:
        each.select_set(each.name in ignored.split(" × "))
    with context():
        assert bpy.ops.touchpoint.why("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: "takes the pair away" in bpy.context.window_manager.touchpoint.message, 60)
    yield 0.5
    picture("rules_why.png")


run(session)
