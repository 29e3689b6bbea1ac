# SPDX-License-Identifier: GPL-3.0-or-later
"""`ResumedSweep`: a sweep that goes on from an earlier one, as far as frames are what they were then; docs/animation.md
says why its answer is that of a fresh one."""
import pickle
from dataclasses import dataclass, field

import numpy as np

from ..contacts import Contacts
from ..findings import PAIR_DTYPE
from ..report import Report
from ..scene import Scene
from .asking import Asking
from .digests import Digests
from .found import Step
from .ranges import ANEW
from .sweep import Sweep

WITHOUT_EFFECT = ("threads", "main_thread", "gpu")  # arguments that change no answer
MOST_KEPT = 16              # states of a sweep,
MOST_BYTES = 1 << 26        # and how large all of them may be


@dataclass(eq=False)
class Ledger:
    """What is kept of a sweep, for another one to go on from: what its frames were, and what was known after some."""

    question: dict
    frames: list[tuple[float, bytes]] = field(default_factory=list)         # each with its digest
    states: dict[int, bytes] = field(default_factory=dict)      # by the number of frames before: what was told, pickled

    def last_state(self, frames: int) -> int:
        """After how many frames the last state was kept that is known after so many; 0 for none."""
        return max((number for number in self.states if number <= frames), default=0)

    def forget_after(self, frames: int) -> None:
        """Forget all but the first frames."""
        del self.frames[frames:]
        self.states = {number: state for number, state in self.states.items() if number <= frames}

    def keep(self, frames: int, state: bytes) -> None:
        """The state after so many frames. Of too many, every second one goes."""
        if len(state) > MOST_BYTES:
            return
        self.states[frames] = state
        while len(self.states) > MOST_KEPT or sum(map(len, self.states.values())) > MOST_BYTES:
            numbers = sorted(self.states)
            for number in numbers[-2::-2] or numbers:
                del self.states[number]


class ResumedSweep(Sweep):
    """A Sweep that takes over what an earlier one has found in its first frames, up to one that is different now.

    Add the frame with the number `number`, again and again: it may go back. The answer is, to the last bit, that of a
    Sweep of all frames.
    """

    def __init__(self, earlier: Ledger | None, *how, frames: int | None = None, **more):
        """earlier: that of a sweep which has ended; it is changed. None for nothing. frames: how many there will be, as
        what was known after more of them says nothing; None for as many as then, or more. The rest as in Sweep."""
        super().__init__(*how, **more)
        question = {"method": self.method, "between": self._options, "continuous": self._continuous,
                    **{name: value for name, value in self._how.items() if name not in WITHOUT_EFFECT}}
        known = earlier is not None and earlier.question == question
        self.ledger = earlier if known and earlier is not None else Ledger(question)
        self._digests = Digests()
        self._seen: list[tuple[float, bytes]] = []      # of the frames that are not counted yet
        self.number = 0
        self._known = 0             # how many frames are told of
        known_frames = len(self.ledger.frames) if frames is None else min(frames, len(self.ledger.frames))
        self._first = self.ledger.last_state(known_frames)      # that is tested; those before must be as then
        self.ledger.forget_after(self._first)

    @property
    def compares(self) -> bool:
        """True until all frames before the first one that is to be tested are known to be what they were."""
        return self.number < self._first

    def add(self, frame: float, scene: Scene, progress=None) -> Report:
        """As `Sweep.add`; the report of a frame that is only compared is empty."""
        return super().add(frame, scene, progress) if self._is_tested(frame, scene) else self._empty(frame)

    def take(self, frame: float, scene: Scene, progress=None) -> bool:
        """As `Sweep.take`."""
        if not self._is_tested(frame, scene):
            return True
        goes_on = super().take(frame, scene, progress)
        self.number = self._number + self.waiting
        return goes_on

    def _is_tested(self, frame: float, scene: Scene) -> bool:
        """False: the frame is only compared, and `number` says which one is next."""
        seen = frame, self._digests.of(scene, self.rules, self.self_reference)
        if self.compares:
            if self.ledger.frames[self.number] != seen:
                if not self._is_next():
                    return False
            elif self.number + 1 < self._first:
                self.number += 1
                return False
            else:
                self._restore()
        self._seen = [*self._seen[len(self._seen) - self.waiting:], seen]
        return True

    def _is_next(self) -> bool:
        """A frame is not what it was: test from the last state before it. True: this frame is the next one."""
        self._first = self.ledger.last_state(self.number)
        self.ledger.forget_after(self._first)
        if self.number == 0:
            return True
        self.number = max(0, self._first - 1)
        return False

    def _restore(self) -> None:
        """Know what was known after the frames before the first one to be tested. The last one of these is tested, too,
        as the next one is held against it; it is not told of again."""
        self.told, self._names = pickle.loads(self.ledger.states[self._first])
        self._number, self._known = self._first - 1, self._first

    def _count(self, step: Step) -> None:
        seen = self._seen.pop(0)
        if self._number >= self._first:
            self.ledger.frames.append(seen)
        super()._count(step)
        self.number = self._number

    def _tell(self, step: Step, asking: Asking) -> None:
        if self._number < self._first:
            return
        super()._tell(step, asking)
        self._known += 1
        if self._known % ANEW == 0 and not asking.stops:        # else contacts may be missing in it
            self.ledger.keep(self._known, pickle.dumps((self.told, self._names), pickle.HIGHEST_PROTOCOL))

    def _empty(self, frame: float) -> Report:
        return Report(self.method, {}, [], [], np.zeros(0, PAIR_DTYPE), Contacts.empty(), frame=frame)
