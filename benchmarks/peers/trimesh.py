# SPDX-License-Identifier: GPL-3.0-or-later
"""trimesh's CollisionManager, a layer over python-fcl."""
import fcl  # noqa: F401  (without it the manager of trimesh cannot be made)
import numpy as np
import trimesh
from trimesh.collision import CollisionManager

from ..questions import Answer

NAME = "trimesh"
PACKAGE = "trimesh"


class SceneSteps:
    def __init__(self, question):
        self.question = question
        self.moving, self.standing = CollisionManager(), CollisionManager()
        for body, (vertices, triangles) in enumerate(question.bodies):
            mesh = trimesh.Trimesh(vertices, triangles, process=False)
            (self.standing if body < question.fixed else self.moving).add_object(str(body), mesh)

    def run(self, step):
        fixed = self.question.fixed
        for body, pose in enumerate(self.question.poses_at(step), fixed):
            self.moving.set_transform(str(body), pose)
        _, contacts = self.moving.in_collision_internal(return_data=True)
        if fixed:
            contacts = contacts + self.moving.in_collision_other(self.standing, return_data=True)[1]
        return contacts

    def answer(self, contacts):
        rows = []
        for each in contacts:
            a, b = sorted(each.names, key=int)
            rows.append((int(a), int(b), each.index(a), each.index(b)))
        return Answer(pairs=self.question.codes(*np.array(rows, np.int64).reshape(-1, 4).T))


SIDES = {"scene": SceneSteps}
