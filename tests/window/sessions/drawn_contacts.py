# SPDX-License-Identifier: GPL-3.0-or-later
"""What a redraw costs with the pair of a row drawn that has some 8,000 contacts: with all of it, without its contacts,
and without its objects, too, which leaves what fades the rest."""
import time

import bpy
import numpy
from harness import context, log, note, picture, run, until
from touchpoint_panel import has_result, result, scene, start_detect

GRID, WAVES, HEIGHT = 45, 30, 0.1
REDRAWS, ROUNDS = 4, 5
SHOWN = (("no pair", None, None), ("pair", 1_000_000, 1_000_000), ("pair without contacts", 0, 1_000_000),
         ("fading alone", 0, 0))


def add_wave(name, shift):
    """A grid whose waves are so short that two of them, shifted, meet in thousands of triangles."""
    x, y = (each.ravel() for each in numpy.meshgrid(*[numpy.linspace(-1, 1, GRID)] * 2))
    corner = (numpy.arange(GRID - 1)[:, None] * GRID + numpy.arange(GRID - 1)).ravel()
    z = HEIGHT * numpy.sin(WAVES * x + shift) * numpy.cos(WAVES * y)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(numpy.stack([x, y, z], axis=1).tolist(), [],
                     numpy.stack([corner, corner + 1, corner + GRID + 1, corner + GRID], axis=1).tolist())
    scene().collection.objects.link(bpy.data.objects.new(name, mesh))


def redraw_seconds():
    """Processor time of one redraw of the 3D view."""
    with context():
        bpy.ops.wm.redraw_timer(type="DRAW", iterations=1)
        start = time.process_time()
        bpy.ops.wm.redraw_timer(type="DRAW", iterations=REDRAWS)
        return (time.process_time() - start) / REDRAWS


def session():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    settings = scene().touchpoint
    settings.show_points, settings.empties = False, 0
    add_wave("One", 0.0)
    add_wave("Two", 1.1)
    yield 0.5
    start_detect()
    yield from until(has_result)
    assert len(result().pairs) == 1
    log(result().contacts)
    preferred = bpy.context.preferences.addons["bl_ext.user_default.touchpoint"].preferences
    least = dict.fromkeys([name for name, *_ in SHOWN], 1e9)
    for number in range(ROUNDS):        # in turns: the machine may be busy with something else at times
        for name, contacts, triangles in SHOWN:
            settings.show_pair = contacts is not None
            if settings.show_pair:
                preferred.contacts, preferred.triangles = contacts, triangles
            settings.pair_index = -1
            yield 0.2
            settings.pair_index = 0         # limits hold from the next click on
            yield 1.0
            least[name] = min(least[name], redraw_seconds())
            if number == 0:
                picture(f"{name}.png")
    for name, seconds in least.items():
        note(f"redraw with {name}", seconds, 4)


run(session)
