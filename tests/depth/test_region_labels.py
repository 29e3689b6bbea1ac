# SPDX-License-Identifier: GPL-3.0-or-later
"""Which region each contact and each triangle inside is of, many pairs at once, against one pair after the other by
numpy (naive/region_labels.py)."""
import numpy as np
import pytest
from naive.region_labels import Surface, regions_of
from naive.shapes import ball, box, grid, joined, moved, table
from test_depth import cubes, placed
from test_regions import SCENES, random_cells
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED
from touchpoint.core.depth import region_depths, region_division, region_sides
from touchpoint.core.depth import regions as stage
from touchpoint.core.places import places
from touchpoint.core.queries import points_in_mesh
from touchpoint.core.verdicts.closedness import OPEN, closedness


def surfaces_of(meshes):
    """Both sides of a pair."""
    boxes = [np.concatenate([vertices[triangles].min(axis=(0, 1)), vertices[triangles].max(axis=(0, 1))])
             for vertices, triangles in meshes]
    sides = []
    for mine in range(2):
        other = meshes[1 - mine]
        asked = None if closedness(*other) == OPEN else lambda points, other=other: points_in_mesh(*other, points) > 0
        sides.append(Surface(*meshes[mine], boxes[1 - mine], asked))
    return tuple(sides)


def found_of(monkeypatch, meshes, **asked):
    """(report, what was found of the pairs before their depths were measured)."""
    scene, kept = Scene(), []
    for mesh in meshes:
        scene.add_object(scene.add_mesh(*mesh))
    measure = stage.measure_patches

    def keep(forest, table, decides, found, run):
        order = forest.corners.order
        obj = [np.where(each[:, 2] == 0, table.a[each[:, 0]], table.b[each[:, 0]])
               for each in (found.triangles, found.parts)]
        triangles, parts = (np.column_stack([each[:, 1:3], order[forest.triangle_start[own] + each[:, 4]]])
                            for each, own in zip((found.triangles, found.parts), obj))
        kept.append((found.rows, found.regions.copy(), triangles, parts, found.trapezoids.copy(), found.several,
                     found.slack, table.a.copy(), table.b.copy(), table.contacts.copied()))
        measure(forest, table, decides, found, run)

    monkeypatch.setattr(stage, "measure_patches", keep)
    report = detect(scene, regions=True, threads=1, **asked)
    monkeypatch.undo()
    return report, kept[0]


def moments(trapezoids):
    """The integrals of 1, and of all products of two of 1, x, y and z, over trapezoids (t,4,3): (4,4)."""
    corners = np.concatenate([trapezoids[:, (0, 1, 2)], trapezoids[:, (0, 2, 3)]])
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1) / 2.0
    corners = np.concatenate([corners, np.ones((len(corners), 3, 1))], axis=2)
    total = corners.sum(axis=1)
    return (np.einsum("t,tci,tcj->ij", area, corners, corners) + np.einsum("t,ti,tj->ij", area, total, total)) / 12.0


def assert_as_naive(monkeypatch, meshes):
    """Returns how many regions each pair has."""
    report, found = found_of(monkeypatch, meshes)
    rows, regions, triangles, parts, trapezoids, several, slack, a, b, contacts = found
    counts = []
    for row in rows.tolist():
        own = contacts.take(contacts.pair == row)
        surfaces = surfaces_of((meshes[a[row]], meshes[b[row]]))
        expected = regions_of(surfaces, own, places(own))
        mine = np.flatnonzero(regions["pair"] == row)
        counts.append(len(mine))
        assert len(mine) == len(expected.patches)
        assert regions["contacts"][mine].tolist() == np.bincount(expected.of_contacts, minlength=len(mine)).tolist()
        for number, region in enumerate(mine.tolist() if len(mine) > 1 else ()):
            assert slack[several == region] == pytest.approx(expected.slack[number], rel=1e-9)
            for side, patch in enumerate(expected.patches[number]):
                whole = triangles[(triangles[:, :2] == (region, side)).all(axis=1), 2]
                assert sorted(whole.tolist()) == sorted(patch.triangles.tolist())
                cut = (parts[:, :2] == (region, side)).all(axis=1)
                assert sum(cut) <= len(patch.trapezoids)        # some go on through several strips
                assert moments(trapezoids[cut]) == pytest.approx(moments(patch.trapezoids), abs=1e-9)
    assert sum(counts) == len(report.regions)
    return counts


