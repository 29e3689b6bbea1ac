# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sides are asked: plain arrays, the same for all of them. Steps cycle, so that memory stays small."""
from dataclasses import dataclass, field

import numpy as np

from ..core.geometry.placed import placed_corners
from ..core.reference.triangle_pair import beyond_common_vertices, shared_part

STEPS = 6


@dataclass(eq=False)
class Scene:
    """Bodies of which the first `fixed` never move; step k places the others at poses[k % STEPS]."""

    bodies: list[tuple[np.ndarray, np.ndarray]]     # vertices (n,3) float64, triangles (m,3) int32
    fixed: int
    poses: list[np.ndarray]                         # (moving,4,4) each
    distance: float = 0.0                           # objects closer than this are asked for

    def poses_at(self, step: int) -> np.ndarray:
        return self.poses[step % len(self.poses)]

    def codes(self, a, b, triangle_a, triangle_b) -> np.ndarray:
        """(k,) sorted int64, one number per pair of triangles of objects a < b."""
        most = max(len(triangles) for _, triangles in self.bodies)
        a, b, triangle_a, triangle_b = (np.asarray(each, np.int64) for each in (a, b, triangle_a, triangle_b))
        return np.unique(((a * len(self.bodies) + b) * most + triangle_a) * most + triangle_b)

    def corners_at_first(self, code: int) -> list[np.ndarray]:
        """The two triangles (3,3) that a number of `codes` stands for, where step 0 places them; fewer where a side
        has named a triangle that the body does not have."""
        most = max(len(triangles) for _, triangles in self.bodies)
        rest, triangle_b = divmod(int(code), most)
        pair, triangle_a = divmod(rest, most)
        found = []
        for body, triangle in zip(divmod(pair, len(self.bodies)), (triangle_a, triangle_b)):
            vertices, triangles = self.bodies[body]
            pose = np.eye(4) if body < self.fixed else self.poses_at(0)[body - self.fixed]
            found += list(placed_corners(vertices, triangles[triangle:triangle + 1], pose))
        return found

    def object_codes(self, a, b) -> np.ndarray:
        """(k,) sorted int64, one number per pair of objects, in either order."""
        a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
        return np.unique(np.minimum(a, b) * len(self.bodies) + np.maximum(a, b))


@dataclass(eq=False)
class Pair:
    """Two meshes that stand still. `kept` holds what a side has built, so that it need not be built for each case."""

    first: tuple[np.ndarray, np.ndarray]
    second: tuple[np.ndarray, np.ndarray]
    kept: dict = field(default_factory=dict)

    def codes(self, pairs) -> np.ndarray:
        """(k,) sorted int64 of pairs (k,2)."""
        pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
        return np.unique(pairs[:, 0] * len(self.second[1]) + pairs[:, 1])


    def vertices_at(self, step: int) -> np.ndarray:
        return self.first[0]

    def corners_at_first(self, code: int) -> list[np.ndarray]:
        """The two triangles (3,3) that a number of `codes` stands for, in step 0."""
        triangle_a, triangle_b = divmod(int(code), len(self.second[1]))
        return [self.vertices_at(0)[self.first[1][triangle_a]], self.second[0][self.second[1][triangle_b]]]


@dataclass(eq=False)
class Alone:
    """A mesh with itself."""

    mesh: tuple[np.ndarray, np.ndarray]

    def codes(self, pairs) -> np.ndarray:
        """(k,) sorted int64, one number per pair of triangles (k,2), in either order; a triangle with itself is none.
        """
        pairs = np.sort(np.asarray(pairs, np.int64).reshape(-1, 2), axis=1)
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        return np.unique(pairs[:, 0] * len(self.mesh[1]) + pairs[:, 1])

    def corners_at_first(self, code: int) -> list[np.ndarray]:
        """The two triangles (3,3) that a number of `codes` stands for."""
        return [self.mesh[0][self.mesh[1][triangle]] for triangle in divmod(int(code), len(self.mesh[1]))]


