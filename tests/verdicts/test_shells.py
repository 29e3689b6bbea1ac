# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms, tunnels, packages: an object that is marked as a shell has no inside."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES
from touchpoint.sample_scenes import meshes

METHODS = ("touchpoint", "exact", "rapid", "tsgo")


def placed(low, size):
    pose = np.diag([*np.broadcast_to(np.asarray(size, float), 3), 1.0])
    pose[:3, 3] = low
    return pose


def pairs_of(things, method="touchpoint", **options) -> dict:
    """The verdict on each pair. things: name -> (low corner, size, is a shell) of boxes."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for name, (low, size, shell) in things.items():
        scene.add_object(mesh, placed(low, size), name=name, shell=shell)
    report = detect(scene, method, **options)
    return {(report.name(pair["a"]), report.name(pair["b"])): VERDICTS[pair["verdict"]] for pair in report.pairs}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shell", [False, True])
def test_the_content_of_a_room_is_clear(method, shell):
    things = {"room": ((0, 0, 0), 10.0, shell), "lamp": ((5, 5, 5), 1.0, False), "chair": ((1, 1, 0), 1.0, False),
              "cupboard": ((0, 6, 0), 2.0, False), "pipe": ((8, 8, 8), (1, 1, 5), False)}
    found = pairs_of(things, method)
    assert found.pop(("room", "pipe")) == "crossing"
    expected = {("room", "chair"): "touching", ("room", "cupboard"): "touching"} if shell else {
        ("room", name): "contained" for name in ("lamp", "chair", "cupboard")}
    assert found == expected


@pytest.mark.parametrize("method", METHODS)
def test_a_shell_in_a_solid_is_in_it(method):
    things = {"hill": ((0, 0, 0), 10.0, False), "cellar": ((1, 1, 1), 5.0, True), "barrel": ((2, 2, 2), 1.0, False)}
    assert pairs_of(things, method) == {("hill", "cellar"): "contained", ("hill", "barrel"): "contained"}


@pytest.mark.parametrize("method", METHODS)
def test_a_shell_that_leaks_is_not_asked(method):
    for shell, expected in ((False, ["cannot tell"]), (True, [])):
        scene = Scene()
        scene.add_object(scene.add_mesh(BOX, BOX_TRIANGLES[1:]), shell=shell)
        scene.add_object(scene.add_mesh(BOX, BOX_TRIANGLES), placed((0.1, 0.1, 0.1), 0.8))
        assert [VERDICTS[code] for code in detect(scene, method).pairs["verdict"]] == expected


def test_the_report_names_the_shells():
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    scene.add_object(mesh, placed((0, 0, 0), 10.0), name="room", shell=True)
    scene.add_object(mesh, placed((1, 1, 1), 1.0))
    report = detect(scene)
    assert report.settings["shells"] == ["room"]
    assert report.notes == ["1 object is a shell: what is inside it is clear."]
    scene.objects[0].shell = False
    report = detect(scene)
    assert "shells" not in report.settings and report.notes == []


def test_marking_a_shell_counts_at_once():
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    room = scene.add_object(mesh, placed((0, 0, 0), 10.0))
    scene.add_object(mesh, placed((1, 1, 1), 1.0))
    for shell, rows in ((False, 1), (True, 0), (False, 1)):
        scene.objects[room].shell = shell
        assert len(detect(scene).pairs) == rows


@pytest.mark.scenes
def test_a_shell_and_its_twin_are_judged_each_for_itself():
    """Many equal boxes at one place, of which some are shells: each judged pair stands for those that are alike."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for number in range(24):
        scene.add_object(mesh, np.eye(4), shell=number % 2 == 0)
    pairs = detect(scene).pairs
    shells = (pairs["a"] % 2 == 0).astype(int) + (pairs["b"] % 2 == 0)
    assert len(pairs) == 24 * 23 // 2
    assert set(pairs["verdict"][shells == 2]) == {VERDICTS.index("touching")}
    assert set(pairs["verdict"][shells == 0]) == {VERDICTS.index("overlap")}


@pytest.mark.parametrize("seed", range(25))
def test_random_shells_beside_the_reference(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    shapes = [(2.0 * BOX - 1.0, BOX_TRIANGLES), meshes.octasphere(32), (2.0 * BOX - 1.0, BOX_TRIANGLES[1:])]
    kept = [scene.add_mesh(*shape) for shape in shapes]
    for _ in range(9):
        size = 2.0 ** rng.integers(-2, 2)
        scene.add_object(int(rng.choice(kept)), placed(rng.integers(-2, 3, 3) * 0.5, size), shell=bool(rng.integers(2)))
    fast, slow = (detect(scene, method).pairs[["a", "b", "verdict", "status", "inner"]]
                  for method in ("touchpoint", "exact"))
    assert np.array_equal(fast, slow)


def test_depths_know_no_inside_of_a_shell():
    """A pipe through the wall of a room has no depth in it; the wall has one in the pipe."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    scene.add_object(mesh, placed((0, 0, 0), 10.0), shell=True)
    scene.add_object(mesh, placed((4, 4, -3), (1, 1, 5)))
    pair, = detect(scene, depth=True).pairs
    assert abs(pair["depth"] - 0.5) < 1e-9
