# SPDX-License-Identifier: GPL-3.0-or-later
"""Heat maps: distances against the core's, colours, legend, and when a heat map comes and goes."""
from functools import partial
from itertools import combinations, pairwise

import bmesh
import bpy
import numpy as np
import pytest
from scene_building import add, add_cube, mesh_of
from test_overlay import looks
from touchpoint.addon import api, session
from touchpoint.addon.chosen import chosen_in
from touchpoint.addon.heat_map import measuring
from touchpoint.addon.heat_map.colours import LEGEND_STEPS, colours_of, legend_of
from touchpoint.addon.heat_map.legend_painting import bar_of
from touchpoint.addon.heat_map.measuring import FINE_ENOUGH, HeatMap, Side, asked_of, measured, round_up
from touchpoint.addon.heat_map.phrases import sentences
from touchpoint.addon.heat_map.refining import cut, edges_of
from touchpoint.addon.limits import USUAL
from touchpoint.addon.operators.heat_map import TOUCHPOINT_OT_heat_map
from touchpoint.addon.overlay import heat as engine
from touchpoint.addon.overlay.chosen_picture import picture_in
from touchpoint.addon.overlay.picture import HEAT_LIGHT
from touchpoint.core.queries import surface_distances

METRES = partial("{:.4g} m".format)


def add_sphere(name, location=(0, 0, 0), radius=1.0, subdivisions=3):
    mesh, made = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=subdivisions, radius=radius)
    made.to_mesh(mesh)
    made.free()
    return add(name, mesh, location)


def heat_map(row=0, radius=1.0, most=USUAL.heat_vertices, **how):
    report = api.detect(**how)
    asked = asked_of(report, row, radius, most)
    return measured(asked, 1, lambda *_: None), report, asked


def area(side):
    corners = side.vertices[side.triangles]
    return 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()


def test_spheres_have_the_distance_of_spheres():
    """Of two unit spheres, centres 1.5 apart, each place of the one is as far from the other as from its centre, less
    the radius; polyhedra are a little inside of spheres."""
    add_sphere("A", subdivisions=5)
    add_sphere("B", (1.5, 0, 0), subdivisions=5)
    heat, report, _ = heat_map()
    for side, centre in zip(heat.sides, ((1.5, 0, 0), (0, 0, 0))):
        expected = np.linalg.norm(side.vertices - centre, axis=1) - 1.0
        assert np.abs(side.distance - expected).max() < 2e-3
    assert heat.deepest == pytest.approx(0.5, abs=2e-3) and heat.end == pytest.approx(0.5)
    assert heat.deepest <= report.pairs["depth_upper"][0]


@pytest.mark.parametrize("how", ["crossing", "apart", "open", "inside", "mirrored and scaled"])
def test_colours_between_vertices_are_right(how):
    """A cube has eight vertices, and all may be outside of what it crosses: its edges are cut until straight colours
    between them are near what is measured there. The surface stays whole."""
    add_cube("A")
    other = {"crossing": lambda: add_cube("B", (0.3, 0.2, 1.2), size=0.7), "apart": lambda: add_cube("B", (2.2, 0, 0)),
             "inside": lambda: add_cube("B", (0.2, 0, 0), size=0.5),
             "open": lambda: add("B", mesh_of("Sheet", [(-3, -3, 0.4), (3, -3, 0.4), (0, 4, 0.4)], [(0, 1, 2)])),
             "mirrored and scaled": lambda: add_cube("B", (0.3, 0.2, 1.2))}[how]()
    if how == "mirrored and scaled":
        other.scale = (-0.3, 0.5, 0.4)
        bpy.context.view_layer.update()
    heat, _, asked = heat_map(clearance=0.5)
    rng = np.random.default_rng(1)
    for side, solid, facing in zip(heat.sides, asked.solids, reversed(asked.solids)):
        corners = solid.vertices[solid.triangles]
        assert area(side) == pytest.approx(area(Side(solid.vertices, solid.triangles, None)), rel=1e-9) and len(corners)
        rows = rng.integers(0, len(side.triangles), 400)
        shares = rng.dirichlet((1, 1, 1), 400)
        places = np.einsum("ni,nij->nj", shares, side.vertices[side.triangles[rows]])
        straight = np.einsum("ni,ni->n", shares, side.distance[side.triangles[rows]])
        true, _ = surface_distances(facing.vertices, facing.triangles, places)
        shown, wanted = (np.clip(each, -heat.end, heat.end) for each in (straight, true))
        assert np.abs(shown - wanted).max() <= 3.0 * FINE_ENOUGH * heat.end
        drawn = np.einsum("ni,nij->nj", shares, colours_of(side.distance, heat.end)[side.triangles[rows]])
        assert np.abs(drawn - colours_of(true, heat.end)).max() < 0.12      # of 1, in each of three colours
        own = surface_distances(facing.vertices, facing.triangles, side.vertices)[0]
        assert np.abs(own - side.distance).max() < 1e-12
        assert (side.distance.min() < 0.0) <= (how != "apart")
    assert (heat.deepest > 0.0) == (how != "apart")


