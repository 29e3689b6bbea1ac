# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces whose cut into triangles changes from frame to frame: what frames say, and what is said between them."""
import pickle

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from test_joined_parts import files
from touchpoint.core import Scene, Sweep, detect, methods, sweep
from touchpoint.core.sequence import parts
from touchpoint.core.sequence import sweep as sweep_module
from touchpoint.core.sequence.film import Film
from touchpoint.core.sequence.parts import Joined, PartSweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

ONE, OTHER = [[0, 1, 2], [0, 2, 3]], [[0, 1, 3], [1, 2, 3]]
BULLET = box((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05))


def bent(shift=0.0):
    """A square around the origin whose last corner is lifted by 0.4. Below the bullet ONE is no higher than 0.02 and no
    lower than 0, and OTHER, whose diagonal leads up to that corner, between 0.21 and 0.19."""
    return np.array([[-1, -1, shift], [1, -1, shift], [1, 1, shift], [-1, 1, 0.4 + shift]])


HIGHEST, LOWEST = {"ONE": 0.02, "OTHER": 0.21}, {"ONE": 0.0, "OTHER": 0.19}
CUTS = {"ONE": ONE, "OTHER": OTHER}


def frame_of(cut, shift, height, faces=(0, 0)):
    """A scene made anew, of the bent square and a bullet above its middle."""
    scene = Scene()
    scene.add_object(scene.add_mesh(bent(shift), CUTS[cut], faces), name="Quad")
    scene.add_object(scene.add_mesh(*BULLET), pose(1, (0, 0, height)), name="Bullet")
    return scene


def swept(*frames, faces=(0, 0), **how):
    return sweep([(10 + number, frame_of(*frame, faces)) for number, frame in enumerate(frames)],
                 **{"continuous": True, **how})


def only(report):
    assert len(report.pairs) == 1
    (start, end), = report.intervals[0].tolist()
    return report.verdict(0), start, end, float(report.first_contact[0])


@pytest.mark.parametrize("method", ["touchpoint", *(each for each in methods.ids() if methods.load(each).follows)])
@pytest.mark.parametrize("before, after", [("ONE", "OTHER"), ("OTHER", "ONE")])
def test_between_frames_a_face_is_cut_as_at_their_end(before, after, method):
    """It rises by 0.1, and the bullet falls by 2."""
    report = swept((before, 0.0, 1.2), (after, 0.1, -0.8), method=method)
    verdict, start, end, first = only(report)
    assert verdict == "crossing" and start == first and not report.notes and len(report.contacts) > 0
    meets, leaves = 10 + (1.15 - HIGHEST[after]) / 2.1, 10 + (1.25 - LOWEST[after]) / 2.1
    assert start == pytest.approx(meets) and start < meets + 1e-12 and end == pytest.approx(leaves)
    back = swept((after, 0.1, -0.8), (before, 0.0, 1.2), method=method)     # the same way back, and the other cut
    assert only(back)[1:3] == pytest.approx((11 - (1.25 - LOWEST[before]) / 2.1, 11 - (1.15 - HIGHEST[before]) / 2.1))


@pytest.mark.parametrize("faces", [None, (0, 1)])
def test_what_is_no_face_is_not_followed(faces):
    report = swept(("ONE", 0.0, 1.2), ("OTHER", 0.1, -0.8), faces=faces)
    assert len(report.pairs) == 0 and "as their triangles change" in report.notes[-1]


def test_intervals_begin_and_end_on_the_way():
    frames = ("ONE", 0.0, 1.2), ("OTHER", 0.1, 0.3), ("ONE", 0.0, 1.2)
    verdict, start, end, first = only(swept(*frames))
    assert verdict == "crossing" and start == first == pytest.approx(10 + (1.15 - HIGHEST["OTHER"]) / 1.0)
    assert end == 11                # by ONE, they have met in no moment after it
    frames = ("ONE", 0.0, 1.2), ("OTHER", 0.1, 0.3), ("OTHER", 0.0, 1.2)
    assert only(swept(*frames))[2] == pytest.approx(12 - (1.15 - HIGHEST["OTHER"]) / 1.0)


def test_what_meets_by_the_later_cut_alone_begins_with_the_earlier_frame():
    """At 0.2 the bullet is in OTHER, and above ONE."""
    for last, end in ((("OTHER", 0.01, 0.2), 11), (("OTHER", 0.1, 1.2), 10 + (0.21 - 0.15) / 0.9)):
        verdict, start, ended, first = only(swept(("ONE", 0.0, 0.2), last))
        assert verdict == "crossing" and start == first == 10 and ended == pytest.approx(end)
        assert len(detect(frame_of("ONE", 0.0, 0.2)).pairs) == 0


def test_what_met_by_the_earlier_cut_alone_ends_with_its_frame():
    assert only(swept(("OTHER", 0.0, 0.2), ("ONE", 0.05, 0.2)))[1:3] == (10, 10)


def some_frames(count=14):
    """A strip of quads that are cut at random in each frame, two balls that fly through it, and what rests."""
    rng = np.random.default_rng(3)
    quads = np.array([(k, k + 1, k + 8, k + 7) for k in range(6)])
    places = np.array([(x, y, 0.0) for y in (0, 1) for x in range(7)])
    ways = rng.uniform((0, 0, -1), (6, 1, 1), (count, 2, 3))
    for frame in range(count):
        scene = Scene()
        triangles = [quad[np.array(ONE if rng.integers(2) else OTHER)] for quad in quads]
        vertices = places + rng.uniform(-0.2, 0.2, places.shape)
        scene.add_object(scene.add_mesh(vertices, np.concatenate(triangles), np.repeat(np.arange(6), 2)), name="Strip")
        small = scene.add_mesh(*ball(5, 4, 0.2))
        for number, place in enumerate(ways[frame]):
            scene.add_object(small, pose(1, place), name=f"Ball {number}")
        scene.add_object(scene.add_mesh(*box((2, 0, -0.1), (3, 1, 0.1))), name="Post")
        yield frame, scene


def test_frames_say_what_they_say_by_themselves():
    run, recut = Sweep(continuous=True), 0
    for (frame, scene), (_, same) in zip(some_frames(), some_frames()):
        report, alone = run.add(frame, scene), detect(same)
        assert report.pairs.tobytes() == alone.pairs.tobytes()
        assert report.contacts.point.tobytes() == alone.contacts.point.tobytes()
        recut += len(alone.pairs)
    report = run.report()
    assert recut > 10 and not report.notes and any(each % 1 for spans in report.intervals for each in spans.ravel())


def test_a_film_says_the_same():
    film = Film()
    for frame, scene in some_frames():
        film.add(frame, scene)
    assert files(sweep(film.scenes(), continuous=True)) == files(sweep(some_frames(), continuous=True))


@pytest.mark.parametrize("method", ["touchpoint", "pcs"])
def test_any_parts_are_the_whole(method, monkeypatch):
    for module in (parts, sweep_module):
        monkeypatch.setattr(module, "ANEW", 3)
    film, how = list(some_frames()), {"method": method, "continuous": True, "depth": True}
    expected = files(sweep(film, **how))
    for borders in ([0, 3, 6, 9, 12], [0, 6]):
        whole = Joined(**how)
        for first, last in zip(borders, [*borders[1:], len(film)]):
            one = PartSweep(first, **how)
            for frame, scene in film[max(0, first - 1):last]:
                one.add(frame, scene)
            whole.add(pickle.loads(pickle.dumps(one.part())))
        assert files(whole.report()) == expected
