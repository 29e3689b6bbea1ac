# SPDX-License-Identifier: GPL-3.0-or-later
"""A jointed figure that walks: shapes, bones, how they turn, and where every vertex is in any frame. numpy only.

Five closed tubes follow one skeleton and bend at its joints. None of them meets another one at rest. The figure walks
along +y; its right hand swings into its right thigh and passes a post, its left hand swings into a bag that hangs at
its hip, and once its left forearm folds through its chest. Lengths in metres, angles in degrees.
"""
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from . import shapes

FPS, LAST_FRAME = 24, 96
CYCLE = 24                  # frames for two steps
SPEED = 0.05                # metres per frame
CLEAR = 1 / 64              # the lowest sole is this far above the floor, always
AROUND = 12                 # corners of a cross-section
FOLD = (46.0, 54.0, 60.0, 68.0)     # the left arm begins to fold, is folded, begins to open, hangs again
POST, POST_RADIUS, POST_HEIGHT = (0.24, 1.1, 0.0), 0.02, 1.9


@dataclass(frozen=True)
class Bone:
    """A bone at rest."""

    parent: str | None
    head: tuple[float, float, float]
    tail: tuple[float, float, float]


def _sided(side: str, x: float) -> dict[str, Bone]:
    """The bones of one side: the right one where x is 1, the left one where it is -1."""
    inward = 0.150 if x > 0 else 0.200      # the right arm leans towards the thigh, the left one hangs
    return {
        f"upper_arm.{side}": Bone("chest", (x * 0.205, 0, 1.38), (x * (0.5 * (0.205 + inward)), 0, 1.10)),
        f"forearm.{side}": Bone(f"upper_arm.{side}", (x * (0.5 * (0.205 + inward)), 0, 1.10), (x * inward, 0, 0.76)),
        f"thigh.{side}": Bone("pelvis", (x * 0.09, 0, 0.84), (x * 0.09, 0, 0.48)),
        f"shin.{side}": Bone(f"thigh.{side}", (x * 0.09, 0, 0.48), (x * 0.09, 0, 0.09)),
        f"foot.{side}": Bone(f"shin.{side}", (x * 0.09, 0, 0.09), (x * 0.09, 0.15, 0.05)),
    }


BONES = {
    "pelvis": Bone(None, (0, 0, 0.90), (0, 0, 1.08)),
    "chest": Bone("pelvis", (0, 0, 1.08), (0, 0, 1.42)),
    "head": Bone("chest", (0, 0, 1.42), (0, 0, 1.70)),
    **_sided("R", 1.0), **_sided("L", -1.0),
}
# Tubes, from one end to the other: bones, and (where along the way of the bones 0 … n, half width, half depth).
TRUNK = ((0.0, 0.10, 0.08), (0.4, 0.135, 0.095), (0.9, 0.115, 0.085), (1.3, 0.135, 0.10), (1.75, 0.145, 0.10),
         (1.98, 0.09, 0.07), (2.08, 0.05, 0.05), (2.25, 0.055, 0.06), (2.5, 0.085, 0.10), (2.8, 0.08, 0.095),
         (2.97, 0.04, 0.05))
ARM = ((0.0, 0.03, 0.03), (0.12, 0.042, 0.045), (0.6, 0.04, 0.042), (0.9, 0.035, 0.037), (1.0, 0.036, 0.038),
       (1.1, 0.037, 0.038), (1.5, 0.033, 0.034), (1.72, 0.024, 0.027), (1.86, 0.022, 0.042), (2.0, 0.012, 0.03))
LEG = ((0.0, 0.05, 0.055), (0.15, 0.07, 0.078), (0.6, 0.06, 0.065), (0.9, 0.05, 0.054), (1.0, 0.05, 0.055),
       (1.1, 0.048, 0.053), (1.4, 0.048, 0.055), (1.85, 0.034, 0.038), (2.0, 0.036, 0.042), (2.15, 0.037, 0.042),
       (2.6, 0.042, 0.03), (2.95, 0.03, 0.02))
PARTS = {
    "Torso": (("pelvis", "chest", "head"), TRUNK),
    "Right Arm": (("upper_arm.R", "forearm.R"), ARM),
    "Left Arm": (("upper_arm.L", "forearm.L"), ARM),
    "Right Leg": (("thigh.R", "shin.R", "foot.R"), LEG),
    "Left Leg": (("thigh.L", "shin.L", "foot.L"), LEG),
}
BEND = 0.12         # of a bone's length, to either side of a joint: where two bones share the vertices


@lru_cache
def part(name: str):
    """One tube at rest: vertices (n,3), triangles, and weights (n, bones of the tube) whose rows sum to 1. Triangles,
    as Blender would cut a quad that bends now along one diagonal and now along the other."""
    bones, rings = PARTS[name]
    along = np.array([ring[0] for ring in rings])
    along = np.unique(np.concatenate([along, np.linspace(along[0], along[-1], 8 * len(bones) + 1)]))
    centres, axes = zip(*(_on_the_way(bones, at) for at in along))
    wide, deep = (np.interp(along, [ring[0] for ring in rings], [ring[k] for ring in rings]) for k in (1, 2))
    angle = 2 * np.pi * np.arange(AROUND) / AROUND
    vertices, circles = [], []
    for centre, (across, _, out), w, d in zip(centres, axes, wide, deep):
        circles.append(np.arange(AROUND) + AROUND * len(circles))
        vertices.append(centre + np.outer(w * np.cos(angle), across) - np.outer(d * np.sin(angle), out))
    faces = [face for one, other in zip(circles, circles[1:]) for face in shapes.band(one, other)]
    faces += [circles[0][::-1], circles[-1]]
    triangles = [(int(face[0]), int(face[k]), int(face[k + 1])) for face in faces for k in range(1, len(face) - 1)]
    weights = np.repeat([_weights(len(bones), at) for at in along], AROUND, axis=0)
    return np.concatenate(vertices), triangles, weights


