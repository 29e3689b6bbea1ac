# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps that leave out what collides with itself in another pose: each frame says what `detect` says of it alone."""
import numpy as np
import pytest
from naive.self_meshes import soup
from touchpoint.core import Scene, Sweep, detect
from touchpoint.core.self_collision.known import SelfReference, known_pairs
from touchpoint.core.sequence import sweep
from touchpoint.core.sequence.resumed import ResumedSweep

pytestmark = pytest.mark.scenes

TITLE, FRAMES = "the rest pose", 9


def mesh_of(seed: int):
    return soup(np.random.default_rng(seed), 12, 10, 4)


def film(seed: int) -> list[list[np.ndarray]]:
    """Vertices of three meshes over time: one bends all the while, one in the middle, one never."""
    rng = np.random.default_rng(seed)
    rest = [mesh_of(seed + number)[0] for number in range(3)]
    over_time = []
    for frame in range(FRAMES):
        moving = rest[0] + 0.2 * rng.normal(size=rest[0].shape)
        middle = rest[1] + (0.3 * rng.normal(size=rest[1].shape) if 3 <= frame < 6 else 0.0)
        over_time.append([moving, middle, rest[2]])
    return over_time


def scene_at(seed: int, vertices: list[np.ndarray]) -> Scene:
    scene = Scene()
    for number, each in enumerate(vertices):
        pose = np.eye(4)
        pose[0, 3] = 64.0 * number
        scene.add_object(scene.add_mesh(each.copy(), mesh_of(seed + number)[1]), pose, name=f"Object {number}")
    return scene


def known_in(seed: int, vertices: list[np.ndarray]) -> SelfReference:
    scene = scene_at(seed, vertices)
    return SelfReference(TITLE, known_pairs(scene, detect(scene, self_collisions=True)))


def listed(report) -> set[tuple[int, int, int]]:
    return {(int(report.pairs["a"][row]), i, j) for row, i, j in zip(
        report.contacts.pair.tolist(), report.contacts.triangle_a.tolist(), report.contacts.triangle_b.tolist())}


@pytest.mark.parametrize("seed", range(6))
def test_each_frame_is_what_it_is_alone(seed):
    over_time = film(seed)
    reference = known_in(seed, over_time[0])
    run, scene, new, dropped = Sweep(self_collisions=True, self_reference=reference), None, set(), 0
    for frame, vertices in enumerate(over_time):
        alone = detect(scene_at(seed, vertices), self_collisions=True, self_reference=reference)
        if scene is None:
            scene = scene_at(seed, vertices)
        for mesh, each in enumerate(vertices):
            if not np.array_equal(scene.meshes[mesh].vertices, each):
                scene.set_vertices(mesh, each.copy())
        report = run.add(frame, scene)
        assert listed(report) == listed(alone), frame
        new |= {(frame, int(a)) for a in alone.pairs["a"]}
        dropped += alone.counts["known_self_contacts"]
    whole = run.report()
    assert {(frame, int(pair["a"])) for pair, intervals in zip(whole.pairs, whole.intervals)
            for start, end in intervals.tolist() for frame in range(int(start), int(end) + 1)} == new
    assert dropped and new
    assert whole.summary()["known_self_contacts"] <= dropped        # what rests is not tested again
    assert whole.settings["self_reference"] == TITLE
    assert whole.notes == [f"What collides with itself in {TITLE} is not listed."]


def test_another_reference_asks_again(monkeypatch):
    """Between two frames in which nothing has moved."""
    seed, calls, ask = 1, [], sweep.detect
    monkeypatch.setattr(sweep, "detect", lambda *how, **more: (calls.append(more), ask(*how, **more))[1])
    over_time = film(seed)
    scene, reference = scene_at(seed, over_time[4]), known_in(seed, over_time[0])
    run = Sweep(self_collisions=True)
    everything = listed(run.add(1, scene))
    run.self_reference = reference
    some = listed(run.add(2, scene))
    assert some < everything
    run.self_reference = known_in(seed, over_time[0])       # the same, and yet not the same object
    assert listed(run.add(3, scene)) == some and len(calls) == 3
    assert listed(run.add(4, scene)) == some and len(calls) == 3
    run.self_reference = known_in(seed, over_time[4])
    assert listed(run.add(5, scene)) == set()
    run.self_reference = None
    assert listed(run.add(6, scene)) == everything


def test_the_same_is_the_same():
    one, other = (known_in(2, film(2)[0]) for _ in range(2))
    assert one.is_same_as(SelfReference(TITLE, dict(one.known))) and not one.is_same_as(other)
    assert not one.is_same_as(SelfReference("frame 1", one.known)) and not one.is_same_as(None)
    assert not one.is_same_as(SelfReference(TITLE, {0: one.known[0]}))


@pytest.mark.parametrize("same", [True, False])
def test_going_on_with_the_same_reference_or_another_one(same, monkeypatch):
    from touchpoint.core.sequence import resumed

    for module in (resumed, sweep):
        monkeypatch.setattr(module, "ANEW", 3)
    over_time, ledger, calls, ask = film(3), None, [], sweep.detect
    monkeypatch.setattr(sweep, "detect", lambda *how, **more: (calls.append(how), ask(*how, **more))[1])
    answers = []
    for at in (0, 0 if same else 4):
        run = ResumedSweep(ledger, self_collisions=True, self_reference=known_in(3, over_time[at]))
        while run.number < FRAMES:
            run.add(run.number, scene_at(3, over_time[run.number]))
        answers.append(run.report())
        ledger, tested = run.ledger, len(calls)
        calls.clear()
    assert tested == (1 if same else FRAMES)
    one, other = ([each.tolist() for each in answer.intervals] for answer in answers)
    assert (one == other) == same
