# SPDX-License-Identifier: GPL-3.0-or-later
"""`Run`: one Detect from the click to the written result, with the kernels in a thread of their own; and
`CompareRun`, the same for Compare."""
import time

import bpy
import numpy as np

from ..core import Cancelled, TouchpointError
from ..core.codes import CANCELLED
from . import kernels
from .method_properties import chosen_method, compared_methods
from .worker import Progress, Worker

READING = Progress("Reading the scene", 0.0)
AT_ONCE_SECONDS = 0.03      # a run that takes no longer is not worth a redraw of the panel
PREPARING = "preparing for the first run"
NOTHING_TESTED = "Detect was cancelled before it found out anything."
NOTHING_COMPARED = "Compare was cancelled before any method was finished."
POLL_SECONDS = 0.05


class Run:
    """Call `read`, then look at `is_done` now and then, then call `finish`: all on the main thread.

    A cancelled run still has a (partial) result; an abandoned one has none that anybody wants.
    """

    title = "Detect"

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
        """Read what is to be tested and start the thread. Raises TouchpointError where that makes no sense."""
        from . import api

        api.prepare()
        ask, takes_points = self._question(context.scene.touchpoint)
        snapshot = api.read_scene(context, **scope_of(context.scene), takes_points=takes_points)

        def job(progress):
            _wait_for_kernels(progress)
            return ask(snapshot, progress)

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
        """Write the result back and return it. Raises what the thread raised, Cancelled where there is nothing to
        write, so that an earlier result stays, and TouchpointError where the scene is gone."""
        if self._worker.error is not None:
            raise self._worker.error
        answer = self._worker.result
        self._refuse_nothing(answer)
        scene = next((each for each in bpy.data.scenes if each.session_uid == self._scene_uid), None)
        if scene is None:
            raise TouchpointError(f"The scene was deleted while {self.title} was running, so there is nothing to show.")
        self._write(answer, scene)
        return answer

    def _question(self, settings):
        """What the settings ask for: a function of a Snapshot and a progress callback; whether points are read, too."""
        from . import api

        how = {"clearance": settings.clearance, **chosen_method(settings)}
        return (lambda snapshot, progress: api.detect_in(snapshot, progress=progress, **how),
                api.takes_points(settings.method))

    def _refuse_nothing(self, report) -> None:
        if report.cancelled and np.all(report.pairs["status"] == CANCELLED):
            raise Cancelled(NOTHING_TESTED)

    def _write(self, report, scene) -> None:
        from .write_back import write

        write(report, scene)


class CompareRun(Run):
    """One Compare: the rows of methods that were finished are kept when it is cancelled."""

    title = "Compare"

    def _question(self, settings):
        from . import api

        entries = compared_methods(settings)
        how = {"clearance": settings.clearance, "repeats": settings.repeats}
        return (lambda snapshot, progress: api.compare_in(snapshot, entries, progress=progress, **how),
                api.any_takes_points(entries))

    def _refuse_nothing(self, comparison) -> None:
        if not comparison.rows:
            raise Cancelled(NOTHING_COMPARED)

    def _write(self, comparison, scene) -> None:
        from .write_back.comparing import write_comparison

        write_comparison(scene.touchpoint, comparison)


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
