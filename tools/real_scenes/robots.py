# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots from URDF files whose meshes are STL, such as those of the PyPI package example-robot-data."""
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from .parts import Model, Part, stored, welded

# In the folder robots/ of the package, those with enough parts in STL.
URDF = ("allegro_hand_description/urdf/allegro_right_hand.urdf", "bolt_description/robots/bolt.urdf",
        "centauro_description/urdf/centauro.urdf", "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf",
        "human_description/robots/human.urdf", "panda_description/urdf/panda.urdf",
        "pr2_description/urdf/pr2.urdf", "so_arm_description/urdf/so101.urdf", "solo_description/robots/solo12.urdf",
        "talos_data/robots/talos_reduced.urdf", "tiago_description/robots/tiago.urdf",
        "tiago_pro_description/robots/tiago_pro.urdf", "ur_description/urdf/ur5_robot.urdf",
        "xarm_description/urdf/xarm7.urdf")


class Robot:
    """A robot that can be put into any pose of its joints."""

    def __init__(self, path: Path):
        """path: of the URDF file, below the folder that its package:// names begin in."""
        self.name, self._root = path.stem, path
        tree = ElementTree.parse(path).getroot()
        self._links = [each.get("name") for each in tree.findall("link")]
        self._joints = [each for each in tree.findall("joint") if each.find("parent") is not None]
        self._meshes = {}
        for link in tree.findall("link"):
            shapes = [mesh for kind in ("collision", "visual") for mesh in [self._shapes(link, kind)] if mesh]
            self._meshes[link.get("name")] = shapes[0] if shapes else []

    def model(self, share) -> Model:
        """The robot with each joint at a share (from 0 to 1) of its way: share(number of the joint)."""
        places, above = self._places(share), {each.find("child").get("link"): each.find("parent").get("link")
                                              for each in self._joints}
        parts = [stored(Part(f"{link} {number}" if number else link, vertices, triangles, places[link] @ origin,
                             self._links.index(link)))
                 for link in self._links if link in places
                 for number, (vertices, triangles, origin) in enumerate(self._meshes[link])]
        following = []
        for link in self._links:
            parent = above.get(link)
            while parent is not None and not self._meshes[parent]:
                parent = above.get(parent)
            if self._meshes[link] and parent is not None:
                following.append((self._links.index(link), self._links.index(parent)))
        return Model(self.name, parts, following)

    def _places(self, share) -> dict[str, np.ndarray]:
        """(4,4) of each link in the world."""
        children = {each.find("child").get("link") for each in self._joints}
        places = {link: np.eye(4) for link in self._links if link not in children}
        waiting = list(enumerate(self._joints))
        while waiting:
            ready = [each for each in waiting if each[1].find("parent").get("link") in places]
            if not ready:
                break
            for number, joint in ready:
                places[joint.find("child").get("link")] = (places[joint.find("parent").get("link")]
                                                           @ _origin(joint) @ _motion(joint, share(number)))
            waiting = [each for each in waiting if each not in ready]
        return places

    def _shapes(self, link, kind: str) -> list:
        """(vertices, triangles, origin) of each mesh of a link."""
        found = []
        for each in link.findall(kind):
            mesh = each.find("geometry/mesh")
            path = None if mesh is None else self._find(mesh.get("filename"))
            if path is None or path.suffix.lower() != ".stl":
                continue
            vertices, triangles = welded(read_stl(path) * _numbers(mesh.get("scale"), 1.0))
            if len(triangles):
                found.append((vertices, triangles, _origin(each)))
        return found

    def _find(self, name: str) -> Path | None:
        """A mesh by its name in the URDF, whose first parts depend on where the package was installed."""
        words = Path(name.removeprefix("package://").removeprefix("file://")).parts
        for folder in self._root.parents:
            for first in range(len(words)):
                path = folder.joinpath(*words[first:])
                if path.is_file():
                    return path
        return None


def read_stl(path: Path) -> np.ndarray:
    """(n,3,3) float64: the corners of the triangles of an STL file, binary or text."""
    raw = path.read_bytes()
    count = int.from_bytes(raw[80:84], "little") if len(raw) >= 84 else 0
    if len(raw) == 84 + 50 * count:
        rows = np.frombuffer(raw, np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]),
                             count, 84)
        return rows["corners"].astype(np.float64)
    words = [line.split()[1:] for line in raw.decode("latin-1").splitlines() if line.strip().startswith("vertex")]
    return np.array(words, float).reshape(-1, 3, 3)


def _numbers(text: str | None, otherwise: float) -> np.ndarray:
    return np.full(3, otherwise) if text is None else np.array(text.split(), float)


def _origin(element) -> np.ndarray:
    """(4,4) of what an element's origin says."""
    origin, pose = element.find("origin"), np.eye(4)
    if origin is None:
        return pose
    roll, pitch, yaw = _numbers(origin.get("rpy"), 0.0)
    pose[:3, :3] = _turned((0, 0, 1), yaw) @ _turned((0, 1, 0), pitch) @ _turned((1, 0, 0), roll)
    pose[:3, 3] = _numbers(origin.get("xyz"), 0.0)
    return pose


def _motion(joint, share: float) -> np.ndarray:
    """(4,4): how far a joint has moved. One without an end turns half a turn to either side."""
    pose, axis, limit = np.eye(4), joint.find("axis"), joint.find("limit")
    along = np.array([1.0, 0.0, 0.0]) if axis is None else _numbers(axis.get("xyz"), 0.0)
    low, high = (float(limit.get(side, 0.0)) if limit is not None else 0.0 for side in ("lower", "upper"))
    if joint.get("type") == "continuous":
        low, high = -math.pi, math.pi
    if joint.get("type") in ("revolute", "continuous"):
        pose[:3, :3] = _turned(along, low + share * (high - low))
    if joint.get("type") == "prismatic":
        pose[:3, 3] = (low + share * (high - low)) * along
    return pose


def _turned(axis, angle: float) -> np.ndarray:
    """(3,3): a turn about an axis, by Rodrigues' formula."""
    x, y, z = np.asarray(axis, float) / max(float(np.linalg.norm(axis)), 1e-12)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
