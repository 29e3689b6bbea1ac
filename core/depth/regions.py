# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage `regions`: where the objects of each pair meet, and how deep they reach into each other there."""
import math
from collections.abc import Callable

import numpy as np

from ..codes import CONTAINED, CROSSING, OVERLAP
from ..contacts import Contacts
from ..errors import Cancelled
from ..findings import REGION_DTYPE
from ..geometry.undecided import UNDECIDED
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..places import places
from ..records import Corners, PlacedTrees
from ..run import Run
from ..scene import Scene
from ..search.stream import stream_contacts
from ..trees.bvh.forest import Forest
from ..verdicts.points_in_mesh import locate_points, point_scratch
from ..verdicts.rays import ON
from .depths import inside_bits, measure_depths
from .region_labels import PairRegions, Surface, regions_of

MOST_REGIONS = 1 << 10      # of a pair: of more there is nothing to be seen one by one
MOST_DIVIDED_CONTACTS = 1 << 17     # of a pair: some seconds


def measure_regions(forest: Forest, table: PairTable, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """(regions, known): structured array of REGION_DTYPE, `pair` being the row of the table, ordered by it, the deepest
    first; (pairs,) bool, whether the regions of a pair are listed. docs/depth.md says which pairs have none.

    Depths must have been measured. A run that is cancelled meanwhile leaves pairs out.
    """
    found: list[np.ndarray | None] = [None] * len(table)
    rows = np.flatnonzero(np.isin(table.verdict, (CONTAINED, OVERLAP, CROSSING)) & table.finished
                          & ~np.isnan(table.measured["depth"]))
    contacts = Contacts.empty() if table.contacts is None else table.contacts
    first, last = (np.searchsorted(contacts.pair, np.arange(len(table)), side) for side in ("left", "right"))
    if table.cut is not None:
        rows = rows[(last - first)[rows] == table.cut.found[rows]]
    rows = rows[(last - first)[rows] <= MOST_DIVIDED_CONTACTS]
    if len(rows) and not run.cancelled:
        decides = inside_bits(forest, table.a[rows], table.b[rows])
        try:
            for batch in forest.batches(table.a[rows], table.b[rows]):
                with run.share(batch.start / len(rows), (batch.stop - batch.start) / len(rows)):
                    _measure_rows(rows[batch], forest, table, decides, lambda row: contacts.take(
                        slice(first[row], last[row])), found, run)
        except Cancelled:
            pass
    known = np.array([each is not None for each in found], bool)
    return np.concatenate([np.zeros(0, REGION_DTYPE)] + [each for each in found if each is not None]), known


def _measure_rows(rows: np.ndarray, forest: Forest, table: PairTable, decides: np.ndarray,
                  contacts_of: Callable[[int], Contacts], found: list[np.ndarray | None], run: Run) -> None:
    """found[row] = the regions of each pair, on several threads. Raises Cancelled."""
    bounds = forest.tight_bounds(table.a[rows], table.b[rows])
    count = min(len(rows), CHUNKS_PER_THREAD * run.threads)

    def work(chunk: int) -> None:
        for row in rows[chunk::count].tolist():
            if run.stopped():
                return
            found[row] = _regions_of_pair(row, forest, table, decides, bounds, contacts_of(row))

    run_chunks(work, count, run.threads, lambda done: run.tick(done / count))


def _regions_of_pair(row: int, forest: Forest, table: PairTable, decides: np.ndarray, bounds: np.ndarray,
                     contacts: Contacts) -> np.ndarray | None:
    """The regions of one pair, (k,) of REGION_DTYPE; None where there are too many."""
    a, b = int(table.a[row]), int(table.b[row])
    one, other = (_surface(forest, mine, beside, decides, bounds) for mine, beside in ((a, b), (b, a)))
    parts = regions_of((one, other), contacts, places(contacts))
    if len(parts.patches) > MOST_REGIONS:
        return None
    regions = np.zeros(len(parts.patches), REGION_DTYPE)
    regions["pair"] = row
    regions["contacts"] = np.bincount(parts.of_contacts, minlength=len(regions))
    measured = table.measured
    if len(regions) == 1:
        for name in ("depth", "depth_upper", "depth_points"):
            regions[name] = measured[name][row]
    else:
        _measure_patches((one, other), parts, regions)
        regions["depth_upper"] = np.minimum(regions["depth_upper"], measured["depth_upper"][row])
        regions["depth"] = np.minimum(regions["depth"], regions["depth_upper"])
    regions["point"] = regions["depth_points"].mean(axis=1)
    lead = np.unique(parts.of_contacts, return_index=True)[1]
    for number in np.flatnonzero(np.isnan(regions["point"][:, 0])).tolist():
        surface, patch = next(((s, p) for s, p in zip((one, other), parts.patches[number]) if not p.is_empty()),
                              (one, None))
        regions["point"][number] = (contacts.middle[lead[number]] if regions["contacts"][number] or patch is None
                                    else patch.mesh(surface)[0][0])
    return regions[np.argsort(-regions["depth"], kind="stable")]


def _surface(forest: Forest, mine: int, other: int, decides: np.ndarray, bounds: np.ndarray) -> Surface:
    """One object of a pair, by positions in the forest."""
    corners = forest.corners
    start, count = int(forest.triangle_start[mine]), int(forest.triangle_count[mine])
    triangles = np.empty((count, 3), np.int32)
    triangles[corners.order[start:start + count]] = corners.triangles[start:start + count]
    row = int(forest.world_start[mine])
    vertices = forest.world[row:row + int(forest.vertex_count[mine])]
    return Surface(vertices, triangles, bounds[other],
                   _asker(forest, other, int(decides[other])) if decides[other] else None)


def _asker(forest: Forest, obj: int, decides: int) -> Callable[[np.ndarray], np.ndarray]:
    """A function (k,3) points -> (k,) bool: may each be inside an object?"""
    trees, corners = forest.placed_trees, forest.corners
    start = np.zeros(1, np.int64)
    # The same arrays, from the object's first row on.
    alone = PlacedTrees(trees.root[obj:obj + 1], start, start, trees.children[trees.node_start[obj]:],
                        trees.boxes[trees.box_start[obj]:], trees.quantization,
                        Corners(start, corners.triangles[corners.triangle_start[obj]:],
                                corners.order[corners.triangle_start[obj]:], start,
                                corners.world[corners.world_start[obj]:]))
    scratch = point_scratch()

    def may_hold(points: np.ndarray) -> np.ndarray:
        bits = np.empty(len(points), np.uint8)
        locate_points(np.ascontiguousarray(points), 0, len(points), alone, scratch, bits)
        return (bits & UNDECIDED != 0) | ((bits & decides != 0) & (bits & ON == 0))

    return may_hold


def _measure_patches(surfaces: tuple[Surface, Surface], parts: PairRegions, regions: np.ndarray) -> None:
    """Write the depths of regions: each patch is a surface of its own, in the solid that it lies in."""
    scene, pairs = Scene(), []
    for surface in surfaces:
        scene.add_object(scene.add_mesh(surface.vertices, surface.triangles))
    for number, patches in enumerate(parts.patches):
        for side, patch in enumerate(patches):
            if not patch.is_empty():
                # Without an inside, also where it is closed: the other surface is not measured in it.
                pairs.append((1 - side, scene.add_object(scene.add_mesh(*patch.mesh(surfaces[side])), shell=True),
                              number, side))
    regions["depth_points"] = math.nan
    if pairs:
        pairs.sort()
        solid, patch, number, side = np.array(pairs, np.int32).T
        table = _depths_of(scene, np.ascontiguousarray(solid), np.ascontiguousarray(patch))
        for k in range(len(pairs)):
            region, lower = regions[number[k]], table["depth"][k]
            if lower > region["depth"]:
                region["depth"] = lower
                region["depth_points"] = table["depth_points"][k][::-1 if side[k] == 0 else 1]
            region["depth_upper"] = max(region["depth_upper"], table["depth_upper"][k])
    regions["depth"] = np.maximum(0.0, regions["depth"] - parts.slack)
    regions["depth_points"][regions["depth"] == 0.0] = math.nan
    regions["depth_upper"] += parts.slack


def _depths_of(scene: Scene, a: np.ndarray, b: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of `measure_depths` for some pairs of objects."""
    used = [scene.meshes[mesh].vertices[np.unique(scene.meshes[mesh].triangles)] for mesh in scene.layout.mesh.tolist()]
    bounds = np.array([np.concatenate([each.min(axis=0), each.max(axis=0)]) for each in used])
    run = Run(None, 1, True, {})
    forest = Forest(scene, np.arange(len(bounds), dtype=np.int32), bounds, run.tick)
    table = PairTable(a, b)
    table.contacts = stream_contacts(forest, table, run)
    table.verdict[:], table.finished[:] = CROSSING, True
    return measure_depths(forest, table, run)
