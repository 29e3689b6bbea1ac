# SPDX-License-Identifier: GPL-3.0-or-later
"""CGAL's exact kernel, as libigl brings it, asked which triangles of a mesh intersect others of it."""
import numpy as np
from igl.copyleft.cgal import remesh_self_intersections

from ..questions import Answer

NAME = "CGAL"
PACKAGE = "libigl"


class Alone:
    def __init__(self, question):
        self.question = question
        self.faces = question.mesh[1].astype(np.int64)

    def run(self, step):
        return remesh_self_intersections(self.question.mesh[0], self.faces, detect_only=True)

    def answer(self, found):
        return Answer(pairs=self.question.codes(found[2]))


SIDES = {"alone": Alone}
