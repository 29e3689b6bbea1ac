# SPDX-License-Identifier: GPL-3.0-or-later
"""What viewports show of the chosen pair: the arrays, the colours, and what is painted of them without a window."""
import json
import os
import subprocess
import sys
from collections import OrderedDict
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from checkout_path import import_path
from overlay_painting import OTHER_COLOURS
from scene_building import add, add_cube, mesh_of
from touchpoint.addon import api, preferences
from touchpoint.addon.chosen import chosen_in
from touchpoint.addon.default_colours import PAIR_COLOURS
from touchpoint.addon.heat_map.colours import colours_of
from touchpoint.addon.limits import USUAL, Limits
from touchpoint.addon.overlay import drawing
from touchpoint.addon.overlay.chosen_picture import picture_in
from touchpoint.addon.overlay.painting import (
    HEAT_INSIDE,
    HEAT_SEEN,
    LINE_HIDDEN,
    PATCH_HIDDEN,
    PATCH_SEEN,
    VEIL,
)
from touchpoint.addon.overlay.patches import shared_triangles
from touchpoint.addon.overlay.picture import HIDDEN_BEHIND, HIDDEN_INSIDE, SEEN, SEEN_AROUND, arrow, picture_of

BEHIND = 0.5 * (1.0 - VEIL)     # of the paintings: how bright the wall is below what is drawn
# Machado, Oliveira and Fernandes (2009): how linear colours look to people without one kind of cones
SIGHT = {"usual": np.eye(3),
         "protan": np.array([[.152286, 1.052583, -.204868], [.114503, .786281, .099216],
                             [-.003882, -.048116, 1.051998]]),
         "deutan": np.array([[.367322, .860646, -.227968], [.280085, .672501, .047413], [-.011820, .042940, .968881]]),
         "tritan": np.array([[1.255528, -.076749, -.178779], [-.078411, .930809, .147602],
                             [.004733, .691367, .303900]])}
TO_XYZ = np.array([[.4124564, .3575761, .1804375], [.2126729, .7151522, .0721750], [.0193339, .1191920, .9503041]])


def picture(row=0, length="1 m", **how):
    report = api.detect(**how)
    return picture_of(report, row, report.source.core, length)


def box_of(corners):
    corners = corners.reshape(-1, 3)
    return corners.min(axis=0).tolist(), corners.max(axis=0).tolist()


def area(triangles):
    along = triangles[:, 1:] - triangles[:, :1]
    return 0.5 * np.linalg.norm(np.cross(along[:, 0], along[:, 1]), axis=1).sum()


def test_crossing_cubes():
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    shown = picture()
    assert [(each.side, each.seen, each.hidden, len(each.corners)) for each in shown.tints] == [
        ("a", SEEN, HIDDEN_BEHIND, 12), ("b", SEEN, HIDDEN_BEHIND, 12)]
    assert box_of(shown.tints[1].corners) == ([0.0, -0.75, -0.5], [2.0, 1.25, 1.5])
    assert box_of(shown.lines) == ([0.0, -0.75, -0.5], [1.0, 1.0, 1.0]) and len(shown.patches) == 0
    assert shown.label == "1 m" and len(shown.arrow) == 5       # a shaft, four barbs at one end
    start, end = shown.arrow[0].astype(float)
    assert np.linalg.norm(end - start) == pytest.approx(1.0)


def test_flush_cubes():
    add_cube("A")
    add_cube("B", (2, 0.5, 0.25))
    shown = picture(length="")
    assert area(shown.patches) == pytest.approx(1.5 * 1.75)
    assert box_of(shown.patches) == ([1.0, -0.5, -0.75], [1.0, 1.0, 1.0])
    assert len(shown.arrow) == 0 and shown.label == ""


