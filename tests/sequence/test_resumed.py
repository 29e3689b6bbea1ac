# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep that goes on from an earlier one says what a fresh one says, to the last bit, whatever has changed."""
import numpy as np
import pytest
from naive.scenes import pose
from test_joined_parts import BETWEEN, cast_of, copy_of, files, play_of, row_of_boxes, shown, whole
from test_sweep import HOW
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.sequence import resumed, sweep
from touchpoint.core.sequence.resumed import Ledger, ResumedSweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    """Begin anew after a few frames, as these sweeps are short."""
    for module in (resumed, sweep):
        monkeypatch.setattr(module, "ANEW", 3)


@pytest.fixture
def tested(monkeypatch):
    """An entry for each frame that is tested."""
    calls, detect = [], sweep.detect
    monkeypatch.setattr(sweep, "detect", lambda *how, **more: (calls.append(how), detect(*how, **more))[1])
    return calls


def run(film, earlier=None, stop=None, **how):
    """(report, ledger) of a sweep that is cancelled in frame number `stop`, None: never; None for the report where
    nothing is known."""
    one, kept, cancelled = ResumedSweep(earlier, **how), None, False
    while one.number < len(film) and not cancelled:
        number = one.number
        kept = shown(kept, film[number])
        if number == stop and one.compares:
            return None, one.ledger
        cancelled = one.add(0.5 * number, kept, lambda stage, fraction, go_on=number != stop: go_on).cancelled
    return one.report(), one.ledger


