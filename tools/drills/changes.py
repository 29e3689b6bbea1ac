# SPDX-License-Identifier: GPL-3.0-or-later
"""What may happen to Blender while a run is going on, and around it: objects, scenes and files that go, frames that
change, the add-on that is disabled, operators called in any order with any settings, files that are no scenes."""
import mmap
import time
from pathlib import Path

import bpy
import touchpoint
from run_pumping import LONG, start
from scene_building import add_cube, add_instances, add_nodes
from touchpoint.addon import api, cli, session
from touchpoint.core import TouchpointError

from . import Drill, picked

RUNS = 100                      # after which what is kept for later runs is there
MOST_GROWTH = 4_000_000         # bytes, in as many more: 40 kB a run would be a leak
KINDS = ("objects", "meshes", "collections", "materials", "actions", "images", "node_groups", "texts")


def scene_of_cubes(random, count=6):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Scene, "touchpoint"):
        touchpoint.register()
    for number in range(count):
        add_cube(f"Cube {number}", tuple(random.uniform(-2, 2, 3)))


def _an_object(random):
    some = [each for each in bpy.data.objects if each.type == "MESH"]
    return picked(random, some) if some else add_cube("New")


def delete_object(random, _folder):
    bpy.data.objects.remove(_an_object(random))


def delete_mesh(random, _folder):
    if len(bpy.data.meshes):
        bpy.data.meshes.remove(picked(random, list(bpy.data.meshes)))


def rename(random, _folder):
    _an_object(random).name = picked(random, ("A", "Touchpoint", "x" * 63))


def move(random, _folder):
    _an_object(random).location = tuple(random.uniform(-2, 2, 3))


def frame(random, _folder):
    bpy.context.scene.frame_set(int(random.integers(1, 250)))


def edit_mode(random, _folder):
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    else:
        bpy.context.view_layer.update()
        each = _an_object(random)
        if each.name in bpy.context.view_layer.objects:
            bpy.context.view_layer.objects.active = each
            bpy.ops.object.mode_set(mode="EDIT")


def modifier(random, _folder):
    _an_object(random).modifiers.new("Array", "ARRAY")


def other_file(random, folder):
    path = str(folder / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)


def new_file(random, _folder):
    bpy.ops.wm.read_factory_settings(use_empty=True)


def other_scene(random, _folder):
    bpy.context.window_manager.windows[0].scene = bpy.data.scenes.new("Other")


def delete_scene(random, _folder):
    if len(bpy.data.scenes) > 1:
        bpy.data.scenes.remove(bpy.data.scenes[0])


def disable_and_enable(random, _folder):
    touchpoint.unregister()
    touchpoint.register()


def cancel(random, _folder):
    if session.run() is not None:
        session.run().cancel()


EVENTS = (delete_object, delete_object, delete_mesh, rename, move, frame, edit_mode, modifier, other_file, new_file,
          other_scene, delete_scene, disable_and_enable, cancel)


def during_a_run(random, folder):
    """F5 to F10: up to four events between the steps of a run; it ends, and the next one is right."""
    scene_of_cubes(random)
    run, events, begun = start(), int(random.integers(1, 5)), time.monotonic()
    try:
        while not (run.abandoned or run.pump(float(random.choice((0.0, 0.001))))):
            assert time.monotonic() < begun + LONG, "it does not end"
            if events and random.random() < 0.5:
                events -= 1
                picked(random, EVENTS)(random, folder)
    except TouchpointError as error:
        assert str(error)
    session.set_run(None)
    run.wait(10.0)
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    scene_of_cubes(random, 2)
    for number in range(2):
        bpy.data.objects[f"Cube {number}"].location = (0.5 * number, 0.25 * number, 0.125 * number)
    report = api.detect()
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["crossing"]
    api.write_back(report)
    api.clear()


def cycles(random, _folder):
    """F10: enabled and disabled again, with a result in the file: no handler and no class stays behind."""
    scene_of_cubes(random)
    touchpoint.unregister()
    before = [len(getattr(bpy.app.handlers, name)) for name in ("load_post", "undo_post", "depsgraph_update_post")]
    for _ in range(5):
        touchpoint.register()
        api.write_back(api.detect())
        touchpoint.unregister()
        assert not hasattr(bpy.types.Scene, "touchpoint") and session.run() is None
    after = [len(getattr(bpy.app.handlers, name)) for name in ("load_post", "undo_post", "depsgraph_update_post")]
    assert before == after
    touchpoint.register()


