# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the two surfaces of a pair are from each other, at their vertices and between them. Nothing here knows
Blender; `measured` runs in a thread."""
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.depth.surface_distances import Surface
from ...core.verdicts.mesh_topology import MeshTopology
from ...core.volume.volumes import solid_of
from .refining import cut, edges_of

if TYPE_CHECKING:
    from ...core.report import Report
    from ...core.volume.overlap import Solid

MOST_ROUNDS = 32            # in which triangles are cut; each halves what is too coarse
FINE_ENOUGH = 1.0 / 24      # of the end of the scale: by so much distances between vertices may be wrong at an edge
COLOUR_STEP = 1.0 / 8       # of the end of the scale: how far the colours at the ends of an edge may be apart
OPEN_REACH = 0.25           # of what is looked at, where nothing says how far the scale should go
BEYOND_GAP = 2.0            # of the gap: as far goes the scale of a pair that is apart
STEPS = 1.0, 2.0, 5.0, 10.0     # numbers that scales end with
SAME_LENGTH = 1.0 + 1e-6    # coordinates in Blender are single precision: 0.2 is a little more


@dataclass(eq=False)
class Side:
    """One object of the pair, its triangles cut finer where that shows."""

    vertices: np.ndarray    # (n,3) float64, world
    triangles: np.ndarray   # (m,3) int32
    distance: np.ndarray    # (n,) float64: to the other object, negative inside its solid
    left_out: int = 0       # vertices that are not coloured, because there are too many


@dataclass(eq=False)
class HeatMap:
    """What is known of a pair. Two heat maps are equal only where they are the same."""

    sides: list[Side]       # of a and of b
    end: float              # of the scale: what is farther, inside or outside, has the colour of the end

    @property
    def deepest(self) -> float:
        """The largest distance inside, 0.0 where nothing is inside."""
        return max(0.0, *(-float(side.distance.min(initial=0.0)) for side in self.sides))

    @property
    def nearest(self) -> float:
        """The least distance, negative inside."""
        return min(float(side.distance.min(initial=math.inf)) for side in self.sides)


@dataclass(frozen=True, eq=False)
class Asked:
    """What `measured` takes: copies, as the scene that was tested may move on."""

    solids: "tuple[Solid, Solid]"
    reach: float            # how far the scale shall go, at least
    most: int               # vertices of each object that are measured


def asked_of(report: "Report", row: int, radius: float, most: int) -> Asked:
    """What to measure for a row of Report.pairs, whose report has a Scene. radius: of the sphere that a view of the
    pair looks at; most: how many vertices of each object."""
    core, pair = report.source.core, report.pairs[row]
    objects = np.array([pair["a"], pair["b"]], np.int64)
    kinds = MeshTopology(core).solid(objects).tolist()
    solids = []
    for index, kind in zip(objects.tolist(), kinds):
        mesh = core.meshes[core.layout.mesh[index]]
        solids.append(solid_of(mesh.vertices, mesh.triangles.copy(), core.poses[index], kind))
    return Asked((solids[0], solids[1]), _reach(report, row, radius), most)


def _reach(report: "Report", row: int, radius: float) -> float:
    """How far a scale shall go: to the depth, to more than the gap, to the clearance that was asked for."""
    pair, clearance = report.pairs[row], float(report.settings.get("clearance", 0.0))
    apart = bool(report.is_apart(row))
    known = BEYOND_GAP * float(pair["gap"]) if apart else float(pair["depth"])
    wanted = max(known, clearance if apart or not known > 0.0 else 0.0) if known == known else clearance
    return wanted if wanted > 0.0 else OPEN_REACH * radius


def measured(asked: Asked, threads: int, tick: Callable[..., None]) -> HeatMap:
    """The heat map. tick: called with a fraction, or nothing, between pieces of work; it may raise Cancelled."""
    boxes = [(solid.vertices.min(axis=0), solid.vertices.max(axis=0)) for solid in asked.solids]
    box = np.concatenate((np.minimum(boxes[0][0], boxes[1][0]), np.maximum(boxes[0][1], boxes[1][1])))
    surfaces = [Surface(*solid, box, threads, tick) for solid in asked.solids]
    sides = [_begun(solid, low, high, asked.most) for solid, (low, high) in zip(asked.solids, reversed(boxes))]
    for side, surface in zip(sides, reversed(surfaces)):
        side.distance = surface.distances(side.vertices)[0]
    found = HeatMap(sides, asked.reach)
    for _ in range(MOST_ROUNDS):
        found.end = round_up(max(asked.reach, found.deepest))
        more = [_refined(side, surface, found.end, asked.most) for side, surface in zip(sides, reversed(surfaces))]
        tick()
        if not any(more):
            break
    return found


def round_up(length: float) -> float:
    """The next length that begins with 1, 2 or 5, and has no other digit but 0."""
    if not (0.0 < length < math.inf):
        return 1.0
    power = 10.0 ** math.floor(math.log10(length))
    return next((step * power for step in STEPS if length <= step * power * SAME_LENGTH), 10.0 * power)


def _begun(solid: "Solid", low: np.ndarray, high: np.ndarray, most: int) -> Side:
    """An object as it is; of more than `most` vertices those nearest to the other one's box, low to high."""
    vertices, triangles = solid.vertices, solid.triangles
    away = np.linalg.norm(np.maximum(np.maximum(low - vertices, vertices - high), 0.0), axis=1)
    left_out = max(0, len(vertices) - most)
    if left_out:
        kept = np.zeros(len(vertices), bool)
        kept[np.argsort(away, kind="stable")[:most]] = True
        triangles = (np.cumsum(kept) - 1).astype(np.int32)[triangles[kept[triangles].all(axis=1)]]
        vertices = vertices[kept]
    return Side(vertices, triangles, np.zeros(len(vertices)), left_out)


