# SPDX-License-Identifier: GPL-3.0-or-later
"""Films of many objects at one place ask whether to go on while frames are told of (core/sequence/asking.py)."""
from functools import partial

import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, Sweep
from touchpoint.core import contacts as contacts_module
from touchpoint.core.errors import Refused
from touchpoint.core.sequence import asking, queued, resumed, sweep, waiting
from touchpoint.core.sequence.asking import TELLING
from touchpoint.core.sequence.resumed import ResumedSweep

pytestmark = pytest.mark.scenes

COPIES, FRAMES, AT_ONCE = 12, 3, 100
PAIRS = COPIES * (COPIES - 1) // 2
HOW = {"depth": True, "tolerance": "auto"}


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr(contacts_module, "GATHERED_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(asking, "MANY_PAIRS", PAIRS - 1)
    monkeypatch.setattr(waiting, "MOST_CONTACTS", 0)
    monkeypatch.setattr(queued, "BOX_PAIRS_AT_ONCE", 0)


class Film:
    """Copies that part a little more in every frame, and are together again after them. stop: the question while frames
    are told of that is answered with no, or by what it raises."""

    def __init__(self, stop=None, error=None, frames=FRAMES, made=Sweep, **how):
        self.asked, self.done, self._stop, self._error = [0], 0, stop, error
        self.sweep = made(**HOW, **how)
        scene = Scene()
        mesh = scene.add_mesh(*box())
        for k in range(COPIES):
            scene.add_object(mesh, name=str(k))
        for frame in range(frames):
            if not self.sweep.take(frame, scene, self.answer):
                break
            self.done += 1
            scene.poses[:, 0, 3] = 0.1 * (np.arange(COPIES) % 5) * ((frame + 1) % FRAMES) / FRAMES

    def answer(self, stage, _fraction):
        self.asked[0] += stage == TELLING
        if stage != TELLING or self.asked[0] != self._stop:
            return True
        if self._error is not None:
            raise self._error
        return False


def listed(report):
    """The contacts of each pair, as bytes."""
    rows = [slice(start, start + count) for start, count in
            zip(report.pairs["contact_start"].tolist(), report.pairs["contacts"].tolist(), strict=True)]
    assert sum(report.pairs["contacts"]) == len(report.contacts)
    return [tuple(getattr(report.contacts, name)[some].tobytes() for name in ("triangle_a", "triangle_b", "point"))
            for some in rows]


@pytest.mark.parametrize("continuous", [False, True])
def test_questions_come_between_pieces_of_contacts(continuous):
    """There were none, however many contacts were moved."""
    film = Film(continuous=continuous)
    moved = len(film.sweep.report().contacts)
    assert moved > 4 * AT_ONCE and film.done == FRAMES
    assert film.asked[0] >= 2 * FRAMES + moved // AT_ONCE


@pytest.mark.parametrize("continuous", [False, True])
def test_what_is_told_is_true_wherever_it_is_stopped(continuous):
    whole = {frames: Film(frames=frames, continuous=continuous).sweep.report() for frames in range(1, FRAMES + 1)}
    stop, fewer = 0, 0
    while True:
        stop += 1
        film = Film(stop=stop, continuous=continuous)
        if film.asked[0] < stop:
            break
        report = film.sweep.report()
        assert report.cancelled and film.asked[0] == stop and film.done < FRAMES      # nobody is asked again
        other = whole[len(report.frames)]
        for name in set(other.pairs.dtype.names) - {"contacts", "unlisted", "contact_start"}:
            assert report.pairs[name].tobytes() == other.pairs[name].tobytes(), name
        assert report.found.tolist() == other.found.tolist()
        assert [each.tolist() for each in report.intervals] == [each.tolist() for each in other.intervals]
        mine, theirs = listed(report), listed(other)
        assert all(one == another or not count for one, another, count in
                   zip(mine, theirs, report.pairs["contacts"].tolist(), strict=True))
        fewer += len(report.contacts) < len(other.contacts)
        with pytest.raises(Refused, match="no frame can follow"):
            film.sweep.take(FRAMES, Scene())
    assert stop > FRAMES and fewer


def test_what_a_question_raises_comes_when_all_is_told():
    for stop in (1, 2, 5, 9):
        with pytest.raises(ZeroDivisionError):
            Film(stop=stop, error=ZeroDivisionError())


def test_a_check_that_goes_on_lists_what_a_fresh_one_lists(monkeypatch):
    """What is kept of a frame whose contacts were left out would miss them."""
    for module in (resumed, sweep):
        monkeypatch.setattr(module, "ANEW", FRAMES)
    fresh, cut = Film(frames=FRAMES + 1).sweep.report(), 0
    for stop in range(1, Film().asked[0] + 1):
        stopped = Film(stop=stop, made=partial(ResumedSweep, None)).sweep
        report = stopped.report()
        cut += len(report.frames) == FRAMES and len(report.contacts) < report.found.sum()
        again = Film(frames=FRAMES + 1, made=partial(ResumedSweep, stopped.ledger)).sweep.report()
        assert again.pairs.tobytes() == fresh.pairs.tobytes() and listed(again) == listed(fresh)
    assert cut


@pytest.mark.parametrize("continuous", [False, True])
def test_the_report_asks_and_stays_true_wherever_it_is_stopped(continuous):
    """After the last frame nobody was asked, however many contacts the report lists."""
    whole = Film(continuous=continuous).sweep.report()
    fewer = stop = 0
    while True:
        film, asked = Film(continuous=continuous), []

        def answer(stage, _fraction, asked=asked, stop=stop):
            asked.append(stage)
            return len(asked) <= stop

        report = film.sweep.report(answer)
        assert report.found.tobytes() == whole.found.tobytes()
        assert [each.tolist() for each in report.intervals] == [each.tolist() for each in whole.intervals]
        assert len(report.contacts) == 0 or listed(report) == listed(whole)
        if len(asked) <= stop:
            break
        assert report.cancelled and len(asked) == stop + 1      # nobody is asked again
        assert film.sweep.report().cancelled
        with pytest.raises(Refused, match="no frame can follow"):
            film.sweep.take(FRAMES, Scene())
        fewer += len(report.contacts) < len(whole.contacts)
        stop += 1
    assert not report.cancelled and len(report.contacts) and set(asked) == {TELLING}
    assert fewer >= len(whole.contacts) // AT_ONCE


def test_what_the_question_of_a_report_raises_comes_out():
    def answer(_stage, _fraction):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Film().sweep.report(answer)


@pytest.mark.parametrize("stops", [False, True])
def test_a_frame_that_is_added_is_copied_piece_by_piece(stops):
    """Live adds frames; its copy of their contacts was made in one piece."""
    sweep_of_one, scene = Sweep(**HOW), Scene()
    mesh = scene.add_mesh(*box())
    for k in range(COPIES):
        scene.add_object(mesh, name=str(k))
    whole, asked = Sweep(**HOW).add(0, scene), [0]

    def answer(stage, _fraction):
        asked[0] += stage == TELLING
        return not (stops and asked[0] > 3 and stage == TELLING)

    report = sweep_of_one.add(0, scene, answer)
    assert report.found.tobytes() == whole.found.tobytes()
    if not stops:
        assert asked[0] >= len(whole.contacts) // AT_ONCE and listed(report) == listed(whole) and not report.cancelled
        return
    assert report.cancelled and not len(report.contacts) and not report.pairs["contacts"].any()
    assert sweep_of_one.report().found.tobytes() == whole.found.tobytes()      # of a frame that was tested
    with pytest.raises(Refused, match="no frame can follow"):
        sweep_of_one.add(1, scene)


def test_frames_that_wait_are_told_of_only_where_that_takes_no_time(monkeypatch):
    """Once a run is cancelled, what waits to be looked at was looked at to the end, and nobody was asked."""
    monkeypatch.setattr(waiting, "MOST_CONTACTS", 1 << 30)
    monkeypatch.setattr(sweep, "FINISHING_SECONDS", -1.0)
    made, scene = Sweep(continuous=True), Scene()
    for k in range(3):
        scene.add_object(scene.add_mesh(*box()), name=str(k))
    for frame in range(4):
        assert made.take(frame, scene, lambda _stage, _fraction: True)
        scene.poses[:, 0, 3] = 0.3 * frame * np.arange(3)
    assert len(made._between.steps) > 1
    assert not made.take(4, scene, lambda _stage, _fraction: False)
    report = made.report()
    assert report.cancelled and 1 <= len(report.frames) < 4 and made._between.steps == []
