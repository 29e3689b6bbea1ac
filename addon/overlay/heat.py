# SPDX-License-Identifier: GPL-3.0-or-later
"""The heat map that is switched on: for one row of the list, measured in a thread, forgotten with another row, another
result, and with undo. Nothing of it is in the file."""
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy

from ...core.errors import Cancelled
from ...core.parallel import thread_count
from .. import kernels, preferences, session
from ..chosen import Chosen
from ..worker import Worker

if TYPE_CHECKING:
    from ...core.report import Report
    from ..heat_map.measuring import HeatMap

HEAT_AT_ONCE_SECONDS = 0.1      # for the worker, before Blender draws again
HEAT_TICK_SECONDS = 0.05
NO_HEAT_MAP = "The heat map could not be measured: {}. The system console has the details."

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Wanted:
    """A heat map, and the row that it is of."""

    chosen: Chosen
    worker: Worker | None       # None when it has ended
    found: "HeatMap | None" = None

    def cancel(self) -> None:
        if self.worker is not None:
            self.worker.cancel()


def start(report: "Report", row: int, chosen: Chosen, radius: float) -> None:
    """Measure the heat map of a row of a report that has its Scene, in a thread; without a window, wait for it. chosen:
    the row of the list; radius: of the sphere that a view of the pair looks at."""
    stop()
    kernels.prepare()
    from ..heat_map.measuring import asked_of, measured  # imports numba, which nothing does when Blender starts

    asked = asked_of(report, row, radius, preferences.limits().heat_vertices)
    threads = thread_count(preferences.threads())

    def job(progress):
        def tick(fraction: float = 0.0) -> None:
            if progress("heat map", fraction) is False:
                raise Cancelled

        return measured(asked, threads, tick)

    worker = Worker(job)
    session.set_heat_map(Wanted(chosen, worker))
    worker.start()
    while bpy.app.background and not worker.wait(HEAT_AT_ONCE_SECONDS):
        pass        # a script waits
    if worker.wait(HEAT_AT_ONCE_SECONDS):
        _take()
    elif not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=HEAT_TICK_SECONDS)


def stop() -> None:
    """Forget the heat map, and end its measuring."""
    session.set_heat_map(None)


def follow(run_id: str, index: int) -> None:
    """A row was chosen: the heat map of another one goes."""
    wanted = session.heat_map()
    if wanted is not None and wanted.chosen != Chosen(run_id, index):
        stop()


def is_on(chosen: Chosen | None) -> bool:
    """True where the heat map of this row is switched on."""
    wanted = session.heat_map()
    return wanted is not None and wanted.chosen == chosen


def is_measuring() -> bool:
    wanted = session.heat_map()
    return wanted is not None and wanted.worker is not None


def heat_of(chosen: Chosen | None) -> "HeatMap | None":
    """The heat map of a row, None where it is off or not there yet."""
    return session.heat_map().found if is_on(chosen) else None


def redraw() -> None:
    """Let 3D viewports and their sidebars be drawn again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _tick() -> float | None:
    """A timer: takes the heat map when it is there."""
    if not is_measuring():
        return None
    if not session.heat_map().worker.is_done():
        return HEAT_TICK_SECONDS
    _take()
    redraw()
    return None


def _take() -> None:
    wanted = session.heat_map()
    worker, wanted.worker = wanted.worker, None
    if worker.error is None:
        wanted.found = worker.result
        return
    stop()
    if not isinstance(worker.error, Cancelled):
        log.error("The heat map failed", exc_info=worker.error)
        session.set_message(NO_HEAT_MAP.format(worker.error))
