# SPDX-License-Identifier: GPL-3.0-or-later
"""coal, the successor of hpp-fcl: OBBRSS trees, own GJK. Pairs of objects come from a sweep over boxes, as its managers
do not tell Python which objects meet."""
import coal
import numpy as np

from ..questions import Answer
from .sweep import meeting_boxes
from .two_meshes import Build, Kept

NAME = "coal"
PACKAGE = "coal"
ALL = 10 ** 8
HERE = coal.Transform3s()


def model_of(vertices, triangles):
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(triangles), len(vertices))
    model.addVertices(vertices)
    model.addTriangles(triangles.astype(np.int64))
    model.endModel()
    return model


def models_of(question):
    return model_of(*question.first), model_of(*question.second)


class Builds(Build):
    make = staticmethod(models_of)


def contacts_of(first, pose_first, second, pose_second):
    """All contacts of two models, with their points."""
    result = coal.CollisionResult()
    request = coal.CollisionRequest(coal.CollisionRequestFlag.CONTACT, ALL)
    if coal.collide(first, pose_first, second, pose_second, request, result):
        return list(result.getContacts())
    return []


class Placed:
    """Objects of a scene and their boxes in the world."""

    def __init__(self, question):
        self.question = question
        models: dict[int, object] = {}
        self.models = []
        for vertices, triangles in question.bodies:
            if id(triangles) not in models:
                models[id(triangles)] = model_of(vertices, triangles)
            self.models.append(models[id(triangles)])
        self.poses = [HERE] * len(self.models)
        boxes = [(vertices.min(axis=0), vertices.max(axis=0)) for vertices, _ in question.bodies]
        low, high = (np.array(each) for each in zip(*boxes))
        self.centre, self.half = 0.5 * (low + high), 0.5 * (high - low)
        self.low, self.high = low.copy(), high.copy()

    def candidates(self, step, distance=0.0):
        """Move, then (k,2) pairs of objects whose boxes come within the distance."""
        fixed, poses = self.question.fixed, self.question.poses_at(step)
        for body, pose in enumerate(poses, fixed):
            self.poses[body] = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        centre = np.einsum("nij,nj->ni", poses[:, :3, :3], self.centre[fixed:]) + poses[:, :3, 3]
        half = np.einsum("nij,nj->ni", np.abs(poses[:, :3, :3]), self.half[fixed:]) * (1 + 1e-12)
        self.low[fixed:], self.high[fixed:] = centre - half, centre + half
        pairs = meeting_boxes(self.low, self.high + distance)
        return pairs[pairs[:, 1] >= fixed].tolist()


class SceneSteps(Placed):
    def run(self, step):
        found = []
        for a, b in self.candidates(step):
            contacts = contacts_of(self.models[a], self.poses[a], self.models[b], self.poses[b])
            if contacts:
                found.append((a, b, contacts))
        return found

    def answer(self, found):
        rows = np.array([(a, b, c.b1, c.b2) for a, b, contacts in found for c in contacts], np.int64).reshape(-1, 4)
        return Answer(pairs=self.question.codes(*rows.T))


class Near(Placed):
    """Pairs of objects closer than a distance, by collision with a security margin."""

    def run(self, step):
        request = coal.CollisionRequest()
        request.security_margin = self.question.distance
        found = []
        for a, b in self.candidates(step, self.question.distance):
            if coal.collide(self.models[a], self.poses[a], self.models[b], self.poses[b], request,
                            coal.CollisionResult()):
                found.append((a, b))
        return found

    def answer(self, found):
        return Answer(pairs=self.question.object_codes(*np.array(found, np.int64).reshape(-1, 2).T))


class Pairs(Kept):
    name, make = NAME, staticmethod(models_of)

    def __init__(self, question):
        super().__init__(question)
        self.models = list(self.made)

    def run(self, step):
        return contacts_of(self.models[0], HERE, self.models[1], HERE)

    def answer(self, contacts):
        return Answer(pairs=self.question.codes([(each.b1, each.b2) for each in contacts]))


class First(Pairs):
    def run(self, step):
        return coal.collide(self.models[0], HERE, self.models[1], HERE, coal.CollisionRequest(),
                            coal.CollisionResult())

    def answer(self, count):
        return Answer(flags=np.array([count > 0]))


class Clearance(Pairs):
    def run(self, step):
        return coal.distance(self.models[0], HERE, self.models[1], HERE, coal.DistanceRequest(True),
                             coal.DistanceResult())

    def answer(self, distance):
        return Answer(numbers=np.array([distance]))


class Cold(Pairs):
    def __init__(self, question):
        self.question = question

    def run(self, step):
        return contacts_of(model_of(*self.question.first), HERE, model_of(*self.question.second), HERE)


class FrameSteps(Pairs):
    """A rigid motion needs no new tree."""

    def __init__(self, question):
        self.question = question
        self.models = [model_of(*mesh) for mesh in (question.first, question.second)]

    def run(self, step):
        if self.question.rigid:
            pose = self.question.pose_at(step)
            return contacts_of(self.models[0], coal.Transform3s(pose[:3, :3], pose[:3, 3]), self.models[1], HERE)
        model = model_of(self.question.vertices_at(step), self.question.first[1])
        return contacts_of(model, HERE, self.models[1], HERE)


def hull_of(points):
    from scipy.spatial import ConvexHull

    corners, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    corners.extend(list(points))
    faces.extend([coal.Triangle(*map(int, face)) for face in ConvexHull(points).simplices])
    return coal.Convex(corners, faces)


class ConvexDistance:
    """Prepared hulls and prepared functors: the least that Python has to do."""

    def __init__(self, question):
        self.hulls = [(hull_of(p), hull_of(q)) for p, q in zip(question.first, question.second)]
        self.functors = [coal.ComputeDistance(*pair) for pair in self.hulls]
        self.request, self.result = coal.DistanceRequest(True), coal.DistanceResult()

    def run(self, step):
        request, result = self.request, self.result
        found = []
        for functor in self.functors:
            result.clear()
            found.append(functor(HERE, HERE, request, result))
        return found

    def answer(self, found):
        return Answer(numbers=np.maximum(found, 0.0))


class ConvexYesNo(ConvexDistance):
    def __init__(self, question):
        self.hulls = [(hull_of(p), hull_of(q)) for p, q in zip(question.first, question.second)]
        self.functors = [coal.ComputeCollision(*pair) for pair in self.hulls]
        self.request, self.result = coal.CollisionRequest(), coal.CollisionResult()
        self.request.enable_contact = False

    def answer(self, found):
        return Answer(flags=np.array(found) > 0)


class ConvexDepth(ConvexYesNo):
    """Of pairs that meet, how far the contact says that they reach into each other."""

    def __init__(self, question):
        super().__init__(question)
        self.request.enable_contact = True

    def run(self, step):
        request, result = self.request, self.result
        found = []
        for functor in self.functors:
            result.clear()
            met = functor(HERE, HERE, request, result)
            found.append(result.getContact(0).penetration_depth if met else 0.0)
        return found

    def answer(self, found):
        depth = np.abs(found)
        return Answer(flags=depth > 0.0, numbers=depth)


SIDES = {"scene": SceneSteps, "near": Near, "build": Builds, "pairs": Pairs, "first": First, "cold": Cold,
         "frames": FrameSteps, "clearance": Clearance, "convex distance": ConvexDistance,
         "convex yes/no": ConvexYesNo, "convex depth": ConvexDepth}
