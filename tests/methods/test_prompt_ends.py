# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods ask whether to go on within large pieces of work, can be stopped at each question, and say the same whether
they ask often or not. How long they go on without asking, `tools/drills/polls.py` measures."""
import numpy as np
import pytest
from naive.shapes import ball
from touchpoint.core import Cancelled, Scene, Sweep, detect
from touchpoint.core.convex.annealing import annealing
from touchpoint.core.convex.annealing.annealing import Program
from touchpoint.core.convex.gjk.rational import closest_points, whole_numbers
from touchpoint.core.convex.hulls.convexity import is_convex
from touchpoint.core.image_space.hulls import pieces
from touchpoint.core.sequence import sweep as sweeping
from touchpoint.core.trees.obb import build

MANY = 40       # questions, where a piece of work that is not divided asks a few times


def two_balls(step=12):
    scene, pose = Scene(), np.eye(4)
    for shift in (0.0, 0.7):
        pose[0, 3] = shift
        scene.add_object(scene.add_mesh(*ball(step, 2 * step)), pose)
    return scene


def found(report):
    return report.pairs.tobytes(), report.contacts.point.tobytes(), report.notes


def asked_in(scene, stage, stop=None, **how):
    """(report, questions in a stage); at the one with the number `stop` it is told to end."""
    asked = []

    def progress(name, _fraction):
        asked.append(name)
        return stop is None or asked.count(stage) <= stop

    report = detect(scene, threads=1, progress=progress, **how)
    return report, asked.count(stage)


@pytest.mark.scenes
@pytest.mark.parametrize("method", ["rapid", "particle", "hybrid", "tsgo"])
def test_a_tree_of_oriented_boxes_is_built_in_pieces(method, monkeypatch):
    whole, few = asked_in(two_balls(), "prepare", method=method)
    monkeypatch.setattr(build, "MOST_TRIANGLES_PER_CALL", 20)
    scene = two_balls()
    report, many = asked_in(scene, "prepare", method=method)
    assert many > few + MANY and found(report) == found(whole)
    for stop in (few, few + MANY, many - 2):
        scene = two_balls()
        assert asked_in(scene, "prepare", stop, method=method)[0].cancelled
        assert found(detect(scene, method)) == found(whole)


def test_a_tree_that_is_refitted_half_is_built_anew(monkeypatch):
    """Its mesh is deformed, and the run that fits it is stopped."""
    monkeypatch.setattr(build, "MOST_TRIANGLES_PER_CALL", 20)
    scene = two_balls()
    _, few = asked_in(scene, "prepare", method="rapid")
    for mesh in (0, 1):
        scene.set_vertices(mesh, 1.5 * scene.meshes[mesh].vertices)
    assert asked_in(scene, "prepare", 30, method="rapid")[0].cancelled
    fresh = two_balls()
    for mesh in (0, 1):
        fresh.set_vertices(mesh, 1.5 * fresh.meshes[mesh].vertices)
    assert found(detect(scene, "rapid")) == found(detect(fresh, "rapid"))


@pytest.mark.scenes
def test_an_annealed_distance_is_sought_in_pieces(monkeypatch):
    P, Q = (np.unique(ball(6, 8)[0] + shift, axis=0) for shift in (0.0, 0.9))

    def answers(stop=lambda: False):
        program = Program(P, Q)
        there = program.distance(1e-6, 1e-6, np.inf, stop)
        return there.distance, there.lower, there.p.tolist(), program.depth(stop)

    whole, asked = answers(), []
    monkeypatch.setattr(annealing, "POINTS_PER_CALL", 1)
    assert answers(lambda: asked.append(1)) == whole
    assert len(asked) > 1000


def test_copies_at_one_place_are_looked_for_in_pieces():
    scene = Scene()
    for _ in range(8):
        scene.add_object(scene.add_mesh(*ball(3, 4)))
    scene.add_object(scene.add_mesh(ball(3, 4)[0], ball(3, 4)[1][::-1]))        # a copy of other bytes
    asked = []
    report = detect(scene, progress=lambda *_: asked.append(1))
    assert report.pairs["copy"].all() and len(report.pairs) == 36
    for number in range(len(asked) - 5, len(asked)):        # told to stop in the last steps: all verdicts are there
        scene.cache.clear()
        answers = iter([True] * number + [False] * len(asked))
        ended = detect(scene, progress=lambda *_, answers=answers: next(answers))
        assert ended.cancelled and len(ended.pairs) == 36 and ended.exit_code(()) == 2
    scene.cache.clear()
    assert found(detect(scene)) == found(report)


def test_the_hull_of_a_large_mesh_is_looked_for_in_pieces(monkeypatch):
    points = np.random.default_rng(1).normal(size=(5000, 3))
    whole = pieces._outermost(points, lambda: None)
    asked = []
    monkeypatch.setattr(pieces, "CORNERS_AT_ONCE", 100)
    assert pieces._outermost(points, lambda: asked.append(1)).tolist() == whole.tolist()
    assert len(asked) > 10 * MANY


def test_convexity_and_whole_numbers_ask():
    asked = []
    assert is_convex(*ball(8, 12), 1e-6, lambda: asked.append(1)) and len(asked) > 20
    hull = np.random.default_rng(2).normal(size=(40_000, 3))
    asked = []
    (P, Q), _ = whole_numbers(hull, hull + 20.0, pause=lambda: asked.append(1))
    assert len(asked) == 12 and not closest_points(P, Q, pause=lambda: asked.append(1)).meet
    assert len(asked) > 15


@pytest.mark.parametrize("stop", range(1, 4))
def test_the_first_frame_asks_before_the_search(stop, monkeypatch):
    monkeypatch.setattr(sweeping, "MANY_OBJECTS", 2)
    asked = []
    run = Sweep()
    report = run.add(1, two_balls(), lambda *_: asked.append(1) or len(asked) < stop)
    assert report.cancelled and len(asked) == stop and len(report.objects) == 0
    assert run.report().cancelled
    run = Sweep()
    with pytest.raises(Cancelled):
        run.add(1, two_balls(), _raise_cancelled)
    assert len(run.add(1, two_balls()).pairs) == 1


def _raise_cancelled(*_):
    raise Cancelled
