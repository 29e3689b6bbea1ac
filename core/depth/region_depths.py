# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep the regions of pairs with several are: each patch is a surface of its own, in the solid that it lies in."""
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..arrays import starts_of
from ..codes import A_IN_B, B_IN_A, CONTAINED, CROSSING, NEITHER
from ..errors import Cancelled
from ..pair_table import PairTable
from ..run import Run
from ..scene import Scene
from ..search.stream import stream_contacts
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from .depths import measure_depths
from .region_division import Divided

PATCHES_AT_ONCE = 1 << 20   # triangles of solids and patches that are measured together,
TRIANGLES_PER_CONTACT = 4   # which take as much memory as a contact
HALVES_OF_TRAPEZOID = (0, 1, 2), (0, 2, 3)       # of a trapezoid: corners of two triangles


class Patches(NamedTuple):
    """Patches of regions, each a mesh: the rows of one follow those of the one before."""

    region: np.ndarray          # (n,) int64, row of Divided.regions
    side: np.ndarray            # (n,) int64: 0: of object a, in b
    vertex_start: np.ndarray    # (n + 1,) int64
    vertices: np.ndarray        # (…,3) float64, in the world
    triangle_start: np.ndarray  # (n + 1,) int64
    triangles: np.ndarray       # (…,3) int32, counted from the patch's first vertex


def measure_patches(forest: Forest, table: PairTable, decides: np.ndarray, found: Divided, run: Run) -> None:
    """Write the depths of the regions of those pairs that have several. decides: (objects,) uint8, as of `inside_bits`.
    Raises Cancelled."""
    regions, several = found.regions, found.several
    if not len(several):
        return
    lower, upper = np.zeros((2, len(regions), 2))
    points = np.full((len(regions), 2, 2, 3), math.nan)
    rows = np.unique(regions["pair"][several])
    for done, some in _groups(forest, table, found, rows):
        with run.share(done / len(rows), len(some) / len(rows)):
            patches = patches_of(forest, table, found, some)
            if not len(patches.region):
                continue
            depths = _depths_of(forest, table, decides, patches, regions["pair"][patches.region], run)
        # Where that cannot be measured, nothing is known but what the pair has.
        lower[patches.region, patches.side] = np.nan_to_num(depths["depth"], nan=0.0)
        upper[patches.region, patches.side] = np.nan_to_num(depths["depth_upper"], nan=math.inf)
        points[patches.region, patches.side] = depths["depth_points"]
    points[:, 0] = points[:, 0, ::-1]       # the solid's came first
    # The lower bound of either side is one of the region.
    side = np.where(lower[several, 0] > lower[several, 1], 0, 1)
    deepest = np.maximum(0.0, lower[several, side] - found.slack)
    regions["depth_points"][several] = np.where((deepest > 0.0)[:, None, None], points[several, side], math.nan)
    of_pair = table.measured["depth_upper"][regions["pair"][several]]
    regions["depth_upper"][several] = np.minimum(upper[several].max(axis=1) + found.slack, of_pair)
    regions["depth"][several] = np.minimum(deepest, regions["depth_upper"][several])