def test_points_are_drawn_where_no_line_ends():
    """A cone's tip on a cube's top; cubes edge on edge have lines with ends, and no point."""
    add_cube("A")
    add("B", mesh_of("Cone", [(0.3, 0.2, 1), (1, 0, 2), (0, 1, 2), (-1, -1, 2)],
                     [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]))
    shown = picture(length="")
    assert shown.points == pytest.approx(np.array([(0.3, 0.2, 1.0)])) and len(shown.lines) == 0
    bpy.data.objects["B"].location.z = 9
    add_cube("C", (2, 2, 0.5))
    bpy.context.view_layer.update()
    shown = picture(length="")
    assert len(shown.points) == 0 and box_of(shown.lines) == ([1.0, 1.0, -0.5], [1.0, 1.0, 1.0])


def test_a_gap_has_an_arrow_both_ways():
    add_cube("A")
    add_cube("B", (2.5, 0, 0))
    shown = picture(clearance=1.0)
    assert len(shown.arrow) == 9 and len(shown.lines) == 0
    assert np.ptp(shown.arrow[0], axis=0) == pytest.approx((0.5, 0, 0)) and shown.arrow[0, :, 0].mean() == 1.25


def test_what_is_inside_shows_through():
    add_cube("A")
    add_cube("B", size=0.5)
    outer, inner = picture().tints
    assert (outer.seen, outer.hidden, inner.seen, inner.hidden) == (SEEN_AROUND, HIDDEN_BEHIND, SEEN, HIDDEN_INSIDE)


@pytest.mark.parametrize("build", ["outwards", "inwards", "mirrored", "mirrored inwards"])
def test_what_contains_the_other_has_a_colour_from_outside_only(build):
    """In a closed room everything would be tinted by its walls. How its faces are turned makes no difference."""
    room = add_cube("A", (50, 0, 0), size=4.0)
    add_cube("B", (50, 0, 0), size=0.5)
    if "inwards" in build:
        room.data.flip_normals()
    if "mirrored" in build:
        room.scale = (1, -1, 1)
    bpy.context.view_layer.update()
    outer, inner = picture().tints
    assert outer.one_sided and not inner.one_sided
    corners = outer.corners.astype(float)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = corners.mean(axis=1) - (50, 0, 0)
    assert (np.einsum("ij,ij->i", across, outward) > 0.0).all()


def test_an_object_with_itself_has_one_colour():
    cube = add_cube("A")
    mesh = cube.data
    mesh.vertices[0].co = (3.0, 0.0, 0.5)       # through the opposite side
    bpy.context.view_layer.update()
    shown = picture(self_collisions=True)
    assert [each.side for each in shown.tints] == ["a"] and len(shown.lines) > 0


def test_without_a_scene_there_are_the_contacts():
    add_cube("A")
    add_cube("B", (2, 0.5, 0.25))
    shown = picture_of(api.detect(), 0, None, "")
    assert shown.tints == [] and len(shown.patches) == 0
    assert box_of(shown.lines) == ([1.0, -0.5, -0.75], [1.0, 1.0, 1.0])


def test_mirrored_objects_are_lit_from_the_same_side():
    add_cube("A").scale = (-1, 1, 1)
    add_cube("B", (1, 0.25, 0.5))
    bpy.context.view_layer.update()
    for each in picture().tints:
        height = each.corners[:, :, 2].mean(axis=1)
        assert each.shades[height == height.max()].min() > each.shades[height == height.min()].max()