def test_a_small_thing_in_the_middle_of_a_large_face_is_seen():
    """All edges of the floor are far away from it."""
    add("Floor", mesh_of("Floor", [(-50, -50, 0), (50, -50, 0), (0, 90, 0)], [(0, 1, 2)]))
    add_cube("B", (3, 5, 0), size=0.4)
    heat, _, _ = heat_map()
    floor = next(side for side in heat.sides if np.ptp(side.vertices[:, 0]) > 50)
    assert heat.end == pytest.approx(0.2) and 0.15 < -floor.distance.min() <= 0.2
    assert len(floor.vertices) < 20_000


def test_modifiers_and_instances_are_measured_as_they_are_shown():
    cube = add_cube("A")
    cube.modifiers.new("Bevel", "BEVEL").width = 0.4
    group = bpy.data.collections.new("Group")
    add_cube("Part", collection=group)
    empty = add("Instance", None, (1.5, 0, 0))
    empty.instance_type, empty.instance_collection = "COLLECTION", group
    bpy.context.view_layer.update()
    heat, _, asked = heat_map()
    assert len(asked.solids[0].vertices) > 8 or len(asked.solids[1].vertices) > 8
    low = min(side.vertices[:, 0].min() for side in heat.sides), max(side.vertices[:, 0].max() for side in heat.sides)
    assert low == pytest.approx((-1.0, 2.5)) and heat.deepest == pytest.approx(0.5, abs=1e-6)


def test_large_meshes_are_bounded():
    """What is nearest to the other object is coloured, and how much is left out is told."""
    add_sphere("A", subdivisions=4)
    add_cube("B", (1.4, 0, 0), size=1.0)
    heat, _, asked = heat_map(most=200)
    assert sorted(len(solid.vertices) for solid in asked.solids) == [8, 642]
    assert max(len(side.vertices) for side in heat.sides) <= 200
    ball = next(side for side in heat.sides if side.left_out)
    assert ball.left_out == 442 and ball.vertices[:, 0].min() > 0.3
    assert sentences(heat, ("A", "B"), METRES)[-1] == ("A has so many vertices that 442 of them, those farthest away, "
                                                       "have no colour")


def test_triangles_are_cut_without_gaps():
    """Every way to mark edges: the area stays, and each edge inside is still used twice."""
    rng = np.random.default_rng(2)
    vertices = np.concatenate((rng.normal(size=(6, 3)), [(0.0, 0.0, 0.0)]))
    triangles = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5), (0, 5, 1)], np.int32)
    edges, edge_of = edges_of(triangles, len(vertices))
    assert len(edges) == 10
    for marks in range(1 << 10):
        marked = np.flatnonzero(marks >> np.arange(10) & 1)
        middle = np.full(10, -1, np.int64)
        middle[marked] = len(vertices) + np.arange(len(marked))
        more = np.concatenate((vertices, vertices[edges[marked]].mean(axis=1)))
        finer = cut(triangles, edge_of, middle, more)
        assert area(Side(more, finer, None)) == pytest.approx(area(Side(vertices, triangles, None)))
        _, again = edges_of(finer, len(more))
        assert len(finer) == 5 + np.count_nonzero(middle[edge_of] >= 0)
        border = np.bincount(again.ravel()) == 1
        assert border.sum() == 5 + np.isin(marked, np.flatnonzero(np.bincount(edge_of.ravel()) == 1)).sum()


def test_scales_end_with_plain_numbers():
    assert [round_up(each) for each in (0.02, 0.021, 1.0, 1.3, 7e5, 5e-9)] == pytest.approx(
        [0.02, 0.05, 1.0, 2.0, 1e6, 5e-9])
    assert [round_up(each) for each in (0.0, np.inf, np.nan)] == [1.0] * 3


@pytest.mark.parametrize("sight", ["usual", "protan", "deutan", "tritan"])
def test_colours_are_told_apart(sight):
    """Both arms of the scale get darker step by step, and inside is never taken for apart."""
    parts = np.array((0.0, 0.25, 0.5, 0.75, 1.0))
    inside, apart = ([looks(each, sight) for each in colours_of(sign * parts, 1.0)] for sign in (-1.0, 1.0))
    for arm in (inside, apart):
        assert all(one[0] > other[0] + 5.0 for one, other in pairwise(arm))
        assert min(np.linalg.norm(one - other) for one, other in combinations(arm, 2)) > 10.0
    assert min(np.linalg.norm(one - other) for one in inside[1:] for other in apart[1:]) > 20.0


