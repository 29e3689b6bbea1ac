# SPDX-License-Identifier: GPL-3.0-or-later
"""A rule and the result of Check Animation on the walk are saved, loaded again, and appended into another file."""
import os
import sys

import bpy
from harness import OUT, context, key, log, open_sidebar, picture, run, until, window
from touchpoint_panel import COLOUR_BEFORE, coloured, result, running, scene

STALENESS = "bl_ext.user_default.touchpoint.addon.staleness"
FILE = os.path.join(OUT, "kept.blend")


def rules():
    return [[(pair.name_a, pair.name_b) for pair in rule.pairs] for rule in scene().touchpoint.rules]


def rows():
    return [(pair.name, pair.verdict, pair.when) for pair in result().pairs]


def markers():
    return sorted((each.frame, each.name) for each in scene().timeline_markers)


def check_animation():
    before = result().run_id
    with context():
        assert bpy.ops.touchpoint.check_animation("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from until(lambda: not running() and result().run_id not in ("", before), 300)
    yield 0.5


def red_in(frame):
    """Names of the objects that have another colour than their own in a frame."""
    scene().frame_set(frame)
    return {each.name for each in scene().objects
            if COLOUR_BEFORE in each and tuple(each.color) != tuple(each[COLOUR_BEFORE])}


def session():
    scene().touchpoint.animation.continuous = True
    scene().touchpoint.self_collisions = False
    yield from check_animation()
    log(rows())
    assert len(rows()) > 1
    ignored = result().pairs[0].name
    scene().touchpoint.pair_index = 0
    yield 0.5
    with context():
        bpy.ops.touchpoint.ignore_pair("INVOKE_DEFAULT")
    yield from until(lambda: len(rules()) == 1, 20)
    yield from check_animation()
    assert {*rules()[0][0]} == {*ignored.split(" × ")} and ignored not in [name for name, *_ in rows()]
    assert result().taken_away == "1 pair taken away by 1 rule", result().taken_away
    worst = round(result().pairs[0].worst_frame)
    kept = rules(), rows(), markers(), result().taken_away, red_in(worst)
    assert kept[2] and kept[4]
    yield from open_sidebar("Touchpoint")
    picture("kept_before.png")

    with context():
        bpy.ops.wm.save_as_mainfile(filepath=FILE)
        bpy.ops.wm.read_homefile(app_template="")
    yield 1.0
    assert rules() == [] and rows() == [] and not coloured()
    with context():
        bpy.ops.wm.open_mainfile(filepath=FILE)
    yield 1.0
    yield from open_sidebar("Touchpoint")
    assert (rules(), rows(), markers(), result().taken_away, red_in(worst)) == kept
    assert sys.modules[STALENESS].sentences(result()) == []
    scene().frame_set(scene().frame_start)
    key("shift+alt+Right")      # to where a pair begins to collide
    yield from until(lambda: scene().frame_current_final > scene().frame_start, 20)
    yield 0.5
    picture("kept_loaded.png")

    with context():
        bpy.ops.wm.read_homefile(app_template="")
    yield 1.0
    with context():
        assert bpy.ops.wm.append(filepath=f"{FILE}/Scene/Scene", directory=f"{FILE}/Scene/", filename="Scene") == {
            "FINISHED"}
    yield 0.5
    window().scene = next(each for each in bpy.data.scenes if len(each.touchpoint.rules))
    yield 1.0
    assert rules() == kept[0]
    scene().touchpoint.animation.continuous = True
    yield from check_animation()
    yield from open_sidebar("Touchpoint")
    picture("kept_appended.png")
    assert (rows(), result().taken_away) == (kept[1], kept[3])
    with context():
        bpy.ops.touchpoint.clear()
    assert not coloured() and rows() == [] and rules() == kept[0]


run(session)