def _refined(side: Side, surface: Surface, end: float, most: int) -> bool:
    """True where edges of a side were too coarse, and have been cut in their middles, the coarsest first.

    Distances change by no more than the place. So on an edge they can be off from straight colours by at most half of
    what its length is more than the difference at its ends. The colours of the scale are on no straight line, and end
    with it, so those at its ends must be near, too. Of a triangle, no place is farther from all corners than
    1/√3 of its longest edge: where all of it is beyond the scale, it has one colour.
    """
    edges, edge_of = edges_of(side.triangles, len(side.vertices))
    ends, at = side.vertices[edges], side.distance[edges]
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    off = 0.5 * (length - np.abs(at[:, 1] - at[:, 0]))
    apart = np.abs(np.diff(np.clip(at, -end, end), axis=1)[:, 0])
    corners = side.distance[side.triangles]
    beyond = ((np.abs(corners).min(axis=1) - length[edge_of].max(axis=1) / math.sqrt(3.0) > end)
              & (np.ptp(np.sign(corners), axis=1) == 0.0))
    wanted = np.zeros(len(edges), bool)
    wanted[edge_of[~beyond]] = True
    coarse = np.flatnonzero(((off > FINE_ENOUGH * end) | (apart > COLOUR_STEP * end)) & wanted)
    room = most - len(side.vertices)
    if len(coarse) == 0 or room <= 0:
        return False
    if len(coarse) > room:
        coarse = np.sort(coarse[np.argsort(-np.maximum(off, apart)[coarse], kind="stable")[:room]])
    middles = 0.5 * ends[coarse, 0] + 0.5 * ends[coarse, 1]
    number = np.full(len(edges), -1, np.int64)
    number[coarse] = len(side.vertices) + np.arange(len(coarse))
    side.vertices = np.concatenate((side.vertices, middles))
    side.triangles = cut(side.triangles, edge_of, number, side.vertices)
    side.distance = np.concatenate((side.distance, surface.distances(middles)[0]))
    return True
