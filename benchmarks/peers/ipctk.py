# SPDX-License-Identifier: GPL-3.0-or-later
"""ipctk, the IPC Toolkit: Tight-Inclusion, one call per query, or a call for a whole step of all meshes."""
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


class Steps:
    """Whether a step is free of collisions, all bodies as one mesh, which is tested with itself, too."""

    def __init__(self, question):
        self.question = question
        starts = np.cumsum([0, *(len(vertices) for vertices, _ in question.bodies)])
        faces = np.concatenate([triangles + start for (_, triangles), start in zip(question.bodies, starts)])
        self.parts = [slice(*each) for each in zip(starts, starts[1:])]
        self.mesh = ipctk.CollisionMesh(self.vertices(0), ipctk.edges(faces), faces)

    def vertices(self, frame):
        return np.asfortranarray(np.concatenate([self.question.placed(body, frame)
                                                 for body in range(len(self.question.bodies))]))

    def run(self, step):
        """From one frame to the next one."""
        ends = (self.vertices(self.question.frame(each)) for each in (step, step + 1))
        return ipctk.is_step_collision_free(self.mesh, *ends)

    def answer(self, _):
        return Answer(flags=np.array([not self.run(frame) for frame in range(self.question.count - 1)]))


SIDES = {"vertex-face": VertexFace, "edge-edge": EdgeEdge, "deforming motion": Steps,
         "motion with itself": Steps}
