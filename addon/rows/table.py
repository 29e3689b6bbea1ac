# SPDX-License-Identifier: GPL-3.0-or-later
"""`Rows`: the pairs of a result as arrays, and `Row`, what panels and operators know of one of them.

A scene can have a hundred thousand rows. Numbers stand in columns, names once per object, and sentences are made where
somebody looks at a row.
"""
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...core.codes import A_IN_B, B_IN_A, CONTAINED, NEITHER, VERDICTS
from ...core.findings import why_untold
from ...core.shown import escaped, pair_title
from .. import phrases
from ..frame_phrases import first_frames, frame, meeting
from ..lengths import COLUMN_FIGURES, LENGTH_FIGURES, length_text

if TYPE_CHECKING:
    from ..scene_read.snapshot import Row as SnapshotRow

NOT_ASKED = 255         # as `exact`: the same verdict, or no tolerance
ROW_DTYPE = np.dtype([
    ("a", "<u4"), ("b", "<u4"),                     # of `Rows.sides`
    ("verdict", "u1"), ("exact", "u1"),             # codes of VERDICTS
    ("status", "u1"), ("inner", "u1"), ("copy", "u1"), ("close_up", "u1"),      # as in Report.pairs; as in View
    ("contacts", "<i8"), ("coplanar", "<u4"), ("places", "<u4"),
    ("gap", "<f8"), ("depth", "<f8"), ("volume", "<f8"),        # 0: none
    ("winding", "<f4"), ("worst_frame", "<f4"),     # NaN, 0: none
    ("first_contact", "<f8"),                       # 0: none
    ("centre", "<f4", 3), ("radius", "<f4"),
    ("spans", "<u4"), ("spells", "<u4"),            # how many intervals it has, and parts of these
])
SPAN_DTYPE = np.dtype([("start", "<f8"), ("end", "<f8"), ("verdict", "u1")])


class Side(NamedTuple):
    """A tested object, and the Blender object that it leads to: of an instance, its instancer. All names are escaped,
    as those that are no UTF-8 cannot be kept otherwise."""

    name: str           # as the user sees it
    object: str
    library: str
    instance: str       # which of its instances, "" for the object itself
    uid: int            # session_uid, worth something while `TOUCHPOINT_PG_result.file_token` holds

    @classmethod
    def of(cls, row: "SnapshotRow") -> "Side":
        """row: of a Snapshot."""
        return cls(escaped(row.name), escaped(row.object_name), escaped(row.library or ""), escaped(row.instance),
                   row.session_uid)


class Interval(NamedTuple):
    """Frames in which a pair meets, without a gap, and the worst verdict in them; or a part of these, a spell, in which
    it is one and the same thing."""

    start: float
    end: float
    verdict: str


@dataclass(eq=False)
class Rows(Sequence):
    """The pairs of a result, the worst first. sides: objects that the columns a and b speak of. table: (n,) of
    ROW_DTYPE. spans, spells: of SPAN_DTYPE, those of all rows one after the other. unit_scale: metres per unit of the
    scene."""

    sides: list[Side] = field(default_factory=list)
    table: np.ndarray = field(default_factory=lambda: np.zeros(0, ROW_DTYPE))
    spans: np.ndarray = field(default_factory=lambda: np.zeros(0, SPAN_DTYPE))
    spells: np.ndarray = field(default_factory=lambda: np.zeros(0, SPAN_DTYPE))
    unit_scale: float = 1.0

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Row(self, each) for each in range(*index.indices(len(self)))]
        return Row(self, range(len(self))[index])

    @cached_property
    def span_starts(self) -> np.ndarray:
        """(n+1,) int64: where the intervals of a row begin in `spans`, and where those of the last one end."""
        return np.concatenate([[0], np.cumsum(self.table["spans"], dtype=np.int64)])

    @cached_property
    def spell_starts(self) -> np.ndarray:
        """(n+1,) int64: the same of `spells`."""
        return np.concatenate([[0], np.cumsum(self.table["spells"], dtype=np.int64)])

    @cached_property
    def first(self) -> np.ndarray:
        """(n,) float64: the first contact of each row, infinity where it has none."""
        return np.where(self.table["spans"] > 0, self.table["first_contact"], np.inf)

    @cached_property
    def verdicts(self) -> list[str]:
        """Each that a row has, once."""
        return [VERDICTS[code] for code in np.unique(self.table["verdict"]).tolist()]

    @cached_property
    def columns(self) -> dict[str, list]:
        """The verdict and the two sides of all rows, as Python's own numbers: reading single cells of an array takes
        longer."""
        return {name: self.table[name].tolist() for name in ("verdict", "a", "b")}


def _intervals(spans: np.ndarray, starts: np.ndarray, row: int) -> list[Interval]:
    start, end = starts[row:row + 2].tolist()
    return [Interval(first, last, VERDICTS[verdict]) for first, last, verdict in spans[start:end].tolist()]


