# SPDX-License-Identifier: GPL-3.0-or-later
"""python-fcl: OBBRSS trees that poses stand outside of, a dynamic tree of boxes as manager."""
import fcl
import numpy as np

from ..questions import Answer
from .sweep import meeting_boxes
from .two_meshes import Build, Kept

NAME = "FCL"
PACKAGE = "python-fcl"
ALL = 10 ** 8


def model_of(vertices, triangles):
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(triangles))
    model.addSubModel(vertices, triangles)
    model.endModel()
    return model


def models_of(question):
    return model_of(*question.first), model_of(*question.second)


class Builds(Build):
    make = staticmethod(models_of)


def contacts_of(first, second, most=ALL):
    """All contacts of two fcl.CollisionObject, with their points."""
    result = fcl.CollisionResult()
    fcl.collide(first, second, fcl.CollisionRequest(num_max_contacts=most, enable_contact=True), result)
    return result.contacts


def managed(objects):
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects)
    manager.setup()
    return manager


def collect(first, second, pairs):
    """The call-back of a manager, which takes plain functions only: notes which objects' boxes meet."""
    pairs.append((first, second))
    return False


class SceneSteps:
    """Bodies that stay and bodies that move each have a manager. Every body has a model of its own: what the binding
    hands to call-backs can be told apart by its model only."""

    # A manager of what has moved is made anew: that is cheap, while its update() leaves a tree that is many times as
    # slow to ask as a new one.

    def __init__(self, question):
        self.question = question
        self.models = [model_of(*body) for body in question.bodies]
        self.objects = [fcl.CollisionObject(model) for model in self.models]
        fixed = question.fixed
        self.standing = managed(self.objects[:fixed]) if fixed else None

    def move(self, step):
        for each, pose in zip(self.objects[self.question.fixed:], self.question.poses_at(step)):
            each.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))

    def run(self, step):
        self.move(step)
        moving = managed(self.objects[self.question.fixed:])
        met: list = []
        moving.collide(met, collect)
        if self.standing:
            self.standing.collide(moving, met, collect)
        return [contacts for contacts in (contacts_of(*pair) for pair in met) if contacts]

    def answer(self, found):
        index = {id(model): body for body, model in enumerate(self.models)}
        rows = []
        for contacts in found:
            a, b = index[id(contacts[0].o1)], index[id(contacts[0].o2)]
            rows += [(a, b, c.b1, c.b2) if a < b else (b, a, c.b2, c.b1) for c in contacts]
        return Answer(pairs=self.question.codes(*np.array(rows, np.int64).reshape(-1, 4).T))


class Pairs(Kept):
    name, make = NAME, staticmethod(models_of)

    def __init__(self, question):
        super().__init__(question)
        self.objects = [fcl.CollisionObject(model) for model in self.made]

    def run(self, step):
        return contacts_of(*self.objects)

    def answer(self, contacts):
        return Answer(pairs=self.question.codes([(each.b1, each.b2) for each in contacts]))


class First(Pairs):
    def run(self, step):
        return fcl.collide(*self.objects, fcl.CollisionRequest(), fcl.CollisionResult())

    def answer(self, count):
        return Answer(flags=np.array([count > 0]))


class Cold(Pairs):
    def __init__(self, question):
        self.question = question

    def run(self, step):
        return contacts_of(*(fcl.CollisionObject(model_of(*mesh)) for mesh in (self.question.first,
                                                                               self.question.second)))


class FrameSteps(Pairs):
    """A rigid motion needs no new tree; a deformed mesh does, as the binding has no refit."""

    def __init__(self, question):
        self.question = question
        self.objects = [fcl.CollisionObject(model_of(*mesh)) for mesh in (question.first, question.second)]

    def run(self, step):
        if self.question.rigid:
            pose = self.question.pose_at(step)
            self.objects[0].setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        else:
            model = model_of(self.question.vertices_at(step), self.question.first[1])
            self.objects[0] = fcl.CollisionObject(model)
        return contacts_of(*self.objects)


class Clearance(Pairs):
    def run(self, step):
        return fcl.distance(*self.objects, fcl.DistanceRequest(enable_nearest_points=True), fcl.DistanceResult())

    def answer(self, distance):
        return Answer(numbers=np.array([distance]))


class Near:
    """Pairs of objects closer than a distance: boxes grown by it, then one distance per pair."""

    def __init__(self, question):
        self.question = question
        models = {id(body): model_of(*body) for body in question.bodies}
        self.objects = [fcl.CollisionObject(models[id(body)]) for body in question.bodies]
        self.radius = np.array([np.linalg.norm(vertices, axis=1).max() for vertices, _ in question.bodies])[:, None]

    def run(self, step):
        poses = self.question.poses_at(step)
        for each, pose in zip(self.objects, poses):
            each.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        reach = self.radius + 0.5 * self.question.distance
        request, found = fcl.DistanceRequest(), []
        for a, b in meeting_boxes(poses[:, :3, 3] - reach, poses[:, :3, 3] + reach).tolist():
            if fcl.distance(self.objects[a], self.objects[b], request, fcl.DistanceResult()) <= self.question.distance:
                found.append((a, b))
        return found

    def answer(self, found):
        return Answer(pairs=self.question.object_codes(*np.array(found, np.int64).reshape(-1, 2).T))


