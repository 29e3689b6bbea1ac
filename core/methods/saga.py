# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex bodies by their distance, found by simulated annealing and a genetic search: a slow reference beside GJK.

After Xia and Zhao (2008), related work of Liu (2014); docs/methods/saga.md. Bodies are taken as the convex hulls of
their vertices. What is found is proved by bounds from both sides, or "cannot tell".
"""
from dataclasses import dataclass, field

import numpy as np

from ..arrays import used_vertices
from ..broad_phase.sweep import overlapping_boxes
from ..codes import CANNOT_TELL, CLEAR, NOT_CONVEX, NOT_SURE, OK, OVERLAP, TOUCHING
from ..contacts import POINT, Contacts
from ..convex.annealing.annealing import Found, Program
from ..convex.hulls.convexity import is_convex
from ..convex.point_clouds.extremes import Extremes
from ..errors import Cancelled
from ..method import Method, Option
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..run import Run
from ..scene.tiny import one_box_at
from ..trees.bvh.placed import PlacedMeshes

MILLIONTH = 1e-6
OFF_PLANE_RELATIVE = 1e-6   # what float32 coordinates may be off a plane, as a share of the mesh's size


@dataclass(eq=False)
class Bodies:
    """The tested objects as points whose hulls are meant, and what the stages find of each pair."""

    placed: PlacedMeshes
    points: list[np.ndarray]            # (…,3) float64 per object: all corners of its hull are among them
    convex: np.ndarray                  # (n,) bool: the object fills its hull
    bounds: np.ndarray
    reach: float = 0.0                  # gaps up to it are asked about
    found: dict[int, Found] = field(default_factory=dict)       # by row
    depth: dict[int, float] = field(default_factory=dict)       # of the rows that meet


def prepare(scene, selection, run: Run) -> Bodies:
    placed = PlacedMeshes(scene, selection, run)
    kept = scene.cache.setdefault("convex meshes", {})
    points, convex = [], []
    for k, index in enumerate(placed.mesh_index.tolist()):
        run.tick(k / len(placed.objects))
        mesh, version = scene.meshes[index], int(scene.versions[index])
        if index not in kept or kept[index][0] != version:
            body = is_convex(mesh.vertices, mesh.triangles, OFF_PLANE_RELATIVE, run.tick)
            run.tick()
            kept[index] = version, body, used_vertices(mesh.triangles, len(mesh.vertices))
        _, is_body, used = kept[index]
        world = placed.world_of(k)[used]
        points.append(world[Extremes(world, run.threads, run.tick).corners])
        convex.append(is_body)
    run.note("Distances are sought by annealing and proved by bounds: pairs called clear are apart, pairs called "
             f"touching or overlapping are no farther apart than {_tolerance(run):g} of their size. Overlap "
             "says that bodies share volume; whether their surfaces cross, or one holds the other, is not asked.")
    if not all(convex):
        run.note(f"Not convex: {convex.count(False)} of {len(convex)} objects. Pairs with them are clear where their "
                 "hulls are apart, and cannot be told otherwise.")
    return Bodies(placed, points, np.array(convex, bool), selection.bounds)


def _tolerance(run: Run) -> float:
    return run.options["tolerance"] * MILLIONTH


def broad_phase(bodies: Bodies, selection, run: Run) -> tuple[np.ndarray, np.ndarray]:
    if len(bodies.bounds):
        bodies.reach = 2.0 * float((selection.bounds[:, 3:] - bodies.bounds[:, 3:]).max())
    a, b = overlapping_boxes(selection.bounds, run.tick, lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(bodies: Bodies, table: PairTable, run: Run) -> Contacts:
    """One contact per pair that meets: a point that both share, to the tolerance."""
    tolerance, a, b = _tolerance(run), table.a, table.b

    def work(row: int) -> None:
        program = Program(bodies.points[a[row]], bodies.points[b[row]])
        near = tolerance * program.size
        found = program.distance(near, near, np.inf if bodies.reach else 0.0, run.stopped)
        if run.cancelled:
            return
        if found.distance <= near and bodies.convex[a[row]] and bodies.convex[b[row]]:
            depth = program.depth(run.stopped)
            if run.cancelled:
                return
            bodies.depth[row] = depth
        bodies.found[row] = found
        table.finished[row] = True

    try:
        run_chunks(work, len(a), run.threads, lambda done: run.tick(done / max(1, len(a))))
    except Cancelled:
        pass
    rows = np.array(sorted(bodies.depth), np.int64)
    result = Contacts.empty(len(rows))
    result.pair[:], result.kind[:] = rows, POINT
    result.triangle_a[:] = result.triangle_b[:] = -1        # there is no triangle
    for k, row in enumerate(rows.tolist()):
        result.point[k] = 0.5 * bodies.found[row].p + 0.5 * bodies.found[row].q
    return result


def verdicts(bodies: Bodies, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    a, b = table.a, table.b
    verdict, status = np.full(len(a), CLEAR, np.int8), np.full(len(a), OK, np.uint8)
    for row, found in bodies.found.items():
        near = _tolerance(run) * found.size
        if row in bodies.depth:
            verdict[row] = OVERLAP if bodies.depth[row] > near else TOUCHING
        elif found.lower <= bodies.reach and not (bodies.convex[a[row]] and bodies.convex[b[row]]):
            verdict[row], status[row] = CANNOT_TELL, NOT_CONVEX
        elif found.lower <= 0.0:
            verdict[row], status[row] = CANNOT_TELL, NOT_SURE
    return {"verdict": verdict, "status": status}


def clearances(bodies: Bodies, table: PairTable, rows: np.ndarray, run: Run):
    """Near is what is not proved to be farther apart; the gap is the distance that was found."""
    near, gap = np.zeros(len(rows), bool), np.full(len(rows), np.nan)
    points = np.full((len(rows), 2, 3), np.nan)
    for k, row in enumerate(rows.tolist()):
        found = bodies.found[row]
        if found.lower <= table.reach[row]:
            near[k], gap[k], points[k] = True, found.distance, (found.p, found.q)
    return near, gap, points


def warm_up(detect):
    """Boxes that overlap and boxes apart."""
    detect(one_box_at((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (1.25, 0.0, 0.0)), clearance=0.5)


METHOD = Method(
    id="saga",
    title="Annealed Distance",
    document="Liu: Research on Fast Continuous Collision Detection of Convex Bodies Based on GJK (2014), related work",
    summary="Distances of convex bodies by simulated annealing and a genetic search: slow, a reference beside GJK",
    answer="approximate",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    keeps_findings=True,
    warm_up=warm_up,
    needs=("convex",),
    options=(
        Option("tolerance", "Tolerance", "Bodies meet that are no farther apart than so many millionths of their size.",
               1, minimum=1, maximum=10000),
    ),
)
