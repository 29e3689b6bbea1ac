# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths that a scene keeps between runs (core/depth/kept_depths.py) against those of scenes that were just made."""
import numpy as np
import pytest
from naive.shapes import ball, box, moved
from test_local_search import lumpy
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED

SHARP = 1e-8            # of bounds by trees that were refitted


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def row_of_lumps(count=5):
    scene = Scene()
    for k in range(count):
        scene.add_object(scene.add_mesh(*lumpy(k)), at(1.1 * k), name=str(k))
    return scene


def fresh(scene):
    """A scene with the same objects that has no history."""
    made = Scene()
    for each in scene.objects:
        mesh = scene.meshes[each.mesh]
        index = made.add_object(made.add_mesh(mesh.vertices, mesh.triangles), each.pose, name=each.name,
                                shell=each.shell)
        if not each.enabled:
            made.hide([index])
    return made


def by_names(report):
    return {(report.name(int(pair["a"])), report.name(int(pair["b"]))): pair for pair in report.pairs}


def asked_again(scene):
    """The report of a scene, which must say what a new one says. Returns how many points were measured, too."""
    report, other = detect(scene, depth=True), by_names(detect(fresh(scene), depth=True))
    mine = by_names(report)
    assert mine.keys() == other.keys()
    for name, pair in mine.items():
        assert pair["verdict"] == other[name]["verdict"]
        assert np.isnan(pair["depth"]) == np.isnan(other[name]["depth"])
        if not np.isnan(pair["depth"]):
            assert pair["depth"] <= other[name]["depth_upper"] and other[name]["depth"] <= pair["depth_upper"]
            assert pair["depth_upper"] - pair["depth"] < SHARP
            there = np.linalg.norm(np.subtract(*pair["depth_points"]))
            assert there == pytest.approx(pair["depth"], abs=SHARP) or pair["depth"] == 0.0
    return report, report.counts.get("depth_tests", 0)


def test_nothing_moves():
    scene = row_of_lumps()
    first, measured = asked_again(scene)
    second, again = asked_again(scene)
    assert measured > 0 and again == 0
    assert all(first.pairs[name].tobytes() == second.pairs[name].tobytes()
               for name in ("depth", "depth_upper", "depth_points"))


def test_one_object_moves_and_back():
    scene = row_of_lumps()
    _, whole = asked_again(scene)
    for x in (1.2, 1.25):
        scene.set_poses([0], [at(x - 1.1)])
        assert 0 < asked_again(scene)[1] < whole
    scene.set_poses([2], [at(2.2, 0.0, 1e-300)])        # any bit counts
    assert 0 < asked_again(scene)[1] < whole
    assert asked_again(scene)[1] == 0


def test_a_mesh_is_deformed():
    scene = row_of_lumps()
    asked_again(scene)
    scene.set_vertices(1, 1.1 * scene.meshes[1].vertices)
    assert asked_again(scene)[1] > 0
    scene.set_vertices(1, scene.meshes[1].vertices)
    assert asked_again(scene)[1] > 0                    # a deformed mesh is a new one, whatever it is like


def test_objects_come_and_go_and_are_numbered_anew():
    scene = row_of_lumps()
    asked_again(scene)
    scene.hide([1])
    assert asked_again(scene)[1] == 0
    scene.show([1])
    assert asked_again(scene)[1] > 0                    # its pairs were not among those of the last run
    scene.add_object(scene.add_mesh(*ball(12, 8, 0.3)), at(4.4, 0.5), name="new")
    assert asked_again(scene)[1] > 0
    scene.remove_object(5)
    assert asked_again(scene)[1] == 0
    scene.rearrange([4, 2, 3, 1, 0])
    asked_again(scene)                                  # a and b have changed places in all pairs but one
    assert asked_again(scene)[1] == 0
    scene.rearrange([1, 2, 4])
    assert asked_again(scene)[1] == 0


def test_a_solid_becomes_a_shell():
    scene = Scene()
    for mesh in (box(), moved(box(), (0.5, 0.4, 0.3))):
        scene.add_object(scene.add_mesh(*mesh), name=str(len(scene.objects)))
    asked_again(scene)
    for shell in (True, False):
        scene.objects[0].shell = shell
        assert asked_again(scene)[1] > 0


def test_another_mesh():
    scene = Scene()
    meshes = [scene.add_mesh(*mesh) for mesh in (box(), box((0, 0, 0), (2, 2, 2)), box((-2, -2, -2), (0.4, 0.4, 0.4)))]
    for mesh in meshes[:1] + meshes[2:]:
        scene.add_object(mesh, name=str(mesh))
    asked_again(scene)
    scene.objects[0].mesh = meshes[1]
    assert asked_again(scene)[1] > 0


@pytest.mark.scenes
def test_nested_and_alike():
    scene = Scene()
    outer, inner = scene.add_mesh(*ball(24, 12, 2.0)), scene.add_mesh(*lumpy(3))
    scene.add_object(outer, name="outer")
    for k, x in enumerate((0.1, 0.1, 0.3)):             # two of them are one object twice
        scene.add_object(inner, at(x), name=str(k))
    report, _ = asked_again(scene)
    assert (report.pairs["verdict"] == CONTAINED).sum() == 3
    assert asked_again(scene)[1] == 0
    scene.set_poses([1], [at(0.2)])
    asked_again(scene)
    assert asked_again(scene)[1] == 0


def test_a_renewed_scene_keeps_nothing():
    scene = row_of_lumps()
    _, whole = asked_again(scene)
    scene.renew()
    assert asked_again(scene)[1] == whole


@pytest.mark.scenes
def test_what_a_cancelled_run_has_left():
    scene = row_of_lumps(12)
    cancelled = detect(scene, depth=True, threads=1, progress=lambda stage, done: stage != "depths" or done < 0.3)
    assert cancelled.cancelled and np.isnan(cancelled.pairs["depth"]).any() and (cancelled.pairs["depth"] > 0.0).any()
    _, left = asked_again(scene)
    assert 0 < left < detect(fresh(scene), depth=True).counts["depth_tests"]
    assert asked_again(scene)[1] == 0
