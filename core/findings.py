# SPDX-License-Identifier: GPL-3.0-or-later
"""`Findings`: the answer of a run, and what was done to find it, as data."""
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .codes import A_IN_B, B_IN_A, CANNOT_TELL, CONTAINED, FAIL_ON, STATUSES, VERDICTS, WORST_FIRST, Skipped
from .contacts import AREA, Contacts
from .grouping import Groups, group_pairs
from .places import MOST_COUNTED_CONTACTS, count_places, places
from .rules.outcome import Outcome
from .run import StageRecord

PAIR_DTYPE = np.dtype([
    ("a", np.int32), ("b", np.int32),               # objects, a < b; a = b: an object with itself
    ("verdict", np.int8), ("status", np.uint8),     # codes of VERDICTS and STATUSES
    ("gap", np.float64), ("depth", np.float64), ("toi", np.float64),    # NaN: not measured
    ("contacts", np.int32), ("contact_start", np.int64),                # this pair's rows of Report.contacts
    ("inner", np.int8),                             # NEITHER, A_IN_B or B_IN_A: which one is, or seems, in the other
    ("gap_points", np.float64, (2, 3)),             # where the gap is: on a and on b, world coordinates; NaN: no gap
    ("unlisted", np.int64),                         # contacts that were found and are not among Report.contacts
    ("depth_upper", np.float64),                    # the true depth is from `depth` to this
    ("depth_points", np.float64, (2, 3)),           # where the depth was found: on a and on b; NaN: nowhere
    ("winding", np.float64),                        # how far the mesh that is not closed goes round the inner object
    ("exact", np.int8),                             # the verdict without a tolerance; the same where there is none
    ("tolerance", np.float64),                      # of the pair, a length; 0: there is none
    ("volume", np.float64),                         # that both share, about; NaN: not measured
    ("volume_lower", np.float64), ("volume_upper", np.float64),     # it is from here to there for certain
    ("copy", np.bool_),                             # both have the same triangles at the same place
])
REGION_DTYPE = np.dtype([
    ("pair", np.int32),                             # row of `Findings.pairs`
    ("contacts", np.int32),                         # how many are in this region, listed or not; 0: all of it is inside
    ("depth", np.float64), ("depth_upper", np.float64),     # as in PAIR_DTYPE, of this region alone
    ("depth_points", np.float64, (2, 3)),
    ("point", np.float64, (3,)),                    # one of the region, or between `depth_points`
])
CANCELLED_NOTE = "The run was cancelled: what it had not finished may collide."
BLANK = np.zeros((), PAIR_DTYPE)            # a pair of which nothing was measured
for _name in ("gap", "depth", "toi", "gap_points", "depth_upper", "depth_points", "winding", "volume", "volume_lower",
              "volume_upper"):
    BLANK[_name] = np.nan
# Of each verdict: which group of WORST_FIRST it is in, and which one of that group it is; "clear" is behind all.
RANKS = np.full((2, len(VERDICTS)), len(VERDICTS))
for _number, _group in enumerate(WORST_FIRST):
    RANKS[0, list(_group)] = _number
    RANKS[1, list(_group)] = np.arange(len(_group))


def badness(pairs: np.ndarray) -> np.ndarray:
    """(pairs,5) float64: what `Findings.worst_first` orders pairs by, one column after the other, the least first.
    pairs: structured array of PAIR_DTYPE."""
    return np.stack(_badness(pairs), axis=1)


def _badness(pairs: np.ndarray) -> list[np.ndarray]:
    """The columns of `badness`."""
    place, rank = RANKS
    verdict, depth, gap = pairs["verdict"], pairs["depth"], pairs["gap"]
    measured = (place[verdict] < 2) & ~np.isnan(depth)
    return [place[verdict], np.where(measured, -depth, np.inf), rank[verdict],
            -(pairs["contacts"] + pairs["unlisted"]), np.where(np.isnan(gap), np.inf, gap)]


def why_untold(status: int, inner: str | None = None, outer: str = "", winding: float = np.nan) -> str:
    """Why the verdict of a pair is "cannot tell". status: code of STATUSES. inner: name of the object that seems to be
    inside the other one, `outer`; None where neither does. winding: as in PAIR_DTYPE."""
    if inner is None:
        return STATUSES[status]
    found = "" if np.isnan(winding) else f", with a winding number of {winding:.2f}"
    return f"{inner} seems to be inside {outer}, which has a hole{found}"


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """One tested object: `index` is its number in the Scene, which the columns a and b speak of. `identifier`: a
    property of it that the user chose, such as a GUID; None: it has none, or none was asked for. `clearance`: its
    own, a length."""

    index: int
    name: str
    triangles: int
    identifier: str | None = None
    clearance: float = 0.0


