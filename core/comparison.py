# SPDX-License-Identifier: GPL-3.0-or-later
"""`Comparison`: what several methods took, tested and found, as data; `compare` makes it."""
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .codes import Skipped
from .findings import ObjectInfo

REPEATS = 3     # runs after the first


@dataclass(frozen=True)
class Difference:
    """A pair that a method and the exact answer judge differently. expected, found: words of report.VERDICTS.

    other: what is not the same where the verdicts are: "contacts" or "times". where: (2,3) lowest and highest corner of
    the contacts that one of the two found, None where there are none.
    """

    a: int
    b: int
    name_a: str
    name_b: str
    expected: str
    found: str
    other: str = ""
    where: np.ndarray | None = field(default=None, repr=False)


@dataclass
class StageTimes:
    """Wall seconds of one stage: in the first run, and the best and the median of the others."""

    name: str
    first: float
    best: float
    median: float


@dataclass(eq=False)
class Row:
    """What one method did. Where it could not do the scene, `reason` says why and the numbers are 0.

    answer: what the method promises with these options, see `Method`. held_against: the method whose answer is the
    exact one for it. options: those that are not at their defaults.
    first, best, median: seconds of a whole run, with empty caches and again. counts: see Report.counts. pairs: those
    that are not clear. missed: the exact answer lists them, the method does not; invented: the other way round;
    differing: both list them, with other verdicts or, where the answer should be exact, other contacts. memory: bytes
    that a run takes at its peak beyond the scene, None where it was not measured.
    """

    method: str
    title: str
    answer: str
    options: dict
    reason: str = ""
    stages: list[StageTimes] = field(default_factory=list)
    first: float = 0.0
    best: float = 0.0
    median: float = 0.0
    runs: int = 0
    counts: dict = field(default_factory=dict)
    pairs: int = 0
    expected: int = 0               # pairs in the exact answer
    contacts: int = 0
    missed: list[Difference] = field(default_factory=list)
    invented: list[Difference] = field(default_factory=list)
    differing: list[Difference] = field(default_factory=list)
    held_against: str = ""
    compared: bool = False          # False: there was no exact answer for it
    memory: int | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The title, and the options that were chosen."""
        return ", ".join((self.title, *(f"{name} {_word(value)}" for name, value in self.options.items())))

    @property
    def broken(self) -> bool:
        """True where the method promises an exact answer and gave another one."""
        return self.answer == "exact" and bool(self.missed or self.invented or self.differing)


@dataclass(eq=False)
class Comparison:
    """One row per method that was finished, the exact answer's own first where it was asked for.

    reference: id of the method whose answer is held to be exact; no_reference: why there is none, "" where there is.
    Methods that follow objects during an interval are held against `methods.FOLLOWER`, others against `reference`;
    where only such methods are compared, that is the reference.
    frames: (frames,) float64, those that each method was asked about; None: the scene as it is.
    clearance: what was asked for, in units of the scene.
    cancelled: methods that were not finished have no row. skipped: objects that were left out. notes: sentences about
    the scene, filled in by the caller that read it. scene, frame, unit_scale, source: as in `Report`.
    """

    reference: str
    rows: list[Row] = field(default_factory=list)
    objects: int = 0
    triangles: int = 0
    possible_pairs: int = 0
    pairs: int = 0                  # that are not clear in the exact answer
    repeats: int = REPEATS
    clearance: float = 0.0
    no_reference: str = ""
    cancelled: bool = False
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    frames: np.ndarray | None = None
    tested: list[ObjectInfo] = field(default_factory=list, repr=False)
    scene: str | None = None
    frame: float | None = None
    unit_scale: float = 1.0
    source: Any = field(default=None, repr=False)

    def exit_code(self) -> int:
        """1 when a method that promises an exact answer gave another one, else 2 when there was no exact answer to
        hold it against or the run was cancelled, else 0."""
        if any(row.broken for row in self.rows):
            return 1
        return 2 if self.no_reference or self.cancelled else 0


def _word(value) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
