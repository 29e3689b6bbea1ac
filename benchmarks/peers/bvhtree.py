# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's `mathutils.bvhtree`, as a script would use it: lists in, tuples out, a new tree after every move."""
import os
from contextlib import contextmanager

import numpy as np

from ..questions import Answer
from .sweep import meeting_boxes
from .two_meshes import Build, Kept


@contextmanager
def quiet():
    """Blender's module complains on the streams of the process about sound cards and newer numpys."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


with quiet():
    import bpy  # noqa: F401  (mathutils is part of it)
from mathutils.bvhtree import BVHTree  # noqa: E402

NAME = "BVHTree"
PACKAGE = "bpy"


def tree_of(vertices, triangles):
    return BVHTree.FromPolygons(vertices.tolist(), triangles.tolist(), all_triangles=True)


def trees_of(question):
    return tree_of(*question.first), tree_of(*question.second)


class Builds(Build):
    make = staticmethod(trees_of)


class SceneSteps:
    """Trees of bodies that stay are kept, the others are built anew."""

    def __init__(self, question):
        self.question = question
        self.trees, boxes = [], []
        for vertices, triangles in question.bodies:
            self.trees.append(tree_of(vertices, triangles))
            boxes.append((vertices.min(axis=0), vertices.max(axis=0)))
        self.low, self.high = (np.array(each) for each in zip(*boxes))
        self.lists = [triangles.tolist() for _, triangles in question.bodies]

    def run(self, step):
        fixed = self.question.fixed
        for body, pose in enumerate(self.question.poses_at(step), fixed):
            vertices = self.question.bodies[body][0] @ pose[:3, :3].T + pose[:3, 3]
            self.trees[body] = BVHTree.FromPolygons(vertices.tolist(), self.lists[body], all_triangles=True)
            self.low[body], self.high[body] = vertices.min(axis=0), vertices.max(axis=0)
        found = []
        for a, b in meeting_boxes(self.low, self.high).tolist():
            if b >= fixed:
                pairs = self.trees[a].overlap(self.trees[b])
                if pairs:
                    found.append((a, b, pairs))
        return found

    def answer(self, found):
        rows = np.array([(a, b, i, j) for a, b, pairs in found for i, j in pairs], np.int64).reshape(-1, 4)
        return Answer(pairs=self.question.codes(*rows.T))


class Pairs(Kept):
    name, make = NAME, staticmethod(trees_of)

    def run(self, step):
        return self.made[0].overlap(self.made[1])

    def answer(self, pairs):
        return Answer(pairs=self.question.codes(pairs))


class Cold(Pairs):
    def __init__(self, question):
        self.question = question

    def run(self, step):
        return tree_of(*self.question.first).overlap(tree_of(*self.question.second))


class FrameSteps(Pairs):
    """The tree of what stays is kept."""

    def __init__(self, question):
        self.question = question
        self.other = tree_of(*question.second)
        self.triangles = question.first[1].tolist()

    def run(self, step):
        vertices = self.question.vertices_at(step).tolist()
        return BVHTree.FromPolygons(vertices, self.triangles, all_triangles=True).overlap(self.other)


class Alone:
    """A tree with itself, as the 3D Print Toolbox looks for faces that intersect: neighbours at an edge are skipped."""

    def __init__(self, question):
        self.question = question

    def run(self, step):
        tree = tree_of(*self.question.mesh)
        return tree.overlap(tree)

    def answer(self, pairs):
        return Answer(pairs=self.question.codes(pairs))


class AnimationSteps:
    """Trees of bodies that rest are kept, the others are built anew in every frame; pairs that rest are not asked."""

    def __init__(self, question):
        self.question = question
        placed = [question.placed(body, 0) for body in range(len(question.bodies))]
        self.trees = [tree_of(vertices, triangles) for vertices, (_, triangles) in zip(placed, question.bodies)]
        self.low = np.array([vertices.min(axis=0) for vertices in placed])
        self.high = np.array([vertices.max(axis=0) for vertices in placed])
        self.lists = [triangles.tolist() for _, triangles in question.bodies]
        self.moves = np.isin(np.arange(len(placed)), question.moving)

    def run(self, step):
        frame = self.question.frame(step)
        for body in self.question.moving:
            vertices = self.question.placed(body, frame)
            self.trees[body] = BVHTree.FromPolygons(vertices.tolist(), self.lists[body], all_triangles=True)
            self.low[body], self.high[body] = vertices.min(axis=0), vertices.max(axis=0)
        return [(a, b) for a, b in meeting_boxes(self.low, self.high).tolist()
                if (self.moves[a] or self.moves[b]) and self.trees[a].overlap(self.trees[b])]

    def answer(self, _):
        """Of all frames."""
        return Answer(pairs=self.question.codes([(frame, *pair) for frame in range(self.question.count)
                                                 for pair in self.run(frame)]))


SIDES = {"scene": SceneSteps, "build": Builds, "pairs": Pairs, "cold": Cold, "frames": FrameSteps,
         "alone": Alone, "animation": AnimationSteps}
