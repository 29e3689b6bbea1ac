# SPDX-License-Identifier: GPL-3.0-or-later
"""Dense sets of points by their convex hulls: extremes, then hulls, then the points that lie in both.

After Tang, Jiang, Song and Su (2008), related work of Liu (2014); docs/methods/hull_points.md. Every object is taken as
the cloud of its vertices; objects without faces are welcome.
"""
from dataclasses import dataclass

import numpy as np

from ..broad_phase.sweep import overlapping_boxes
from ..codes import A_IN_B, B_IN_A, CLEAR, CONTAINED, NEITHER, OVERLAP, TOUCHING
from ..contacts import POINT, Contacts
from ..convex.point_clouds.extremes import Extremes
from ..convex.point_clouds.point_clouds import BORDER, NO_POINT_SHARED, VOLUME, PointClouds
from ..convex.point_clouds.points_in_hull import ManyCorners
from ..errors import Cancelled
from ..method import Method
from ..pair_table import PairTable
from ..run import Run
from ..scene import Scene
from ..trees.bvh.placed import PlacedMeshes

HULLS_ADVICE = (
    "Objects are taken as the convex hulls of their points: where a cloud is not convex, hulls may meet though no "
    "points are close.")


@dataclass(eq=False)
class Prepared:
    """The clouds, where they stand, and what the stages find of each pair."""

    placed: PlacedMeshes
    clouds: PointClouds
    shared: np.ndarray          # (pairs,) int8: NO_POINT_SHARED, BORDER or VOLUME
    within: np.ndarray          # (pairs,2) bool: all points of a lie in the hull of b; of b in that of a


def prepare(scene, selection, run: Run) -> Prepared:
    placed = PlacedMeshes(scene, selection, run)
    clouds = PointClouds(len(placed.objects), placed.world_of, run.threads, run.tick)
    run.note(HULLS_ADVICE)
    return Prepared(placed, clouds, np.zeros(0, np.int8), np.zeros((0, 2), bool))


def broad_phase(prepared: Prepared, selection, run: Run):
    a, b = overlapping_boxes(selection.bounds, run.tick, lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(prepared: Prepared, table: PairTable, run: Run) -> Contacts:
    """One contact per point that lies in the other's hull: those of a, then those of b, in their order."""
    clouds, a, b = prepared.clouds, table.a, table.b
    prepared.shared, prepared.within = np.full(len(a), NO_POINT_SHARED, np.int8), np.zeros((len(a), 2), bool)
    rows = np.flatnonzero(clouds.boxes_meet(a, b))
    run.count(broad_tests=len(a))
    parts: list[Contacts] = []
    try:
        prepared.shared[rows], exact = clouds.shared(a[rows], b[rows], run.tick)
        run.count(exact_decisions=exact)
        table.finished[prepared.shared == NO_POINT_SHARED] = True
        meeting = np.flatnonzero(prepared.shared != NO_POINT_SHARED)
        for done, row in enumerate(meeting.tolist()):
            run.tick(done / len(meeting))
            pair = int(a[row]), int(b[row])
            inside = [_inside(clouds, *ends, run) for ends in (pair, pair[::-1])]
            prepared.within[row] = [all_of_them for _, all_of_them in inside]
            parts.append(_contacts(row, np.concatenate([points for points, _ in inside])))
            table.finished[row] = True
    except Cancelled:
        pass
    return Contacts.join(parts)


def _inside(clouds: PointClouds, k: int, other: int, run: Run) -> tuple[np.ndarray, bool]:
    """The points of cloud k in the hull of another (none where only verdicts are wanted), and whether all are."""
    points = clouds.points(k)
    corners = points[clouds.extremes[k].corners]
    if run.contacts_wanted:
        inside = clouds.inside(points, other, run.tick)
        return points[inside], bool(inside.all())
    fits = (clouds.box[k, 0] >= clouds.box[other, 0]).all() and (clouds.box[k, 1] <= clouds.box[other, 1]).all()
    return points[:0], bool(fits and clouds.inside(corners, other, run.tick).all())


def _contacts(row: int, points: np.ndarray) -> Contacts:
    found = Contacts.empty(len(points))
    found.pair[:] = row
    found.triangle_a[:] = found.triangle_b[:] = -1      # there is no triangle
    found.kind[:] = POINT
    found.point[:] = points[:, None]
    return found


def verdicts(prepared: Prepared, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """Of the hulls as solids: overlap where they share more than borders, contained where one holds all points of the
    other (and not the other way round), touching where they share points of their borders only."""
    shared, within = prepared.shared, prepared.within
    verdict = np.select([shared == VOLUME, shared == BORDER], [OVERLAP, TOUCHING], CLEAR).astype(np.int8)
    one_in_other = within[:, 0] != within[:, 1]
    verdict[(shared == VOLUME) & one_in_other] = CONTAINED
    inner = np.where(one_in_other, np.where(within[:, 0], A_IN_B, B_IN_A), NEITHER).astype(np.int8)
    return {"verdict": verdict, "inner": inner}


def clearances(prepared: Prepared, table: PairTable, rows: np.ndarray, run: Run):
    """Gaps of the hulls."""
    try:
        gap, points = prepared.clouds.gaps(table.a[rows], table.b[rows], run.tick)
    except Cancelled:
        table.finished[rows] = False
        return np.zeros(len(rows), bool), np.full(len(rows), np.nan), np.full((len(rows), 2, 3), np.nan)
    near = gap <= table.reach[rows]
    gap[~near], points[~near] = np.nan, np.nan
    return near, gap, points


def warm_up(detect):
    """Two clouds whose hulls overlap, and one with a tree over its corners."""
    scene = Scene()
    steps = np.linspace(0.0, 1.0, 5)
    cloud = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    for shift in (0.0, 0.5):
        scene.add_object(scene.add_mesh(cloud + shift, np.zeros((0, 3), np.int32)))
    detect(scene)
    many = ManyCorners(Extremes(cloud), cloud)
    many.holds(cloud[:9] + 1e-3, 1, lambda: None)
    many.tree.above(cloud[0], 0.0)


METHOD = Method(
    id="hull_points",
    title="Hulls of Points",
    document="Liu: Research on Fast Continuous Collision Detection of Convex Bodies Based on GJK (2014), related work",
    summary="Point clouds and meshes by the convex hulls of their points: do these meet, which points are in both",
    answer="conservative",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    keeps_findings=True,
    warm_up=warm_up,
    takes_points=True,
)
