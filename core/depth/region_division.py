# SPDX-License-Identifier: GPL-3.0-or-later
"""Many pairs divided into regions at once: chunks, threads, memory.

A pair that meets at one place, and whose surfaces are connected as far as that matters, is one region: nothing needs to
be looked at. `label_pairs` divides the others.
"""
from dataclasses import dataclass

import numpy as np

from ..arrays import starts_of
from ..contacts import Contacts
from ..errors import Cancelled
from ..findings import REGION_DTYPE
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..places import count_places, places
from ..records import RegionPairs, RegionPatches, RegionScratch
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.mesh_topology import MeshTopology
from .region_labels import CELLS_FULL, LABELLED, PATCHES_FULL, label_pairs
from .region_sides import MOST_REGIONS, region_scratch
from .triangle_strips import cell_scratch

CONTACTS_PER_CHUNK = 1 << 16        # of pairs whose places are found at once
PAIR_COST = 1 << 6                  # so many contacts take as long as a pair does beside them
LABELLED_AT_ONCE = 1 << 17          # triangles and contacts that a call of the kernel looks at: some milliseconds
PATCHES_PER_PAIR = 4, 1 << 7, 1 << 4    # rows of regions, triangles and trapezoids that there is room for at first,
LEAST_PATCHES = 1 << 10, 1 << 14, 1 << 10   # and of all pairs together
GROWTH = 4                  # of that room where it is too little: then a pair is divided once more


@dataclass
class Divided:
    """What is known of the regions of some pairs."""

    rows: np.ndarray            # (k,) int64, the pairs of the table that were divided
    regions: np.ndarray         # (n,) of REGION_DTYPE, by pair. Of a pair with several there are no depths yet
    several: np.ndarray         # (m,) int64, rows of `regions` that are of such pairs
    slack: np.ndarray           # (m,) float64, by how much depths in their patches may be wrong
    triangles: np.ndarray       # (t,5) int64, as of RegionPatches, with the pair's row in the table, and the region's
                                # here
    trapezoids: np.ndarray      # (p,4,3) float64
    parts: np.ndarray           # (p,5) int64, of each trapezoid, as of RegionPatches, with the same rows

    @classmethod
    def join(cls, chunks: list["Divided"]) -> "Divided":
        """The rows of all chunks, one after the other."""
        start = starts_of([len(each.regions) for each in chunks])
        for each, before in zip(chunks, start.tolist()):
            each.several += before
            each.triangles[:, 1] += before
            each.parts[:, 1] += before
        return cls(*(np.concatenate([getattr(each, name) for each in chunks]) for name in cls.__dataclass_fields__))


