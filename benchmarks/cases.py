# SPDX-License-Identifier: GPL-3.0-or-later
"""The table `peers`: which questions are asked at which size, and how far ahead of whom we want to be."""
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from ..sample_scenes import meshes
from ..sample_scenes.mine import mine
from . import animations, enclosures, flush, thin
from .questions import STEPS, Alone, Boxes, ConvexPairs, Frames, Motions, Pair, Points, Scene


@dataclass(frozen=True)
class Goal:
    """Their time over ours. least: must be reached; stretch: should be. peer: NAME of a side, or FASTEST."""

    peer: str
    least: float | None = None
    stretch: float | None = None


FASTEST = "fastest peer"


@dataclass(frozen=True)
class Case:
    """One line of the table. `make` gives the question at full size, `quick` one for a smoke test."""

    id: str
    title: str
    asks: str                               # key of SIDES
    make: Callable[[], object]
    quick: Callable[[], object]
    goals: tuple[Goal, ...] = ()
    without: tuple[str, ...] = ()           # sides that would take minutes

    @property
    def workload(self) -> str:
        return self.id.partition("-")[0]


def mine_scene(fragments: int) -> Scene:
    """All fragments get a new pose in every step, the six strata and the tunnel stay."""
    model = mine(fragments)
    bodies = [(each.vertices, each.triangles) for each in model.static + model.fragments]
    return Scene(bodies, len(model.static), [model.poses(step) for step in range(STEPS)])


def swarm(count: int, around: int, across: int, extent: float, distance: float = 0.0) -> Scene:
    """Small bumpy tori of eight shapes, at random in a cube of this edge, elsewhere in every step."""
    shapes = [meshes.ring(around, across, seed) for seed in range(8)]
    poses = [meshes.random_poses(count, extent, np.random.default_rng(step)) for step in range(STEPS)]
    return Scene([shapes[i % 8] for i in range(count)], 0, poses, distance)


@lru_cache(1)
def knots(triangles: int) -> Pair:
    """Kept, as several cases in a row ask about the same pair, and some sides take long to build their trees."""
    return Pair(meshes.knot(triangles), meshes.knot(triangles, 1.2))


def shells(triangles: int) -> Pair:
    return Pair(meshes.shell(triangles, 1), meshes.shell(triangles, 2))


def moving_knots(triangles: int) -> Frames:
    """One of the knots is turned a little further in every frame."""
    first, second = meshes.knot(triangles), meshes.knot(triangles, 1.2)
    poses = [np.eye(4) for _ in range(STEPS)]
    for step, pose in enumerate(poses):
        pose[:3, :3] = meshes.about_y(0.05 * step)
    return Frames(first, second, frames=[first[0] @ pose[:3, :3].T for pose in poses], rigid=poses)


def deforming(triangles: int) -> Frames:
    """A sphere whose waves run, against a knot that stands still."""
    directions, faces = meshes.octasphere(triangles)
    frames = [directions * (1.8 + 0.05 * np.sin(6 * directions[:, :1] + step)) for step in range(STEPS)]
    return Frames((frames[0], faces), meshes.knot(triangles), frames=frames)


def apart(triangles: int) -> Pair:
    """Two knots side by side, 0.01 to 0.1 apart."""
    vertices, faces = meshes.knot(triangles, 0.0, 1)
    first, second = meshes.knot(triangles), (vertices.copy(), faces)
    second[0][:, 0] += first[0][:, 0].max() - vertices[:, 0].min() + 0.05
    return Pair(first, second)


def alone(make: Callable, triangles: int) -> Alone:
    """One mesh. make(triangles): its vertices and triangles."""
    return Alone(make(triangles))


def points(triangles: int, count: int) -> Points:
    """A knot, and points in its box."""
    mesh, rng = meshes.knot(triangles), np.random.default_rng(3)
    low, high = mesh[0].min(axis=0), mesh[0].max(axis=0)
    return Points(mesh, low + (high - low) * rng.random((count, 3)))


def boxes(count: int, mixed: bool = False) -> Boxes:
    """Boxes of edges up to 2 in a cube that each meets some five others in; mixed: edges of very different lengths."""
    low, high = [], []
    for step in range(STEPS):
        rng = np.random.default_rng(step)
        sizes = np.random.default_rng(99).random((count, 3)) * 2
        if mixed:
            sizes *= np.random.default_rng(98).lognormal(-0.5, 0.9, (count, 1))
        centres = rng.random((count, 3)) * 1.16 * count ** (1 / 3)
        low.append(meshes.single(centres - 0.5 * sizes))
        high.append(meshes.single(centres + 0.5 * sizes))
    return Boxes(low, high)


