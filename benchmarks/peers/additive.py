# SPDX-License-Identifier: GPL-3.0-or-later
"""ipctk's additive continuous collision detection."""
import ipctk as toolkit

from .ipctk import Queries

NAME = "additive CCD"
PACKAGE = "ipctk"


class VertexFace(Queries):
    def method(self):
        return toolkit.AdditiveCCD(10 ** 7, 0.9).point_triangle_ccd


class EdgeEdge(Queries):
    def method(self):
        return toolkit.AdditiveCCD(10 ** 7, 0.9).edge_edge_ccd


SIDES = {"vertex-face": VertexFace, "edge-edge": EdgeEdge}
