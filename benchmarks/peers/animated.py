# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint on scenes over time, as Check Animation asks it: a step is a frame, or the time from this frame to the
next one. Several may be tested together, and all of it is found when the sweep reports."""
import numpy as np

from ...core import Scene, Sweep
from ..questions import Answer


def scene_of(question) -> Scene:
    scene = Scene()
    for number, (vertices, triangles) in enumerate(question.bodies):
        scene.add_object(scene.add_mesh(vertices, triangles), name=f"{number:06d}")
    return scene


def show(scene: Scene, question, frame: int) -> None:
    """Bring a scene to a frame. What is held is compared first, as the add-on does with all that it reads."""
    scene.set_poses(list(question.poses), [each[frame] for each in question.poses.values()])
    for body, vertices in question.bent.items():
        if not (question.is_held and np.array_equal(scene.meshes[body].vertices, vertices[frame])):
            scene.set_vertices(body, vertices[frame])


class Frames:
    """Every frame by itself."""

    continuous = with_itself = False

    def __init__(self, question):
        self.question, self.scene = question, scene_of(question)
        self.sweep, self.number = self.begun(), 0

    def begun(self) -> Sweep:
        return Sweep(continuous=self.continuous, self_collisions=self.with_itself)

    def run(self, step):
        show(self.scene, self.question, self.question.frame(step))
        self.number += 1        # the sides are asked again on more cores, where steps begin anew
        self.sweep.take(self.number, self.scene)

    def settle(self):
        self.sweep.report()
        self.sweep, self.number = self.begun(), 0

    def answer(self, _):
        """Of all frames: which pairs of surfaces meet in each, where one of the two moves."""
        found, moving = [], set(self.question.moving)
        scene, sweep = scene_of(self.question), self.begun()
        for frame in range(self.question.count):
            show(scene, self.question, frame)
            pairs = sweep.add(frame, scene).pairs
            found += [(frame, pair["a"], pair["b"]) for pair in pairs
                      if pair["contacts"] and moving & {int(pair["a"]), int(pair["b"])}]
        return self.told(found, sweep)

    def told(self, found, sweep):
        return Answer(pairs=self.question.codes(found))


class Between(Frames):
    """Frames, and what comes together between them."""

    continuous = True

    def run(self, step):
        if self.number == 0:
            super().run(step)
        super().run(step + 1)

    def told(self, found, sweep):
        """Which pairs come together after each frame but the last one, and whether any do."""
        report, found = sweep.report(), []
        for pair, spans in zip(report.pairs, report.intervals):
            found += [(int(np.ceil(start)) - 1, pair["a"], pair["b"]) for start in spans[:, 0].tolist() if start > 0.0]
        flags = np.zeros(self.question.count - 1, bool)
        flags[[frame for frame, *_ in found]] = True
        return Answer(pairs=self.question.codes(found), flags=flags)


class WithItself(Between):
    """One mesh that deforms."""

    with_itself = True


SIDES = {"animation": Frames, "rigid motion": Between, "deforming motion": Between, "figure's motion": Between,
         "motion with itself": WithItself}
