# SPDX-License-Identifier: GPL-3.0-or-later
"""`AgainstPose`: a run that first finds out what collides with itself in another pose, where one is asked for."""
from contextlib import nullcontext
from typing import Any

from ..core import Cancelled
from ..core.errors import NothingToTest, Refused
from . import questions
from .poses import Pose, in_rest_pose
from .pumped_run import PumpedRun


class AgainstPose(PumpedRun):
    """What is known goes with the question; see docs/self-collision.md."""

    _how: dict                                      # how objects are tested, arguments of `questions.known_in`
    _reference: Pose | None = None                  # None: there is none, or it has been looked at
    _known: "questions.KnownPose | None" = None     # what is there

    def _compare_with(self, self_reference: Any) -> None:
        """self_reference: as in `api.detect`. Raises Refused where it is none, or where no self-collisions are asked
        for."""
        self._reference = Pose.of(self_reference)
        if self._reference is not None and not self._alone:
            raise Refused("Another pose tells which self-collisions are known, and none are asked for: turn "
                          "Self-Collisions on (--self-collisions).")

    def _look_at_reference(self, frame: float):
        """Find out what collides with itself there, before the question is asked. frame: where the rest pose is looked
        at."""
        where, pose = self._where, self._reference
        assert isinstance(where, dict) and pose is not None
        self._where = {**where, "frame": frame if pose.frame is None else pose.frame}
        try:
            with in_rest_pose(self._context) if pose.frame is None else nullcontext():
                snapshot = yield from self._read()      # in one piece, as a frame is given
            self._hand_over(snapshot)
            known = yield from self._wait()
        except NothingToTest:
            known = questions.KnownPose(pose.title, {})
        except Cancelled:
            raise Cancelled(self.nothing_found) from None
        if self._cancelled:
            raise Cancelled(self.nothing_found)
        self._where, self._reference, self._known = where, None, known

    def _known_in(self, snapshot, progress) -> "questions.KnownPose":
        """What `_ask` answers while the reference is looked at."""
        assert self._reference is not None and self._worker is not None
        return questions.known_in(snapshot, self._reference.title, progress=progress,
                                  main_thread=self._worker.on_main_thread, **self._how)
