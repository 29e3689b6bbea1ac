# SPDX-License-Identifier: GPL-3.0-or-later
"""R14: a floor and a wall of a million triangles each, in a process of its own whose memory is read at its end."""
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from naive.scenes import build, pose
from naive.shapes import grid
from touchpoint.core import detect

from .checkout import give_name
from .outcome import Outcome, Proof

LIMIT = 4e9         # bytes
UP = 0.375          # the wall goes down that much less than a whole number of rows


def cuts_of_floor(n: int) -> np.ndarray:
    """Where the line y = whole + 1/4 leaves one triangle of the floor and enters the next: at sides and diagonals."""
    return np.sort(np.concatenate([np.arange(n + 1.0), np.arange(n) + 0.25]))


def cuts_of_wall(n: int) -> np.ndarray:
    """Where the line z = 0 does so on the wall, which begins at x = 1/2."""
    return np.sort(np.concatenate([np.arange(n + 1.0), np.arange(n) + UP])) + 0.5


def crossing_pairs(n: int) -> set:
    """The stretches of the line on the floor and on the wall that overlap, by number."""
    floor, wall = cuts_of_floor(n), cuts_of_wall(n)
    first = np.searchsorted(floor, wall[:-1], side="right") - 1
    last = np.searchsorted(floor, np.minimum(wall[1:], floor[-1]), side="left") - 1
    return {(int(f), w) for w in range(len(wall) - 1) for f in range(first[w], last[w] + 1)}


def look(n: int) -> tuple[int, str, int]:
    """Contacts between the two, the verdict, and the most memory in use, in bytes."""
    import resource
    row = n // 2
    meshes = [grid(n, n), grid(n, n, (0.5, row + 0.25, -(n // 2) - UP), v=(0, 0, 1))]
    report = detect(build((meshes, [(0, pose()), (1, pose())])))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return len(report.contacts), report.verdict(0), memory


def run(count: int, seed: int) -> Outcome:
    """count: triangles of each of the two."""
    outcome, n = Outcome(), max(2, round((count / 2) ** 0.5))
    with ProcessPoolExecutor(1, get_context("spawn"), give_name) as pool:
        contacts, verdict, memory = pool.submit(look, n).result()
    expected = len(crossing_pairs(n))
    outcome.asked = 2 * n * n
    outcome.count("contacts", contacts)
    outcome.measure("GB", memory / 1e9)
    if contacts != expected or verdict != "crossing":
        outcome.fail(f"{contacts} contacts, not {expected}, {verdict}, of two sheets of {n} by {n}")
    if memory > LIMIT:
        outcome.fail(f"{memory / 1e9:.2f} GB for two sheets of {n} by {n}")
    return outcome


PROOF = Proof("R14", "a million triangles each, below 4 GB", 1_000_000, 1_000_000, run)