def _on_the_way(bones, at: float):
    """Where a tube's middle is, and the axes of its bones there as rows, turned evenly about a joint."""
    number = min(int(at), len(bones) - 1)
    bone = BONES[bones[number]]
    head, tail = np.array(bone.head, float), np.array(bone.tail, float)
    share = _weights(len(bones), at)
    axes = sum(weight * rest(name)[:3, :3].T for weight, name in zip(share, bones))
    return head + (at - number) * (tail - head), axes / np.linalg.norm(axes, axis=1)[:, None]


def _weights(bones: int, at: float) -> np.ndarray:
    """(bones,) which of a tube's bones move what lies there along their way."""
    weights = np.zeros(bones)
    joint = round(at)
    if 0 < joint < bones and abs(at - joint) < BEND:
        weights[joint] = 0.5 + 0.5 * (at - joint) / BEND
        weights[joint - 1] = 1.0 - weights[joint]
    else:
        weights[min(int(at), bones - 1)] = 1.0
    return weights


@lru_cache
def rest(name: str) -> np.ndarray:
    """(4,4) of a bone at rest: y along it, x as near to that of the world as can be, its head as origin."""
    bone = BONES[name]
    y = np.subtract(bone.tail, bone.head)
    y = y / np.linalg.norm(y)
    x = np.array([1.0, 0.0, 0.0]) - y[0] * y
    x /= np.linalg.norm(x)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.column_stack([x, y, np.cross(x, y)]), bone.head
    return pose


def turns(frame: float) -> dict[str, tuple[float, float]]:
    """Bone → degrees about its own axes x and y, y first."""
    phase = 2 * np.pi * (frame - 1) / CYCLE + 0.5 * np.pi      # at first its arms are farthest from its sides
    step = np.sin(phase)
    fold = np.interp(frame, FOLD, (0.0, 1.0, 1.0, 0.0))
    found: dict[str, tuple] = {"chest": (-2.0, 4.0 * step), "head": (0.0, -4.0 * step)}
    for side, way in (("R", 1.0), ("L", -1.0)):
        leg, late = way * step, max(0.0, -way * np.cos(phase))
        found[f"thigh.{side}"] = (24.0 * leg + 4.0, 0.0)
        found[f"shin.{side}"] = (-6.0 - 42.0 * late ** 2, 0.0)
        found[f"foot.{side}"] = (2.0 - 14.0 * leg + 20.0 * late ** 2, 0.0)
        found[f"upper_arm.{side}"] = (-26.0 * way * step, 0.0)
        found[f"forearm.{side}"] = (16.0 - 10.0 * way * step, 0.0)
    swing, flex = found["upper_arm.L"][0], found["forearm.L"][0]
    found["upper_arm.L"] = ((1 - fold) * swing, 95.0 * fold)
    found["forearm.L"] = ((1 - fold) * flex + 95.0 * fold, 0.0)
    return found


def bone_poses(frame: float) -> dict[str, np.ndarray]:
    """Bone → (4,4), in the space of the armature."""
    found: dict[str, np.ndarray] = {}
    angles = turns(frame)
    for name, bone in BONES.items():
        local = np.eye(4)
        local[:3, :3] = turned(*angles.get(name, (0.0, 0.0)))
        base = rest(name) if bone.parent is None else \
            found[bone.parent] @ np.linalg.inv(rest(bone.parent)) @ rest(name)
        found[name] = base @ local
    return found


def turned(x: float, y: float) -> np.ndarray:
    """(3,3) rotation about y, then about x, in degrees."""
    a, b = np.radians([x, y])
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    return about_x @ about_y


def bent(name: str, poses: dict[str, np.ndarray]) -> np.ndarray:
    """(n,3) vertices of a tube, moved by its bones."""
    vertices, _, weights = part(name)
    result = np.zeros_like(vertices)
    for column, bone in enumerate(PARTS[name][0]):
        move = poses[bone] @ np.linalg.inv(rest(bone))
        result += weights[:, column, None] * (vertices @ move[:3, :3].T + move[:3, 3])
    return result


def place(frame: float) -> np.ndarray:
    """(3,) where the armature stands: it goes on evenly, and is so high that the lowest sole keeps off the floor."""
    poses = bone_poses(frame)
    lowest = min(bent(name, poses)[:, 2].min() for name in ("Right Leg", "Left Leg"))
    return np.array([0.0, SPEED * (frame - 1), CLEAR - lowest])


def vertices_at(frame: float) -> dict[str, np.ndarray]:
    """Name → (n,3) vertices in the world of the five tubes and of the bag. Between whole frames keys are linear, so
    that these are not quite what Blender shows there."""
    poses, here = bone_poses(frame), place(frame)
    found = {name: bent(name, poses) + here for name in PARTS}
    move = poses["pelvis"] @ np.linalg.inv(rest("pelvis"))
    found["Bag"] = bag()[0] @ move[:3, :3].T + move[:3, 3] + here
    return found


def bag():
    """Hangs at the left hip, where the figure stands at rest."""
    return shapes.box((-0.27, -0.12, 0.74), (-0.18, 0.12, 0.98))


def post():
    """Stands where the right arm comes past, at POST."""
    return shapes.lathe([(POST_RADIUS, CLEAR), (POST_RADIUS, POST_HEIGHT)], around=16)


def floor():
    return shapes.box((-1.5, -1.0, -0.05), (1.5, 6.0, 0.0))