def convex_points(pairs: int, corners: int, seed: int):
    """Two sets of `pairs` hulls of so many corners each, (pairs, corners, 3); about half of the pairs meet."""
    rng = np.random.default_rng(seed)
    away = rng.standard_normal((pairs, 3))
    away *= ((1.0 + 2.0 * rng.random(pairs)) / np.linalg.norm(away, axis=1))[:, None]
    return _around_zero(pairs, corners, rng), _around_zero(pairs, corners, rng) + away[:, None]


def _around_zero(pairs: int, corners: int, rng) -> np.ndarray:
    points = rng.standard_normal((pairs, corners, 3))
    return points / np.linalg.norm(points, axis=2, keepdims=True) * (0.6 + 0.8 * rng.random((pairs, 1, 3)))


def hulls(pairs: int, corners: int) -> ConvexPairs:
    return ConvexPairs(*convex_points(pairs, corners, seed=corners))


def separate_hulls(pairs: int, corners: int) -> ConvexPairs:
    """None of the pairs meets."""
    first, second = convex_points(pairs, corners, seed=corners)
    away = second.mean(axis=1) - first.mean(axis=1)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    return ConvexPairs(first, second + 1.5 * away[:, None])


FAR, OUTSIDE, NEAR_MISS, HITS = range(4)


def vertex_faces(count: int, kind: int) -> Motions:
    """A vertex and a face that move: far from each other, past it, past its rim closely, or onto it."""
    rng = np.random.default_rng(kind)
    face = rng.standard_normal((count, 3, 3))
    weights = _weights(rng, count, kind, 3)
    target = np.einsum("nk,nkx->nx", weights, face)
    return _motions(rng, face, target, kind)


def edge_edges(count: int, kind: int) -> Motions:
    """Two edges that move, of the same kinds."""
    rng = np.random.default_rng(10 + kind)
    edge = rng.standard_normal((count, 2, 3))
    target = np.einsum("nk,nkx->nx", _weights(rng, count, kind, 2), edge)
    motions = _motions(rng, edge, target, kind)
    # The point that meets the first edge becomes a point of a second one.
    along = rng.standard_normal((count, 3))
    share = (0.1 + 0.8 * rng.random(count))[:, None]
    turned = along + 0.3 * rng.standard_normal((count, 3))
    ends = [np.stack([point - share * way, point + (1 - share) * way], axis=1)
            for point, way in ((motions.start[:, 0], along), (motions.end[:, 0], turned))]
    return Motions(np.concatenate([motions.start[:, 1:3], ends[0]], axis=1),
                   np.concatenate([motions.end[:, 1:3], ends[1]], axis=1))


def _weights(rng, count: int, kind: int, corners: int) -> np.ndarray:
    """(count, corners): where on the feature, or how far beside it, the point arrives."""
    weights = rng.dirichlet(np.ones(corners) * 2, count)
    beside = {FAR: 0.0, OUTSIDE: -1.0, NEAR_MISS: -0.02, HITS: 0.0}[kind]
    if beside:
        weights[:, 0] = beside * (0.5 + rng.random(count))
        weights[:, 1:] *= ((1 - weights[:, 0]) / weights[:, 1:].sum(axis=1))[:, None]
    return weights


def _motions(rng, feature: np.ndarray, target: np.ndarray, kind: int) -> Motions:
    """The point goes through `target` at a random time while the feature drifts; rows point, corners (padded to 4)."""
    count = len(feature)
    drift = 0.2 * rng.standard_normal((count, 1, 3)) + 0.05 * rng.standard_normal(feature.shape)
    way = rng.standard_normal((count, 3))
    time = rng.random(count)[:, None]
    start = target - time * way + (8.0 if kind == FAR else 0.0)
    rest = [feature] if feature.shape[1] == 3 else [feature, feature[:, :1]]
    drifts = [drift] if feature.shape[1] == 3 else [drift, drift[:, :1]]
    corners, moved = np.concatenate(rest, axis=1), np.concatenate(drifts, axis=1)
    corners_start = corners - time[:, None] * moved
    return Motions(np.concatenate([start[:, None], corners_start], axis=1),
                   np.concatenate([(start + way)[:, None], corners_start + moved], axis=1))


