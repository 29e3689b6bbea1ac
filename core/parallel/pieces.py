# SPDX-License-Identifier: GPL-3.0-or-later
"""Chunks of work that take long: they tell how far they are, and end in the middle where the run is cancelled."""
import math
import threading
import time

import numpy as np

from ..errors import Cancelled
from .pool import run_chunks

MANY_CHUNKS = 1000          # of more it is not counted at each question how much is done, but
COUNTED_EACH = 0.02         # seconds after the last time


def run_in_pieces(work, sizes: list[int], threads: int, tick) -> None:
    """work(0, pause) … work(len(sizes) - 1, pause) on several threads, as `run_chunks` does it.

    work: calls pause(share of it that is done), or pause() where that is not known, a few times a second; pause may
    raise. sizes: how much there is to do in each chunk. tick(fraction of all that is done): called from this thread;
    once it has raised, each pause raises Cancelled.
    """
    stopped, here = threading.Event(), threading.get_ident()
    done, share = np.zeros(len(sizes)), np.array(sizes) / max(1, sum(sizes))
    fraction, counted = 0.0, -math.inf

    def tell(_chunks=0):
        nonlocal fraction, counted
        if len(sizes) < MANY_CHUNKS or time.monotonic() > counted + COUNTED_EACH:
            fraction, counted = min(1.0, float(done @ share)), time.monotonic()
        try:
            tick(fraction)
        except BaseException:
            stopped.set()
            raise

    def one(number):
        def pause(part=0.0):
            done[number] = max(done[number], part)
            if stopped.is_set():
                raise Cancelled
            if threading.get_ident() == here:
                tell()

        work(number, pause)
        done[number] = 1.0

    run_chunks(one, len(sizes), threads, tell)