def test_shared_triangles_fill_what_both_cover():
    """Against sampled points, in a plane across the axes."""
    rng = np.random.default_rng(3)
    plane = np.array([(1.0, 0.0, 0.5), (0.0, 1.0, -0.25)])
    a, b = rng.uniform(-1, 1, (2, 60, 3, 2))
    b[5], a[6], b[7] = a[5], [(0, 0), (1, 1), (2, 2)], a[7, ::-1]       # the same, no area, the other way round
    samples = rng.uniform(-1, 1, (4000, 2))

    def covers(triangle):
        signs = [(q[0] - p[0]) * (samples[:, 1] - p[1]) - (q[1] - p[1]) * (samples[:, 0] - p[0])
                 for p, q in zip(triangle, np.roll(triangle, -1, axis=0))]
        return np.all(np.array(signs) >= 0, axis=0) | np.all(np.array(signs) <= 0, axis=0)

    for first, second in zip(a, b):
        found = shared_triangles(first[None] @ plane, second[None] @ plane)
        flat = np.linalg.lstsq(plane.T, found.reshape(-1, 3).T, rcond=None)[0].T.reshape(-1, 3, 2)
        filled = np.sum([covers(each) for each in flat], axis=0) if len(flat) else np.zeros(len(samples))
        expected = covers(first) & covers(second) if area_of(first) > 0.0 else np.zeros(len(samples), bool)
        assert (filled <= 1).all() and np.array_equal(filled > 0, expected)
    assert len(shared_triangles(a[:0] @ plane, b[:0] @ plane)) == 0


def area_of(triangle):
    (ax, ay), (bx, by) = triangle[1] - triangle[0], triangle[2] - triangle[0]
    return abs(ax * by - ay * bx)


def test_an_arrow_is_as_long_as_it_says():
    lines = arrow(np.array((1.0, 2.0, 3.0)), np.array((1.0, 2.0, 7.0)), both_ways=True)
    assert lines.shape == (9, 2, 3) and lines[0].tolist() == [[1, 2, 3], [1, 2, 7]]
    assert all(3.0 <= z <= 7.0 for z in lines[:, :, 2].ravel())
    assert np.isfinite(arrow(np.zeros(3), np.zeros(3), both_ways=False)).all()


def test_what_is_chosen(registered):
    add_cube("A")
    moving = add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (0, 3, 0), size=4.0)
    scene, settings = bpy.context.scene, bpy.context.scene.touchpoint
    bpy.ops.touchpoint.detect()
    assert chosen_in(scene) is None
    for index in range(2):
        settings.pair_index = index
        chosen = chosen_in(scene)
        tints = picture_in(scene, chosen).tints
        size = sum(float(np.ptp(each.corners.reshape(-1, 3), axis=0)[0]) for each in tints)
        pair = settings.result.pairs[index]
        assert size == sum({"A": 2.0, "B": 2.0, "C": 4.0}[name] for name in (pair.object_a, pair.object_b))
    scene.frame_set(2)
    assert chosen_in(scene) is None
    scene.frame_set(1)
    assert chosen_in(scene) == chosen
    settings.show_pair = False
    assert chosen_in(scene) is None
    settings.show_pair = True
    pairs = settings.result.pairs
    with_it, without = (next(row for row, pair in enumerate(pairs) if ("B" in (pair.object_a, pair.object_b)) == there)
                        for there in (True, False))
    moving.location.x = 0.9
    bpy.context.view_layer.update()
    settings.pair_index = with_it
    assert chosen_in(scene) is None
    settings.pair_index = without
    assert chosen_in(scene) is not None
    settings.pair_index = with_it
    moving.location.x = 1.0
    bpy.context.view_layer.update()
    assert chosen_in(scene) is not None


def looks(colour, sight):
    """CIELAB of an sRGB colour, as people see it."""
    colour = np.array(colour, float)
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    white = TO_XYZ.sum(axis=1)
    relative = TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / white
    x, y, z = np.where(relative > 216 / 24389, np.cbrt(relative), (24389 / 27 * relative + 16) / 116)
    return np.array((116 * y - 16, 500 * (x - y), 200 * (y - z)))


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight):
    """Of A, of B, and of what Blender draws around what is selected and active; 10 is told at a glance."""
    space = bpy.context.preferences.themes[0].view_3d
    colours = [*PAIR_COLOURS.values(), tuple(space.object_selected), tuple(space.object_active)]
    seen = [looks(each, sight) for each in colours]
    apart = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(range(4), 2) if a < 2}
    assert min(apart.values()) > 30, apart


