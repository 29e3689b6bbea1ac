# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a sweep, tested by themselves, sent as bytes and joined, say what the whole one says, to the last bit."""
import pickle
from io import BytesIO

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box
from test_sweep import HOW, RULES, Cast, Play, row_of_boxes
from touchpoint.core import Scene, Sweep, export
from touchpoint.core.contacts import Contacts
from touchpoint.core.errors import Refused
from touchpoint.core.sequence import parts, sweep
from touchpoint.core.sequence.parts import Joined, PartSweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

BETWEEN = {"continuous": {"continuous": True, "depth": True},
           "all at once": {"continuous": True, "clearance": 0.2, "tolerance": 0.02, "rules": RULES, "weld": 0.01,
                           "self_collisions": True}}


@pytest.fixture(autouse=True)
def anew(monkeypatch):
    """Begin anew after a few frames, as these sweeps are short."""
    for module in (parts, sweep):
        monkeypatch.setattr(module, "ANEW", 3)
    return 3


def copy_of(scene):
    copy = Scene()
    for mesh in scene.meshes:
        copy.add_mesh(mesh.vertices, mesh.triangles, mesh.faces)
    for each in scene.objects:
        copy.add_object(each.mesh, each.pose.copy(), name=each.name, group=each.group, static=each.static,
                        shell=each.shell, clearance=each.clearance, identity=each.identity)
    return copy


def follow(scene, now):
    """Let a scene that is kept be what a fresh one is, as a reader does: only what differs is set."""
    for index, mesh in enumerate(now.meshes):
        if scene.meshes[index].vertices.tobytes() != mesh.vertices.tobytes():
            scene.set_vertices(index, mesh.vertices)
    scene.set_poses(range(len(now.objects)), now.poses)
    for mine, theirs in zip(scene.objects, now.objects):
        if mine.clearance != theirs.clearance:
            mine.clearance = theirs.clearance


def play_of(seed, count):
    play = Play(np.random.default_rng(seed))
    film = [copy_of(play.scene)]
    while len(film) < count:
        play.go_on()
        film.append(copy_of(play.scene))
    return film


def frames_of(film, first, last):
    """The frames first … last - 1 of a film, of one kept scene where its objects stay."""
    kept = None
    for frame in range(first, last):
        kept = shown(kept, film[frame])
        yield 0.5 * frame, kept


def shown(kept, now):
    """The scene that is kept, or another one where its objects do not stay, as `now` is."""
    if (kept is None or [each.name for each in kept.objects] != [each.name for each in now.objects]
            or len(kept.meshes) != len(now.meshes)
            or not all(np.array_equal(one.triangles, other.triangles) and one.faces is other.faces
                       for one, other in zip(kept.meshes, now.meshes))):
        return copy_of(now)
    follow(kept, now)
    return kept


def whole(film, stop=None, **how):
    run = Sweep(**how)
    for frame, scene in frames_of(film, 0, len(film)):
        run.add(frame, scene, None if frame != stop else lambda stage, fraction: False)
        if frame == stop:
            break
    return run.report()


def joined(film, borders, stop=None, **how):
    run = Joined(**how)
    for first, last in zip(borders, [*borders[1:], len(film)]):
        one = PartSweep(first, **how)
        for frame, scene in frames_of(film, max(0, first - 1), last):
            one.add(frame, scene, None if frame != stop else lambda stage, fraction: False)
            if frame == stop:
                break
        run.add(pickle.loads(pickle.dumps(one.part())))
        if one.part().cancelled:
            break
    return run.report()


def files(report):
    """JSON, CSV, and what they leave out."""
    out = [BytesIO(), BytesIO()]
    export.dump_json(report, out[0])
    export.dump_csv(report, out[1])
    more = [report.pairs.tobytes(), *(getattr(report.contacts, name).tobytes()
                                      for name in Contacts.__dataclass_fields__)]
    return [*(each.getvalue() for each in out), *more]


@pytest.mark.parametrize("how", [*HOW, *BETWEEN])
def test_any_parts_are_the_whole(how):
    how, film = {**HOW, **BETWEEN}[how], play_of(0, 14)
    expected = whole(film, **how)
    assert len(expected.pairs) > 5
    for borders in ([0, 3, 6, 9, 12], [0, 6]):
        assert files(joined(film, borders, **how)) == files(expected)


