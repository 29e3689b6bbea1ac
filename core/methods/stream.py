# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges of one object in a stream against the triangles of another, then the other way round, many at a time.

Fan, "Real-time collision detection" (thesis, 2003), chapter 3, in its three forms, and a fourth of our own. Numbers are
float32; what they cannot tell, and every hit, goes to the exact decision. docs/methods/stream.md.
"""
import numpy as np

from ..broad_phase.object_tree import overlapping_pairs
from ..contacts import Contacts
from ..machine_code.jit import COMPILED
from ..method import Method, Option
from ..pair_table import PairTable
from ..run import Run
from ..scene.tiny import boxes_of_all_kinds
from ..search.contact_search import contacts_of_pairs
from ..streaming.candidates import Candidates
from ..streaming.forms import Search
from ..streaming.main_thread import OnMainThread
from ..streaming.port import Loaded
from ..streaming.processor import Processor
from ..streaming.rows import StreamedObjects
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from ..verdicts.of_placed import clearances, verdicts

SEARCHES = {"scd0": Search.brute, "scd1": Search.boxes, "scd2": Search.gathered, "walk": Search.walk}


def prepare(scene, selection, run: Run) -> ObbTrees:
    return ObbTrees.of(PlacedMeshes(scene, selection, run), run)


def broad_phase(trees: ObbTrees, selection, run: Run):
    quantization = quantization_of(trees.placed.selection.bounds)
    a, b = overlapping_pairs(selection.bounds, quantization, lambda found: run.tick(0.5),
                             lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(trees: ObbTrees, table: PairTable, run: Run) -> Contacts:
    if len(table) == 0:
        return Contacts.empty()
    objects = StreamedObjects.of(trees, np.unique(np.concatenate([table.a, table.b])), run)
    gpu = run.gpu if run.options["device"] == "gpu" else None
    loaded: Loaded
    if gpu is not None:
        loaded, chunks = OnMainThread(gpu.streams, objects.rows, run), [np.arange(len(table), dtype=np.int32)]
    else:
        loaded, chunks = Processor().load(objects.rows), None
    search = Candidates(objects, loaded, table.a, table.b, SEARCHES[run.options["form"]], run)
    try:
        return contacts_of_pairs(table, trees.placed.corners, run, search, chunks)
    finally:
        loaded.free()


def warm_up(detect):
    """The forms whose kernels the first one does not call."""
    if COMPILED:
        for form in ("scd0", "scd1"):
            detect(boxes_of_all_kinds(), options={"form": form})


METHOD = Method(
    id="stream",
    title="Stream",
    document="Fan: Research on Real-Time Collision Detection (thesis, 2003), chapter 3",
    summary="Edges streamed against triangles, as a GPU does it, in four forms; exact",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    warm_up=warm_up,
    options=(Option("form", "Form", "How edges come to the triangles that they are tested against", "walk",
                    choices=(("scd0", "Every edge against every triangle"),
                             ("scd1", "All edges against the boxes of a tree first"),
                             ("scd2", "Edges that meet a box go on to what is inside it"),
                             ("walk", "Every edge goes down the tree by itself, in one pass"))),
             Option("device", "Device", "What tests edges", "cpu",
                    choices=(("cpu", "The processor, by the same rules, without a GPU"),
                             ("gpu", "The GPU, by Blender's own drawing")),
                    spares=(("cpu", "gpu"),))),
    needs=("gpu",),
)
