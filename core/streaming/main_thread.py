# SPDX-License-Identifier: GPL-3.0-or-later
"""The port on the one thread that may draw, a slice of work after the other."""
import numpy as np

from ..errors import Cancelled
from ..records import StreamRows
from ..run import Run
from .port import Streams


class OnMainThread:
    """`port.Loaded`, asked from another thread. Raises Cancelled where the run is cancelled meanwhile."""

    def __init__(self, streams: Streams, rows: StreamRows, run: Run):
        self._run, self._loaded = run, run.on_main_thread(lambda: streams.load(rows))

    def meet(self, items: np.ndarray, tasks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._run.on_main_thread(lambda: self._loaded.meet(items, tasks))

    def boxes(self, items: np.ndarray, tasks: np.ndarray) -> np.ndarray:
        return self._run.on_main_thread(lambda: self._loaded.boxes(items, tasks))

    def walk(self, items: np.ndarray, tasks: np.ndarray,
             begin: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._run.on_main_thread(lambda: self._loaded.walk(items, tasks, begin))

    def free(self) -> None:
        """Let go of the rows. After a cancel they wait for the next run."""
        try:
            self._run.on_main_thread(self._loaded.free)
        except Cancelled:
            pass
