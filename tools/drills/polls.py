# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a run goes on without asking whether to go on: a million objects, and a mesh of millions of triangles.

    PYTHONPATH=tools:tests python -c "from drills.polls import table; table(triangles=20_000_000)"

prints the longest stretches, in seconds of the processor, and how long a run goes on after some moments at which it is
told to stop.
"""
import time

import numpy as np
from naive.shapes import box
from touchpoint.core import Scene, Sweep, detect, methods
from touchpoint.core.method import without

from . import Drill, picked
from .crowds import pile

# Nothing may take longer than so many times what Python takes to make so many objects of a scene: about a second on a
# quiet machine, and as much more on another one as everything takes.
MOST_MAKINGS, MADE = 3, 100_000
SPACING = 1.3           # of unit cubes that are shifted by up to a fifth: one in ten meets another one
MANY = 1_000_000
EQUAL = 500             # cubes at one place
SECONDS_OF_A_METHOD = 3.0
LONGEST = 4             # stretches that the table shows
WAYS = ({}, {"tolerance": "auto"}, {"clearance": 0.05, "depth": True}, {"self_collisions": True},
        {"method": "parallel"})


class Polls:
    """A progress callback that notes when it was asked. stop: the question that it answers with False; None: none."""

    def __init__(self, stop: int | None = None):
        self.moments, self.stages, self.stop = [time.process_time()], ["begin"], stop

    def __call__(self, stage: str, fraction: float) -> bool:
        self.moments.append(time.process_time())
        self.stages.append(f"{stage} {fraction:.0%}")
        return self.stop is None or len(self.moments) <= self.stop

    def end(self) -> list[tuple[float, str]]:
        """The stretches between two questions, and to the end of the run, the longest first: seconds, and where."""
        self("end", 1.0)
        seconds = np.diff(self.moments)
        return [(float(seconds[k]), f"{self.stages[k]} → {self.stages[k + 1]}") for k in np.argsort(-seconds).tolist()]

    def after_stop(self) -> float:
        """Seconds from the question that was answered with False to the end."""
        return self.moments[-1] - self.moments[min(self.stop or 0, len(self.moments) - 2)]


def crowd(random, count: int, meshes: int) -> Scene:
    """Cubes in a grid, some of which meet their neighbours."""
    scene, (vertices, triangles), pose = Scene(), box(), np.eye(4)
    numbers = [scene.add_mesh(vertices.copy(), triangles) for _ in range(meshes)]
    side = 1 + int(count ** (1 / 3))
    places = SPACING * np.stack(np.unravel_index(np.arange(count), (side,) * 3), axis=1)
    places += random.uniform(-0.2, 0.2, (count, 3))
    for k in range(count):
        pose[:3, 3] = places[k]
        scene.add_object(numbers[k % meshes], pose)
    return scene


def sheet(triangles: int) -> Scene:
    """A wavy sheet of so many triangles, and a cube in it."""
    side = 1 + int((triangles / 2) ** 0.5)
    x, y = (each.ravel() for each in np.meshgrid(*2 * [np.arange(side, dtype=float)], indexing="ij"))
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    scene = Scene()
    scene.add_object(scene.add_mesh(np.stack([x, y, np.sin(0.3 * x) + np.cos(0.2 * y)], axis=1), np.concatenate(
        [corner[:, None] + [0, 1, side], corner[:, None] + [1, side + 1, side]])))
    vertices, faces = box()
    scene.add_object(scene.add_mesh(3.0 * vertices + [side / 2, side / 2, 0.0], faces))
    return scene


def whole(scene: Scene, how: dict) -> list[tuple[float, str]]:
    """The longest stretches of a run of which nothing was prepared."""
    scene.cache.clear()
    scene.layout_changed()
    polls = Polls()
    detect(scene, threads=1, progress=polls, **how)
    return polls.end()


def stopped(scene: Scene, how: dict, stop: int) -> float:
    """Seconds that a run goes on once it is told to stop, at its stop-th question."""
    scene.cache.clear()
    polls = Polls(stop)
    report = detect(scene, threads=1, progress=polls, **how)
    assert report.cancelled == (len(polls.moments) > stop) and not (report.cancelled and report.exit_code(()) != 2)
    polls.end()
    return polls.after_stop()


def most_seconds(random) -> float:
    """Of the processor, that a run may go on without asking."""
    begin = time.process_time()
    crowd(random, MADE, 1)
    return MOST_MAKINGS * (time.process_time() - begin)


def assert_prompt(random, scene: Scene) -> None:
    how = picked(random, WAYS)
    detect(crowd(random, 100, 2), **how)        # kernels are loaded
    most, longest = most_seconds(random), whole(scene, how)
    assert longest[0][0] < most, (how, most, longest[:LONGEST])
    seconds = stopped(scene, how, int(random.integers(1, len(longest))))
    assert seconds < most, (how, most, seconds)


def many_objects(random, _folder):
    """A million objects, of one mesh or of as many as there are objects."""
    assert_prompt(random, crowd(random, MANY, picked(random, (1, MANY))))


def many_objects_over_time(random, _folder):
    """Three frames of objects that move."""
    scene, most = crowd(random, MANY // 4, 1), most_seconds(random)
    sweep = Sweep(threads=1, continuous=bool(random.integers(2)))
    for frame in range(3):
        polls = Polls()
        sweep.add(frame, scene, polls)
        longest = polls.end()
        assert longest[0][0] < most, (frame, most, longest[:LONGEST])
        scene.poses[:1000, 0, 3] += 0.01


def many_triangles(random, _folder):
    """A mesh of millions of triangles."""
    assert_prompt(random, sheet(2 * MANY))


def every_method(random, _folder):
    """Any method that tests one moment, in a crowd, with a large mesh, or with equal cubes at one place. Slow ones are
    stopped."""
    method = picked(random, [name for name in methods.ids() if name != "exact" and not methods.load(name).follows])
    how = {"method": method, "options": without(methods.load(method), "gpu")}
    scene = picked(random, (lambda: crowd(random, MADE, 1), lambda: sheet(MANY), lambda: pile(EQUAL)))()
    _longest_within(scene, how)                 # kernels are loaded
    most, longest = most_seconds(random) / 2, _longest_within(scene, how)
    assert longest[0][0] < most, (method, most, longest[:LONGEST])


def _longest_within(scene: Scene, how: dict) -> list[tuple[float, str]]:
    """As `whole`, of a run that is told to stop after some seconds of the processor."""
    scene.cache.clear()
    scene.layout_changed()
    polls, end = Polls(), time.process_time() + SECONDS_OF_A_METHOD
    detect(scene, threads=1, progress=lambda *said: polls(*said) and time.process_time() < end, **how)
    return polls.end()


def table(objects: int = MANY, triangles: int = 0) -> None:
    """Print the stretches of a crowd of so many objects, or of a mesh of so many triangles."""
    random = np.random.default_rng(1)
    for meshes in (0,) if triangles else (1, objects):
        scene = sheet(triangles) if triangles else crowd(random, objects, meshes)
        for how in WAYS:
            detect(crowd(random, 100, 2), **how)
            longest = whole(scene, how)
            ends = [stopped(scene, how, max(1, len(longest) * part // 4 - 1)) for part in range(5)]
            where = "; ".join(f"{seconds:.2f} {at}" for seconds, at in longest[:LONGEST])
            print(how, f"{meshes:,} meshes" if meshes else "", where, "| told to stop:",
                  *(f"{each:.2f}" for each in ends), flush=True)


DRILLS = [
    Drill("F5", "a million objects: never long without asking whether to go on", many_objects, 1),
    Drill("F5", "250,000 objects that move, over three frames: the same", many_objects_over_time, 1),
    Drill("F5", "any method: 100,000 objects, a mesh of a million triangles, or 500 equal cubes: the same",
          every_method, 1),
    Drill("F5", "a mesh of two million triangles: the same", many_triangles, 1),
]