def hull_of(points):
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    outward = np.einsum("ij,ij->i", hull.equations[:, :3], np.cross(
        points[hull.simplices[:, 1]] - points[hull.simplices[:, 0]],
        points[hull.simplices[:, 2]] - points[hull.simplices[:, 0]])) > 0
    faces = np.where(outward[:, None], hull.simplices, hull.simplices[:, ::-1])
    return fcl.Convex(points, len(faces), np.column_stack([np.full(len(faces), 3), faces]).ravel())


class ConvexDistance:
    def __init__(self, question):
        self.pairs = [(fcl.CollisionObject(hull_of(p)), fcl.CollisionObject(hull_of(q)))
                      for p, q in zip(question.first, question.second)]

    def run(self, step):
        request = fcl.DistanceRequest(gjk_solver_type=fcl.GJKSolverType.GST_INDEP)
        return [fcl.distance(p, q, request, fcl.DistanceResult()) for p, q in self.pairs]

    def answer(self, found):
        return Answer(numbers=np.maximum(found, 0.0))


class ConvexYesNo(ConvexDistance):
    def run(self, step):
        request = fcl.CollisionRequest(gjk_solver_type=fcl.GJKSolverType.GST_INDEP)
        return [fcl.collide(p, q, request, fcl.CollisionResult()) for p, q in self.pairs]

    def answer(self, found):
        return Answer(flags=np.array(found) > 0)


class ConvexDepth(ConvexDistance):
    """Of pairs that meet, how far the contact says that they reach into each other."""

    def run(self, step):
        request = fcl.CollisionRequest(enable_contact=True, gjk_solver_type=fcl.GJKSolverType.GST_INDEP)
        found = []
        for p, q in self.pairs:
            result = fcl.CollisionResult()
            found.append(result.contacts[0].penetration_depth if fcl.collide(p, q, request, result) else 0.0)
        return found

    def answer(self, found):
        depth = np.abs(found)
        return Answer(flags=depth > 0.0, numbers=depth)


class BoxPairs:
    """Boxes of the sizes of the first step, moved to each step's place."""

    def __init__(self, question):
        self.question = question
        low, high = question.at(0)
        self.objects = [fcl.CollisionObject(fcl.Box(*size)) for size in (high - low).tolist()]

    def run(self, step):
        low, high = self.question.at(step)
        for each, centre in zip(self.objects, 0.5 * (low + high)):
            each.setTranslation(centre)
        found: list = []
        managed(self.objects).collide(found, collect)
        return found

    def answer(self, pairs):
        index = {tuple(each.getTranslation()): number for number, each in enumerate(self.objects)}
        rows = [[index[tuple(each.getTranslation())] for each in pair] for pair in pairs]
        return Answer(pairs=self.question.codes(*np.array(rows, np.int64).reshape(-1, 2).T))


class Motion:
    """Continuous collision of pairs whose boxes around the whole way meet, by its plain solver at ten times. Positions
    go evenly and rotations along the shorter way, as ours do. Its conservative advancement says of a cube that flies
    into a wall that they do not meet."""

    def __init__(self, question):
        self.question = question
        self.objects = [fcl.CollisionObject(model_of(*body)) for body in question.bodies]
        self.low = np.array([vertices.min(axis=0) for vertices, _ in question.bodies])
        self.high = np.array([vertices.max(axis=0) for vertices, _ in question.bodies])
        self.radius = np.array([np.linalg.norm(vertices, axis=1).max() for vertices, _ in question.bodies])
        self.moves = np.isin(np.arange(len(self.low)), question.moving)
        self.request = fcl.ContinuousCollisionRequest(ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
                                                      ccd_solver_type=fcl.CCDSolverType.CCDC_NAIVE)

    def run(self, step):
        """From one frame to the next one."""
        ends = [self.question.frame(step), self.question.frame(step + 1)]
        transforms = {}
        for body in self.question.moving:
            transforms[body] = [fcl.Transform(pose[:3, :3], pose[:3, 3])
                                for pose in self.question.poses[body][ends]]
            self.objects[body].setTransform(transforms[body][0])
            centres = self.question.poses[body][ends][:, :3, 3]
            self.low[body] = centres.min(axis=0) - self.radius[body]
            self.high[body] = centres.max(axis=0) + self.radius[body]
        rests, found = [fcl.Transform()] * 2, []
        for a, b in meeting_boxes(self.low, self.high).tolist():
            if self.moves[a] or self.moves[b]:
                result = fcl.ContinuousCollisionResult()
                fcl.continuousCollide(self.objects[a], transforms.get(a, rests)[1], self.objects[b],
                                      transforms.get(b, rests)[1], self.request, result)
                if result.is_collide:
                    found.append((a, b))
        return found

    def answer(self, _):
        """Of all frames but the last one, which pairs come together after it: not those that meet in it."""
        rows = []
        for frame in range(self.question.count - 1):
            rows += [(frame, a, b) for a, b in self.run(frame)
                     if not fcl.collide(self.objects[a], self.objects[b], fcl.CollisionRequest(),
                                        fcl.CollisionResult())]
        return Answer(pairs=self.question.codes(rows))


SIDES = {"scene": SceneSteps, "build": Builds, "pairs": Pairs, "first": First, "cold": Cold, "frames": FrameSteps,
         "boxes": BoxPairs, "clearance": Clearance, "near": Near, "convex distance": ConvexDistance,
         "convex yes/no": ConvexYesNo, "convex depth": ConvexDepth, "rigid motion": Motion}
