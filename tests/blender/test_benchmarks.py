# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark counts right; its times are not tested."""
import json

import bpy
import numpy as np
import pytest
from touchpoint.addon import api
from touchpoint.benchmarks import bvhtree, cases, detect_scenes, frame_scenes, frames_in_blender, run
from touchpoint.sample_scenes import building, shapes


def scene_of_boxes():
    """Two that cross, one that touches the second, one far away."""
    into = building.collection("Boxes")
    for name, low, high in (("A", (0, 0, 0), (2, 2, 2)), ("B", (1, 1, 1), (3, 3, 3)), ("C", (3, 1, 1), (4, 3, 3)),
                            ("D", (9, 9, 9), (10, 10, 10))):
        building.add(name, building.mesh(name, *shapes.box(low, high)), into)


def test_benchmark_compares_the_same_pairs(tmp_path, capsys):
    scene_of_boxes()
    path = tmp_path / "boxes.blend"
    building.save(path)
    detect_scenes.main([str(path), "--repeats", "1", "--json", str(tmp_path / "figures.json")])
    figures, = json.loads((tmp_path / "figures.json").read_text())["scenes"]
    assert (figures["objects"], figures["triangles"]) == (4, 48)
    assert figures["pairs"]["crossing"] == 1 and figures["pairs"]["touching"] == 1
    assert set(figures["best"]) == set(detect_scenes.STEPS) and min(figures["best"].values()) > 0
    assert figures["bvhtree"]["object pairs missed"] in ([], [["B", "C"]])
    assert figures["bvhtree"]["object pairs more"] == []
    assert "boxes.blend" in capsys.readouterr().out
    assert not any("Touchpoint" in each.name for each in bpy.data.collections)


def test_benchmark_refuses_a_missing_file(tmp_path):
    with pytest.raises((FileNotFoundError, RuntimeError)):
        detect_scenes.measure(tmp_path / "missing.blend", 1)


def test_boxes_that_only_touch_meet():
    low = np.array([(0, 0, 0), (1, 1, 1), (3, 1, 1), (9, 9, 9)])
    high = np.array([(2, 2, 2), (3, 3, 3), (4, 3, 3), (10, 10, 10)])
    assert bvhtree.meeting_boxes(low, high) == [(0, 1), (1, 2)]


def test_peers_table_has_blenders_own_tree():
    wanted = run.select(cases.CASES, ["W1-mine-50", "W2", "W4"])
    for case, entry in run.run(wanted, {}, quick=True, names=("ours", "bvhtree")):
        for times in entry["cores"].values():
            assert ("BVHTree" in times) == (case.asks != "first")
        if case.asks in ("scene", "frames"):        # nothing touches or is coplanar, which it would leave out
            agreement = entry["agreement"]["BVHTree"]
            assert agreement["missed"] == agreement["invented"] == 0 < agreement["found"]


def test_frames_are_taken_apart(tmp_path, capsys, monkeypatch):
    """Each step takes some time, and the loop of BVHTrees finds what meets."""
    monkeypatch.setitem(frame_scenes.SCENES, "small", lambda: frame_scenes.boxes(8))
    frames_in_blender.main(["small", "--repeats", "1", "--json", str(tmp_path / "figures.json")])
    figures, = json.loads((tmp_path / "figures.json").read_text())["scenes"]
    assert (figures["objects"], figures["triangles"], figures["frames"]) == (8, 96, frame_scenes.FRAMES)
    assert set(figures["best"]) == set(frames_in_blender.STEPS)
    assert min(seconds for step, seconds in figures["best"].items() if step != "rest") > 0
    assert "| small (8 objects)" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "make"), [
    ("rig", lambda: frame_scenes.rig(20, 5)), ("boxes", lambda: frame_scenes.boxes(70)),
    ("instances", lambda: frame_scenes.instances(400)), ("waves", lambda: frame_scenes.waves(40)),
    ("scatter", lambda: frame_scenes.scatter(300)), ("city", lambda: frame_scenes.city(2))])
def test_loops_over_frames_find_the_same_pairs(name, make, monkeypatch):
    """Something moves in each scene, and what BVHTrees find in a frame, Detect finds."""
    monkeypatch.setitem(frame_scenes.SCENES, name, make)
    frame_scenes.build(name)
    scene, read = bpy.context.scene, []
    for frame in (scene.frame_start, scene.frame_start + 4):
        scene.frame_set(frame)
        found = frames_in_blender.overlapping_pairs(bpy.context.evaluated_depsgraph_get())
        report = api.detect(tolerance=0.0)
        touching = report.summary()["touching"]
        with_contacts = int((report.pairs["contacts"] > 0).sum())
        assert with_contacts - touching <= found <= with_contacts
        snapshot = report.source
        read.append((snapshot.poses.tobytes(), [snapshot.mesh_of(k)[0].tobytes() for k in range(len(snapshot.rows))]))
    assert read[0] != read[1]