def _pair_cases() -> list[Case]:
    """Sparse and dense pairs of meshes, by size."""
    cases = []
    for size, name in ((20_000, "20k"), (200_000, "200k"), (1_000_000, "1M")):
        slow = ("VTK",) if size > 20_000 else ()
        dense = {"20k": 4.0, "200k": 6.0, "1M": None}[name]
        cases += [
            Case(f"W2-build-{name}", f"trees over two meshes of {name} triangles", "build",
                 partial(knots, size), partial(knots, 500),
                 (Goal("BVHTree", None, 15.0), Goal("warp", None, 10.0)) if name == "200k" else ()),
            Case(f"W2-cold-{name}", f"sparse pair {name}: build and all triangle pairs", "cold",
                 partial(knots, size), partial(knots, 500),
                 (Goal("warp", None, 12.0), Goal("BVHTree", None, 25.0), Goal("FCL", None, 80.0))
                 if name == "1M" else (), slow),
            Case(f"W2-knot-{name}", f"sparse pair {name}: all triangle pairs", "pairs",
                 partial(knots, size), partial(knots, 500),
                 (Goal("BVHTree", 8.0), Goal("FCL", 15.0), Goal("warp", None, 8.0 if name == "200k" else None)), slow),
            Case(f"W2-first-{name}", f"sparse pair {name}: do they meet?", "first",
                 partial(knots, size), partial(knots, 500), (Goal("FCL", 0.5, 1.0),), slow),
            Case(f"W2-shell-{name}", f"dense pair {name}: all triangle pairs", "pairs",
                 partial(shells, size), partial(shells, 500),
                 (Goal("BVHTree", 5.0, dense), Goal("FCL", 15.0)), slow),
        ]
    return cases


def _convex_cases() -> list[Case]:
    cases = []
    for corners, distance, yes_no in ((8, 18.0, 16.0), (32, 15.0, 14.0), (128, 14.0, 10.0)):
        cases += [
            Case(f"W5-distance-{corners}", f"2,000 pairs of hulls of {corners} corners: distance", "convex distance",
                 partial(separate_hulls, 2000, corners), partial(separate_hulls, 20, 8),
                 (Goal(FASTEST, None, distance), Goal("coal", 2.0))),
            Case(f"W5-yes-no-{corners}", f"2,000 pairs of hulls of {corners} corners: do they meet?", "convex yes/no",
                 partial(hulls, 2000, corners), partial(hulls, 20, 8),
                 (Goal("coal", 2.0, yes_no),)),
            Case(f"W5-depth-{corners}", f"2,000 pairs of hulls of {corners} corners: how deep?", "convex depth",
                 partial(hulls, 2000, corners), partial(hulls, 20, 8), (Goal("coal", 2.0, 5.0),)),
        ]
    return cases


def _continuous_cases() -> list[Case]:
    cases = []
    for kind, name, count in ((FAR, "far", 20_000), (OUTSIDE, "passes outside", 20_000),
                              (NEAR_MISS, "near misses", 1000), (HITS, "hits", 100)):
        short = name.replace(" ", "-")
        cases += [
            Case(f"W6-vertex-face-{short}", f"vertex–face, {count:,} × {name}", "vertex-face",
                 partial(vertex_faces, count, kind), partial(vertex_faces, 5, kind),
                 (Goal("Tight-Inclusion", 50.0),)),
            Case(f"W6-edge-edge-{short}", f"edge–edge, {count:,} × {name}", "edge-edge",
                 partial(edge_edges, count, kind), partial(edge_edges, 5, kind),
                 (Goal("Tight-Inclusion", 50.0),)),
        ]
    return cases


