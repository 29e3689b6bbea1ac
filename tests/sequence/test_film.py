# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are kept: shown again they give the same answers, also of scenes whose objects and triangles change."""
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from touchpoint.core import Scene, sweep
from touchpoint.core.sequence.film import Film

pytestmark = pytest.mark.scenes


def changing_frames():
    """One scene, changed in place: moved, deformed, an object that comes, one that is hidden, other triangles."""
    scene = Scene()
    cube = scene.add_mesh(*box())
    soft, faces = ball(6, 5)
    for number in range(3):
        scene.add_object(cube, pose(1, (1.4 * number, 0.1, 0.2)), name=f"cube {number}", group="ab"[number % 2])
    softy = scene.add_mesh(soft, faces)
    scene.add_object(softy, pose(1, (0, 0, 1.6)), name="ball", static=True)
    yield 1, scene
    scene.set_poses([1], [pose(1, (0.9, 0.1, 0.2))])
    yield 2, scene
    scene.set_vertices(softy, soft * 1.4)
    yield 3, scene
    scene.add_object(softy, pose(1, (2.9, 0, 0.3)), name="late", shell=True)
    scene.hide([0])
    yield 4, scene
    scene.remove_object(3)
    scene.remove_object(4)
    scene.remove_mesh(softy)
    scene.add_object(scene.add_mesh(*ball(5, 4)), pose(1, (0, 0, 0.2)), name="ball")
    scene.show([0])
    yield 5, scene


def as_rows(report):
    return [(report.name(int(pair["a"])), report.name(int(pair["b"])), report.verdict(row), pair["contacts"],
             report.intervals[row].tolist(), report.worst_frame[row]) for row, pair in enumerate(report.pairs)]


@pytest.mark.parametrize("how", [{}, {"continuous": True}, {"rules": [("a", "b")]}], ids=str)
def test_it_gives_the_answers_of_the_scene_itself(how):
    film = Film()
    for frame, scene in changing_frames():
        film.add(frame, scene)
    assert len(film) == 5 and film.frames.tolist() == [1, 2, 3, 4, 5]
    expected = sweep(changing_frames(), **how)
    assert len(expected.pairs) >= (1 if "rules" in how else 3)
    for _ in range(2):
        found = sweep(film.scenes(), **how)
        assert as_rows(found) == as_rows(expected) and found.notes == expected.notes


def test_frames_in_which_only_something_moves_are_shown_in_one_scene():
    film, scene = Film(), Scene()
    scene.add_object(scene.add_mesh(*box()))
    scene.add_object(0, pose(1, (3, 0, 0)))
    for frame in range(4):
        scene.set_poses([1], [pose(1, (3 - frame, 0, 0))])
        film.add(frame, scene)
    shown = [(scene, scene.poses[1, 0, 3], scene.meshes[0].vertices) for _, scene in film.scenes()]
    assert len({id(each) for each, _, _ in shown}) == 1
    assert [place for _, place, _ in shown] == [3, 2, 1, 0]
    assert all(vertices is scene.meshes[0].vertices for _, _, vertices in shown)