@pytest.fixture(scope="module")
def painted(tmp_path_factory):
    """Name of a painting → colours and how many pixels have them, the most frequent first."""
    environment = {**os.environ, "PYTHONPATH": str(import_path(tmp_path_factory.mktemp("painting")))}
    script = Path(__file__).with_name("overlay_painting.py")
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode < 0:
        pytest.skip("There is no graphics driver: Blender dies when it is asked to draw")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def pixels(painting, colour, within=0.02):
    colour = np.broadcast_to(colour, 3)
    return sum(count for found, count in painting if np.abs(np.array(found) - colour).max() <= within)


def test_objects_are_painted(painted):
    for side, colour in PAIR_COLOURS.items():
        assert pixels(painted[side], SEEN * np.array(colour)) == 12800
        behind = (1 - HIDDEN_BEHIND) * BEHIND + HIDDEN_BEHIND * np.array(colour)
        assert pixels(painted[f"{side} behind"], behind) == 12800
    assert pixels(painted["nothing"], 0.0) == 40000 and pixels(painted["wall"], BEHIND) == 40000


def test_objects_are_painted_in_colours_of_the_users_own(painted):
    colour = np.array(OTHER_COLOURS["a"])
    assert pixels(painted["other colours"], SEEN * colour) == 12800
    behind = (1 - HIDDEN_BEHIND) * BEHIND + HIDDEN_BEHIND * colour
    assert pixels(painted["other colours behind"], behind) == 12800
    assert 80 <= pixels(painted["names in other colours"], colour) <= 110


def test_what_is_around_is_painted_from_outside_only(painted):
    blue = np.array(PAIR_COLOURS["a"])
    for place, count in (("outside", 12800), ("inside", 0)):
        assert pixels(painted[f"around, from {place}"], SEEN * blue) == count
        behind = (1 - HIDDEN_BEHIND) * BEHIND + HIDDEN_BEHIND * blue
        assert pixels(painted[f"around, from {place} behind"], behind) == count


def test_curves_patches_and_points_are_painted(painted):
    assert pixels(painted["line"], 1.0) >= 200
    # Where they meet within an object, whose colour lies below: it hides all of that.
    in_colour = (1 - SEEN) * BEHIND + SEEN * np.array(PAIR_COLOURS["a"])
    assert pixels(painted["inside"], PATCH_HIDDEN + (1 - PATCH_HIDDEN) * in_colour) >= 600
    assert pixels(painted["inside"], LINE_HIDDEN + (1 - LINE_HIDDEN) ** 2 * in_colour) >= 100
    for kind in ("line", "point"):      # between surfaces that come nearer on both sides, as where two objects cross
        assert pixels(painted[f"{kind} in a valley"], 1.0) == pixels(painted[kind], 1.0)
    assert 80 <= pixels(painted["many lines"], 1.0) <= 120      # one pixel wide
    assert pixels(painted["line behind"], LINE_HIDDEN + (1 - LINE_HIDDEN) ** 2 * BEHIND) >= 200
    assert pixels(painted["arrow behind"], 1.0) >= 200
    assert pixels(painted["patch"], PATCH_SEEN) == 12800
    assert pixels(painted["patch behind"], PATCH_HIDDEN + (1 - PATCH_HIDDEN) * BEHIND) == 12800
    assert pixels(painted["point"], 1.0) >= 25
    assert 1 <= pixels(painted["many points"], 1.0) <= 9        # without a black rim
    assert pixels(painted["many points"], 1.0) + pixels(painted["many points"], 0.0) == 40000


def test_heat_maps_are_painted(painted):
    """What is inside the other object is seen through it, what is outside is not."""
    for name, distance in (("apart", 1.0), ("inside", -1.0)):
        colour = colours_of(np.array([distance]), 1.0)[0]
        assert pixels(painted[f"heat {name}"], HEAT_SEEN * colour) == 12800
        behind = (1 - HEAT_INSIDE) * BEHIND + HEAT_INSIDE * colour if distance < 0.0 else BEHIND
        assert pixels(painted[f"heat {name} behind"], behind) == (12800 if distance < 0.0 else 40000)