class Division:
    """What dividing the pairs of a table takes."""

    def __init__(self, forest: Forest, table: PairTable, decides: np.ndarray, contacts: Contacts, run: Run):
        """decides: (objects,) uint8, as of `depths.inside_bits`; contacts: of the table. The objects are placed."""
        self._forest, self._table, self._contacts, self._run = forest, table, contacts, run
        self._decides, self._spare = decides, list[RegionScratch]()

    def of(self, rows: np.ndarray, first: np.ndarray, last: np.ndarray) -> Divided:
        """What is known of these pairs (k,), ascending; first, last: (k,) where their contacts are. Raises Cancelled.
        """
        run, table = self._run, self._table
        a, b = table.a[rows], table.b[rows]
        self._bounds = self._forest.tight_bounds(a, b)
        self._whole = self._connected(np.unique(np.concatenate([a, b])))
        used = np.unique(np.concatenate([a, b]))
        self._sizes = (int(self._forest.vertex_count[used].max()), int(self._forest.triangle_count[used].max()),
                       int((last - first).max()))
        cost = np.cumsum(last - first + PAIR_COST)
        chunk = min(CONTACTS_PER_CHUNK, -(-int(cost[-1]) // (CHUNKS_PER_THREAD * run.threads)))
        bounds = np.unique(np.append(np.flatnonzero(np.diff(cost // chunk, prepend=0)), (0, len(rows))))
        found: list[Divided | None] = [None] * (len(bounds) - 1)

        def work(number: int) -> None:
            some = slice(bounds[number], bounds[number + 1])
            found[number] = self._chunk(rows[some], first[some], last[some])

        run_chunks(work, len(found), run.threads, lambda done: run.tick(done / len(found)))
        if run.cancelled:
            raise Cancelled
        return Divided.join([each for each in found if each is not None])

    def _connected(self, used: np.ndarray) -> np.ndarray:
        """(objects,) bool: all triangles of the object hang together by vertices. used: (k,) positions that count."""
        whole = np.zeros(len(self._decides), bool)
        whole[used] = MeshTopology(self._forest.scene).single(self._forest.mesh_index[used])
        return whole

    def _chunk(self, rows: np.ndarray, first: np.ndarray, last: np.ndarray) -> Divided | None:
        """`of` some pairs; None where the run was cancelled."""
        a, b, counts = self._table.a[rows], self._table.b[rows], last - first
        start = starts_of(counts)
        contacts = self._contacts.take(np.repeat(first - start[:-1], counts) + np.arange(start[-1]))
        place = places(contacts)
        pairs = RegionPairs(a, b, self._bounds, self._decides, start[:-1], start[1:], place,
                            np.zeros(len(place), np.int32), np.zeros(len(rows), np.int32))
        at_one_place = count_places(place, np.repeat(np.arange(len(rows)), counts), len(rows)) == 1
        for mine, other in ((a, b), (b, a)):
            at_one_place &= self._whole[mine] | (self._decides[other] == 0)
        pairs.region_count[at_one_place] = 1
        patches = self._label(np.flatnonzero(~at_one_place), pairs, contacts)
        return None if patches is None else self._found(rows, pairs, contacts, patches)

    def _label(self, rows: np.ndarray, pairs: RegionPairs, contacts: Contacts) -> RegionPatches | None:
        """The patches of those pairs that have several regions; None where the run was cancelled."""
        patches = _patches(*(max(len(rows) * count, least) for count, least in zip(PATCHES_PER_PAIR, LEAST_PATCHES)))
        try:
            scratch = self._spare.pop()
        except IndexError:
            scratch = region_scratch(*self._sizes)
        state, answer = np.zeros(1, np.int64), -1
        while answer != LABELLED:
            if self._run.stopped():
                return None
            answer = label_pairs(rows, state, pairs, contacts.columns, self._forest.placed_trees, scratch, patches,
                                 LABELLED_AT_ONCE)
            if answer == CELLS_FULL:
                scratch = scratch._replace(cells=cell_scratch(GROWTH * len(scratch.cells.strip)))
            elif answer == PATCHES_FULL:
                patches = _grown(patches)
        self._spare.append(scratch)
        return patches

    def _found(self, rows: np.ndarray, pairs: RegionPairs, contacts: Contacts, patches: RegionPatches) -> Divided:
        """What was found of a chunk."""
        count = np.where(pairs.region_count <= MOST_REGIONS, pairs.region_count, 0)
        start = starts_of(count)
        regions = np.zeros(int(start[-1]), REGION_DTYPE)
        regions["pair"] = np.repeat(rows, count)
        one = np.flatnonzero(count == 1)
        for name in ("depth", "depth_upper", "depth_points"):
            regions[name][start[one]] = self._table.measured[name][rows[one]]
        counts = pairs.contact_last - pairs.contact_first
        of_contact = np.repeat(start[:-1], counts) + pairs.region
        listed = np.flatnonzero(np.repeat(count > 0, counts))
        regions["contacts"] = np.bincount(of_contact[listed], minlength=len(regions))
        met, lead = np.unique(of_contact[listed], return_index=True)
        ends = contacts.point[listed[lead]]
        regions["point"][met] = 0.5 * ends[:, 0] + 0.5 * ends[:, 1]     # where no depth is found
        kept, triangles, parts = (each[:used] for each, used in zip((patches.regions, patches.triangles, patches.parts),
                                                                    patches.used))
        row = start[kept[:, 0]] + kept[:, 1]
        alone = np.flatnonzero(kept[:, 3] >= 0)
        corners, obj = self._forest.corners, np.where(kept[alone, 2] == 0, pairs.a[kept[alone, 0]],
                                                      pairs.b[kept[alone, 0]])
        regions["point"][row[alone]] = corners.world[corners.world_start[obj] + kept[alone, 3]]
        for each in (triangles, parts):
            each[:, 1] += start[each[:, 0]]
            each[:, 0] = rows[each[:, 0]]
        several = np.flatnonzero(count[kept[:, 0]] > 1)
        return Divided(rows[pairs.region_count <= MOST_REGIONS], regions, row[several], patches.slack[several],
                       triangles, patches.trapezoids[:len(parts)], parts)


def _patches(regions: int, triangles: int, trapezoids: int) -> RegionPatches:
    """Memory for so many rows."""
    return RegionPatches(np.empty((regions, 4), np.int64), np.empty(regions), np.empty((triangles, 5), np.int64),
                         np.empty((trapezoids, 4, 3)), np.empty((trapezoids, 5), np.int64), np.zeros(3, np.int64))


def _grown(patches: RegionPatches) -> RegionPatches:
    """The same rows in more memory."""
    more = _patches(*(GROWTH * len(each) for each in (patches.regions, patches.triangles, patches.trapezoids)))
    for old, new in zip(patches[:-1], more[:-1]):
        new[:len(old)] = old
    more.used[:] = patches.used
    return more