@dataclass(eq=False)
class Frames(Pair):
    """The first mesh has new vertices in every frame."""

    frames: list[np.ndarray] = field(default_factory=list)
    rigid: list[np.ndarray] = field(default_factory=list)   # (4,4) that give the same frames, where they are a motion

    def vertices_at(self, step: int) -> np.ndarray:
        return self.frames[step % len(self.frames)]

    def pose_at(self, step: int) -> np.ndarray:
        return self.rigid[step % len(self.rigid)]


@dataclass(eq=False)
class Boxes:
    """Axis-aligned boxes, another placement per step: low and high (n,3)."""

    low: list[np.ndarray]
    high: list[np.ndarray]

    def at(self, step: int) -> tuple[np.ndarray, np.ndarray]:
        return self.low[step % len(self.low)], self.high[step % len(self.high)]

    def codes(self, a, b) -> np.ndarray:
        a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
        return np.unique(np.minimum(a, b) * len(self.low[0]) + np.maximum(a, b))


@dataclass(eq=False)
class ConvexPairs:
    """Hull of first[i] against hull of second[i]: (n,corners,3) each."""

    first: np.ndarray
    second: np.ndarray


@dataclass(eq=False)
class Points:
    """Which points (n,3) are inside a closed mesh; none is on it."""

    mesh: tuple[np.ndarray, np.ndarray]
    points: np.ndarray


@dataclass(eq=False)
class Motions:
    """Vertex and face, or edge and edge, moving linearly: corners (n,4,3) at the start and at the end."""

    start: np.ndarray
    end: np.ndarray


@dataclass(eq=False)
class Answer:
    """What a side found, in a form that can be compared: whichever of these the question asks for."""

    pairs: np.ndarray | None = None         # (k,) sorted codes of what meets
    flags: np.ndarray | None = None         # (n,) bool
    numbers: np.ndarray | None = None       # (n,) float64 lengths
    times: np.ndarray | None = None         # (n,) float64 times of impact where flags


JUDGED = 100        # pairs of triangles per side that rational arithmetic looks at


def judge(question, ours: Answer, theirs: Answer) -> dict:
    """Who is right about triangles that only one of the two finds: how many of them were looked at, evenly spread, and
    in how many the exact answer is ours. {} where they agree, or the answer is not about triangles."""
    if ours.pairs is None or theirs.pairs is None or not hasattr(question, "corners_at_first"):
        return {}
    differing = np.setxor1d(ours.pairs, theirs.pairs)
    if len(differing) == 0:
        return {}
    chosen = differing[np.linspace(0, len(differing) - 1, min(JUDGED, len(differing))).astype(int)]
    triangles = [question.corners_at_first(code) for code in chosen]
    share = beyond_common_vertices if isinstance(question, Alone) else shared_part
    meet = np.array([len(both) == 2 and share(*(each.tolist() for each in both)).kind != 0 for both in triangles])
    return {"judged": len(chosen), "right": int((meet == np.isin(chosen, ours.pairs)).sum())}


def compare(ours: Answer, theirs: Answer) -> dict:
    """How their answer differs from ours."""
    result: dict = {}
    if ours.pairs is not None and theirs.pairs is not None:
        result = {"found": len(ours.pairs),
                  "missed": len(np.setdiff1d(ours.pairs, theirs.pairs, assume_unique=True)),
                  "invented": len(np.setdiff1d(theirs.pairs, ours.pairs, assume_unique=True))}
    if ours.flags is not None and theirs.flags is not None:
        result = {"found": int(ours.flags.sum()), "missed": int((ours.flags & ~theirs.flags).sum()),
                  "invented": int((theirs.flags & ~ours.flags).sum())}
    if ours.numbers is not None and theirs.numbers is not None and len(ours.numbers):
        size = np.maximum(np.maximum(np.abs(ours.numbers), np.abs(theirs.numbers)), 1e-300)
        result["difference"] = float(np.max(np.abs(ours.numbers - theirs.numbers) / size))
    if ours.times is not None and theirs.times is not None and ours.flags is not None and theirs.flags is not None:
        both = ours.flags & theirs.flags
        if both.any():
            late = theirs.times[both] - ours.times[both]
            result |= {"later by": float(max(late.max(), 0.0)), "earlier by": float(max((-late).max(), 0.0))}
    return result
