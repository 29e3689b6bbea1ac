# SPDX-License-Identifier: GPL-3.0-or-later
"""NVIDIA Warp on the CPU: its tree, traversal and triangle test; the kernel around them is ours. float32, one thread,
pairs of triangles without contact points.

Its triangle test takes everything within 1e-6 of a plane as touching, whatever the size of the mesh; so meshes of unit
size are handed over 1,024 times as large.
"""
import numpy as np
import warp as wp

from ..questions import Answer
from .two_meshes import Build, Kept

NAME = "warp"
PACKAGE = "warp-lang"
LARGER = 1024.0
wp.config.quiet = True


@wp.kernel
def meeting(tree: wp.uint64, points: wp.array(dtype=wp.vec3), corners: wp.array(dtype=wp.int32),
            body: wp.array(dtype=wp.int32), other_points: wp.array(dtype=wp.vec3),
            other_corners: wp.array(dtype=wp.int32), other_body: wp.array(dtype=wp.int32), same: int,
            count: wp.array(dtype=wp.int32), found: wp.array(dtype=wp.vec2i)):
    """Triangle tid of one set against the tree over the other; same = 1: both are the same set, each pair once."""
    i = wp.tid()
    a = points[corners[3 * i]]
    b = points[corners[3 * i + 1]]
    c = points[corners[3 * i + 2]]
    query = wp.mesh_query_aabb(tree, wp.min(a, wp.min(b, c)), wp.max(a, wp.max(b, c)))
    j = int(0)      # noqa: UP018  (a variable, not a constant, to Warp)
    while wp.mesh_query_aabb_next(query, j):
        if body[i] != other_body[j] and (same == 0 or i < j):
            d = other_points[other_corners[3 * j]]
            e = other_points[other_corners[3 * j + 1]]
            f = other_points[other_corners[3 * j + 2]]
            if wp.intersect_tri_tri(a, b, c, d, e, f) == 1:
                place = wp.atomic_add(count, 0, 1)
                if place < found.shape[0]:
                    found[place] = wp.vec2i(i, j)


def prepare():
    """Compile the kernel, which takes some seconds once per machine."""
    corner = np.eye(3)
    Found().search(triangles_of((corner, np.arange(3)[None])), triangles_of((corner, np.arange(3)[None]), 1))


class Triangles:
    """A set of triangles with a tree over them."""

    def __init__(self, vertices, triangles, body=None):
        self.points = wp.array(vertices.astype(np.float32), dtype=wp.vec3, device="cpu")
        self.corners = wp.array(triangles.astype(np.int32).ravel(), dtype=wp.int32, device="cpu")
        self.body = wp.array(np.zeros(len(triangles), np.int32) if body is None else body, dtype=wp.int32,
                             device="cpu")
        self.size = len(triangles)
        self.mesh = wp.Mesh(self.points, self.corners)


class Found:
    """A buffer for pairs, which grows when it was too small."""

    def __init__(self):
        self.room = 1 << 16

    def search(self, one: Triangles, other: Triangles) -> np.ndarray:
        """(k,2) int32."""
        while True:
            count = wp.zeros(1, dtype=wp.int32, device="cpu")
            found = wp.empty(self.room, dtype=wp.vec2i, device="cpu")
            wp.launch(meeting, dim=one.size, device="cpu", inputs=[
                other.mesh.id, one.points, one.corners, one.body, other.points, other.corners, other.body,
                int(one is other), count, found])
            number = int(count.numpy()[0])
            if number <= self.room:
                return found.numpy()[:number]
            self.room = 2 * number


def triangles_of(mesh, body=0):
    return Triangles(LARGER * mesh[0], mesh[1], np.full(len(mesh[1]), body, np.int32))


class SceneSteps:
    """One tree over all that moves, built anew in every step, one over all that stays."""

    def __init__(self, question):
        self.question, self.found = question, Found()
        fixed = question.fixed
        self.standing = Triangles(*self._joined(question.bodies[:fixed]), self._body(0, fixed)) if fixed else None
        self.bodies = question.bodies[fixed:]
        self.moving_body = self._body(fixed, len(question.bodies))
        self.local, self.triangles = self._joined(self.bodies)
        self.owner = np.repeat(np.arange(len(self.bodies)), [len(vertices) for vertices, _ in self.bodies])
        self.start = np.cumsum([0] + [len(triangles) for _, triangles in question.bodies])

    def _body(self, start, stop):
        sizes = [len(triangles) for _, triangles in self.question.bodies[start:stop]]
        return np.repeat(np.arange(start, stop, dtype=np.int32), sizes)

    @staticmethod
    def _joined(bodies):
        first = np.cumsum([0] + [len(vertices) for vertices, _ in bodies])
        return (np.concatenate([vertices for vertices, _ in bodies]),
                np.concatenate([triangles + start for (_, triangles), start in zip(bodies, first)]))

    def run(self, step):
        poses = self.question.poses_at(step)[self.owner]
        world = np.einsum("nij,nj->ni", poses[:, :3, :3], self.local) + poses[:, :3, 3]
        moving = Triangles(world, self.triangles, self.moving_body)
        found = [self.found.search(moving, moving)]
        if self.standing:
            found.append(self.found.search(moving, self.standing))
        return found

    def answer(self, found):
        moving_start = self.start[self.question.fixed]
        rows = [found[0] + moving_start] + [pairs + (moving_start, 0) for pairs in found[1:]]
        ends = np.sort(np.concatenate(rows).astype(np.int64), axis=1)
        body = np.searchsorted(self.start, ends, side="right") - 1
        local = ends - self.start[body]
        return Answer(pairs=self.question.codes(body[:, 0], body[:, 1], local[:, 0], local[:, 1]))


def sets_of(question):
    return triangles_of(question.first, 0), triangles_of(question.second, 1)


class Builds(Build):
    make = staticmethod(sets_of)


class Pairs(Kept):
    name, make = NAME, staticmethod(sets_of)

    def __init__(self, question):
        super().__init__(question)
        self.found = Found()

    def run(self, step):
        return self.found.search(*self.made)

    def answer(self, pairs):
        return Answer(pairs=self.question.codes(pairs))


class Cold(Pairs):
    def __init__(self, question):
        self.question, self.found = question, Found()

    def run(self, step):
        return self.found.search(*sets_of(self.question))


class FrameSteps(Pairs):
    """What moves needs no tree in this direction, so none is refitted."""

    def run(self, step):
        self.made[0].points.assign((LARGER * self.question.vertices_at(step)).astype(np.float32))
        return self.found.search(*self.made)


SIDES = {"scene": SceneSteps, "build": Builds, "pairs": Pairs, "cold": Cold, "frames": FrameSteps}
