# SPDX-License-Identifier: GPL-3.0-or-later
"""`Gathered`: what the frames' reports say besides pairs, in memory that does not grow with the number of frames."""
from collections.abc import Collection, MutableSequence
from copy import copy

import numpy as np

from ..codes import Skipped
from ..findings import ObjectInfo
from ..report import Report
from ..rules.outcome import TAKEN_DTYPE
from ..rules.rule import Rule
from ..run import StageRecord
from ..shown import first_few
from ..tested import ObjectInfos
from .numbered import is_numbered
from .rows import Rows, copied, with_rows

MOST_NOTES = 50         # different sentences that are kept


class Gathered:
    """Objects, what was left out, notes, sums of stages and counts, pairs that rules took away."""

    def __init__(self):
        self.settings: dict = {}
        self._objects: dict[int, ObjectInfo] = {}       # by number, but for those of `_first`
        self._first: tuple[MutableSequence[ObjectInfo], np.ndarray] | None = None
        self.rules: list[Rule] | None = None
        self._frames = 0
        self._skipped: dict[tuple[int, str], list] = {}
        self._notes: dict[str, list] = {}               # sentence: first frame, number of frames
        self._stages: dict[str, StageRecord] = {}
        self._counts: dict[str, int] = {}
        self._remeshed: set[int] = set()                # objects whose number of triangles changes
        self._lost: set[int] = set()                    # objects that could not be followed between some frames
        self._turned: set[int] = set()                  # objects that turned far between some frames
        self._carried: set[int] = set()                 # objects that perhaps did not go straight between some frames
        self._row_of, self._taken = Rows(), np.zeros(0, TAKEN_DTYPE)
        self._seen: tuple = (None, False)      # numbers, and whether objects were left out
        self._latest: tuple = ([], [])          # notes, and what was left out

    def add(self, frame: float, report: Report, numbers: np.ndarray) -> None:
        """Take over a frame. report: of what was tested in it. numbers: (n,) int64, of the scene's objects."""
        self._merge_settings(report.settings)
        self._merge_objects(report, numbers)
        self._latest = report.notes, report.skipped
        self.repeat(frame)
        for stage in report.stages:
            total = self._stages.get(stage.name)
            if total is None:
                total = self._stages[stage.name] = StageRecord(stage.name, 0, 0, 0, 0.0)
            total.items_in += stage.items_in
            total.items_out += stage.items_out
            total.tests += stage.tests
            total.seconds += stage.seconds
        for name, count in report.counts.items():
            self._counts[name] = self._counts.get(name, 0) + count
        if report.rules is not None:
            self.rules = report.rules.rules
            if len(report.rules.taken):
                self.take_away(report.rules.taken, numbers)

    def repeat(self, frame: float) -> None:
        """Take over a frame in which nothing is different from the one that was added last."""
        self._frames += 1
        notes, skipped = self._latest
        for note in notes:
            if note in self._notes or len(self._notes) < MOST_NOTES:
                self._notes.setdefault(note, [frame, 0])[1] += 1
        for each in skipped:
            self._skipped[int(self._seen[0][each.index]), each.reason][1] += 1

    def lost(self, numbers: list[int]) -> None:
        """Take note of objects that could not be followed from a frame to the next one."""
        self._lost.update(numbers)

    def turned(self, numbers: list[int]) -> None:
        """Take note of objects that turned so far from a frame to the next one that they may have gone the other way
        round."""
        self._turned.update(numbers)

    def carried(self, numbers: list[int]) -> None:
        """Take note of objects that turned and moved on so far that perhaps they did not go straight."""
        self._carried.update(numbers)

    def _merge_settings(self, settings: dict) -> None:
        before = self.settings
        if settings == before:
            return
        self.settings = {**before, **settings}
        if "tolerance_at_most" in before:
            self.settings["tolerance_at_most"] = max(before["tolerance_at_most"], settings["tolerance_at_most"])
        if "shells" in before:
            self.settings["shells"] = list(dict.fromkeys([*before["shells"], *settings.get("shells", ())]))

    def _merge_objects(self, report: Report, numbers: np.ndarray) -> None:
        if report.skipped or self._seen[0] is not numbers or self._seen[1]:     # else they are as in the frame before
            if self._seen[0] is None and not report.skipped:
                self._first = copy(report.objects), numbers     # mostly all there ever are
            else:
                self._take_objects(report.objects, numbers)
        self._seen = numbers, bool(report.skipped)
        for each in report.skipped:
            number = int(numbers[each.index])
            self._skipped.setdefault((number, each.reason), [Skipped(number, each.name, each.reason, each.judged), 0])

    def _take_objects(self, objects: MutableSequence[ObjectInfo], numbers: np.ndarray) -> None:
        known = self._all_objects()
        for info in objects:
            number = int(numbers[info.index])
            before = known.setdefault(number, ObjectInfo(number, info.name, info.triangles, info.identifier,
                                                         info.clearance))
            if before.triangles != info.triangles:
                self._remeshed.add(number)

    def _all_objects(self) -> dict[int, ObjectInfo]:
        """All objects by their number. May be written to."""
        if self._first is not None:
            first, self._first = self._first, None
            self._take_objects(*first)
        return self._objects

    def objects(self) -> MutableSequence[ObjectInfo]:
        """All objects that were tested, in the order of their numbers."""
        if self._first is not None and is_numbered(self._first[1]):
            return copy(self._first[0])
        known = self._all_objects()
        return [known[number] for number in sorted(known)]

    def take_away(self, taken: np.ndarray, numbers: np.ndarray) -> None:
        """Take over pairs that rules took away: of each the row that says most, of a test, and then of the deepest one.
        taken: of TAKEN_DTYPE, objects by their indices. numbers: as in `add`."""
        taken = copied(taken)
        one, other = numbers[taken["a"]], numbers[taken["b"]]
        taken["a"], taken["b"] = np.minimum(one, other), np.maximum(one, other)
        known = len(self._row_of)
        rows = self._row_of.of(taken["a"], taken["b"])
        self._taken = with_rows(self._taken, len(self._row_of))
        old = self._taken[rows]
        depth, old_depth = (np.where(np.isnan(each["depth"]), -1.0, each["depth"]) for each in (taken, old))
        worse = ((rows >= known) | (taken["tested"] & ~old["tested"])
                 | ((taken["tested"] == old["tested"]) & (depth > old_depth)))
        self._taken[rows[worse]] = taken[worse]

    def taken(self, pairs: np.ndarray) -> np.ndarray:
        """(k,) structured array of TAKEN_DTYPE, ordered by (a, b): pairs that a rule took away in some frame and that
        are listed in none. pairs: those that are."""
        rows = self._taken[self._row_of.ordered()]
        listed = set(zip(pairs["a"].tolist(), pairs["b"].tolist()))
        return rows[[pair not in listed for pair in zip(rows["a"].tolist(), rows["b"].tolist())]]

    def notes(self) -> list[str]:
        """All sentences, with the frames that they are about where they are not about all."""
        notes = []
        for sentence, (frame, count) in self._notes.items():
            notes.append(sentence if count == self._frames else f"Frame {frame:g}: {sentence}" if count == 1 else
                         f"{count:,} frames, the first being {frame:g}: {sentence}")
        for each, count in self._skipped.values():
            if count < self._frames:
                notes.append(f"{each.name} was left out in {count:,} of {self._frames:,} frames: {each.reason}.")
        if self._remeshed:
            notes.append(f"The number of triangles changes over the frames: {self._named(self._remeshed)}.")
        if self._turned:
            notes.append("Turned by 160 degrees or more between two tested frames, where it is not certain which way "
                         f"round: {self._named(self._turned)}. They were taken the shorter way.")
        if self._carried:
            notes.append("Turned and moved on far between two tested frames, where it is not certain which way they "
                         f"went: {self._named(self._carried)}. Their origins were taken to go straight: where "
                         "something carries them around, check with a smaller step.")
        return [*notes, self.unfollowed()] if self._lost else notes

    def unfollowed(self) -> str:
        """Which objects could not be followed between some frames; "" where all could."""
        return ("Not tested between some frames, as their triangles change or they are too far away to be followed: "
                f"{self._named(self._lost)}.") if self._lost else ""

    def _named(self, numbers: Collection[int]) -> str:
        """The first names of objects, and how many more there are."""
        if self._first is not None and isinstance(self._first[0], ObjectInfos) and is_numbered(self._first[1]):
            return first_few(self._first[0].names_of(sorted(numbers)))      # of a million objects none is made
        known = self._all_objects()
        return first_few([known[number].name for number in sorted(numbers)])

    def skipped(self) -> list[Skipped]:
        return [each for each, _ in self._skipped.values()]

    def stages(self) -> list[StageRecord]:
        return list(self._stages.values())

    def counts(self) -> dict[str, int]:
        return dict(self._counts)
