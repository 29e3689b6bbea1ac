# SPDX-License-Identifier: GPL-3.0-or-later
"""The committed scenes: made again by their scripts they are the same, and the detector sees in them what it must."""
import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from touchpoint.addon import api
from touchpoint.addon.scene_read import read_scene
from touchpoint.sample_scenes import building, fan, mine_scene, random_scenes, tori
from touchpoint.sample_scenes.make import SCENES
from touchpoint.sample_scenes.mine import TOTALS, mine

FOLDER = Path(__file__).resolve().parents[2] / "sample_scenes"
scenes = pytest.mark.parametrize("name", SCENES)


def open_scene(name: str) -> None:
    building.open_file(FOLDER / f"{name}.blend")


def expected(name: str) -> dict:
    return json.loads((FOLDER / f"{name}.expected.json").read_text(encoding="utf-8"))


def geometry() -> dict:
    """Name → world coordinates of triangle corners (n,3,3) of everything visible."""
    core = read_scene(bpy.context).core
    found = {}
    for each in core.objects:
        mesh = core.meshes[each.mesh]
        found[each.name] = (mesh.vertices @ each.pose[:3, :3].T + each.pose[:3, 3])[mesh.triangles]
    return found


def verdicts(report) -> dict:
    return {frozenset((report.name(pair["a"]), report.name(pair["b"]))): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


@scenes
def test_scripts_make_the_committed_scene_again(name):
    open_scene(name)
    committed = geometry()
    building.empty_file()
    SCENES[name]()
    made = geometry()
    assert made.keys() == committed.keys()
    letters = {each.name for each in bpy.data.objects if each.type == "FONT"}
    for each in made:
        assert made[each].shape == committed[each].shape, each
        # Blender 5.2 may fill the letters of a text in another order than it did before.
        look = extent_and_area if each in letters else np.asarray
        assert np.abs(look(made[each]) - look(committed[each])).max() < 1e-6, each


def extent_and_area(corners):
    """(7,) of triangles (n,3,3): lowest and highest coordinates, total area."""
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return np.concatenate([corners.min(axis=(0, 1)), corners.max(axis=(0, 1)), [areas.sum()]])


@scenes
def test_file_opens_without_a_word_and_holds_no_foreign_path(name, capfd):
    open_scene(name)
    said = "".join(capfd.readouterr())
    assert "warning" not in said.lower() and "error" not in said.lower()
    assert bpy.utils.blend_paths(absolute=False) == []
    assert bpy.context.scene.render.filepath == "//"
    assert (FOLDER / f"{name}.blend").stat().st_size < 3_000_000


def test_mine_holds_what_mine_makes():
    open_scene("mine")
    scene = mine(mine_scene.FRAGMENTS)
    found = geometry()
    poses = [np.eye(4)] * len(scene.static) + list(scene.poses())
    for body, pose in zip(scene.static + scene.fragments, poses):
        corners = (body.vertices @ pose[:3, :3].T + pose[:3, 3])[body.triangles]
        assert np.abs(found[body.name] - corners).max() < 1e-5, body.name
    assert sum(len(corners) for corners in found.values()) == TOTALS[mine_scene.FRAGMENTS]


def assert_holds(bodies, poses):
    """The open scene's objects are these bodies at these poses, in the order of their names."""
    found = geometry()
    assert len(found) == len(bodies)
    for name, (vertices, triangles), pose in zip(sorted(found), bodies, poses):
        corners = (vertices @ pose[:3, :3].T + pose[:3, 3])[triangles]
        assert found[name].shape == corners.shape and np.abs(found[name] - corners).max() < 1e-5, name


@pytest.mark.parametrize("name, number", [("fifteen_objects", 1), ("close_shells", 2)])
def test_scenes_of_the_thesis_hold_every_step(name, number):
    open_scene(name)
    bodies, poses = fan.SCENES[number](random_scenes.STEPS)
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, len(poses))
    for step in (0, 1, len(poses) - 1):
        bpy.context.scene.frame_set(1 + step)
        assert_holds(bodies, poses[step])


@pytest.mark.parametrize("name, mixed", [("equal_tori", False), ("mixed_tori", True)])
def test_tori_hold_the_first_step(name, mixed):
    open_scene(name)
    count, shapes = random_scenes.TORI, tori.shapes(mixed)
    assert_holds([shapes[i % len(shapes)] for i in range(count)], tori.poses(count, mixed, 0))
    assert len(bpy.data.meshes) == len(shapes)


def test_rocks_of_the_mine_collide_and_its_bodies_do_not():
    open_scene("mine")
    found = verdicts(api.detect())
    assert len(found) > 20 and set(found.values()) == {"crossing"}
    assert all(any(name.startswith("Fragment") for name in pair) for pair in found)


