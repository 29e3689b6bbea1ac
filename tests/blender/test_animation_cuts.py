# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that Blender cuts into triangles otherwise from frame to frame: they are followed all the same."""
import bpy
import numpy as np
import pytest
from animation_building import key, names, same_as_detect
from scene_building import add, add_cube, mesh_of
from touchpoint.addon import api

# A quad whose last corner goes past a diagonal of it, a pentagon that becomes concave.
PLACES = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (4, -1, 0), (6, -1, 0), (6, 1, 0), (5, 1.5, 0), (4, 1, 0)]
DENTED = {3: (0.5, -0.5, 0.1), 7: (5, -0.5, 0.1)}
FRAMES = 8


def dented_sheet():
    """It is flat in odd frames, and dented in even ones."""
    sheet = add("Sheet", mesh_of("Sheet", PLACES, [(0, 1, 2, 3), (4, 5, 6, 7, 8)]))
    sheet.shape_key_add(name="Basis")
    dent = sheet.shape_key_add(name="Dented")
    for number, place in DENTED.items():
        dent.data[number].co = place
    for frame in range(1, FRAMES + 1):
        dent.value = float(frame % 2 == 0)
        dent.keyframe_insert("value", frame=frame)
    return sheet


def bent_sleeve():
    """A tube of quads around an elbow, which is bent and straightened again."""
    rings, around = 15, 8
    angles = 2 * np.pi * np.arange(around) / around
    places = [(0.4 * np.cos(a), 0.4 * np.sin(a), 0.3 * k) for k in range(rings) for a in angles]
    faces = [(k * around + i, k * around + (i + 1) % around, (k + 1) * around + (i + 1) % around, (k + 1) * around + i)
             for k in range(rings - 1) for i in range(around)]
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, low, high in (("Upper", 0.0, 2.1), ("Lower", 2.1, 4.2)):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, low), (0, 0, high)
    rig.data.edit_bones["Lower"].parent = rig.data.edit_bones["Upper"]
    bpy.ops.object.mode_set(mode="OBJECT")
    sleeve = add("Sleeve", mesh_of("Sleeve", places, faces))
    for number, place in enumerate(places):
        share = float(np.clip((place[2] - 1.7) / 0.8, 0, 1))
        for name, weight in (("Upper", 1 - share), ("Lower", share)):
            group = sleeve.vertex_groups.get(name) or sleeve.vertex_groups.new(name=name)
            group.add([number], weight, "ADD")
    sleeve.modifiers.new("Armature", "ARMATURE").object = rig
    bone = rig.pose.bones["Lower"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (FRAMES // 2, 2.4), (FRAMES, 0.1)):
        bone.rotation_euler = (angle, 0.3 * angle, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    return sleeve


def triangles_over_time(each):
    """(m,3) of each frame."""
    read = [api.read_scene(frame=frame, objects=[each, bpy.data.objects["Wall"]]) for frame in range(1, FRAMES + 1)]
    return [snapshot.core.meshes[snapshot.core.objects[0].mesh].triangles for snapshot in read]


def jump(name, frame, places):
    """A small cube that is at the first place until a frame, and at the second one from the next frame on."""
    key(add_cube(name, places[0], size=0.1), "location", (frame, places[0]), (frame + 1, places[1]))


@pytest.fixture
def film(empty_file):
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, FRAMES
    add_cube("Wall", (20, 0, 0))


def test_a_sheet_is_cut_otherwise_in_each_frame(film):
    """Bullets pass through what stays of both faces. One passes beside the quad while it is still dented, where the
    cut of the flat one would fold and cover more."""
    sheet = dented_sheet()
    for number, (x, y) in enumerate([(-0.8, -0.9), (4.2, -0.8)]):
        jump(f"Hit {number}", 3, [(x, y, 2), (x, y, -2)])
        jump(f"Back {number}", 6, [(x + 0.15, y, 2), (x + 0.15, y, -2)])
    jump("Beside", 4, [(0.2, 0, 0.2), (0.2, 0, -20)])
    report = api.check_animation(continuous=True)
    every = triangles_over_time(sheet)
    assert all(not np.array_equal(one, other) for one, other in zip(every, every[1:]))
    assert not report.notes and same_as_detect(api.check_animation()) == 0
    found = {names(report, pair): spans.tolist() for pair, spans in zip(report.pairs, report.intervals)}
    assert found.keys() == {(name, "Sheet") for name in ("Hit 0", "Hit 1", "Back 0", "Back 1")}
    for (name, _), ((start, end),) in found.items():
        frame = 3 if "Hit" in name else 6
        assert start == pytest.approx(frame + 1.95 / 4, abs=0.02) and frame + 0.5 < end < frame + 0.6


def test_a_sleeve_that_bends(film):
    """What passes through it between two frames is found, wherever quads are cut otherwise meanwhile."""
    every = triangles_over_time(bent_sleeve())
    changes = [frame for frame in range(1, FRAMES) if not np.array_equal(every[frame - 1], every[frame])]
    assert len(changes) >= 2
    for frame in changes:
        jump(f"Bullet {frame}", frame, [(-3, 0.1, 0.3 + 0.15 * frame), (3, 0.1, 0.3 + 0.15 * frame)])
    assert len(api.check_animation().pairs) == 0
    report = api.check_animation(continuous=True)
    assert not report.notes
    found = {names(report, pair): spans.tolist() for pair, spans in zip(report.pairs, report.intervals)}
    assert found.keys() == {(f"Bullet {frame}", "Sleeve") for frame in changes}
    for frame in changes:
        (start, end), = found[f"Bullet {frame}", "Sleeve"]
        assert start == pytest.approx(frame + 2.55 / 6, abs=0.01) and end == pytest.approx(frame + 3.45 / 6, abs=0.01)
