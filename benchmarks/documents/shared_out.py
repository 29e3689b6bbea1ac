# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a step of the method `parallel` threads can share, how evenly, and what sharing costs, for all contacts.

The parts that a P form makes are worked off one after the other, each timed by itself in seconds of the processor;
from these follows what any number of threads can bring at most, whatever else the machine does: each part goes to the
thread that is free first.
"""
import heapq
import time

import numpy as np

from ...core import methods
from ...core.methods.parallel import TRAVERSALS
from ...core.narrow_phase.triangle_pairs import CandidateFilter
from ...core.pair_table import PairTable
from ...core.parallel import run_chunks
from ...core.run import Run
from ...core.scene.select import select
from ...core.search.contact_search import ContactSearch
from ..peers.ours import scene_of
from ..questions import Scene

ROUNDS = 7          # the quickest counts
PIECES = ("place", "fit", "divide", "search", "contacts")


def shared_out(asked: Scene, form: str, threads: int, quick: bool) -> dict[str, float]:
    """Seconds of the pieces of a step and of the longest thread's share of the search, means over the placements.

    place: the stages prepare and broad phase; fit: boxes; divide: make the parts; search: all parts; contacts: put the
    hits in order and make contacts of them. together: the search again, by this many threads at once, the seconds of
    all of them. hand over: of as many parts without any work.
    """
    rounds = 1 if quick else ROUNDS
    scene, objects = scene_of(asked)
    steps = []
    for step in range(len(asked.poses)):
        tries = []
        for _ in range(rounds):
            scene.set_poses(objects, asked.poses_at(step + 1))      # so that the next poses are new ones
            one_step(scene, form, 1)
            scene.set_poses(objects, asked.poses_at(step))
            tries.append(one_step(scene, form, threads))
        quickest = {name: min(each[name] for each in tries) for name in tries[0]}
        quickest["hand over"] = hand_over(int(quickest["parts"]), threads, rounds)
        steps.append(quickest)
    return {name: float(np.mean([each[name] for each in steps])) for name in steps[0]}


def one_step(scene, form: str, threads: int) -> dict[str, float]:
    """The method's own stages on one thread, with the parts for several."""
    recipe, run = methods.load("parallel"), Run(None, 1, True, {"form": form})
    selection = select(scene)
    ends = [time.thread_time()]

    def done() -> None:
        ends.append(time.thread_time())

    with run.stage("place", len(selection.objects)):
        trees = recipe.prepare(scene, selection, run)
        a, b = recipe.broad_phase(trees, selection, run)
    done()
    with run.stage("contacts", len(a)):
        trees.fit(a, b, run)
        done()
        search = TRAVERSALS[form][0](trees, a, b, run)
        run.threads = threads
        parts = search.chunks()
        run.threads = 1
        done()
        found, seconds = searched(search, parts, ContactSearch(PairTable(a, b), trees.placed.corners, run), 1)
        done()
        found.contacts()
        done()
        _, together = searched(search, parts, ContactSearch(PairTable(a, b), trees.placed.corners, run), threads)
    return {**dict(zip(PIECES, np.diff(ends).tolist())), "parts": len(parts),
            "longest share": longest_share(seconds, threads), "together": sum(together)}


def searched(search, parts: list[np.ndarray], found: ContactSearch, threads: int) -> tuple[ContactSearch, list[float]]:
    """Work off the parts; seconds of the processor for each."""
    seconds = [0.0] * len(parts)

    def work(number: int) -> None:
        start = time.thread_time()
        candidate_filter = CandidateFilter()
        for count in search(parts[number], candidate_filter.candidates, found.done):
            found.take(candidate_filter, count)
        seconds[number] = time.thread_time() - start

    run_chunks(work, len(parts), threads, lambda done: None)
    return found, seconds


def hand_over(parts: int, threads: int, rounds: int) -> float:
    """Seconds, not of the processor: the quickest of many."""
    best = np.inf
    for _ in range(20 * rounds):
        start = time.perf_counter()
        run_chunks(lambda number: None, parts, threads, lambda done: None)
        best = min(best, time.perf_counter() - start)
    return best


def longest_share(seconds: list[float], threads: int) -> float:
    """When the last of the threads is done, if each part in turn goes to the one that is free first."""
    busy = [0.0] * threads
    for part in seconds:
        heapq.heapreplace(busy, busy[0] + part)
    return max(busy)