def any_settings(random, _folder):
    """F22: operators in any order with any settings: refused in a sentence, or done; never a fault."""
    scene_of_cubes(random, int(random.integers(0, 5)))
    for _ in range(8):
        settings = bpy.context.scene.touchpoint
        _set_at_random(random, picked(random, (settings, settings, settings.options)))
        settings.empties, settings.repeats = min(settings.empties, 50), 1
        for each in settings.compared_methods.bl_rna.properties.keys():
            if each in ("exact", "saga") and hasattr(settings.compared_methods, each):
                setattr(settings.compared_methods, each, False)     # which takes minutes
        if settings.method in ("exact", "saga"):
            settings.method = "touchpoint"
        operator = picked(random, ("detect", "detect", "compare", "clear", "select_pair", "show_colours", "cancel"))
        arguments = {"index": int(random.integers(0, 5))} if operator == "select_pair" else {}
        try:
            getattr(bpy.ops.touchpoint, operator)(**arguments)
        except RuntimeError as error:       # what Blender makes of a poll that says no
            assert "poll()" in str(error), error
        assert "fault in Touchpoint" not in session.message(), session.message()


def _set_at_random(random, group):
    for name, kind in group.bl_rna.properties.items():
        if kind.is_readonly or name in ("rna_type", "name") or random.random() < 0.5:
            continue
        if kind.type == "ENUM":
            setattr(group, name, picked(random, kind.enum_items.keys()))
        elif kind.type == "BOOLEAN":
            setattr(group, name, bool(random.integers(2)))
        elif kind.type == "INT":
            setattr(group, name, int(picked(random, (kind.hard_min, kind.soft_max, -1, 0, 1, 7))))
        elif kind.type == "FLOAT" and not kind.is_array:
            setattr(group, name, float(picked(random, (kind.hard_min, kind.soft_max, 0.0, 0.5, 1e30))))
        elif kind.type == "POINTER" and name.startswith("collection"):
            setattr(group, name, picked(random, [None, *bpy.data.collections]))


def files_that_are_no_scenes(random, folder):
    """F21: bytes of a scene file, cut, flipped at the head, or random: an error that names it, never "clear"."""
    scene_of_cubes(random, 2)
    path = folder / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    data = path.read_bytes()
    kind = picked(random, ("random", "cut", "head", "empty", "text"))
    data = {"random": random.bytes(1000), "cut": data[:int(random.integers(0, 2000))], "empty": b"",
            "head": bytes(random.bytes(12)) + data[12:], "text": b"no scene\n"}[kind]
    path.write_bytes(data)
    assert cli.main(["detect", str(path), "--json", str(folder / "report.json")]) == 3, kind
    assert not (folder / "report.json").exists()


def in_a_handler(random, _folder):
    """F16: asked from a handler, without a window's operator."""
    scene_of_cubes(random)
    expected, found = len(api.detect().pairs), []
    handler = bpy.app.handlers.frame_change_post

    def ask(*_):
        found.append(len(api.detect().pairs))

    handler.append(ask)
    try:
        bpy.context.scene.frame_set(7)
    finally:
        handler.remove(ask)
    assert found == [expected]


def ten_thousand_instances(random, _folder):
    """F17: as many instances of geometry nodes: all are tested, and none is made a data-block of its own."""
    scene_of_cubes(random, 2)
    instancer, cube = (bpy.data.objects[f"Cube {number}"] for number in range(2))
    add_nodes(instancer, lambda tree, start, end: tree.links.new(add_instances(tree, start, 10_000, 4.0), end))
    instancer.location, met = (0, 0, 0), int(random.integers(10_000))
    cube.location = (4.0 * met + 0.5, 0.25, 0.125)
    before = len(bpy.data.objects), len(bpy.data.meshes)
    report = api.detect()
    assert len(report.objects) == 10_001
    [pair] = report.pairs
    assert report.name(pair["a"]).endswith(f"#{met + 1}") or report.name(pair["b"]).endswith(f"#{met + 1}")
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == before


def runs_leave_nothing(random, _folder):
    """F11: runs that are shown and removed again; neither memory nor data-blocks grow after the first half."""
    scene_of_cubes(random)
    held = []
    for number in range(2 * RUNS):
        api.write_back(api.detect(tolerance=float(random.choice((0.0, 0.01))), threads=int(random.integers(1, 3))))
        api.clear()
        if number in (RUNS - 1, 2 * RUNS - 1):
            held.append((resident(), [len(getattr(bpy.data, kind)) for kind in KINDS]))
    (before, blocks), (after, blocks_after) = held
    print(f"{1e-6 * before:.1f} MB after {RUNS} runs, {1e-6 * after:.1f} MB after {2 * RUNS}; {blocks_after}")
    assert blocks == blocks_after and after - before < MOST_GROWTH, (before, after, blocks, blocks_after)


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE


DRILLS = [
    Drill("F11", f"{2 * RUNS} runs that are shown and removed: memory and data-blocks", runs_leave_nothing, 1),
    Drill("F5 to F10", "during a run: objects, meshes, scenes and files that go, edits, frames, Esc, disabling",
          during_a_run, 8),
    Drill("F10", "the add-on enabled and disabled five times, with results", cycles, 2),
    Drill("F16", "asked from a handler", in_a_handler, 2),
    Drill("F17", "ten thousand instances", ten_thousand_instances, 1),
    Drill("F21", "files that are no scenes, or were cut", files_that_are_no_scenes, 8),
    Drill("F22", "eight operators in any order, with any settings", any_settings, 8),
]
