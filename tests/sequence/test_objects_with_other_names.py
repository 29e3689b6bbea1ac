# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of one Scene that have other names in the next frame, as instances have that are counted anew."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Scene, Sweep
from touchpoint.core.codes import VERDICTS
from touchpoint.core.sequence.parts import Joined, PartSweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

BALL, WALL = box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)), box((-0.15, -0.15, -0.15), (0.15, 0.15, 0.15))


def row_of(count=3):
    """Balls at x = 0, 10, 20 …, and a wall."""
    scene = Scene()
    mesh = scene.add_mesh(*BALL)
    for number in range(count):
        scene.add_object(mesh, pose(1, (10 * number, 0, 0)), name=f"Ball #{1 + number}")
    scene.add_object(scene.add_mesh(*WALL), name="Wall")
    return scene


def without_the_first(scene):
    """The first ball is gone, and all others are counted anew."""
    scene.rearrange(range(1, len(scene.objects)))
    for number, each in enumerate(scene.objects[:-1]):
        each.name = f"Ball #{1 + number}"


def said(run):
    report = run.report()
    return {(report.name(int(pair["a"])), report.name(int(pair["b"]))): (report.verdict(row),
                                                                         report.intervals[row].tolist())
            for row, pair in enumerate(report.pairs)}


@pytest.mark.parametrize("clearance", [0.0, 0.05])
@pytest.mark.parametrize("place, verdict", [((10, 2, 0), "crossing"), ((5, 2, 0), None), ((15, 2, 0), None),
                                            ((10.3, 2, 0), "near")])
def test_what_is_counted_anew_moves_from_where_it_was(place, verdict, clearance):
    """All go up by 4 while the first one goes: the second one passes x = 10, and nothing passes x = 5."""
    if verdict == "near" and not clearance:
        verdict = None
    place = np.add(place, (-0.02 if verdict == "near" else 0, 0, 0))
    scene, run = row_of(), Sweep(continuous=True, clearance=clearance)
    scene.set_poses([3], [pose(1, place)])
    run.add(1, scene)
    without_the_first(scene)
    scene.set_poses([0, 1], [pose(1, (10, 4, 0)), pose(1, (20, 4, 0))])
    run.add(2, scene)
    found = said(run)
    assert list(found) == ([("Ball #1", "Wall")] if verdict else [])
    if verdict:
        (told, (((start, end),))), = found.values()
        assert told == verdict and 1.4 < start < 1.5 < end < 1.6 and start + end == pytest.approx(3.0)


@pytest.mark.parametrize("clearance", [0.0, 0.05])
def test_what_met_under_another_name(clearance):
    """The second ball is in the wall, and leaves it to the right. The third one, which has its name then, passes
    through: that the other one met the wall says nothing of it."""
    scene, run = row_of(), Sweep(continuous=True, clearance=clearance)
    scene.set_poses([3], [pose(1, (10, 0, 0))])
    run.add(1, scene)
    without_the_first(scene)
    scene.set_poses([0, 1], [pose(1, (14, 0, 0)), pose(1, (6, 0, 0))])
    run.add(2, scene)
    found = said(run)
    ((start, end),) = found["Ball #2", "Wall"][1]
    assert start == 1 and end == pytest.approx(1 + (20 - 10 + 0.25 + clearance) / 14)


@pytest.mark.parametrize("clearance", [0.0, 0.05])
@pytest.mark.parametrize("in_parts", [False, True])
def test_until_when_it_met_under_another_name(clearance, in_parts):
    """The second ball is in the wall, and leaves it while the first one goes: its row ends when it has left."""
    scene, run = row_of(), PartSweep(0, continuous=True, clearance=clearance) if in_parts else Sweep(
        continuous=True, clearance=clearance)
    scene.set_poses([3], [pose(1, (10, 0, 0))])
    run.add(1, scene)
    without_the_first(scene)
    scene.set_poses([0, 1], [pose(1, (10, 1, 0)), pose(1, (20, 1, 0))])
    run.add(2, scene)
    if in_parts:
        part, run = run.part(), Joined(continuous=True, clearance=clearance)
        run.add(part)
    (pair, (_, intervals)), = said(run).items()
    assert pair == ("Ball #2", "Wall")
    assert intervals == [[1, pytest.approx(1.25 + clearance)]]
    (spells,), (verdicts,) = run.report().spells, run.report().spell_verdicts      # it is near only when it has left
    assert [VERDICTS[each] for each in verdicts] == ["contained", "near"][:1 + (clearance > 0)]
    assert spells[0].tolist() == [1, pytest.approx(1.25)] and spells[-1, 1] == intervals[0][1]


def test_what_comes_under_the_name_of_what_goes_is_the_same():
    """In a Scene, too, as where each frame has a Scene of its own."""
    scene, run = row_of(1), Sweep(continuous=True)
    scene.set_poses([1], [pose(1, (5, 0, 0))])
    run.add(1, scene)
    scene.remove_object(0)
    scene.add_object(0, pose(1, (10, 0, 0)), name="Ball #1")
    run.add(2, scene)
    assert list(said(run)) == [("Ball #1", "Wall")]


def test_what_stands_where_another_one_stood_has_moved():
    """Balls on a belt: the second one comes exactly where the first one was, through the bar which both touch there.
    It rests by its name alone."""
    block = box((-0.125, -0.125, -0.125), (0.125, 0.125, 0.125))
    scene, run = Scene(), Sweep(continuous=True)
    mesh = scene.add_mesh(*block)
    for number in range(2):
        scene.add_object(mesh, pose(1, (10 * number, 0, 0)), name=f"Ball #{1 + number}")
    scene.add_object(scene.add_mesh(*box((0.125, -0.1, -0.1), (9.875, 0.1, 0.1))), name="Wall")
    run.add(1, scene)
    without_the_first(scene)
    scene.set_poses([0], [pose(1)])
    assert [verdict for verdict, _ in said(run).values()] == ["touching", "touching"]
    run.add(2, scene)
    run.add(3, scene)
    verdict, intervals = said(run)["Ball #1", "Wall"]
    assert verdict in ("crossing", "overlap") and intervals == [[1, 3]]


@pytest.mark.parametrize("names", [("Ball #1", "Ball #2"), ("Ball #7", "Ball #1")])
def test_another_scene_knows_what_has_an_identity(names):
    """Each ball goes up by 4, whatever it is called; the one at x = 10 passes the wall."""
    run = Sweep(continuous=True)
    for frame, who in enumerate((("Ball #1", "Ball #2"), names)):
        scene = Scene()
        mesh = scene.add_mesh(*BALL)
        for number, name in enumerate(who):
            scene.add_object(mesh, pose(1, (10 * number, 4 * frame, 0)), name=name, identity=("ball", number))
        scene.add_object(scene.add_mesh(*WALL), pose(1, (10, 2, 0)), name="Wall")
        run.add(frame, scene)
    assert list(said(run)) == [(names[1], "Wall")]