def test_a_legend_is_painted(painted):
    """Sixty-four colours, each over the same part of the bar, of which the list has the most frequent ones."""
    assert sum(count for _, count in painted["legend"]) > 37000
    bar = [count for colour, count in painted["legend"] if max(colour) > 0.0]
    assert len(bar) == 5 and min(bar) >= 13


def test_the_legend_of_the_two_colours_is_painted(painted):
    """A square for each, of 12 pixels at a scale of 0.8."""
    for colour in PAIR_COLOURS.values():
        assert 80 <= pixels(painted["names"], colour) <= 110
    assert pixels(painted["names"], 0.0) < 40000 - 2 * 80 - 50        # beside the squares there are words


@pytest.mark.parametrize(("place", "title", "figure"), [
    ((1.75, 0.25, 0.5), "Crossing", "25 cm deep"), ((2.5, 0, 0), "Near", "50 cm apart")])
def test_the_legend_and_the_number_say_what_they_mean(registered, place, title, figure):
    add_cube("Mug")
    add_cube("Hand", place)
    scene = bpy.context.scene
    scene.touchpoint.clearance = 1.0
    bpy.ops.touchpoint.detect()
    scene.touchpoint.pair_index = 0
    shown = picture_in(scene, chosen_in(scene))
    assert (shown.title, shown.label) == (title, figure)
    assert sorted(name for _, name in shown.names) == ["Hand", "Mug"]
    assert [side for side, _ in shown.names] == [tint.side for tint in shown.tints] == ["a", "b"]
    for (_, name), tint in zip(shown.names, shown.tints):
        low = tint.corners.reshape(-1, 3).min(axis=0)
        assert np.allclose(low, np.array(bpy.data.objects[name].location) - 1.0)


def test_limits_of_what_is_drawn(registered, monkeypatch):
    """Those of the preferences, from the next picture on."""
    assert preferences.limits() == USUAL
    add_cube("A")
    add_cube("B", (1.5, 0.5, 0.25))
    bpy.ops.touchpoint.detect()
    scene = bpy.context.scene
    scene.touchpoint.pair_index = 0
    drawn = []
    for limits in (Limits(contacts=5, triangles=11), Limits(triangles=12), Limits(contacts=0)):
        monkeypatch.setattr(preferences, "kept", lambda limits=limits: limits)
        shown = picture_in(scene, chosen_in(scene))
        assert len(shown.names) == len(shown.tints)      # none is named whose colour is not there
        drawn.append((len(shown.lines), len(shown.tints)))
    assert 0 < drawn[0][0] <= 5 < drawn[1][0] and drawn[2][0] == 0
    assert [tints for _, tints in drawn] == [0, 2, 2]


def test_other_limits_and_colours_draw_the_same_pair_anew(registered, monkeypatch):
    add_cube("A")
    add_cube("B", (1.5, 0.5, 0.25))
    bpy.ops.touchpoint.detect()
    bpy.context.scene.touchpoint.pair_index = 0
    shown = SimpleNamespace(overlay=SimpleNamespace(show_overlays=True))
    view = SimpleNamespace(scene=bpy.context.scene, space_data=shown)
    monkeypatch.setattr(drawing, "_kept", OrderedDict())
    monkeypatch.setattr(drawing, "_drawn", lambda *_: object())
    first = drawing._found(view)
    assert drawing._found(view) is first
    monkeypatch.setattr(preferences, "kept", lambda: Limits(contacts=5))
    in_few = drawing._found(view)
    assert in_few is not first
    monkeypatch.setattr(preferences, "kept", lambda: SimpleNamespace(contacts=5, colour_of_b=(1.0, 0.0, 0.0)))
    assert drawing._found(view) is not in_few
