# SPDX-License-Identifier: GPL-3.0-or-later
"""What all methods share: options and notes, placed meshes, the way from candidates to contacts."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.core.errors import Refused
from touchpoint.core.method import Method, Option
from touchpoint.core.narrow_phase.triangle_pairs import BUFFER
from touchpoint.core.pair_table import PairTable
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES
from touchpoint.core.search.contact_search import contacts_of_pairs
from touchpoint.core.trees.bvh.placed import PlacedMeshes

DEPTH = Option("depth", "Depth", "Levels of the grid", 2, minimum=0, maximum=8)
CELLS = Option("cells", "Cells", "Which cells", "exact", choices=(("exact", "All"), ("diagonals", "Some")))
SPLIT = Option("split", "Split", "Cut up large objects", True)
WIDTH = Option("width", "Width", "Of something", 0.5, minimum=0.0, maximum=1.0)


def method_with(*options):
    return Method("made", "Made Up", "", "", "exact", None, None, None, None, options=options)


def test_every_option_has_a_value():
    method = method_with(DEPTH, CELLS, SPLIT, WIDTH)
    assert method.chosen(None) == {"depth": 2, "cells": "exact", "split": True, "width": 0.5}
    chosen = method.chosen({"width": 1, "depth": 3.0, "split": False, "cells": "diagonals"})
    assert chosen == {"depth": 3, "cells": "diagonals", "split": False, "width": 1.0}
    assert type(chosen["depth"]) is int and type(chosen["width"]) is float


@pytest.mark.parametrize("wrong", [
    {"depth": 9}, {"depth": -1}, {"depth": 2.5}, {"depth": "deep"}, {"depth": True}, {"depth": float("nan")},
    {"depth": None}, {"cells": "all"}, {"cells": 1}, {"split": 1}, {"split": "yes"}, {"width": float("nan")},
    {"width": 1.5}, {"width": float("inf")}, {"height": 1}])
def test_an_option_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(Refused):
        method_with(DEPTH, CELLS, SPLIT, WIDTH).chosen(wrong)


def test_a_method_without_options_refuses_any():
    scene = two_boxes()
    with pytest.raises(Refused, match="no option 'depth'. It has none"):
        detect(scene, options={"depth": 1})
    assert "options" not in detect(scene, options={}).settings


def two_boxes(shift=(0.5, 0.3, 0.2)) -> Scene:
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    scene.add_object(mesh)
    scene.add_object(mesh, moved(shift))
    return scene


def moved(shift):
    pose = np.eye(4)
    pose[:3, 3] = shift
    return pose


def placed_and_run(scene, threads=1, progress=None, contacts=True):
    run = Run(progress, threads, contacts, {})
    with run.stage("prepare", 2):
        pass
    return PlacedMeshes(scene, select(scene), run), run


def test_world_coordinates_are_the_defined_numbers():
    rng = np.random.default_rng(1)
    scene = Scene()
    meshes = [scene.add_mesh(rng.normal(size=(n, 3)), [[0, 1, 2]]) for n in (5, 9)]
    poses = rng.normal(size=(4, 4, 4))
    poses[:, 3] = 0.0, 0.0, 0.0, 1.0
    for i in range(4):
        scene.add_object(meshes[i % 2], poses[i])
    placed, _ = placed_and_run(scene)
    for i in range(4):
        expected = [[((m[0] * v[0] + m[1] * v[1]) + m[2] * v[2]) + m[3] for m in poses[i, :3]]
                    for v in scene.meshes[meshes[i % 2]].vertices]
        assert np.array_equal(placed.world_of(i), expected)
        assert np.array_equal(placed.corners.of(i, 0), np.array(expected)[:3])


def test_only_what_moved_is_placed_again():
    scene = two_boxes()
    first, _ = placed_and_run(scene)
    first.world[:] = 77.0                               # would show if it were placed again
    again, _ = placed_and_run(scene)
    assert (again.world == 77.0).all()
    scene.set_poses([1], [moved((2, 0, 0))])
    after_move, _ = placed_and_run(scene)
    assert (after_move.world_of(0) == 77.0).all() and np.array_equal(after_move.world_of(1), BOX + (2, 0, 0))
    scene.set_vertices(0, 3.0 * BOX)
    after_deforming, _ = placed_and_run(scene)
    assert np.array_equal(after_deforming.world_of(0), 3.0 * BOX)
    assert np.array_equal(after_deforming.world_of(1), 3.0 * BOX + (2, 0, 0))
    scene.add_object(scene.add_mesh(BOX[:3], [[0, 1, 2]]))
    grown, _ = placed_and_run(scene)
    assert np.array_equal(grown.world_of(2), BOX[:3]) and np.array_equal(grown.world_of(0), 3.0 * BOX)


def all_pairs_of_triangles(part, buffer, done):
    """Every pair of the twelve triangles of two boxes, a bufferful per pair of objects."""
    for row in part:
        if not done[row]:
            a, b = np.divmod(np.arange(144), 12)
            buffer[:144] = np.stack([np.full(144, row), a, b], 1)
            yield 144


def zero_and_one(times=1):
    """The pair of the first two objects, as often as asked."""
    return PairTable(np.zeros(times, np.int32), np.ones(times, np.int32))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_contacts_are_those_of_detect(threads):
    assert BUFFER >= 144
    scene = two_boxes()
    expected = detect(scene).contacts
    placed, run = placed_and_run(scene, threads)
    table = zero_and_one()
    found = contacts_of_pairs(table, placed.corners, run, all_pairs_of_triangles)
    assert table.finished.all() and run.counts["triangle_pairs"] == 144
    for name in found.__dataclass_fields__:
        assert np.array_equal(getattr(found, name), getattr(expected, name), equal_nan=name in ("depth", "toi")), name


def test_one_crossing_is_enough_for_a_verdict():
    scene = two_boxes()
    placed, run = placed_and_run(scene, contacts=False)
    table = zero_and_one()
    twice = [np.zeros(1, np.int32), np.zeros(1, np.int32)]
    found = contacts_of_pairs(table, placed.corners, run, all_pairs_of_triangles, twice)
    assert table.crossing.all() and len(found) == 0
    assert run.counts["triangle_pairs"] == 144          # the second part found its pair done


def test_what_was_not_searched_is_not_finished():
    scene = two_boxes()
    placed, run = placed_and_run(scene, progress=lambda stage, fraction: fraction < 0.25)
    table = zero_and_one(30)
    contacts_of_pairs(table, placed.corners, run, all_pairs_of_triangles)
    assert run.cancelled and 0 < table.finished.sum() < len(table)
    assert run.counts["triangle_pairs"] == 144 * table.finished.sum()


def test_the_report_repeats_notes():
    run = Run(None, 1, True, {})
    run.note("Depth 3 was taken.")
    assert run.notes == ["Depth 3 was taken."]
    assert detect(two_boxes()).notes == []
