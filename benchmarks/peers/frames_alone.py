# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint on the frames alone: what it costs, and finds, to look between them, too."""
from ..questions import Answer
from .animated import Frames
from .ours import PACKAGE  # noqa: F401

NAME = "frames alone"


class Begun(Frames):
    def run(self, step):
        if self.number == 0:        # the same frames as with what is between them, one more than there are steps
            super().run(step)
        super().run(step + 1)

    def told(self, found, _):
        """Which pairs meet in a frame and not in the one before."""
        found = {(frame, int(a), int(b)) for frame, a, b in found}
        begun = [(frame - 1, a, b) for frame, a, b in found if frame and (frame - 1, a, b) not in found]
        return Answer(pairs=self.question.codes(begun))


class WithItself(Begun):
    with_itself = True


SIDES = {"rigid motion": Begun, "deforming motion": Begun, "figure's motion": Begun, "motion with itself": WithItself}
