# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that write files piece by piece: in a window with progress and Esc, in scripts all of it at once."""
import time
from collections.abc import Generator
from typing import TYPE_CHECKING

import bpy

from ...core.errors import TouchpointError
from .modal import PIECES_SECONDS
from .reasoned import Reasoned
from .ticks import Ticks

if TYPE_CHECKING:
    from .reasoned import Outcome

WRITING_TICK_SECONDS = 0.01


class InPieces(Reasoned):
    """An operator whose files are written by a generator, which leaves none of them when it is closed before its end.

    `execute` returns `begin(…)`; where somebody waits in a window, that is the beginning only.
    """

    _pieces: Generator[object, None, None] | None = None    # until `begin`
    _ticks: Ticks | None = None

    def begin(self, context: bpy.types.Context, pieces: Generator[object, None, None], title: str, target: str,
              done: str, watched: bool) -> "Outcome":
        """pieces: gives at each step how far it is. title: what is done, for the status bar; target: what is written, a
        name for errors that have none; done: what the user reads at the end; watched: somebody has chosen the file in
        a window."""
        self._pieces, self._title, self._target, self._done = pieces, title, target, done
        if not watched or context.window is None:
            return self._go_on(context, float("inf"))
        self._ticks = Ticks(context, WRITING_TICK_SECONDS)
        context.window_manager.modal_handler_add(self)
        self._show(context, "")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, "Cancelled: nothing was written")
            return {"CANCELLED"}
        # All else waits: an edit between two pictures would be in some of them.
        return self._go_on(context, PIECES_SECONDS) if event.type == "TIMER" else {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, or Esc, also in the file browser before anything has begun: no file is written."""
        if self._pieces is not None:
            self._pieces.close()
        self._tidy(context)

    def fail(self, sentence: str) -> "Outcome":
        """Say why nothing was written."""
        self.report({"ERROR"}, sentence)
        return {"CANCELLED"}

    def _go_on(self, context: bpy.types.Context, seconds: float) -> "Outcome":
        """Do pieces for about so long."""
        end = time.perf_counter() + seconds
        assert self._pieces is not None
        try:
            for said in self._pieces:
                if time.perf_counter() >= end:
                    self._show(context, f" {said}")
                    return {"RUNNING_MODAL"}
        except TouchpointError as error:
            self._tidy(context)
            return self.fail(str(error))
        except OSError as error:
            self._tidy(context)
            return self.fail(f"{error.filename or self._target} cannot be written: {error.strerror or error}")
        except BaseException:
            self._tidy(context)
            raise
        self._tidy(context)
        self.report({"INFO"}, self._done)
        return {"FINISHED"}

    def _show(self, context: bpy.types.Context, said: str) -> None:
        if self._ticks is not None:
            self._ticks.say(context, f"Touchpoint: {self._title}{said}     Esc: Cancel")

    def _tidy(self, context: bpy.types.Context) -> None:
        if self._ticks is not None:
            self._ticks.end(context)
