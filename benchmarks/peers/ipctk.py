# SPDX-License-Identifier: GPL-3.0-or-later
"""ipctk, the IPC Toolkit: Tight-Inclusion and additive continuous collision detection, one call per query."""
import ipctk
import numpy as np

from ..questions import Answer

NAME = "Tight-Inclusion"
PACKAGE = "ipctk"


class Queries:
    """Each query is answered by one call; the corners are cut out of the arrays beforehand."""

    def __init__(self, question):
        self.calls = [(*start, *end) for start, end in zip(question.start, question.end)]
        self.ask = self.method()

    def method(self):
        raise NotImplementedError

    def run(self, step):
        return [self.ask(*corners) for corners in self.calls]

    def answer(self, found):
        hit, time = zip(*found)
        return Answer(flags=np.array(hit), times=np.array(time))


class VertexFace(Queries):
    def method(self):
        return ipctk.TightInclusionCCD(1e-6, 10 ** 7, 1.0).point_triangle_ccd


class EdgeEdge(Queries):
    def method(self):
        return ipctk.TightInclusionCCD(1e-6, 10 ** 7, 1.0).edge_edge_ccd


SIDES = {"vertex-face": VertexFace, "edge-edge": EdgeEdge}