def _groups(forest: Forest, table: PairTable, found: Divided, rows: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (done, some): so many of the pairs (k,), at least one, come before these, which are measured together."""
    count = np.bincount(found.triangles[:, 0], minlength=len(table)) + np.bincount(
        found.regions["pair"], TRIANGLES_PER_CONTACT * found.regions["contacts"], minlength=len(table))
    start, size, solids = 0, 0, set[int]()
    for k, row in enumerate(rows.tolist()):
        own = {int(table.a[row]), int(table.b[row])}
        more = int(count[row]) + sum(int(forest.triangle_count[each]) for each in own - solids)
        if k > start and size + more > PATCHES_AT_ONCE:
            yield start, rows[start:k]
            start, size, solids = k, 0, set()
        size += int(count[row]) + sum(int(forest.triangle_count[each]) for each in own - solids)
        solids |= own
    yield start, rows[start:]


def patches_of(forest: Forest, table: PairTable, found: Divided, rows: np.ndarray) -> Patches:
    """The patches of the regions of some pairs, (k,) int64 rows of the table that follow each other in `found`. In the
    order of the mesh's triangles, those without contacts first, then trapezoids."""
    (whole, triangles), (cut, parts) = (_in_order(forest, table, each, rows)
                                        for each in (found.triangles, found.parts))
    key = np.unique(np.concatenate([whole, cut]))       # two times the region, and the side
    whole, cut = np.searchsorted(key, whole), np.searchsorted(key, cut)
    objects = _object(table, found.triangles[triangles])
    slots = forest.triangle_start[objects] + found.triangles[triangles, -1]
    most = int(forest.vertex_count.max())
    used, corners = np.unique(whole[:, None] * most + forest.corners.triangles[slots], return_inverse=True)
    patch_of_used, world = used // most, np.empty(len(key), np.int64)
    world[whole] = forest.corners.world_start[objects]
    vertex_count, whole_count, cut_count = (np.bincount(each, minlength=len(key))
                                            for each in (patch_of_used, whole, cut))
    vertex_start = starts_of(vertex_count + 4 * cut_count)
    triangle_start = starts_of(whole_count + 2 * cut_count)
    vertices, mesh = np.empty((vertex_start[-1], 3)), np.empty((triangle_start[-1], 3), np.int32)
    vertices[_places(vertex_start[:-1], vertex_count, 1)] = forest.corners.world[world[patch_of_used] + used % most]
    mesh[_places(triangle_start[:-1], whole_count, 1)] = (corners.reshape(-1, 3)
                                                          - starts_of(vertex_count)[whole, None])
    first = _places(vertex_start[:-1] + vertex_count, cut_count, 4)
    vertices[first[:, None] + np.arange(4)] = found.trapezoids[parts]
    for which, half in enumerate(HALVES_OF_TRAPEZOID):
        at = _places(triangle_start[:-1] + whole_count + which * cut_count, cut_count, 1)
        mesh[at] = first[:, None] - vertex_start[cut, None] + half
    return Patches(key // 2, key % 2, vertex_start, vertices, triangle_start, mesh)


def _in_order(forest: Forest, table: PairTable, parts: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(key, which) of those of Divided.triangles or .parts that are of some pairs and may be inside the other object:
    (k,) int64, two times the region, and the side, ascending; (k,) int64 their rows."""
    first, last = np.searchsorted(parts[:, 0], (rows[0], rows[-1] + 1))
    which = first + np.flatnonzero(_may_be_inside(table, parts[first:last]))
    own = parts[which]
    number = forest.corners.order[forest.triangle_start[_object(table, own)] + own[:, -1]]
    key = 2 * own[:, 1] + own[:, 2]
    order = np.lexsort((number, own[:, 3], key))
    return key[order], which[order]


def _may_be_inside(table: PairTable, rows: np.ndarray) -> np.ndarray:
    """(k,) bool: False where triangles or trapezoids are of an object that contains the other one. Of that nothing is
    inside, as the verdict has proved."""
    inner = np.where(table.verdict == CONTAINED, table.inner, NEITHER)[rows[:, 0]]
    return inner != np.where(rows[:, 2] == 0, B_IN_A, A_IN_B)


def _object(table: PairTable, rows: np.ndarray) -> np.ndarray:
    """(k,) positions of the objects that rows of triangles or trapezoids are of."""
    return np.where(rows[:, 2] == 0, table.a[rows[:, 0]], table.b[rows[:, 0]])


def _places(first: np.ndarray, count: np.ndarray, step: int) -> np.ndarray:
    """(k,) int64: of each patch `count` places, from its first one on, in steps."""
    return np.repeat(first - step * starts_of(count)[:-1], count) + step * np.arange(int(count.sum()))


def _depths_of(forest: Forest, table: PairTable, decides: np.ndarray, patches: Patches, pair: np.ndarray,
               run: Run) -> dict[str, np.ndarray]:
    """The columns of `measure_depths` for each patch, in the solid. decides: as of `inside_bits`; pair: (patches,) row
    of the table."""
    solid = np.where(patches.side == 0, table.b[pair], table.a[pair])
    used, first = np.unique(solid, return_inverse=True)
    scene, bounds = Scene(), np.empty((len(used) + len(pair), 6))
    for obj in used.tolist():
        start, count = int(forest.triangle_start[obj]), int(forest.triangle_count[obj])
        triangles = np.empty((count, 3), np.int32)
        triangles[forest.corners.order[start:start + count]] = forest.corners.triangles[start:start + count]
        row = int(forest.world_start[obj])
        scene.add_object(scene.add_mesh(forest.world[row:row + int(forest.vertex_count[obj])], triangles))
    for k in range(len(pair)):
        scene.add_object(scene.add_mesh(patches.vertices[patches.vertex_start[k]:patches.vertex_start[k + 1]],
                                        patches.triangles[patches.triangle_start[k]:patches.triangle_start[k + 1]]))
    bounds[:len(used)] = forest.tight_bounds(used, used)[used]
    bounds[len(used):, :HIGH] = np.minimum.reduceat(patches.vertices, patches.vertex_start[:-1])
    bounds[len(used):, HIGH:] = np.maximum.reduceat(patches.vertices, patches.vertex_start[:-1])
    order = np.argsort(first, kind="stable")
    aside = Run(lambda _stage, done: run.tick(done), run.threads, True, {})
    with aside.stage("regions", len(pair)):
        trees = Forest(scene, np.arange(len(bounds), dtype=np.int32), bounds, aside.tick, run.threads,
                       forest.quantization)
        pairs = PairTable(first[order].astype(np.int32), (len(used) + order).astype(np.int32))
        pairs.contacts = stream_contacts(trees, pairs, aside)
        pairs.verdict[:], pairs.finished[:] = CROSSING, True
        # A patch has no inside, also where it is closed: the other surface is not measured in it.
        columns = measure_depths(trees, pairs, aside, np.append(decides[used], np.zeros(len(pair), np.uint8)))
    if aside.cancelled:
        raise Cancelled
    return {name: column[np.argsort(order)] for name, column in columns.items()}