@dataclass(eq=False)
class Findings:
    """Only pairs that are not clear are listed; every other pair of tested objects is clear, or taken away by a rule.

    pairs: structured array of PAIR_DTYPE, ordered by (a, b). contacts: see `Contacts`, lengths in scene units; where
    more were found than a run lists, the first ones of each pair (docs/decisions/0011).
    Of the pairs that a cancelled run has not finished at most 131,072 are listed, and as many of the others, those with
    the worst verdicts; notes say how many there are.
    stages: list of StageRecord. counts: totals, see docs/ARCHITECTURE.md. cancelled: True marks a partial result.
    notes: sentences about what the method chose, or cannot promise. doubts: those of them that say why the scene may
    not be the one that is meant; unsure: that may concern what was tested. Both filled in by the caller that read it.
    rules: what rules took away, None where there were none.
    regions: structured array of REGION_DTYPE, ordered by pair, the deepest first; None: they were not asked for. A pair
    of which nothing is listed there was not divided, as docs/depth.md says.
    grouping: the groups that files name beside pairs; None: they name none. Filled in by the caller.
    scene, frame, unit_scale (metres per scene unit), source: filled in by the caller that read the scene.
    """

    method: str
    settings: dict
    objects: MutableSequence[ObjectInfo]
    skipped: list[Skipped]
    pairs: np.ndarray
    contacts: Contacts
    stages: list[StageRecord] = field(default_factory=list)
    counts: dict = field(default_factory=dict)
    cancelled: bool = False
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    unsure: bool = False
    rules: Outcome | None = None
    regions: np.ndarray | None = None
    grouping: Groups | None = None
    scene: str | None = None
    frame: float | None = None
    unit_scale: float = 1.0
    source: Any = field(default=None, repr=False)
    _rows: dict[int, int] = field(default_factory=dict, init=False, repr=False)     # of objects, by index
    _placed: tuple | None = field(default=None, init=False, repr=False)     # contacts, where each is, places per pair

    def name(self, index: int) -> str:
        """Name of the object with this index in the Scene. Raises KeyError where it was not tested."""
        row = self._rows.get(index, len(self.objects))
        info = self.objects[row] if row < len(self.objects) else None
        if info is None or info.index != index:         # the list is another one now
            self._rows = {info.index: row for row, info in enumerate(self.objects)}
            info = self.objects[self._rows[index]]
        return info.name

    def verdict(self, row: int) -> str:
        """The verdict of one row of `pairs` as a word of VERDICTS."""
        return VERDICTS[self.pairs["verdict"][row]]

    def inner(self, row: int) -> int | None:
        """The object of a contained pair that lies in the other one, by its index in the Scene; else None."""
        return self._inner(row) if self.pairs["verdict"][row] == CONTAINED else None

    def _inner(self, row: int) -> int | None:
        """The object that lies, or seems to lie, in the other one."""
        pair = self.pairs[row]
        return {A_IN_B: int(pair["a"]), B_IN_A: int(pair["b"])}.get(int(pair["inner"]))

    def reason(self, row: int) -> str:
        """Why the verdict of one row of `pairs` is "cannot tell", with the names of objects; "" for other verdicts."""
        pair, inner = self.pairs[row], self._inner(row)
        if pair["verdict"] != CANNOT_TELL:
            return ""
        if inner is None:
            return why_untold(int(pair["status"]))
        outer = int(pair["a"] + pair["b"]) - inner
        return why_untold(int(pair["status"]), self.name(inner), self.name(outer), float(pair["winding"]))

    def contacts_of(self, row: int) -> Contacts:
        """The contacts of one row of `pairs`."""
        start = int(self.pairs["contact_start"][row])
        return self.contacts.take(slice(start, start + int(self.pairs["contacts"][row])))

    def regions_of(self, row: int) -> np.ndarray:
        """The regions of one row of `pairs`, the deepest first: rows of `regions`, (0,) where it was not divided."""
        regions = np.zeros(0, REGION_DTYPE) if self.regions is None else self.regions
        return regions[slice(*np.searchsorted(regions["pair"], (row, row + 1)))]

    @property
    def found(self) -> np.ndarray:
        """(pairs,) int64: how many contacts of each pair were found, listed or not."""
        return self.pairs["contacts"] + self.pairs["unlisted"]

    @property
    def coplanar(self) -> np.ndarray:
        """(pairs,) int64: how many of the listed contacts of each pair are triangles that lie on each other in a plane,
        as doubled faces do."""
        return np.bincount(self.contacts.pair[self.contacts.kind == AREA], minlength=len(self.pairs))

    @property
    def places(self) -> np.ndarray | None:
        """(pairs,) int64: at how many places each pair meets, see `places.places`; None where there are too many
        contacts to count them, or not all are listed."""
        return self._counted_places[1]

    @property
    def place_of(self) -> np.ndarray | None:
        """(contacts,) int32: the place that each contact belongs to, see `places.places`; None where `places` is."""
        return self._counted_places[0]

    @property
    def _counted_places(self) -> tuple:
        """`place_of` and `places`, found once."""
        if len(self.contacts) > MOST_COUNTED_CONTACTS or self.pairs["unlisted"].any():
            return None, None
        if self._placed is None or self._placed[0] is not self.contacts:
            label = places(self.contacts)
            self._placed = self.contacts, label, count_places(label, self.contacts.pair, len(self.pairs))
        return self._placed[1:]

    def know_places(self, place_of: np.ndarray, places: np.ndarray) -> None:
        """Take over what the properties of these names would find, so that nobody has to."""
        self._placed = self.contacts, place_of, places

    def is_apart(self, row: int) -> bool:
        """True where the surfaces of a row of `pairs` do not meet: gap and gap_points say how far apart they are."""
        return bool(self.pairs["gap"][row] > 0.0)

    def file_head(self) -> dict:
        """Further keys of the JSON."""
        return {}

    def file_columns(self) -> tuple[str, ...]:
        """Further columns of the CSV: keys of `file_row`."""
        return ()

    def file_row(self, row: int) -> dict:
        """Further keys of a row of `pairs` in the JSON."""
        return {}

    def worst_first(self) -> np.ndarray:
        """(pairs,) int64: all rows of `pairs`, the worst first.

        Crossing and overlapping pairs come first, then contained ones, in each the deepest first, and after them those
        whose depth was not measured. Then follow those that cannot be told, touching ones, near ones. What is alike in
        that comes by verdict, then by number of contacts, and near pairs by their gap.
        """
        if len(self.pairs) == 0:
            return np.zeros(0, np.int64)
        columns = [each for each in _badness(self.pairs) if (each != each[0]).any()]      # one number orders nothing
        return np.lexsort(columns[::-1]) if columns else np.arange(len(self.pairs))

    def groups(self, by: str, assembly: Sequence[str | None] | None = None, distance: float | None = None) -> Groups:
        """The pairs in groups by "object", "assembly", "space" or "container", the worst first; see
        `grouping.group_pairs`. Set `grouping` to the answer where files are to name the groups."""
        return group_pairs(self, by, assembly, distance)

    def verdicts(self) -> dict[str, int]:
        """Number of pairs per verdict (all but "clear")."""
        count = np.bincount(self.pairs["verdict"], minlength=len(VERDICTS))
        return {VERDICTS[code]: int(count[code]) for code in range(1, len(VERDICTS))}

    def summary(self) -> dict[str, int]:
        """Number of pairs per verdict (all but "clear"), of tested objects, of skipped objects, of contacts that were
        found and of those that are listed, of places where they are counted, of pairs that are exact copies, and of
        those with triangles in one plane, where there are any; where there are rules, of pairs that they took away;
        where there is a grouping, of groups; where there is a reference, of contacts of objects with themselves that it
        has."""
        return {"objects": len(self.objects), "skipped": len(self.skipped), "pairs": len(self.pairs),
                **self.verdicts(), "contacts": len(self.contacts) + int(self.pairs["unlisted"].sum()),
                "contacts_listed": len(self.contacts),
                **({} if self.places is None else {"places": int(self.places.sum())}),
                **{name: number for name, number in (("copies", int(self.pairs["copy"].sum())),
                                                     ("coplanar", int((self.coplanar > 0).sum()))) if number},
                **({"taken_away": len(self.rules.taken)} if self.rules is not None else {}),
                **({"groups": len(self.grouping)} if self.grouping is not None else {}),
                **({"known_self_contacts": self.counts.get("known_self_contacts", 0)}
                   if "self_reference" in self.settings else {})}

    def exit_code(self, fail_on=FAIL_ON) -> int:
        """1 when a pair has one of these verdicts, else 2 when something could not be judged, else 0."""
        verdicts = {VERDICTS[code] for code in np.unique(self.pairs["verdict"])}
        if verdicts & set(fail_on):
            return 1
        return 2 if self.is_incomplete or "cannot tell" in verdicts else 0

    @property
    def is_incomplete(self) -> bool:
        """True where more may collide than `pairs` says, as something was left out, or was not what is meant."""
        return self.cancelled or self.unsure or any(not each.judged for each in self.skipped)

    @property
    def left_open(self) -> list[str]:
        """Sentences: why more may collide than `pairs` says, beside objects that were left out."""
        return [*self.doubts, *([CANCELLED_NOTE] if self.cancelled else [])]