def test_a_patch_has_no_more_trapezoids_than_its_region_needs(monkeypatch):
    """Forty pegs in one wall: each patch has about as many as there are contacts, not as there are strips."""
    pegs = joined(*(moved(ball(8, 5, 0.3), (1.013 * i + 0.071 * j, 1.1 * j + 0.037 * i, 0.001 * i))
                    for j in range(5) for i in range(8)))
    wall = box((-9, -9, -2), (17, 14, 0.05))
    report, found = found_of(monkeypatch, [wall, pegs])
    regions, parts = found[1], found[3]
    assert len(report.regions) > 30 and len(parts)
    for region in np.unique(parts[parts[:, 1] == 0, 0]).tolist():
        own = np.flatnonzero((parts[:, 0] == region) & (parts[:, 1] == 0))
        assert len(own) <= 2 * regions["contacts"][region] + 8


def bodies(rng, count):
    """Bodies of cubes and balls, some in parts, open, split along their edges, or turned, that cross each other."""
    made = []
    for k in range(count):
        mesh = cubes(random_cells(rng, rng.uniform(0.25, 0.6))) if k % 3 else ball(8, 5, 1.2)
        if k % 4 == 1:
            mesh = joined(mesh, moved(ball(5, 4, 0.3), rng.uniform(0, 2, 3)), box((1.9, 1.9, 0.2), (2.2, 2.2, 0.4)))
        if k % 5 == 2:
            mesh = mesh[0], mesh[1][:-1]
        if k % 7 == 3:
            mesh = mesh[0][mesh[1]].reshape(-1, 3), np.arange(3 * len(mesh[1])).reshape(-1, 3)
        mesh = moved(mesh, rng.integers(-16, 16, 3) / 16 + 1 / 64)
        made.append(placed(mesh, k + 1) if k % 2 else mesh)
    return made


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(6))
def test_many_pairs_at_once(monkeypatch, seed):
    """Also where memory for cells and patches must grow again and again, and chunks are small."""
    if seed % 2:
        monkeypatch.setattr(region_sides, "FIRST_TRAPEZOIDS", 16)
        monkeypatch.setattr(region_division, "LEAST_PATCHES", (1, 2, 1))
        monkeypatch.setattr(region_division, "PATCHES_PER_PAIR", (0, 0, 0))
        monkeypatch.setattr(region_division, "CONTACTS_PER_CHUNK", 256)
        monkeypatch.setattr(region_division, "LABELLED_AT_ONCE", 8)
    counts = assert_as_naive(monkeypatch, bodies(np.random.default_rng(seed), 12))
    assert sum(count == 1 for count in counts) > 5 and sum(count > 1 for count in counts) > 3


@pytest.mark.scenes
def test_scenes_of_known_regions(monkeypatch):
    meshes = [moved(mesh, (100 * k, 0, 0)) for k, name in enumerate(SCENES) for mesh in SCENES[name][:2]]
    assert_as_naive(monkeypatch, meshes)


@pytest.mark.scenes
def test_a_pair_has_no_trapezoids_of_the_pair_before(monkeypatch):
    """Cells of triangles whose places turn out to be one region are kept for nobody."""
    one, several = "a plate through two beams that pass through each other", "bars of several depths"
    meshes = [moved(mesh, (30 * k, 0, 0)) for k, name in enumerate((one, several, one, several))
              for mesh in SCENES[name][:2]]
    assert assert_as_naive(monkeypatch, meshes) == [1, 4, 1, 4]
    report = found_of(monkeypatch, meshes)[0]
    for row in (1, 3):
        assert report.regions_of(row)["depth"] == pytest.approx(sorted(SCENES[several][2], reverse=True), abs=1e-8)


@pytest.mark.scenes
def test_nothing_of_what_contains_the_other_is_measured(monkeypatch):
    """A table that stands flush in a room: the floor's patches are measured in nothing."""
    solids, measure = [], region_depths.measure_depths

    def keep(forest, pairs, run, decides):
        solids.extend(forest.triangle_count[pairs.a].tolist())
        return measure(forest, pairs, run, decides)

    room = box((-2, -2, 0), (3, 3.5, 3))
    monkeypatch.setattr(region_depths, "measure_depths", keep)
    report, found = found_of(monkeypatch, [room, table()])
    assert report.pairs["verdict"][0] == CONTAINED and (found[2][:, 1] == 0).any()
    assert set(solids) == {len(room[1])}
    assert report.regions["depth"] == pytest.approx([1.0, 0.9, 0.9], abs=1e-9)


def test_sheets_have_regions_of_contacts_alone(monkeypatch):
    """A sheet through a box, and one beside: an open surface has no inside."""
    sheet = joined(grid(3, 3, (-1, -1, 0.25)), grid(1, 1, (0.2, 0.2, 0.9), (0, 0.5, 0), (0, 0, 0.5)))
    assert assert_as_naive(monkeypatch, [sheet, box()]) == [2]
