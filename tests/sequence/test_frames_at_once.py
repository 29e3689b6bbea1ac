# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are tested together: what is said of each is what is said of it alone, to the last bit."""
import pickle

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from naive.whole_motions import rotation
from test_joined_parts import files
from test_sweep import HOW, RULES
from touchpoint.core import Cancelled, Scene, Sweep
from touchpoint.core.broad_phase.in_frames import overlapping_in_frames
from touchpoint.core.broad_phase.object_tree import overlapping_pairs
from touchpoint.core.errors import Refused, TooLarge
from touchpoint.core.rules import RuleSet
from touchpoint.core.rules.relations import Relations
from touchpoint.core.scene.frames import Frames
from touchpoint.core.search import contact_budget
from touchpoint.core.sequence import at_once, parts, queued, resumed, sweep
from touchpoint.core.sequence.parts import Joined, PartSweep
from touchpoint.core.sequence.resumed import ResumedSweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

BETWEEN = {"between": {"continuous": True}, "depths between": {"continuous": True, "depth": True, "tolerance": "auto"}}
ANEW = 8
LONG = 2 * ANEW + 5     # frames


class Film:
    """Objects that fly, turn, stop for some frames or rest. shells, static: their numbers."""

    def __init__(self, seed, frames=LONG, count=7, shells=(), static=(), held=True):
        """held: the same is shown for three frames."""
        self.frames, self.shells, self.static = frames, shells, static
        rng = np.random.default_rng(seed)
        shapes = [box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), ball(6, 4, 0.6), box((-2, -2, -0.01), (2, 2, 0.01))]
        self.shapes = [shapes[k] for k in rng.integers(0, 3, count)]
        places = rng.normal(size=(count, 3)) + np.cumsum(0.1 * rng.normal(size=(LONG, count, 3)), axis=0)
        half = 0.1 * np.cumsum(rng.normal(size=(LONG, count)), axis=0)
        self.poses = np.tile(np.eye(4), (LONG, count, 1, 1))
        for k, kind in enumerate(rng.permutation(["flies", "flies", "rests", "stops", "flies", "rests", "stops"])):
            for frame in range(LONG):
                at = {"flies": frame, "rests": 0, "stops": frame // 6 * 6}[kind]
                self.poses[frame, k, :3, 3] = places[at, k]
                self.poses[frame, k, :3, :3] = rotation((np.cos(half[at, k]), 0.6 * np.sin(half[at, k]), 0.0,
                                                         0.8 * np.sin(half[at, k])))
        if held:
            self.poses[12:15] = self.poses[12]

    def scenes(self, first=0):
        scene = Scene()
        for k, shape in enumerate(self.shapes):
            scene.add_object(scene.add_mesh(*shape), name=f"o{k}", group=("left", "right")[k % 2],
                             shell=k in self.shells, static=k in self.static)
        for frame in range(first, self.frames):
            scene.set_poses(range(len(self.shapes)), self.poses[frame])
            yield 0.5 * frame, scene


def counted_batches(monkeypatch):
    """How many frames each run had that tested several."""
    found, tested = [], at_once.AtOnce._tested
    monkeypatch.setattr(at_once.AtOnce, "_tested",
                        lambda self, batch, part, *more: (found.append(len(part)), tested(self, batch, part, *more))[1])
    monkeypatch.setattr(queued, "SECONDS_AT_ONCE", 1e9)     # however slow this computer is
    for module in (parts, queued, resumed, sweep):          # begin anew after a few frames
        monkeypatch.setattr(module, "ANEW", ANEW)
    return found


@pytest.fixture
def batches(monkeypatch):
    return counted_batches(monkeypatch)


def alone(scenes, **how):
    """(run, report), each frame tested by itself. scenes: what yields (frame, scene), each time it is called."""
    run = Sweep(**how)
    for frame, scene in scenes():
        run.add(frame, scene)
    return run, run.report()


def together(scenes, **how):
    run = Sweep(**how)
    for frame, scene in scenes():
        assert run.take(frame, scene)
    return run, run.report()


def assert_same(scenes, **how):
    (_, one), (_, other) = alone(scenes, **how), together(scenes, **how)
    assert files(one) == files(other) and one.pairs.tobytes() == other.pairs.tobytes()
    assert one.frames.tolist() == other.frames.tolist() and one.continuous == other.continuous
    assert one.settings == other.settings and one.notes == other.notes
    if one.rules is not None:
        assert one.rules.taken.tobytes() == other.rules.taken.tobytes()
        assert one.rules.kept.tolist() == other.rules.kept.tolist()
    return one


@pytest.mark.parametrize("how", [*sorted({*HOW} - {"selves", "everything", "rapid", "tsgo"}), *BETWEEN])
@pytest.mark.parametrize("seed", range(3))
def test_together_as_alone(batches, seed, how):
    film = Film(seed, shells=(6,) if seed == 1 else (), static=(3, 5) if seed == 2 else ())
    report = assert_same(film.scenes, **{**HOW, **BETWEEN}[how])
    assert len(report.pairs) > 2 and max(batches) == 7 and len(batches) == 3


@pytest.mark.parametrize("how", ["selves", "rapid", "fccd", "gaps between"])
def test_what_is_not_tested_together(batches, how):
    asked = {**HOW, "fccd": {"method": "fccd"}, "gaps between": {"continuous": True, "clearance": 0.1}}[how]
    assert_same(Film(0, frames=8).scenes, **asked)
    assert not batches


def test_boxes_are_counted_from_elsewhere_in_the_middle(batches):
    """One flies far away and back: float32 boxes are counted from where they would be in each frame by itself."""
    film = Film(3)
    film.poses[10:14, 0, 0, 3] += 1e4
    film.poses[17:, 0, 0, 3] += 30.0
    assert_same(film.scenes, depth=True)
    assert min(batches) < 5 < max(batches)


def test_meshes_that_were_deformed_before(batches):
    """Trees that were fitted to other vertices are not those that are built: those of single frames are taken."""
    def scenes():
        for number, (frame, scene) in enumerate(Film(4, held=False).scenes()):
            if number in (2, 3):
                scene.set_vertices(1, scene.meshes[1].vertices * 1.25)
            yield frame, scene

    assert_same(scenes, depth=True)
    assert batches == [1, 5, 7, 4]


@pytest.mark.parametrize("what", ["hidden", "nan", "far", "rules", "deformed", "another scene", "nothing"])
def test_a_frame_that_is_otherwise(batches, what):
    """Those that wait are tested as the scene was, whatever it is now."""
    def scenes(run=None):
        for number, (frame, scene) in enumerate(Film(5, held=what != "deformed").scenes()):
            if number == 12:
                if what == "hidden":
                    scene.hide([0, 2])
                elif what in ("nan", "far"):
                    scene.poses[1, 0, 3] = np.nan if what == "nan" else 1e300
                elif what == "rules" and run is not None:
                    run.rules = [("left", "right")]
                elif what == "deformed":
                    scene.set_vertices(0, 2.0 * scene.meshes[0].vertices)
                elif what == "another scene":
                    scene = pickle.loads(pickle.dumps(scene))
                elif what == "nothing":
                    scene.hide(range(6))
            if number == 15:
                scene.show(range(7))
            yield frame, scene

    for how in ({}, {"continuous": True}):
        found = []
        for name in ("add", "take"):
            run = Sweep(**how)
            for frame, scene in scenes(run):
                getattr(run, name)(frame, scene)
            found.append(files(run.report()))
        assert found[0] == found[1]
    assert len(batches) >= 6


def test_frames_that_have_something_to_say_for_themselves(batches):
    """Far from the origin an automatic tolerance is coarse, of which each frame tells: they are tested one by one."""
    film = Film(6)
    film.poses[..., 0, 3] += 1e7
    report = assert_same(film.scenes, tolerance="auto")
    assert report.notes and batches[0] == 7 and set(batches[1:]) == {1}     # and then it is not tried again


def test_more_contacts_than_are_listed(batches, monkeypatch):
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 60)
    report = assert_same(Film(0).scenes)
    assert report.pairs["contacts"].sum() > 0 and batches[0] == 7 and set(batches[1:]) == {1}