def test_workshop_is_as_expected():
    open_scene("workshop")
    report = api.detect()
    assert not report.skipped
    names = {each.name for each in report.objects}
    wanted = {}
    for verdict, pairs in expected("workshop").items():
        for pair in pairs:
            assert names.issuperset(pair)
            wanted[frozenset(pair)] = verdict
    assert verdicts(report) == wanted


def test_workshop_has_more_clear_objects_than_others_and_its_shell_is_clear():
    open_scene("workshop")
    names = {each.name for each in read_scene(bpy.context).core.objects}
    lists = expected("workshop")
    met = {name for pairs in lists.values() for pair in pairs for name in pair}
    assert not met & {"Floor", "Back Wall", "Left Wall"}
    assert len(names - met) > len(met)
    assert len(lists["crossing"]) >= 10 and 15 <= len(lists["touching"]) <= 25 and len(lists["contained"]) >= 2


def test_expectations_are_those_of_the_scripts(tmp_path):
    for name in ("workshop", "dominoes", "bullets", "ramp_ball"):
        building.empty_file()
        SCENES[name]().write(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (FOLDER / f"{name}.expected.json").read_bytes()


def test_workshop_has_every_kind_of_object():
    open_scene("workshop")
    shown = [each for each in bpy.context.view_layer.objects if each.visible_get()]
    assert {each.type for each in shown} >= {"MESH", "CURVE", "SURFACE", "META", "FONT", "ARMATURE", "EMPTY"}
    modifiers = {each.type for thing in shown for each in thing.modifiers}
    assert modifiers >= {"ARMATURE", "ARRAY", "BEVEL", "BOOLEAN", "MIRROR", "NODES", "SOLIDIFY", "SUBSURF"}
    assert any(thing.data.shape_keys for thing in shown if thing.type == "MESH")
    assert any(thing.matrix_world.is_negative for thing in shown)
    assert 30 <= sum(" ▸ " not in each.name for each in read_scene(bpy.context).core.objects) <= 60


def test_dominoes_stand_on_the_floor_at_first():
    open_scene("dominoes")
    wanted = {frozenset(pair): "touching" for pair in expected("dominoes")["touching"]}
    assert verdicts(api.detect()) == wanted


@pytest.mark.parametrize("name, before, after", [("dominoes", 0.02, 0.02), ("bullets", 0.0002, 0.002),
                                                 ("ramp_ball", 0.001, 0.001)])
def test_they_meet_when_expected(name, before, after):
    open_scene(name)
    for a, b, frame in expected(name)["first_contacts"]:
        pair = frozenset((a, b))
        assert verdicts(api.detect(frame=frame - before)).get(pair, "clear") == "clear"
        assert verdicts(api.detect(frame=frame + after)).get(pair) == "crossing"


def test_frames_alone_see_few_bullets():
    open_scene("bullets")
    report = api.check_animation()
    found = {report.name(int(pair["a"])): span.tolist() for pair, span in zip(report.pairs, report.intervals)}
    assert found == {"Slug": [[25, 27]], "Stuck Bullet": [[30, 40]]}


def test_between_frames_no_bullet_is_missed():
    """Each at the time at which the script has it meet, and nothing else."""
    open_scene("bullets")
    report = api.check_animation((1, 32), continuous=True)
    found = {frozenset((report.name(int(pair["a"])), report.name(int(pair["b"])))): first for pair, first
             in zip(report.pairs, report.first_contact.tolist())}
    wanted = {frozenset((a, b)): frame for a, b, frame in expected("bullets")["first_contacts"]}
    assert found.keys() == wanted.keys() and len(found) == 7
    assert all(abs(found[pair] - wanted[pair]) < 1e-4 for pair in wanted)


def test_the_ball_comes_down_when_expected():
    """By the method of the experiment; before that nothing meets but the ramp and the floor, which rest."""
    open_scene("ramp_ball")
    report = api.check_animation((315, 323), method="pcs")
    found = {frozenset((report.name(int(pair["a"])), report.name(int(pair["b"])))): first for pair, first
             in zip(report.pairs, report.first_contact.tolist())}
    assert found.keys() == {frozenset(("Floor", "Ramp")), frozenset(("Ball", "Floor"))}
    (_, _, frame), = expected("ramp_ball")["first_contacts"]
    assert abs(found[frozenset(("Ball", "Floor"))] - frame) < 2e-4


def test_dominoes_fall_in_turn():
    """Every pair that the script says meets in the frame after that time, and in no earlier one."""
    open_scene("dominoes")
    report = api.check_animation((50, 80))
    found = {frozenset((report.name(int(pair["a"])), report.name(int(pair["b"])))): first for pair, first
             in zip(report.pairs, report.first_contact.tolist())}
    wanted = {frozenset((a, b)): np.ceil(frame) for a, b, frame in expected("dominoes")["first_contacts"]
              if frame < 80}
    assert len(wanted) > 3 and {pair: found.get(pair) for pair in wanted} == wanted
