# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint: what is kept between steps is what `Scene` keeps."""
import numpy as np

from ...core import Scene, detect, queries
from ...core.broad_phase.object_tree import overlapping_pairs
from ...core.parallel import thread_count
from ...core.scene.select import select
from ...core.trees.bvh.forest import Forest
from ...core.warm_up import warm_up
from ..questions import Answer
from . import animated
from .two_meshes import Build, Kept

NAME = "touchpoint"
PACKAGE = "touchpoint"


def prepare():
    """Load or compile every kernel, so that no clock sees it."""
    warm_up()


class SceneSteps:
    def __init__(self, question):
        self.question = question
        self.scene, self.objects = scene_of(question)

    def run(self, step):
        self.scene.set_poses(self.objects, self.question.poses_at(step))
        return detect(self.scene)

    def answer(self, report):
        found = report.contacts
        pairs = report.pairs[found.pair]
        return Answer(pairs=self.question.codes(pairs["a"], pairs["b"], found.triangle_a, found.triangle_b))


def scene_of(question):
    """The core's Scene, and the indices of the objects that move."""
    scene = Scene()
    meshes: dict[int, int] = {}
    objects = []
    for number, (vertices, triangles) in enumerate(question.bodies):
        key = id(triangles)
        if key not in meshes:
            meshes[key] = scene.add_mesh(vertices, triangles)
        objects.append(scene.add_object(meshes[key], static=number < question.fixed))
    return scene, objects[question.fixed:]


def two_meshes(question):
    scene = Scene()
    for mesh in (question.first, question.second):
        scene.add_object(scene.add_mesh(*mesh))
    return scene


def triangle_pairs(question, report):
    return Answer(pairs=question.codes(np.column_stack([report.contacts.triangle_a, report.contacts.triangle_b])))


def trees_of(question):
    """Trees over both meshes, boxes in the world included."""
    scene = two_meshes(question)
    selection = select(scene)
    forest = Forest(scene, selection.objects, selection.bounds, lambda *_: None, thread_count(None))
    for _ in forest.batches(np.zeros(1, np.int32), np.ones(1, np.int32)):
        pass
    return forest


class Builds(Build):
    make = staticmethod(trees_of)


class Pairs(Kept):
    """All pairs of triangles, trees kept."""

    name, make = NAME, staticmethod(two_meshes)

    def __init__(self, question):
        super().__init__(question)
        self.scene = self.made

    def run(self, step):
        return detect(self.scene)

    def answer(self, report):
        return triangle_pairs(self.question, report)


class First(Pairs):
    """Do they meet at all?"""

    def run(self, step):
        return detect(self.scene, contacts=False)

    def answer(self, report):
        return Answer(flags=np.array([len(report.pairs) > 0]))


class Cold(Pairs):
    """From arrays to all pairs of triangles."""

    def __init__(self, question):
        self.question = question

    def run(self, step):
        return detect(two_meshes(self.question))


class Alone:
    """From arrays to all pairs of triangles of one mesh that collide."""

    def __init__(self, question):
        self.question = question

    def run(self, step):
        return queries.self_intersections(*self.question.mesh)

    def answer(self, pairs):
        return Answer(pairs=self.question.codes(pairs))


class FrameSteps:
    """The first mesh is deformed, or moved where its motion is rigid."""

    def __init__(self, question):
        self.question = question
        self.scene = two_meshes(question)

    def run(self, step):
        if self.question.rigid:
            self.scene.set_poses([0], [self.question.pose_at(step)])
        else:
            self.scene.set_vertices(0, self.question.vertices_at(step))
        return detect(self.scene)

    def answer(self, report):
        return triangle_pairs(self.question, report)


class BoxPairs:
    def __init__(self, question):
        self.question = question
        self.bounds = [np.concatenate([low, high], axis=1) for low, high in zip(question.low, question.high)]
        self.quantization = np.array([0.0, 0.0, 0.0, 1.0])

    def run(self, step):
        return overlapping_pairs(self.bounds[step % len(self.bounds)], self.quantization, lambda found: None)

    def answer(self, pairs):
        return Answer(pairs=self.question.codes(*pairs))


class Near(SceneSteps):
    """Pairs of objects that meet or are closer than a distance; every near pair with its gap."""

    def run(self, step):
        self.scene.set_poses(self.objects, self.question.poses_at(step))
        return detect(self.scene, clearance=self.question.distance, contacts=False)

    def answer(self, report):
        return Answer(pairs=self.question.object_codes(report.pairs["a"], report.pairs["b"]))


class Clearance(Pairs):
    """The gap of two meshes that are known to be less than 1 apart, with the points where it is."""

    def run(self, step):
        return detect(self.scene, clearance=1.0, contacts=False)

    def answer(self, report):
        return Answer(numbers=report.pairs["gap"])


class ConvexDistance:
    """From points, without a guess."""

    def __init__(self, question):
        self.question = question

    def run(self, step):
        return queries.convex_distance(self.question.first, self.question.second)

    def answer(self, found):
        return Answer(numbers=found[0])


class ConvexYesNo(ConvexDistance):
    def run(self, step):
        return queries.convex_intersect(self.question.first, self.question.second)

    def answer(self, found):
        return Answer(flags=found)


class ConvexDepth(ConvexDistance):
    def run(self, step):
        return queries.convex_penetration(self.question.first, self.question.second)

    def answer(self, found):
        return Answer(flags=found > 0.0, numbers=found)


class PointsInside:
    """From arrays, the tree among it."""

    def __init__(self, question):
        self.question = question

    def run(self, step):
        vertices, triangles = self.question.mesh
        return queries.points_in_mesh(vertices, triangles, self.question.points)

    def answer(self, found):
        return Answer(flags=found > 0)


class VertexFace:
    def __init__(self, question):
        self.question = question

    def run(self, step):
        return queries.vertex_face_toi(self.question.start, self.question.end)

    def answer(self, found):
        return Answer(flags=found[0], times=found[1])


class EdgeEdge(VertexFace):
    def run(self, step):
        return queries.edge_edge_toi(self.question.start, self.question.end)


SIDES = {"scene": SceneSteps, "build": Builds, "pairs": Pairs, "first": First, "cold": Cold, "frames": FrameSteps,
         "alone": Alone, "boxes": BoxPairs, "convex distance": ConvexDistance, "convex yes/no": ConvexYesNo,
         "convex depth": ConvexDepth, "points": PointsInside,
         "vertex-face": VertexFace, "edge-edge": EdgeEdge, "near": Near, "clearance": Clearance, **animated.SIDES}