@pytest.mark.parametrize("error", [TooLarge("No room."), MemoryError()])
def test_what_does_not_fit_together_is_tested_alone(batches, monkeypatch, error):
    detect = at_once.detect

    def fails(scene, *how, **more):
        if len(scene.frames.rows) > 1:
            raise error
        return detect(scene, *how, **more)

    monkeypatch.setattr(at_once, "detect", fails)
    assert_same(Film(1, frames=12).scenes)
    assert batches == [7, *[1] * 7]


def test_an_error_loses_the_frames_that_wait(batches, monkeypatch):
    run, detect = Sweep(), at_once.detect
    scenes = Film(2, frames=12).scenes()
    for _ in range(6):
        run.take(*next(scenes))
    monkeypatch.setattr(at_once, "detect", lambda *how, **more: (_ for _ in ()).throw(ValueError("broken")))
    with pytest.raises(ValueError, match="broken"):
        run.finish()
    assert run.waiting == 0 and len(run.told._frames) == 1
    monkeypatch.setattr(at_once, "detect", detect)
    for frame, scene in Film(2, frames=12).scenes(first=1):
        run.take(frame, scene)
    assert files(run.report()) == files(alone(Film(2, frames=12).scenes)[1])


@pytest.mark.parametrize("stage", ["take", "broad phase", "verdicts"])
def test_cancelled_while_frames_wait(batches, stage):
    """Those before the last one are done, as nothing of them takes long."""
    run, scenes = Sweep(continuous=True), Film(1).scenes()
    for _ in range(5):
        assert run.take(*next(scenes))
    assert run.waiting == 4
    if stage == "take":
        assert not run.take(*next(scenes), lambda stage, fraction: False)
        done = 5
    else:
        assert not run.finish(lambda name, fraction: name != stage)
        done = 4
    report = run.report()
    assert report.cancelled and report.frames.tolist() == [0.5 * number for number in range(done)]
    report.cancelled = False
    assert files(report) == files(alone(Film(1, frames=done).scenes, continuous=True)[1])
    with pytest.raises(Refused, match="cancelled"):
        run.take(*next(scenes))