class Row:
    """One row. `name` is what the list shows; `line` all that is known, `figure` what stands beside the name, `when`
    the sentence about the frames of an animation."""

    __slots__ = ("_rows", "index")

    def __init__(self, rows: Rows, index: int):
        self._rows, self.index = rows, index

    def _cell(self, column: str):
        return self._rows.table[column][self.index].item()

    def _side(self, side: str) -> Side:
        return self._rows.sides[self._rows.columns[side][self.index]]

    @property
    def name(self) -> str:
        return pair_title(self._side("a").name, self._side("b").name, None)

    @property
    def title_a(self) -> str:
        return self._side("a").name

    @property
    def title_b(self) -> str:
        return self._side("b").name

    @property
    def verdict(self) -> str:
        return VERDICTS[self._rows.columns["verdict"][self.index]]

    @property
    def contacts(self) -> int:
        return self._cell("contacts")

    @property
    def object_a(self) -> str:
        return self._side("a").object

    @property
    def object_b(self) -> str:
        return self._side("b").object

    @property
    def library_a(self) -> str:
        return self._side("a").library

    @property
    def library_b(self) -> str:
        return self._side("b").library

    @property
    def instance_a(self) -> str:
        return self._side("a").instance

    @property
    def instance_b(self) -> str:
        return self._side("b").instance

    @property
    def uid_a(self) -> int:
        return self._side("a").uid

    @property
    def uid_b(self) -> int:
        return self._side("b").uid

    @property
    def centre(self) -> tuple[float, ...]:
        """Of the sphere to look at, with `radius`."""
        return tuple(self._rows.table["centre"][self.index].tolist())

    @property
    def radius(self) -> float:
        return self._cell("radius")

    @property
    def close_up(self) -> bool:
        """True where that sphere is more, or less, than both objects."""
        return bool(self._cell("close_up"))

    @property
    def holder(self) -> str:
        """The side that holds, or seems to hold, the other one: "a", "b" or ""."""
        return {A_IN_B: "b", B_IN_A: "a"}.get(self._cell("inner"), "")

    @property
    def worst_frame(self) -> float:
        """Of an animation: the one that the rest of the row is about."""
        return self._cell("worst_frame")

    @property
    def intervals(self) -> list[Interval]:
        """Of an animation; none of a single frame."""
        return _intervals(self._rows.spans, self._rows.span_starts, self.index)

    @property
    def spells(self) -> list[Interval]:
        """The intervals in parts, in each of which the pair is one thing."""
        return _intervals(self._rows.spells, self._rows.spell_starts, self.index)

    @property
    def gap(self) -> float:
        """In Blender units, 0 where there is none or it was not measured."""
        return self._cell("gap")

    @property
    def length(self) -> str:
        """Its depth or its gap as a text, "" where neither was measured."""
        return self._length(LENGTH_FIGURES)

    def _length(self, figures: int) -> str:
        length = self._cell("depth") or self._cell("gap")
        return length_text(length, self._rows.unit_scale, figures) if length else ""

    @property
    def figure(self) -> str:
        found = self.intervals
        return first_frames([(each.start, each.end) for each in found]) if found else self._length(COLUMN_FIGURES)

    @property
    def short_figure(self) -> str:
        """The same in a narrow list, which has room for the first moment only: `when` has them all."""
        return frame(self._rows.first[self.index].item()) if self._cell("spans") else self._length(COLUMN_FIGURES)

    @property
    def when(self) -> str:
        found = self.intervals
        spans = [(each.start, each.end) for each in found]
        return meeting(spans, self._cell("first_contact"), self.worst_frame, self.length) if found else ""

    @property
    def line(self) -> str:
        cells, scale = dict(zip(ROW_DTYPE.fields or (), self._rows.table[self.index].tolist())), self._rows.unit_scale
        a, b = self._side("a").name, self._side("b").name
        inner = {A_IN_B: a, B_IN_A: b}.get(cells["inner"])
        reason = inside = ""
        if self.verdict == "cannot tell":
            reason = why_untold(cells["status"], inner, b if inner == a else a, cells["winding"])
        elif cells["verdict"] == CONTAINED and cells["inner"] != NEITHER:
            inside = pair_title(a, b, inner)
        gap, depth = (length_text(cells[name], scale) if cells[name] else "" for name in ("gap", "depth"))
        exact = "" if cells["exact"] == NOT_ASKED else VERDICTS[cells["exact"]]
        return phrases.pair_line(self.verdict, cells["contacts"], reason, inside, gap, depth, exact, cells["coplanar"],
                                 bool(cells["copy"]), cells["places"],
                                 phrases.shared(cells["volume"] * scale ** 3) if cells["volume"] else "")