def _animation_cases() -> list[Case]:
    """Frames of scenes that move, by themselves and with what happens between them."""
    cases = []
    for name, text, make, few, motion in (
            ("walk", "a figure that walks", animations.walking, {"frames": 6}, "figure's motion"),
            ("crowd-60", "sixty bodies that bend", partial(animations.crowd, 60), {"frames": 4}, "figure's motion"),
            ("threes-8", "eight bodies that bend in every third frame", partial(animations.crowd, 8, 3),
             {"held": 3, "frames": 7}, "figure's motion"),
            ("dominoes", "twenty dominoes", animations.falling_dominoes, {"first": 57, "frames": 6}, "rigid motion"),
            ("bullets", "bullets and blades", animations.flying_bullets, {"frames": 12}, "rigid motion"),
            ("swarm-500", "500 cubes that fly and turn", partial(animations.flying_cubes, 500), {"frames": 3},
             "rigid motion"),
            ("waves-100k", "a mesh of 100k triangles that deforms, and eight at rest",
             partial(animations.waves_and_props, 100_000), {"frames": 3}, "deforming motion"),
            ("flap-20k", "a sheet of 20k triangles, with itself", partial(animations.swinging_flaps, 1, 20_000),
             {"triangles": 200, "frames": 3}, "motion with itself"),
            ("flaps-300", "300 sheets of 50 triangles, with themselves",
             partial(animations.swinging_flaps, 300, 50), {"triangles": 50, "frames": 3}, "motion with itself"),
            ("arm-2000", "an arm amid 2,000 parts", partial(animations.arm_among_parts, 2000), {"frames": 3},
             "rigid motion"),
            ("city-400", "a car amid 400 open houses", partial(animations.city, 20), {"frames": 3}, "rigid motion"),
            ("belt-400", "400 boxes a millimetre above a sloping belt", partial(animations.boxes_on_a_belt, 400),
             {"frames": 3}, "rigid motion"),
            ("room-300", "300 things that drift and turn in a closed room", partial(animations.things_in_a_room, 300),
             {"frames": 3}, "rigid motion")):
        quick = partial(make.func, FEW[name], **few) if isinstance(make, partial) else partial(make, **few)
        if motion != "motion with itself":      # whose frames have no two objects that meet
            cases.append(Case(f"W11-{name}", f"{text}: a frame", "animation", make, quick,
                              (Goal("BVHTree", None, 15.0),)))
        cases += [
            Case(f"W12-{name}", f"{text}: from frame to frame", motion, make, quick,
                 (*BETWEEN.get(motion, ()), Goal("frames alone", None, 1 / 1.5))),
        ]
    return cases


# Questions about what is between frames.
MOTIONS = ("rigid motion", "deforming motion", "figure's motion", "motion with itself")
BETWEEN = {"rigid motion": (Goal("FCL", None, 30.0),), "deforming motion": (Goal("Tight-Inclusion", None, 5.0),),
           "motion with itself": (Goal("Tight-Inclusion", None, 5.0),)}
# For a smoke test.
FEW = {"crowd-60": 3, "threes-8": 3, "swarm-500": 8, "waves-100k": 500, "flap-20k": 1, "flaps-300": 8, "arm-2000": 10,
       "city-400": 2, "belt-400": 20, "room-300": 8}

