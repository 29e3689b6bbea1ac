# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in turn give the answers of frames from scratch, bit by bit, and intervals as plain Python has them."""
import numpy as np
import pytest
from naive.scenes import KINDS_OF_POSES as KINDS
from naive.scenes import SHAPES, pose, random_linear
from naive.shapes import ball, box, joined
from naive.sweeps import Expected, assert_same_frame, assert_says
from touchpoint.core import Scene, Sweep
from touchpoint.core.rules import Ref, Rule, RuleSet

SOLIDS = [*SHAPES, box(), ball(8, 6, 0.8), joined(box(), box((0.2,) * 3, (0.5,) * 3))]
RULES = RuleSet([Rule("pairs", pairs=((Ref("o0"), Ref("o1")), (Ref("o2"), Ref("o3"))), reason="known"),
                 Rule("pairs", pairs=((Ref("o4"), Ref("o5")), (Ref("o1"), Ref("o6")), (Ref("o5"), Ref("o7"))),
                      allowed_depth=0.2)])
HOW = {
    "plain": {}, "clearance": {"clearance": 0.3}, "depth": {"depth": True}, "rules": {"rules": RULES},
    "groups": {"rules": [("left", "right"), ("left", "left")]}, "tolerance": {"tolerance": 0.05},
    "automatic": {"tolerance": "auto", "clearance": 0.1}, "selves": {"self_collisions": True},
    "everything": {"clearance": 0.2, "tolerance": 0.02, "rules": RULES, "self_collisions": True},
    "verdicts": {"contacts": False}, "rapid": {"method": "rapid", "clearance": 0.1}, "tsgo": {"method": "tsgo"},
}


class Play:
    """A scene in which few things happen in each frame."""

    def __init__(self, rng, count=10, room=2.2):
        self.rng, self.room, self.scene = rng, room, Scene()
        for vertices, triangles in SOLIDS:
            self.scene.add_mesh(vertices.copy(), triangles)
        for i in range(count):
            self.scene.add_object(int(rng.integers(len(SOLIDS))), self.any_pose(), name=f"o{i}",
                                  group=("left", "right")[i % 2], static=i in (3, 8), shell=i == 6)

    def any_pose(self):
        rng = self.rng
        return pose(random_linear(rng, KINDS[rng.integers(4)]) * rng.uniform(0.2, 1), rng.uniform(0, self.room, 3))

    def go_on(self):
        rng, scene = self.rng, self.scene
        what = rng.random()
        if what < 0.2:
            return
        movers = rng.choice(len(scene.objects), rng.integers(1, 4), replace=False)
        scene.set_poses(movers, np.array([self.any_pose() for _ in movers]))
        if what > 0.7:
            mesh = int(rng.integers(len(scene.meshes)))
            vertices = scene.meshes[mesh].vertices
            scene.set_vertices(mesh, vertices + rng.normal(0, 0.05, vertices.shape))
        if what > 0.95:
            broken = scene.meshes[mesh].vertices.copy()
            broken[0] = np.nan
            scene.set_vertices(mesh, broken)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(3))
def test_frames_are_as_from_scratch(seed, how):
    play, expected, run = Play(np.random.default_rng(seed)), Expected(), Sweep(**HOW[how])
    for frame in range(-3, 14):
        report = run.add(frame, play.scene)
        assert report.frame == frame
        assert_same_frame(report, play.scene, **HOW[how])
        expected.add(frame, report)
        play.go_on()
    assert_says(run.report(), expected)
