# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure that walks, the arm in its cell and the cubes of the swarm are where their scripts say, and the detector
sees in every frame, and between frames, what rational arithmetic sees."""
import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from touchpoint.addon import api
from touchpoint.addon.scene_read import read_scene
from touchpoint.core.rules import Rule
from touchpoint.sample_scenes import building, judged, robot_cell, swarm, walk
from touchpoint.sample_scenes.make import JUDGED_OVER_TIME

FOLDER = Path(__file__).resolve().parents[2] / "sample_scenes"
animated = pytest.mark.parametrize("name", JUDGED_OVER_TIME)


def open_scene(name: str) -> dict:
    """Returns what is expected of it."""
    building.open_file(FOLDER / f"{name}.blend")
    return json.loads((FOLDER / f"{name}.expected.json").read_text(encoding="utf-8"))


def test_walk_bends_as_it_is_written():
    """What numpy says of every vertex is what the armature makes of it."""
    open_scene("walk")
    for frame in (1, 31, 57, 96):
        bpy.context.scene.frame_set(frame)
        core = read_scene(bpy.context).core
        wanted = walk.vertices_at(frame)
        for each in core.objects:
            if each.name in wanted:
                shown = core.meshes[each.mesh].vertices @ each.pose[:3, :3].T + each.pose[:3, 3]
                assert np.abs(shown - wanted.pop(each.name)).max() < 2e-6, each.name
        assert not wanted


def test_links_of_the_robot_are_where_its_joints_put_them():
    open_scene("robot_cell")
    for frame in (1, 15, 41, 72):
        bpy.context.scene.frame_set(frame)
        shown = {each.name: each.pose for each in read_scene(bpy.context).core.objects}
        for number, pose in enumerate(robot_cell.poses(frame)):
            assert np.abs(shown[f"Link {number}" if number else "Base"] - pose).max() < 2e-6


def test_cubes_of_the_swarm_fly_and_turn_steadily():
    open_scene("swarm")
    model = swarm.swarm()
    for frame in (1, 17.25, 49):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        poses = model.poses(frame)
        poses[:, :3, :3] *= model.edges[:, None, None]
        shown = np.array([each.pose for each in read_scene(bpy.context).core.objects])
        assert shown.shape == poses.shape and np.abs(shown - poses).max() < 1e-5


@animated
def test_rational_arithmetic_sees_pairs_begin_to_cross(name):
    """The file of expectations says what it finds: before and after first contacts, and at the ends of runs. Of very
    many pairs some are asked."""
    wanted, scene = open_scene(name), bpy.context.scene
    every = 1 + len(wanted["first_contacts"]) // 20
    for a, b, first in wanted["first_contacts"][::every]:
        for frame, meets in ((first - 0.002, False), (first + 0.002, True)):
            assert bool(judged.crossing_at(frame, (a, b))) is meets, (a, b, frame)
    always = [scene.frame_start, scene.frame_end]
    for a, b, spans in wanted["frames"][::every]:
        if spans != [always]:
            first, last = spans[0]
            after = min(last + 1, scene.frame_end)
            found = [bool(judged.crossing_at(frame, (a, b))) for frame in (first, last, after)]
            assert found == [True, True, after == last], (a, b)


@animated
def test_animations_cross_in_the_frames_in_which_they_must(name):
    """In whole frames exactly these; between frames those that no frame shows, too, at times that differ only as
    Blender's arcs differ from what joins their ends."""
    wanted = open_scene(name)
    found = api.check_animation()
    assert {pair_of(found, row): spans.tolist() for row, spans in enumerate(found.intervals)} == \
        {(a, b): spans for a, b, spans in wanted["frames"]}
    rules = [Rule("joints")] if name == "robot_cell" else ()
    found = api.check_animation(rules=rules, continuous=True)
    first = {pair_of(found, row): frame for row, frame in enumerate(found.first_contact.tolist())}
    begun = set() if rules else {tuple(pair) for pair in wanted.get("crossing", ())}
    assert first.keys() == {(a, b) for a, b, _ in wanted["first_contacts"]} | begun
    assert all(abs(first[a, b] - frame) < 0.05 for a, b, frame in wanted["first_contacts"])
    assert not found.notes      # all were followed


def pair_of(report, row: int) -> tuple[str, str]:
    pair = report.pairs[row]
    return tuple(sorted((report.name(int(pair["a"])), report.name(int(pair["b"])))))


def test_joints_take_the_neighbours_away_and_the_cabinet_is_near():
    open_scene("robot_cell")
    found = api.check_animation((45, 59), rules=[Rule("joints")], clearance=0.01)
    assert [pair_of(found, row) for row in range(len(found.pairs))] == [("Cabinet", "Link 6")]
    assert robot_cell.GAP <= found.pairs["gap"][0] < 1.1 * robot_cell.GAP
    assert sorted((rule.kind, int(count)) for rule, count in zip(found.rules.rules, found.rules.counts)) == \
        [("joints", 6)]