def test_whoever_wants_nothing_more_gets_nothing(batches):
    def progress(name, fraction):
        if name == "contacts":
            raise Cancelled
        return True

    run, scenes = Sweep(), Film(1).scenes()
    for _ in range(5):
        run.take(*next(scenes))
    with pytest.raises(Cancelled):
        run.finish(progress)
    assert run.waiting == 0


def test_somebody_is_asked_in_each_frame(batches):
    run, asked = Sweep(), []
    for frame, scene in Film(1).scenes():
        before = len(asked)
        run.take(frame, scene, lambda name, fraction: asked.append(name))
        assert len(asked) > before


def test_frames_ascend_while_some_wait(batches):
    run, scenes = Sweep(), Film(1).scenes()
    for _ in range(5):
        frame, scene = next(scenes)
        run.take(frame, scene)
    assert run.waiting == 4
    with pytest.raises(Refused, match=f"{frame:g} cannot come after {frame:g}"):
        run.take(frame, scene)


def test_how_many_wait(batches, monkeypatch):
    film = Film(1)
    for name, most in (("MOVING_AT_ONCE", 0), ("FOUND_AT_ONCE", 0), ("SECONDS_AT_ONCE", 1e-9),
                       ("BOX_PAIRS_AT_ONCE", 3)):
        with monkeypatch.context() as patch:
            patch.setattr(queued, name, most)
            together(film.scenes)
            assert not batches
    monkeypatch.setattr(queued, "MOVING_AT_ONCE", 4 * sum(len(triangles) for _, triangles in film.shapes))
    together(film.scenes)
    assert max(batches) == 4


def test_reports_may_be_asked_for_in_between(batches):
    run, other = Sweep(), Sweep()
    for number, ((frame, scene), (_, copy)) in enumerate(zip(Film(2).scenes(), Film(2).scenes())):
        other.add(frame, copy)
        if number % 7 == 3:
            report = run.add(frame, scene)
            assert len(report.pairs) > 0 and report.frame == frame
        else:
            run.take(frame, scene)
        if number % 10 == 9:
            assert files(run.report()) == files(other.report())
    assert files(run.report()) == files(other.report()) and len(batches) > 4


def in_parts(scenes, **how):
    """The report of a film, each ANEW frames of which were tested by themselves."""
    whole = Joined(**how)
    for first in range(0, LONG, ANEW):
        part = PartSweep(first, **how)
        for number, (frame, scene) in enumerate(scenes()):
            if first - 1 <= number < first + ANEW:
                part.take(frame, scene)
        whole.add(pickle.loads(pickle.dumps(part.part())))
    return whole.report()


@pytest.mark.parametrize("how", [{}, {"continuous": True}, {"rules": RULES, "depth": True}])
def test_parts(batches, how):
    film = Film(3)
    assert files(in_parts(film.scenes, **how)) == files(alone(film.scenes, **how)[1]) and len(batches) == 3


