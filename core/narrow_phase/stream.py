# SPDX-License-Identifier: GPL-3.0-or-later
"""Mid and narrow phase fused: candidates stream through fixed buffers, so that memory does not grow with them.

Threads share the pairs; a big pair is first spread into tasks, so that they share it too. The contacts are put in
canonical order at the end, whatever order they were found in.
"""
import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..mid_phase.descend import FAN, descend, spread
from ..parallel import run_chunks
from ..trees.forest import Forest
from .pairs import Buffers, meeting_pairs

TASKS_PER_THREAD = 64       # enough that the last one to finish does not matter
SMALL = 20_000              # triangles in all pairs: below, the work is done before a pool has started


def stream_contacts(forest: Forest, a: np.ndarray, b: np.ndarray, run) -> Contacts:
    """All pairs of triangles of the pairs of objects (a[i], b[i]) that meet.

    a, b: (pairs,) int32, positions in the forest. run: pipeline.Run; run.finished is set per pair, its counts grow.
    Contacts.pair is the row of a and b. A run that is cancelled here returns what it has found so far.
    """
    done = np.zeros(len(a), np.uint8)       # pairs that need no further look, when only verdicts are asked for
    parts: list[Contacts] = []
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            chunks = _chunks(forest, a, b, batch, run)
            results: list = [None] * len(chunks)

            def work(number, chunks=chunks, results=results):
                results[number] = _work(forest, a, b, chunks[number], done, run)

            def tick(number, batch=batch, chunks=chunks):
                run.tick((batch.start + (batch.stop - batch.start) * number / len(chunks)) / len(a))

            try:
                run_chunks(work, len(chunks), run.threads, tick)
            finally:
                run.finished[batch] = True
                for chunk, result in zip(chunks, results):
                    found, complete = result or ([], False)
                    parts.extend(found)
                    if not complete:
                        run.finished[chunk[:, 0]] = False
    except Cancelled:
        pass
    return Contacts.join(parts).ordered()


def _chunks(forest: Forest, a, b, batch: slice, run) -> list[np.ndarray]:
    """Tasks, one per pair to begin with, in as many chunks as keep all threads busy and progress visible."""
    rows = np.arange(batch.start, batch.stop)
    tasks = np.empty((len(rows), 3), np.int32)
    tasks[:, 0] = rows
    tasks[:, 1] = forest.root[a[batch]]
    tasks[:, 2] = forest.root[b[batch]]
    sizes = forest.triangle_count[a[batch]] + forest.triangle_count[b[batch]]
    if sizes.sum() < SMALL:
        return [tasks] if len(tasks) else []
    wanted = run.threads * TASKS_PER_THREAD
    if len(tasks) < wanted:
        queue = np.empty((4 * wanted + FAN * len(tasks), 3), np.int32)
        queue[:len(tasks)] = tasks[np.argsort(-sizes, kind="stable")]
        head, tail = spread(a, b, forest.box_start, forest.node_start, forest.meshes.children, forest.boxes,
                            queue, len(tasks), wanted)
        tasks = queue[head:tail]
    number = min(len(tasks), wanted)
    return [np.ascontiguousarray(tasks[i::number]) for i in range(number)]


def _work(forest: Forest, a, b, tasks: np.ndarray, done: np.ndarray, run) -> tuple[list[Contacts], bool]:
    """The contacts of some tasks, and whether all of them were worked off."""
    use = Buffers()
    stack = np.empty((len(tasks) + 4096, 3), np.int32)
    stack[:len(tasks)] = tasks
    depth, parts, candidates = len(tasks), [], 0
    while depth and not run.cancelled:
        depth, count = descend(a, b, forest.box_start, forest.node_start, forest.meshes.children, forest.boxes, done,
                               stack, depth, use.candidates, use.tasks)
        candidates += count
        part = meeting_pairs(count, a, b, forest.corners, use)
        parts.append(part)
        if not run.contacts_wanted:
            done[part.pair[part.proper]] = 1
        if depth + FAN > len(stack):
            stack = np.concatenate([stack, np.empty_like(stack)])
    run.count(box_pairs=int(use.tasks[0]) * 16, triangle_pairs=candidates, exact_decisions=int(use.undecided[0]))
    return parts, depth == 0