CASES: tuple[Case, ...] = (
    *(Case(f"W1-mine-{n}", f"mine, {n} fragments: a step with triangle pairs and contact points", "scene",
           partial(mine_scene, n), partial(mine_scene, 4),
           {50: (Goal("BVHTree", None, 5.0), Goal("FCL", None, 5.0)),
            600: (Goal("BVHTree", None, 7.0), Goal("FCL", None, 6.0))}.get(n, ()))
      for n in (50, 100, 200, 400, 600)),
    *_pair_cases(),
    Case("W2-moving-200k", "a knot of 200k turns against another: a frame", "frames",
         partial(moving_knots, 200_000), partial(moving_knots, 500), (Goal("BVHTree", 10.0), Goal("FCL", 15.0)),
         ("VTK",)),
    Case("W3-130x230", "130 objects of 230 triangles: a step", "scene", partial(swarm, 130, 23, 5, 10.5),
         partial(swarm, 12, 5, 4, 3.0), (Goal("BVHTree", None, 8.0), Goal("FCL", None, 10.0))),
    Case("W3-2000x48", "2,000 objects of 48 triangles: a step", "scene", partial(swarm, 2000, 6, 4, 24.0),
         partial(swarm, 20, 6, 4, 4.0), (Goal("BVHTree", None, 10.0), Goal("warp", None, 10.0))),
    Case("W3-10000x48", "10,000 objects of 48 triangles: a step", "scene", partial(swarm, 10_000, 6, 4, 40.3),
         partial(swarm, 30, 6, 4, 5.0), (Goal("warp", None, 10.0), Goal("BVHTree", None, 10.0))),
    Case("W4-deform-100k", "100k triangles deform against 100k: a frame", "frames", partial(deforming, 100_000),
         partial(deforming, 500), (Goal("BVHTree", 10.0, 15.0), Goal("warp", None, 4.0)), ("VTK",)),
    *_convex_cases(),
    *_continuous_cases(),
    Case("W7-clearance-100k", "least distance of two meshes of 100k triangles", "clearance", partial(apart, 100_000),
         partial(apart, 500), (Goal("FCL", 0.83, 1.0),)),
    Case("W7-near-1000", "1,000 objects of 48 triangles: pairs closer than 0.3", "near",
         partial(swarm, 1000, 6, 4, 25.0, 0.3), partial(swarm, 20, 6, 4, 6.0, 0.3), (Goal("coal", None, 8.0),)),
    Case("W7-slope-400", "400 boxes that stand on a slope but for roundings: pairs closer than 1e-6", "near",
         partial(flush.on_a_slope, 400), partial(flush.on_a_slope, 4), (Goal("coal", None, 8.0),)),
    *(Case(f"W8-boxes-{name}", f"all pairs of {text} moving boxes", "boxes",
           partial(boxes, n, mixed), partial(boxes, 50, mixed), (Goal("FCL", 12.0),))
      for name, text, n, mixed in (
          ("1k", "1,000", 1000, False), ("10k", "10,000", 10_000, False),
          ("10k-mixed", "10,000 very different", 10_000, True), ("100k", "100,000", 100_000, False))),
    *(Case(f"W9-{name}", f"{text}: a step", "scene", partial(make, count), partial(make, few),
           (Goal("BVHTree", 3.0), Goal("warp", 3.0)))
      for name, text, make, count, few in (
          ("tunnel-500", "500 things in a tunnel that is open at its ends", enclosures.in_a_tunnel, 500, 5),
          ("dome-500", "500 things under a dome", enclosures.under_a_dome, 500, 5),
          ("room-500", "500 things in a closed room", enclosures.in_a_room, 500, 5),
          ("leaky-100", "100 things in a room with holes too small for them", enclosures.in_a_leaky_room, 100, 5),
          ("scan-200", "200 boxes about a scan whose triangles share no vertices", enclosures.on_a_scan, 200, 5),
          ("nested-60", "60 boxes one in another", enclosures.nested, 60, 4),
          ("equal-60", "60 equal boxes at one place", enclosures.at_one_place, 60, 4))),
    *(Case(f"W13-{name}", f"{text}: a step", "scene", partial(make, count), partial(make, few),
           (Goal("BVHTree", 0.5, 1.0), Goal("FCL", 3.0)))
      for name, text, make, count, few in (
          ("wall-2000", "2,000 flush bricks of a wall", flush.wall, 2000, 6),
          ("pushed-2000", "2,000 bricks that are pushed into each other, with flush faces",
           partial(flush.wall, apart=flush.PUSHED), 2000, 6),
          ("shelf-300", "300 flush books in a shelf", flush.shelf, 300, 4),
          ("twice-60", "60 balls that cross their neighbours, each there twice", flush.balls_twice, 60, 2),
          ("changed-60", "60 balls, each there twice, one of both changed at a vertex", flush.changed_copies, 60, 2),
          ("glasses-60", "60 glasses of water", flush.full_glasses, 60, 2),
          ("cut-300", "a block that was cut into 300, and is turned", flush.cut_block, 300, 6),
          ("pins-60", "60 pins in four rings each, whose holes they fill", flush.pinned, 60, 2),
          ("plugs-60", "60 blocks with two cylinders each that end in their faces", flush.plugged, 60, 2))),
    *(Case(f"W15-{name}", f"{text}: a step", "scene", partial(make, count), partial(make, few),
           (Goal("FCL", 1.0, 3.0), Goal("BVHTree", 5.0)))
      for name, text, make, count, few in (
          ("beams-500", "500 long thin beams at random", thin.beams, 500, 8),
          ("walls-400", "400 things among walls that stand askew", thin.walls, 400, 8),
          ("bars-20", "20 round bars of long triangles, finely divided", thin.bars, 20, 3),
          ("needles-100", "100 long needles through a ball", thin.needles, 100, 4))),
    *(Case(f"W10-{name}", f"{text} with itself: trees and all triangle pairs", "alone", partial(alone, make, size),
           partial(alone, make, 500), (Goal("BVHTree", 2.5, 5.0), Goal("libigl", 4.0, 6.0), Goal("CGAL", 3.0, 5.0)))
      for name, text, make, size in (
          ("clean-100k", "a closed mesh of 100k triangles that does not meet itself", meshes.knot, 100_000),
          ("cloth-100k", "a crumpled cloth of 100k triangles", meshes.crumpled, 100_000),
          ("tube-100k", "a tube of 100k triangles that passes through itself",
           partial(meshes.knot, thickness=0.9), 100_000))),
    *(Case(f"W14-points-{name}", f"{count:,} points and a mesh of {name} triangles: which are inside? trees among it",
           "points", partial(points, size, count), partial(points, 500, 20), (Goal("libigl", 2.0, 4.0),))
      for name, size, count in (("20k", 20_000, 2000), ("200k", 200_000, 20_000))),
    *_animation_cases(),
)
