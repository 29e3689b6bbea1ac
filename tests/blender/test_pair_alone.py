# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of a result that came with the file, or is of many frames: their pair is tested again, by itself, and drawn."""
import bpy
import numpy as np
import pytest
from animation_building import passing
from scene_building import add_cube
from touchpoint.addon import kernels, pair_alone, session
from touchpoint.addon.chosen import chosen_in
from touchpoint.addon.operators.heat_map import TOUCHPOINT_OT_heat_map
from touchpoint.addon.overlay.chosen_picture import picture_in


def picture():
    chosen = chosen_in(bpy.context.scene)
    return None if chosen is None else picture_in(bpy.context.scene, chosen)


def drawn(each) -> list:
    """What a picture has, with its places."""
    return [each.label, *(array.tolist() for array in (each.lines, each.points, each.patches, each.arrow)),
            *((tint.side, tint.seen, tint.hidden, tint.corners.tolist()) for tint in each.tints)]


@pytest.fixture
def many(registered):
    """All verdicts: crossing, flush, near, contained, an object with itself, an instance."""
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("Flush", (2, 6, 0))
    add_cube("Flush too", (4, 6, 0))
    add_cube("Near", (20, 0, 0))
    add_cube("Near too", (22.1, 0, 0))
    add_cube("Box", (40, 0, 0), size=6.0)
    add_cube("Content", (40, 0, 0))
    folded = add_cube("Folded", (60, 0, 0))
    folded.data.vertices[0].co = (3.0, 0.0, 0.5)
    part = bpy.data.collections.new("Part")
    part.objects.link(bpy.data.objects.new("Piece", bpy.data.objects["A"].data))
    for x in (80, 81):
        empty = bpy.data.objects.new(f"Instancer {x}", None)
        empty.instance_type, empty.instance_collection, empty.location.x = "COLLECTION", part, x
        bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    settings = bpy.context.scene.touchpoint
    settings.self_collisions, settings.clearance = True, 0.2
    bpy.ops.touchpoint.detect()
    return settings


def test_after_loading_the_same_is_drawn(many, save):
    expected = {}
    for index, pair in enumerate(many.result.pairs):
        many.pair_index = index
        assert session.single() is None
        expected[pair.name] = pair.verdict, drawn(picture())
    assert {"crossing", "touching", "near", "contained"} <= {verdict for verdict, _ in expected.values()}
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    scene, settings = bpy.context.scene, bpy.context.scene.touchpoint
    settings.pair_index = 1 if settings.pair_index == 0 else 0
    assert session.report_of(scene) is None and len(settings.result.pairs) == len(expected) == 6
    for index, pair in enumerate(settings.result.pairs):
        settings.pair_index = index
        if pair.instance_a:
            assert picture() is None
            continue
        assert pair.verdict == expected[pair.name][0] and drawn(picture()) == expected[pair.name][1], pair.name
        assert bool(TOUCHPOINT_OT_heat_map.why_not(bpy.context)) == (pair.object_a == pair.object_b)
    assert session.report_of(scene) is None


def test_what_has_changed_is_not_asked_again(many, save):
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    scene, settings = bpy.context.scene, bpy.context.scene.touchpoint
    row = next(row for row, pair in enumerate(settings.result.pairs) if {pair.object_a, pair.object_b} == {"A", "B"})
    settings.pair_index = row
    assert picture() is not None
    cube = bpy.data.objects["B"]
    cube.location.x = 0.5
    bpy.context.view_layer.update()
    assert picture() is None
    settings.pair_index = row
    assert session.single() is None and picture() is None
    cube.location.x = 1.0
    bpy.context.view_layer.update()
    settings.pair_index = row
    assert picture() is not None
    scene.frame_set(7)
    assert picture() is None
    settings.pair_index = row       # what is tested there would be drawn at the row's own frame
    assert session.single() is None
    scene.frame_set(1)
    assert picture() is None
    settings.pair_index = row
    assert picture() is not None
    bpy.data.objects.remove(cube)
    settings.pair_index = row
    assert picture() is None
    bpy.ops.touchpoint.detect()
    assert session.single() is None


@pytest.mark.parametrize("what", ["large", "kernels", "another verdict", "bent"])
def test_what_takes_longer_or_says_otherwise_is_not_drawn(many, save, monkeypatch, what):
    if what == "bent":
        many.result.asked = "{"
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    if what == "large":
        monkeypatch.setattr(pair_alone, "MOST_POLYGONS", 11)
    elif what == "kernels":
        monkeypatch.setattr(kernels, "_in_background", lambda: False)     # where they are compiled meanwhile
    elif what == "another verdict":
        monkeypatch.setattr(pair_alone, "VERDICTS", ("none",) * 10)
    settings = bpy.context.scene.touchpoint
    for index, _ in enumerate(settings.result.pairs):
        settings.pair_index = index
        assert (session.single() is not None) == (what == "bent" and not settings.result.pairs[index].instance_a)


def test_rows_of_an_animation_are_drawn_in_two_colours(registered):
    passing()
    bpy.ops.touchpoint.check_animation()
    scene, settings = bpy.context.scene, bpy.context.scene.touchpoint
    settings.pair_index = 0
    assert scene.frame_current == settings.result.pairs[0].worst_frame
    found = picture()
    assert [each.side for each in found.tints] == ["a", "b"] and len(found.lines) and found.label
    boxes = [np.ptp(each.corners.reshape(-1, 3), axis=0).tolist() for each in found.tints]
    assert boxes == [[2, 2, 2], [2, 2, 2]]
    scene.frame_set(1)
    assert picture() is None