def changed(film, rng):
    """The same film, in which an object stands elsewhere in some frames, or asks for another clearance; now and then it
    has more frames, or fewer."""
    film, object_ = [copy_of(scene) for scene in film], int(rng.integers(3))
    first = int(rng.integers(len(film)))
    for scene in film[first:first + int(rng.integers(1, 4))]:
        if len(scene.objects) > object_:
            if rng.random() < 0.7:
                scene.set_poses([object_], [pose(0.5, rng.uniform(0, 2, 3))])
            else:
                scene.objects[object_].clearance = float(rng.uniform(0, 1))
    return film[:int(rng.integers(len(film) // 2, 2 * len(film)))]


@pytest.mark.parametrize("how", ["clearance", "depth", "automatic", "rapid", *BETWEEN])
def test_cancelled_changed_and_run_again(how):
    rng = np.random.default_rng(len(how))
    film, how, ledger = play_of(len(how), 14), {**HOW, **BETWEEN}[how], None
    for _ in range(2):
        stop = int(rng.integers(1, 14))
        report, ledger = run(film, ledger, stop, **how)
        if report is not None and stop < len(film):
            assert report.cancelled and files(report) == files(whole(film, 0.5 * stop, **how))
        film = changed(film, rng) if rng.random() < 0.7 else film
        film += play_of(int(rng.integers(9)), 14)[len(film):]
        report, ledger = run(film, ledger, **how)
        assert files(report) == files(whole(film, **how)) and len(report.pairs) > 3


@pytest.mark.parametrize("how", [{"depth": True}, {"clearance": 0.2, "self_collisions": True, "continuous": True}])
def test_objects_that_come_go_and_change_places(how):
    rng, film, ledger = np.random.default_rng(5), cast_of(5, 17), None
    for _ in range(2):
        _, ledger = run(film, ledger, int(rng.integers(1, 17)), **how)
        film = changed(film, rng)
        film += cast_of(int(rng.integers(9)), 17)[len(film):]
        report, ledger = run(film, ledger, **how)
        assert files(report) == files(whole(film, **how))


def test_frames_that_rest_and_frames_without_anything_to_test():
    boxes, film = [row_of_boxes(count) for count in (4, 1, 0, 3)], []
    for which in (0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0):
        film.append(boxes[which])
    for stop in range(1, len(film), 3):
        _, ledger = run(film, stop=stop)
        assert files(run(film, ledger)[0]) == files(whole(film))


def moving(frames):
    film = []
    for frame in range(frames):
        film.append(row_of_boxes(4))
        film[-1].set_poses([0], [pose(1, (0.01 * frame, 0, 0))])
    return film


def test_what_is_tested_again(tested):
    """Nothing before the last multiple of ANEW frames that are as they were, but for the frame before it."""
    film = moving(20)
    _, ledger = run(film, stop=14)
    tested.clear()
    _, ledger = run(film, ledger)
    assert len(tested) == 20 - 12 + 1
    tested.clear()
    film[7].set_poses([3], [pose(1, (9, 9, 9))])
    _, ledger = run(film, ledger)
    assert len(tested) == 20 - 6 + 1
    tested.clear()
    report, ledger = run(film, ledger)
    assert len(tested) == 20 - 18 + 1 and files(report) == files(whole(film))


@pytest.mark.parametrize("stops", [(2, 8), (4, 8), (7, 1, 8), (2, 4, 5, 8)])
def test_cancelled_again_and_again(tested, stops):
    """The last one of them says from where on frames are tested, wherever those before it ended."""
    film, ledger = moving(12), None
    for stop in stops:
        _, ledger = run(film, ledger, stop)
    tested.clear()
    report, ledger = run(film, ledger)
    assert len(tested) == 12 - 6 + 1 and files(report) == files(whole(film))
    assert [frame for frame, _ in ledger.frames] == [0.5 * number for number in range(12)]
    assert all(number % 3 == 0 for number in ledger.states)


def rules_about(name):
    return RuleSet([Rule("pairs", pairs=((Ref("o0"), Ref(name)),))])


@pytest.mark.parametrize("how", [{"clearance": 0.5}, {"depth": True}, {"rules": rules_about("o1")},
                                 {"rules": [(None, None)]}, {"method": "certified"}, {"continuous": True}])
def test_another_question_is_asked_anew(tested, how):
    film = moving(8)
    _, ledger = run(film)
    tested.clear()
    report, _ = run(film, ledger, **how)
    assert len(tested) >= 8 and files(report) == files(whole(film, **how))


@pytest.mark.parametrize("change", ["pose", "vertices", "triangles", "faces", "name", "group", "static", "shell",
                                    "clearance", "mesh", "identity"])
def test_whatever_changes_is_seen(tested, change):
    film = moving(6)
    film[4].add_mesh(film[4].meshes[0].vertices, film[4].meshes[0].triangles)
    _, ledger = run(film)
    again = film[:4] + [copy_of(film[4])] + film[5:]
    scene, mesh = again[4], again[4].meshes[0]
    if change == "pose":
        scene.poses[3, 0, 3] = np.nextafter(scene.poses[3, 0, 3], 9)
    elif change == "vertices":
        scene.set_vertices(0, np.nextafter(mesh.vertices, 9))
    elif change == "triangles":
        mesh.triangles = np.roll(mesh.triangles, 1, axis=1)
    elif change == "faces":
        mesh.faces = np.zeros(len(mesh.triangles), np.int32)
    else:
        setattr(scene.objects[2], change,
                {"name": "other", "group": "left", "mesh": 1, "clearance": 0.125}.get(change, True))
    assert _digest(film[4]) != _digest(scene)
    tested.clear()
    report, _ = run(again, ledger)
    assert len(tested) == 4 and files(report) == files(whole(again))


def _digest(scene):
    return resumed.Digests().of(scene, None)


def test_rules_that_are_equal_are_the_same_ones(tested):
    _, ledger = run(moving(6), rules=rules_about("o1"))
    tested.clear()
    run(moving(6), ledger, rules=rules_about("o1"))
    assert len(tested) == 1


def test_states_have_bounds(monkeypatch):
    ledger = Ledger({})
    for number in range(1, 200):
        ledger.frames.append((number, b""))
        ledger.keep(number, b"0" * 100)
        assert number in ledger.states and len(ledger.states) <= resumed.MOST_KEPT
    assert min(ledger.states) < 40
    monkeypatch.setattr(resumed, "MOST_BYTES", 450)
    ledger.keep(199, b"1" * 451)
    assert ledger.states[199] == b"0" * 100
    ledger.keep(199, b"1" * 450)
    assert list(ledger.states) == [199]
