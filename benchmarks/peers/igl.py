# SPDX-License-Identifier: GPL-3.0-or-later
"""libigl's exact predicates; both trees are made anew in every call."""
import igl
import numpy as np
from igl import predicates

from ..questions import Answer

NAME = "libigl"
PACKAGE = "libigl"


class Cold:
    """From arrays to all pairs of triangles."""

    first_only = False

    def __init__(self, question):
        self.question = question
        self.faces = [triangles.astype(np.int64) for _, triangles in (question.first, question.second)]

    def run(self, step):
        return predicates.find_intersections(self.question.first[0], self.faces[0], self.question.second[0],
                                             self.faces[1], self.first_only)

    def answer(self, found):
        return Answer(pairs=self.question.codes(found[1]))


class First(Cold):
    first_only = True

    def answer(self, found):
        return Answer(flags=np.array([bool(found[0])]))


class FrameSteps(Cold):
    def run(self, step):
        return predicates.find_intersections(self.question.vertices_at(step), self.faces[0],
                                             self.question.second[0], self.faces[1], False)


class Alone:
    """A mesh with itself."""

    def __init__(self, question):
        self.question = question
        self.faces = question.mesh[1].astype(np.int64)

    def run(self, step):
        return predicates.find_self_intersections(self.question.mesh[0], self.faces)

    def answer(self, found):
        return Answer(pairs=self.question.codes(found[1]))


class PointsInside:
    """The fast winding number, which is an approximation, and its tree."""

    def __init__(self, question):
        self.question = question
        self.faces = question.mesh[1].astype(np.int64)

    def run(self, step):
        return igl.fast_winding_number(self.question.mesh[0], self.faces, self.question.points)

    def answer(self, found):
        return Answer(flags=found > 0.5)


SIDES = {"pairs": Cold, "first": First, "cold": Cold, "frames": FrameSteps, "alone": Alone, "points": PointsInside}