@pytest.mark.parametrize("stop", [5, 8, 13, LONG])
def test_going_on(batches, stop):
    """The ledger knows the frames that are done, those that wait among them."""
    film, ledger = Film(4), None
    every = [(frame, pickle.loads(pickle.dumps(scene))) for frame, scene in film.scenes()]
    for last in (stop, LONG):
        run = ResumedSweep(ledger, depth=True)
        scene = Scene()
        while run.number < last:
            before = run.number
            frame, shown = every[before]
            if len(scene.objects) == 0:
                scene = pickle.loads(pickle.dumps(shown))
            scene.set_poses(range(len(shown.objects)), shown.poses)
            assert run.take(frame, scene) and run.number == before + 1
        report, ledger = run.report(), run.ledger
        assert len(ledger.frames) == last
    assert files(report) == files(alone(film.scenes, depth=True)[1])


def test_rules_that_know_how_objects_belong_together(batches):
    layout = next(Film(1).scenes())[1].layout
    relations = Relations.of_names(layout.names, [layout.groups[each] for each in layout.group])
    report = assert_same(Film(1).scenes, rules=RuleSet(RULES.rules, relations), depth=True)
    assert max(batches) == 7 and len(report.rules.taken) > 0


def test_what_rests_in_all_frames_has_one_box():
    """With it each frame has the extent that the boxes of all its objects have, to the last bit."""
    rng = np.random.default_rng(6)
    for _ in range(50):
        frames, differs = int(rng.integers(1, 5)), rng.random(int(rng.integers(1, 7))) < rng.choice([0.0, 0.4, 1.0])
        times = np.where(differs, frames, 1)
        rows = np.cumsum(times) - times + np.where(differs, np.arange(frames)[:, None], 0)
        low = rng.normal(size=(times.sum(), 3))
        boxes = np.concatenate([low, low + rng.random(low.shape)], axis=1)
        found = at_once._boxes_in(boxes, rows, differs)
        assert found.shape == (frames, differs.sum() + (not differs.all()), 6)
        for one, every in zip(found, boxes[rows]):
            assert one[:, :3].min(axis=0).tobytes() == every[:, :3].min(axis=0).tobytes()
            assert one[:, 3:].max(axis=0).tobytes() == every[:, 3:].max(axis=0).tobytes()


def test_pairs_of_boxes_in_frames():
    """Those that the search of a single frame finds, without those of which both rest."""
    rng, quiet = np.random.default_rng(0), (lambda found: None)
    low = np.round(2.0 * rng.random((6 * 9, 3)), 1)         # many boxes only touch
    bounds, quantization = np.concatenate([low, low + 1.0], axis=1), np.array([2.0, 2.0, 2.0, 1.0])
    rows = np.arange(9) * 6 + np.arange(6)[:, None]
    rows[:, 4] = 4 * 6                                      # rests in all
    rests, told = rng.random((6, 9)) < 0.4, []
    rests[:, 4] = True
    found = overlapping_in_frames(bounds, Frames(rows, rests, quantization), quiet, told.append)
    wanted = []
    for here, still in zip(rows, rests):
        a, b = overlapping_pairs(bounds[here], quantization, quiet)
        wanted += [(here[i], here[j]) for i, j in zip(a, b) if not (still[i] and still[j])]
    asked = sum(36 - still.sum() * (still.sum() - 1) // 2 for still in rests)
    assert list(zip(*found)) == wanted and len(wanted) > 20 and told == [asked]
    assert found[0].dtype == found[1].dtype == np.int32


def test_numbers_that_only_rational_arithmetic_compares(batches):
    """Something that is tiny beyond all measure, in a box and outside of it: it is asked where it is in each frame."""
    def scenes():
        scene = Scene()
        for size in (1e-100, 1.0):
            scene.add_object(scene.add_mesh(*box((-size,) * 3, (size,) * 3)))
        for frame in range(12):
            scene.set_poses([0], [pose(1, (0.01 * frame if frame < 6 or frame == 8 else 5.0 + frame, 0, 0))])
            yield frame, scene

    both = [run(scenes)[1] for run in (alone, together)]
    assert [each.intervals[0].tolist() for each in both] == [[[0, 5], [8, 8]]] * 2 and max(batches) > 5


def test_a_scene_of_several_frames_has_no_objects_to_ask():
    """They would say where they stand in the scene that it was made of, which has gone on."""
    (_, scene), *_ = Film(1).scenes()
    several = scene.repeated(np.arange(3), np.full(3, 4), np.ones(len(scene.meshes), np.int64))
    assert len(several.objects) == len(several.poses) == 12 and several.objects == [None] * 12
    assert several.layout.names == [f"o{k}" for k in (0, 1, 2) for _ in range(4)]
