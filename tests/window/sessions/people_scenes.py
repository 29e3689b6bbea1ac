# SPDX-License-Identifier: GPL-3.0-or-later
"""An office, an engine and a robot: the answer, and the first pairs of the list, one after the other by a key. The
pictures are for looking at."""
import sys

import bpy
from harness import context, key, log, open_sidebar, picture, run, until, window, xdotool
from mathutils import Matrix
from shots import still
from touchpoint_panel import check_pair_is_in_sight, detect_by_mouse, result, scene

PAIRS = 4
SUNK = 0.03         # metres: how deep a screen stands in its desk
sys.path.append(sys.argv[sys.argv.index("--") + 1])     # of tools/real_scenes


def build(model):
    """Its parts as the only objects of the scene, framed."""
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    for part in model.parts:
        mesh = bpy.data.meshes.new(part.name)
        mesh.from_pydata(part.vertices.tolist(), [], part.triangles.tolist())
        made = bpy.data.objects.new(part.name, mesh)
        made.matrix_world = Matrix(part.pose)
        scene().collection.objects.link(made)
    yield 0.5
    with context():
        bpy.ops.view3d.view_all(center=False)
    yield 0.5


def answer(name):
    """What Detect says."""
    yield from open_sidebar("Touchpoint")
    yield from detect_by_mouse()
    away()
    yield 1.0
    picture(f"{name}.png")
    log(result().headline, "|", result().contacts)
    return result().headline


def first_pairs(name):
    for number in range(PAIRS):
        key("shift+alt+Down")
        yield from until(lambda: scene().touchpoint.pair_index == number, 20)  # noqa: B023
        away()
        yield from still()
        log(result().pairs[number].name, result().pairs[number].line)
        picture(f"{name}_{number}.png")
        check_pair_is_in_sight(number)


def away():
    """The mouse to where it makes nothing light up."""
    xdotool("mousemove", 20, window().height - 20)


def session():
    from real_scenes.engine import engine
    from real_scenes.made import office

    yield from build(office())
    screen = next(each for each in bpy.data.objects if each.name.startswith("screen"))
    screen.location.z -= SUNK
    said = yield from answer("office")
    assert said.startswith("1 pair collides; "), said       # all else is flush
    assert screen.name in (result().pairs[0].object_a, result().pairs[0].object_b)
    yield from first_pairs("office")
    yield from build(engine())
    said = yield from answer("engine")
    assert said.startswith("No collisions; "), said
    yield from first_pairs("engine")
    with context():
        bpy.ops.touchpoint.open_example(name="robot_cell")
    yield from until(lambda: "Crate" in bpy.data.objects, 30)
    yield 2.0
    said = yield from answer("robot")
    assert said == "6 pairs collide", said
    yield from first_pairs("robot")


run(session)