def test_the_legend_says_what_colours_mean():
    both = HeatMap([Side(np.zeros((2, 3)), np.zeros((0, 3), np.int32), np.array((-0.4, 3.0)))] * 2, 0.5)
    legend = legend_of(both, METRES)
    assert legend.numbers == ((0.0, "0.5 m inside"), (0.25, "0.25 m inside"), (0.5, "surface"), (0.75, "0.25 m apart"),
                              (1.0, "0.5 m apart"))
    for part, _ in legend.numbers[:-1]:
        step = int(part * LEGEND_STEPS)
        assert np.allclose(legend.colours[step], colours_of(np.array([part - 0.5]), 0.5)[0], atol=0.05)
    assert sentences(both, ("A", "B"), METRES) == ["A is up to 0.4 m inside B", "B is up to 0.4 m inside A"]
    gap = HeatMap([Side(np.zeros((1, 3)), np.zeros((0, 3), np.int32), np.array((0.3,)))] * 2, 1.0)
    assert [text for _, text in legend_of(gap, METRES).numbers] == ["surface", "0.5 m apart", "1 m apart"]
    assert sentences(gap, ("A", "B"), METRES) == ["Nowhere nearer than 0.3 m"]
    bar = bar_of(legend)
    assert bar["pos"].shape == (6 * LEGEND_STEPS, 3) and bar["pos"].min() == 0.0 and bar["pos"].max() == 1.0
    assert np.array_equal(bar["color"][::6, :3], legend.colours)


def test_it_comes_and_goes(registered):
    moving = add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (0, 3, 0), size=4.0)
    scene, settings = bpy.context.scene, bpy.context.scene.touchpoint
    before = [len(each) for each in (bpy.data.meshes, bpy.data.objects, bpy.data.materials)]
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == "Choose a row of the list first"
    bpy.ops.touchpoint.detect()
    made = [len(each) for each in (bpy.data.meshes, bpy.data.objects, bpy.data.materials)]
    settings.pair_index = 0
    assert bpy.ops.touchpoint.heat_map() == {"FINISHED"}
    chosen = chosen_in(scene)
    heat = engine.heat_of(chosen)
    picture = picture_in(scene, chosen, heat)
    assert engine.is_on(chosen) and not engine.is_measuring() and heat.deepest > 0.0
    assert picture.tints == [] and len(picture.heat) == 2 and len(picture.lines) > 0
    assert [each.colours.shape for each in picture.heat] == [(*side.triangles.shape, 3) for side in heat.sides]
    for each, side in zip(picture.heat, heat.sides):
        plain = colours_of(side.distance, heat.end)[side.triangles]
        light = each.colours / plain
        assert 1.0 - HEAT_LIGHT - 1e-5 <= light.min() < 0.8 and 0.9 < light.max() <= 1.0 + 1e-5
        assert np.ptp(light, axis=(1, 2)).max() < 1e-4     # the same for a whole triangle
    assert made == [len(each) for each in (bpy.data.meshes, bpy.data.objects, bpy.data.materials)] and made != before
    assert all(not each.data.color_attributes for each in bpy.data.objects if each.type == "MESH")
    settings.pair_index = 1     # another row
    assert engine.heat_of(chosen_in(scene)) is None and session.heat_map() is None
    bpy.ops.touchpoint.heat_map()
    assert engine.heat_of(chosen_in(scene)) is not None
    bpy.ops.touchpoint.heat_map()       # off
    assert session.heat_map() is None
    for what in (bpy.ops.touchpoint.detect, bpy.ops.touchpoint.clear):      # another result, and none
        bpy.ops.touchpoint.detect()
        settings.pair_index = 0
        bpy.ops.touchpoint.heat_map()
        assert session.heat_map() is not None
        what()
        assert session.heat_map() is None
    bpy.ops.touchpoint.detect()
    settings.pair_index = next(row for row, pair in enumerate(settings.result.pairs)
                               if "A" in (pair.object_a, pair.object_b))
    bpy.ops.touchpoint.heat_map()
    moving.location.x = 0.9
    bpy.context.view_layer.update()
    assert chosen_in(scene) is None and engine.heat_of(chosen_in(scene)) is None
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == "A moved since then: run Detect again"
    moving.location.x = 0.0
    bpy.context.view_layer.update()
    assert engine.heat_of(chosen_in(scene)) is not None
    session.note_replacement()      # as undo and redo do
    assert session.heat_map() is None
    settings.show_pair = False
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == "Switch on Chosen Pair under What to Show"
    settings.show_pair = True
    scene.frame_set(2)
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == "Go to the frame that was tested"


def test_what_has_none(registered):
    cube = add_cube("A")
    cube.data.vertices[0].co = (3.0, 0.0, 0.5)
    bpy.context.view_layer.update()
    add_cube("B", (9, 0, 0))
    settings = bpy.context.scene.touchpoint
    settings.self_collisions = True
    bpy.ops.touchpoint.detect()
    settings.pair_index = 0
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == "An object with itself has no heat map"
    settings.self_collisions = False
    bpy.data.objects["B"].location.x = 1.5
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.check_animation()
    settings.pair_index = 0
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == ""        # the pair was tested by itself, at its worst frame
    session.keep_single(None)
    said = "Heat maps show one frame: choose the row again, or test that frame by itself"
    assert TOUCHPOINT_OT_heat_map.why_not(bpy.context) == said


def test_a_fault_is_told(registered, monkeypatch):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    bpy.ops.touchpoint.detect()
    bpy.context.scene.touchpoint.pair_index = 0

    def broken(*_):
        raise MemoryError("full")

    monkeypatch.setattr(measuring, "measured", broken)
    bpy.ops.touchpoint.heat_map()
    assert session.heat_map() is None
    assert session.message() == ("The heat map could not be measured: full. The system console has the details.")
