# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods that need an interval: what they say of one, of frames, and what they refuse."""
import numpy as np
import pytest
from naive.moving_bodies import CLASSES, draw
from naive.shapes import box
from naive.whole_motions import first_meeting
from touchpoint.core import Scene, detect, methods, sweep
from touchpoint.core.codes import VERDICTS
from touchpoint.core.errors import Refused, Unsupported
from touchpoint.core.machine_code.jit import COMPILED

pytestmark = pytest.mark.scenes

FOLLOWERS = [name for name in methods.ids() if methods.load(name).follows]
BOX = box((-.5, -.5, -.5), (.5, .5, .5))


def at(x=0.0, y=0.0, z=0.0, size=1.0):
    pose = np.diag([size, size, size, 1.0])
    pose[:3, 3] = x, y, z
    return pose


def scene_of(*ways):
    """A box per way, (pose, pose_end or None)."""
    scene = Scene()
    mesh = scene.add_mesh(*BOX)
    for pose, pose_end in ways:
        scene.add_object(mesh, pose, pose_end=pose_end)
    return scene


def rows(report):
    return {(int(pair["a"]), int(pair["b"])): (VERDICTS[pair["verdict"]], pytest.approx(float(pair["toi"]), abs=1e-7))
            for pair in report.pairs}


@pytest.mark.parametrize("method", FOLLOWERS)
def test_pairs_of_all_kinds(method):
    scene = scene_of((at(), None), (at(0.5), None), (at(10), None),     # two that rest and cross, one alone
                     (at(5), at(15)),                                   # passes through it
                     (at(9.9, size=0.1), at(10.1, size=0.1)),           # inside it, and stays there
                     (at(0, 0, 1), at(0, 0, 0.8)),                      # lies on the first two, and goes into them
                     (at(-3), at(-8)), (at(50), None))                  # flees; is far away
    report = detect(scene, method)
    assert rows(report) == {(0, 1): ("overlap", 0.0), (0, 5): ("crossing", 0.0), (1, 5): ("crossing", 0.0),
                            (2, 3): ("crossing", 0.4), (2, 4): ("contained", 0.0), (3, 4): ("crossing", 4.35 / 9.8)}
    again = detect(scene, method, contacts=False)
    assert rows(again) == rows(report) and len(again.contacts) == 0 < len(report.contacts)


@pytest.mark.parametrize("method", FOLLOWERS)
def test_what_touches_while_nothing_moves_only_touches(method):
    report = detect(scene_of((at(), None), (at(1), None), (at(0, 5), at(0, 6))), method)
    assert rows(report) == {(0, 1): ("touching", 0.0)}


@pytest.mark.parametrize("method", FOLLOWERS)
def test_rules_and_pairs(method):
    scene = scene_of((at(), None), (at(3), at(-3)), (at(-3), at(3)))
    assert set(rows(detect(scene, method))) == {(0, 1), (0, 2), (1, 2)}
    assert set(rows(detect(scene, method, pairs=[(0, 2)]))) == {(0, 2)}


@pytest.mark.parametrize("method", FOLLOWERS)
@pytest.mark.parametrize("name", [each for each in CLASSES if "deform" not in each])
def test_random_motions_in_one_scene(method, name):
    """Pairs that do not meet at the start: never missed, and not late."""
    rng = np.random.default_rng([23, CLASSES.index(name)])
    for _ in range(6 if COMPILED else 1):
        one, other = draw(rng, name)
        scene = Scene()
        for body in (one, other):
            vertices, first, last, _ = body.given
            scene.add_object(scene.add_mesh(vertices, body.triangles), first, pose_end=last)
        if len(detect(scene).pairs):
            continue
        exact, found = (detect(scene, each).pairs for each in ("certified", method))
        meeting = first_meeting(one, other, shortest=1 / 100)
        if meeting is not None:
            assert len(found) == 1 and found["toi"][0] <= meeting + 1e-9
        if methods.load(method).answer == "exact":
            assert len(found) == len(exact)
            assert found["toi"] == pytest.approx(exact["toi"], abs=1e-4)     # where surfaces nearly slide past


@pytest.mark.parametrize("method", FOLLOWERS)
def test_frames_are_tested_exactly_and_what_is_between_them_by_the_method(method):
    scene = scene_of((at(), None), (at(-4.4, 0.3, 0.2, 0.2), None))

    def frames():
        for frame, x in enumerate((-14.4, -4.4, 5.6)):
            scene.set_poses([1], [at(x, 0.3, 0.2, 0.2)])
            yield frame + 9, scene

    report, exact = sweep(frames(), method=method), sweep(frames(), continuous=True)
    assert report.method == method and exact.method == methods.DEFAULT
    assert report.continuous["tolerance"] > 0.0
    assert report.intervals[0] == pytest.approx(exact.intervals[0], abs=1e-7)
    assert report.first_contact[0] == pytest.approx(10.38, abs=1e-6)


@pytest.mark.parametrize("method", FOLLOWERS)
def test_refusals(method):
    with pytest.raises(Unsupported, match="move during an interval, as in Check Animation"):
        detect(scene_of((at(), None), (at(1), None)), method)
    with pytest.raises(Refused, match="object 1 cannot be followed"):
        detect(scene_of((at(), None), (at(1), at(np.nan))), method)
    with pytest.raises(Unsupported, match="clearances"):
        detect(scene_of((at(), None), (at(1), at(2))), method, clearance=0.1)
    with pytest.raises(Refused, match="no option 'colour'"):
        sweep([], method=method, options={"colour": 3})


def test_the_answer_is_over_the_whole_interval_where_an_instant_is_clear():
    scene = scene_of((at(), None), (at(-5), at(5)))
    assert len(detect(scene).pairs) == 0
    assert detect(scene, "certified").exit_code() == 1


@pytest.mark.parametrize("method", FOLLOWERS)
def test_cancelled(method):
    scene = scene_of((at(), None), (at(-5), at(5)))
    report = detect(scene, method, progress=lambda stage, fraction: stage != "verdicts")
    assert report.cancelled and [report.verdict(row) for row in range(len(report.pairs))] == ["cannot tell"]
