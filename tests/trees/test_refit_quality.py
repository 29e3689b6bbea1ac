# SPDX-License-Identifier: GPL-3.0-or-later
"""Deformations that ruin a tree, in the methods that have trees of their own: it is built anew where that helps."""
import numpy as np
import pytest
from naive.scenes import TETRAHEDRON, pose
from naive.validate_obb import box_faults, tree_faults
from touchpoint.core import Scene, detect
from touchpoint.core.trees import refit_quality

pytestmark = pytest.mark.scenes

METHODS = [("rapid", {}), ("tsgo", {}), ("tsgo", {"depth": 3}), ("hybrid", {}), ("particle", {}),
           *(("parallel", {"form": form}) for form in ("SSTCD", "SPCD", "ESCD", "EPCD"))]
SIDE = 7
PLACES = np.array(list(np.ndindex(SIDE, SIDE, SIDE)), float)
TRIANGLES = np.concatenate([TETRAHEDRON[1] + 4 * k for k in range(len(PLACES))])


def splinters(seed):
    """Vertices of a cube of tetrahedra, in order, or each in the place of another: what an explosion does."""
    order = np.arange(len(PLACES)) if seed == 0 else np.random.default_rng(seed).permutation(len(PLACES))
    return (0.4 * TETRAHEDRON[0] + PLACES[order][:, None]).reshape(-1, 3)


def test_the_way_through_vertices_in_their_order():
    rng = np.random.default_rng(0)
    for count in (1, 2, 3, 40):
        vertices = rng.normal(size=(count + 7, 3)) * (1e-3, 1.0, 1e3)
        own = vertices[4:4 + count]
        extent = (own.max(axis=0) - own.min(axis=0)).sum()
        expected = np.abs(np.diff(own, axis=0)).sum() / extent if count > 1 else 0.0
        assert refit_quality.path_length(vertices, 4, count) == pytest.approx(expected, rel=1e-13)
    for vertices in (np.ones((5, 3)), np.array([[-1e308] * 3, [1e308] * 3])):       # in one place, and too far apart
        assert refit_quality.path_length(vertices, 0, len(vertices)) == 0.0


def scene_of(first):
    scene = Scene()
    scene.add_object(scene.add_mesh(first, TRIANGLES))
    scene.add_object(scene.add_mesh(splinters(0), TRIANGLES), pose((1.0, 1.1, 0.9), (SIDE - 3, 0.1, 0.1)))
    scene.add_object(0, pose((1, 2, 1), (0.1, 0.2, SIDE - 3)), static=True)
    return scene


def same_answer(one, other):
    columns = ["a", "b", "verdict", "contacts"]
    return (np.array_equal(one.pairs[columns], other.pairs[columns])
            and np.array_equal(one.contacts.point, other.contacts.point)
            and np.array_equal(one.contacts.triangle_b, other.contacts.triangle_b))


@pytest.mark.parametrize("method, options", METHODS)
def test_tests_of_boxes_go_down_again_and_contacts_stay_the_same(method, options, monkeypatch):
    ask = {"method": method, "options": options, "threads": 1}
    scene, refitted = scene_of(splinters(0)), scene_of(splinters(0))
    worse = []
    for now in (splinters(0), splinters(1), 1.02 * splinters(1), splinters(2), splinters(0)):
        for each in (scene, refitted):
            each.set_vertices(0, now)
        report, fresh, default = detect(scene, **ask), detect(scene_of(now), **ask), detect(scene_of(now))
        with monkeypatch.context() as never:
            never.setattr(refit_quality, "MAX_GROWTH", np.inf)
            old = detect(refitted, **ask)
        assert same_answer(report, default) and same_answer(old, default) and same_answer(fresh, default)
        assert len(default.contacts) > 100
        assert report.counts["box_pairs"] <= 1.3 * fresh.counts["box_pairs"]
        worse.append(old.counts["box_pairs"] / report.counts["box_pairs"])
    divided = "depth" in options        # sub-objects that share no cell are not compared, however bad the tree
    assert worse[0] == worse[4] == 1.0 and (divided or min(worse[1:4]) > 2.0), worse


@pytest.mark.parametrize("method, options", METHODS)
def test_a_tree_that_still_fits_is_kept(method, options):
    def nodes():
        return scene.cache["balanced trees"].slots if method == "parallel" else scene.cache["obb trees"].left

    scene = scene_of(splinters(0))
    detect(scene, method=method, options=options)
    before = nodes()
    for factor in (1.05, 1.1):
        scene.set_vertices(0, splinters(0) * (1, factor, 1))
        assert same_answer(detect(scene, method=method, options=options), detect(scene_of(scene.meshes[0].vertices)))
    assert nodes() is before


def test_a_new_tree_of_oriented_boxes_has_no_faults():
    scene = scene_of(splinters(0))
    detect(scene, method="rapid")
    left, slots = scene.cache["obb trees"].left, scene.cache["obb trees"].slots.copy()
    scene.set_vertices(0, splinters(1))
    detect(scene, method="rapid")
    trees = scene.cache["obb trees"]
    assert trees.left is not left and not np.array_equal(trees.slots, slots)
    for obj in range(3):
        placed = trees.placed.world_of(obj)[TRIANGLES]
        assert tree_faults(trees, int(trees.root[obj]), len(TRIANGLES)) == []
        assert box_faults(trees, obj, placed) == []


@pytest.mark.parametrize("method, options", METHODS[3:])
def test_cancelled_while_a_new_tree_is_built(method, options):
    scene = scene_of(splinters(0))
    detect(scene, method=method, options=options)
    scene.set_vertices(0, splinters(1))
    for calls in (1, 2, 3, 4, 6):
        told = []
        detect(scene, method=method, options=options,
               progress=lambda *_, told=told, calls=calls: told.append(0) or len(told) <= calls)
    assert same_answer(detect(scene, method=method, options=options), detect(scene_of(splinters(1))))
