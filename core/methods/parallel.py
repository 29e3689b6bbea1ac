# SPDX-License-Identifier: GPL-3.0-or-later
"""Balanced box trees and a tree of tasks, worked off by one thread or by several: the four algorithms of one chapter.

Fan, "Real-time collision detection" (thesis, 2003), chapter 4. SSTCD and SPCD descend both trees of a pair; ESCD and
EPCD take the edges of either object down the tree of the other. The S forms use one thread, the P forms all.
docs/methods/parallel.md.
"""
from ..broad_phase.object_tree import overlapping_pairs
from ..contacts import Contacts
from ..machine_code.jit import COMPILED
from ..method import Method, Option
from ..pair_table import PairTable
from ..run import Run
from ..scene.tiny import two_wavy_sheets
from ..search.contact_search import contacts_of_pairs
from ..search.edge_volume import EdgeVolumes
from ..search.task_tree import TaskTree
from ..trees.balanced.trees import BalancedTrees
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.placed import PlacedMeshes
from ..verdicts.of_placed import clearances, verdicts

TRAVERSALS: dict[str, tuple[type[TaskTree] | type[EdgeVolumes], bool]] = {
    # name: (search, on one thread only)
    "SSTCD": (TaskTree, True),
    "SPCD": (TaskTree, False),
    "ESCD": (EdgeVolumes, True),
    "EPCD": (EdgeVolumes, False),
}


def prepare(scene, selection, run: Run) -> BalancedTrees:
    if TRAVERSALS[run.options["form"]][1]:
        run.threads = 1
    return BalancedTrees(PlacedMeshes(scene, selection, run), run)


def broad_phase(trees: BalancedTrees, selection, run: Run):
    quantization = quantization_of(trees.placed.selection.bounds)
    a, b = overlapping_pairs(selection.bounds, quantization, lambda found: run.tick(0.5),
                             lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(trees: BalancedTrees, table: PairTable, run: Run) -> Contacts:
    trees.fit(table.a, table.b, run)
    search = TRAVERSALS[run.options["form"]][0](trees, table.a, table.b, run)
    return contacts_of_pairs(table, trees.placed.corners, run, search, search.chunks, search.begin)


def warm_up(detect):
    """Tasks that threads share: nodes of both trees, and edges of one with nodes of the other."""
    if COMPILED:        # plain Python would take minutes, for nothing
        for form in ("SPCD", "EPCD"):
            detect(two_wavy_sheets(), threads=2, options={"form": form})


METHOD = Method(
    id="parallel",
    title="Parallel",
    document="Fan: Research on Real-Time Collision Detection (thesis, 2003), chapter 4",
    summary="Balanced box trees and a tree of tasks that threads share: exact, in four forms",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    warm_up=warm_up,
    options=(Option("form", "Form", "Which of the chapter's four algorithms looks for contacts", "SPCD",
                    choices=(("SSTCD", "Both trees at once, on one thread"),
                             ("SPCD", "Both trees at once, tasks on all threads"),
                             ("ESCD", "The edges of each object down the other's tree, on one thread"),
                             ("EPCD", "The edges of each object down the other's tree, tasks on all threads"))),),
)
