# SPDX-License-Identifier: GPL-3.0-or-later
"""`Run`: one Detect from the click to the written result, with the kernels in a thread of their own."""
import time

import bpy
import numpy as np

from ..core import Cancelled, TouchpointError
from ..core.report import CANCELLED
from . import kernels
from .worker import Progress, Worker

READING = Progress("Reading the scene", 0.0)
AT_ONCE_SECONDS = 0.03      # a run that takes no longer is not worth a redraw of the panel
PREPARING = "preparing for the first run"
NOTHING_TESTED = "Detect was cancelled before it found out anything."
POLL_SECONDS = 0.05


class Run:
    """Call `read`, then look at `is_done` now and then, then call `finish`: all on the main thread.

    A cancelled run still has a (partial) result; an abandoned one has none that anybody wants.
    """

    def __init__(self, context):
        self.abandoned = False
        self._scene_uid = context.scene.session_uid     # a reference would not survive an undo
        self._worker: Worker | None = None

    @property
    def is_started(self) -> bool:
        return self._worker is not None

    @property
    def is_done(self) -> bool:
        return self._worker is not None and self._worker.is_done()

    @property
    def is_cancelled(self) -> bool:
        return self._worker is not None and self._worker.is_cancelled

    @property
    def progress(self) -> Progress:
        return READING if self._worker is None else self._worker.progress

    def read(self, context) -> None:
        """Read what the settings ask for and start the thread. Raises TouchpointError where that makes no sense."""
        from . import api

        api.prepare()
        snapshot = api.read_scene(context, **scope_of(context.scene))
        clearance = context.scene.touchpoint.clearance

        def job(progress):
            _wait_for_kernels(progress)
            return api.detect_in(snapshot, clearance=clearance, progress=progress)

        self._worker = Worker(job)
        self._worker.start()
        self._worker.wait(AT_ONCE_SECONDS)

    def cancel(self) -> None:
        """Ask for an end; what was found until then is kept. Before the reading there is nothing to keep."""
        if self._worker is None:
            self.abandoned = True
        else:
            self._worker.cancel()

    def abandon(self) -> None:
        """Ask for an end, and drop the result."""
        self.abandoned = True
        if self._worker is not None:
            self._worker.cancel()

    def wait(self, seconds: float) -> None:
        """Give the thread that long to end."""
        if self._worker is not None:
            self._worker.wait(seconds)

    def finish(self):
        """Write the result back and return the report. Raises what the thread raised, Cancelled where there is nothing
        to write, so that an earlier result stays, and TouchpointError where the scene is gone."""
        from .write_back import write

        if self._worker.error is not None:
            raise self._worker.error
        report = self._worker.result
        if report.cancelled and np.all(report.pairs["status"] == CANCELLED):
            raise Cancelled(NOTHING_TESTED)
        scene = next((each for each in bpy.data.scenes if each.session_uid == self._scene_uid), None)
        if scene is None:
            raise TouchpointError("The scene was deleted while Detect was running, so there is nothing to show.")
        write(report, scene)
        return report


def scope_of(scene) -> dict:
    """What the settings of a scene ask for, as arguments of `api.detect` and `read_scene`."""
    settings = scene.touchpoint
    if settings.scope != "COLLECTIONS":
        return {"scope": settings.scope}
    return {"scope": settings.scope, "collection_a": settings.collection_a, "collection_b": settings.collection_b}


def _wait_for_kernels(progress) -> None:
    """Another process may be compiling the very kernels that are about to be called: doing it twice takes longer."""
    while kernels.state.stage in ("starting", "compiling"):
        if progress(PREPARING, kernels.state.fraction) is False:
            raise Cancelled(NOTHING_TESTED)
        time.sleep(POLL_SECONDS)