def cast_of(seed, count):
    cast, film = Cast(np.random.default_rng(seed)), []
    while len(film) < count:
        cast.go_on()
        film.append(cast.scene())
    return film


@pytest.mark.parametrize("how", [{"depth": True}, {"clearance": 0.2, "self_collisions": True, "continuous": True},
                                 {"rules": [("a", "b")], "tolerance": 0.05, "continuous": True}])
@pytest.mark.parametrize("seed", range(2))
def test_objects_that_come_go_and_change_places(seed, how):
    """Those that come later have other numbers in a part than in the whole, so that pairs are the other way round."""
    film = cast_of(seed, 17)
    expected = whole(film, **how)
    assert len(expected.pairs) > 5
    for borders in ([0, 3, 6, 9, 12, 15], [0, 6, 15]):
        assert files(joined(film, borders, **how)) == files(expected)


@pytest.mark.parametrize("how", [{}, {"continuous": True, "clearance": 0.5}])
def test_frames_that_rest_and_frames_without_anything_to_test(how):
    """Frames that are as the one before, also at the border of a part, and where few objects are left."""
    boxes, film = [row_of_boxes(count) for count in (4, 1, 0, 3)], []
    boxes[0].set_poses([0], [pose(1, (0.5, 0.2, 0))])
    for number in (0, 0, 0, 0, 0, 1, 1, 2, 3, 0, 0, 2, 0, 3, 1):
        film.append(boxes[number])
    for scenes in (film, film[5:], film[7:]):
        expected = whole(scenes, **how)
        for borders in ([0, 3, 6, 9, 12], [0, 3], [0, 6]):
            assert files(joined(scenes, [each for each in borders if each < len(scenes)], **how)) == files(expected)
    with pytest.raises(Refused) as refusal:
        whole(film[6:8])
    with pytest.raises(Refused, match=str(refusal.value)):
        joined(film[6:8], [0])


@pytest.mark.parametrize("stop", [0, 1.5, 2, 2.5, 5])
def test_a_part_that_was_cancelled(stop):
    film = play_of(5, 12)
    for how in ({"depth": True}, {"continuous": True}):
        expected = whole(film, stop, **how)
        assert expected.cancelled and files(joined(film, [0, 3, 6, 9], stop, **how)) == files(expected)


def test_a_worst_frame_depends_on_what_was_before():
    """Depths are known between bounds, and what is deeper by less than these are apart is not worse: no worst frame of
    a part alone would do."""
    scene = Scene()
    dented, solid = ball(24, 16, 1.0), box((-1, -1, -1), (1, 1, 1))
    scene.add_object(scene.add_mesh(*dented), name="Ball")
    scene.add_object(scene.add_mesh(*solid), name="Box")
    film = []
    for frame in range(12):
        scene.set_poses([0], [pose(1, (0.3, 0.2, 1.4 - 1e-13 * frame))])
        film.append(copy_of(scene))
    expected = whole(film, depth=True)
    assert expected.worst_frame[0] == 5         # frame 0, 5 and 10 of the film, each deeper for certain
    assert files(joined(film, [0, 3, 6, 9], depth=True)) == files(expected)


def test_what_a_part_leaves_out(anew):
    """Contacts of frames that are no worse than those before them are not sent."""
    film = [copy_of(row_of_boxes(3)) for _ in range(9)]
    for frame, scene in enumerate(film):
        scene.set_poses([1], [pose(1, (0.5 + 0.01 * (frame % 3), 0.2, 0.1))])
    part = PartSweep(0)
    for frame, scene in enumerate(film):
        part.add(frame, scene)
    sent = [len(step.report.contacts) for step in part.part().steps]
    assert sent[0] > 0 and sent[3:] == [0] * 6
    assert files(joined(film, [0, 3, 6])) == files(whole(film))


def test_parts_that_do_not_follow_each_other(anew):
    film = play_of(1, 8)
    with pytest.raises(Refused, match=f"multiple of {anew}"):
        PartSweep(1)
    with pytest.raises(Refused, match="after 0 frames, not after 3"):
        joined(film, [3])
    with pytest.raises(Refused, match="no frames"):
        Joined().report()
