# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of methods that look at pictures of convex pieces. The exact test decides unless `confirm` is off."""
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..broad_phase.sweep import overlapping_boxes
from ..codes import CANNOT_TELL, CLEAR, NEITHER, OVERLAP, TOUCHING
from ..contacts import Contacts
from ..errors import Cancelled
from ..pair_table import PairTable
from ..run import Run
from ..search.obb_contacts import contacts_of_boxes
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from ..verdicts.of_placed import verdicts as exact_verdicts
from .cpu_raster import CpuRaster
from .descent import pictured
from .placed_pieces import PlacedHulls


@dataclass(eq=False)
class Prepared:
    """What the stages share."""

    placed: PlacedMeshes
    hulls: PlacedHulls
    boxes: ObbTrees | None      # for the exact test, where it is asked


def prepare(kind: str, decompose: Callable, scene, selection, run: Run) -> Prepared:
    """kind, decompose: of `PlacedHulls`."""
    placed = PlacedMeshes(scene, selection, run)
    hulls = PlacedHulls(placed, kind, decompose, run)
    return Prepared(placed, hulls, ObbTrees.of(placed, run) if run.options["confirm"] else None)


def broad_phase(prepared: Prepared, selection, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Pairs whose boxes along the axes of the world overlap, by a sweep."""
    a, b = overlapping_boxes(selection.bounds, run.tick, lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(prepared: Prepared, table: PairTable, run: Run) -> Contacts:
    """Those of the exact test; pictures give none."""
    if prepared.boxes is not None:
        return contacts_of_boxes(prepared.boxes, table, run)
    table.finished[:] = True
    return Contacts.empty()


def verdicts(prepared: Prepared, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """Exact ones, with a note of what the pictures say; or what the pictures say."""
    if prepared.boxes is None:
        run.note("Verdicts rest on pictures alone, which miss shallow overlaps and whatever is inside something else.")
        found, whole = _pictures(prepared, table, run)
        table.finished[~found & (not whole)] = False
        return {"verdict": np.where(found, OVERLAP, CLEAR).astype(np.int8),
                "inner": np.full(len(table), NEITHER, np.int8)}
    exact = exact_verdicts(prepared, table, run)
    if not run.cancelled:
        found, whole = _pictures(prepared, table, run)
        if whole:
            _note_errors(found, exact["verdict"], run)
    return exact


def _pictures(prepared: Prepared, table: PairTable, run: Run) -> tuple[np.ndarray, bool]:
    """(pairs,) bool: which pairs meet, by the pictures; and whether all were looked at."""
    found, options = np.zeros(len(table), bool), run.options
    gpu: Any = run.gpu      # there is one: the method was refused else
    raster, drawn_by = ((CpuRaster(run.threads), "the processor") if options["device"] == "cpu"
                        else (gpu.raster, gpu.renderer))
    run.note(f"Pictures have {options['resolution']}² pixels and were drawn by {drawn_by}.")
    try:
        drawn = pictured(prepared.hulls, table.a.astype(np.int64), table.b.astype(np.int64), raster,
                         options["resolution"], run.on_main_thread, run.tick, found)
    except Cancelled:
        if run.dropped:
            raise
        return found, False
    run.count(pictures=drawn)
    return found, True


def _note_errors(found: np.ndarray, verdict: np.ndarray, run: Run) -> None:
    """Say how many pairs the pictures get wrong."""
    meet = (verdict != CLEAR) & (verdict != TOUCHING) & (verdict != CANNOT_TELL)
    missed, invented = int((meet & ~found).sum()), int((found & (verdict == CLEAR)).sum())
    run.note(f"Pairs that meet by the pictures alone: {int(found.sum()):,}. Of those that collide, "
             f"{int(meet.sum()):,}, they miss {missed:,}; of those that are clear, they call {invented:,} meeting. All "
             "were tested exactly.")
