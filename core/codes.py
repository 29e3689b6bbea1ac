# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the answer: verdicts, statuses, and what was left out."""
from dataclasses import dataclass

# Codes of the column `verdict`.
VERDICTS = ("clear", "near", "touching", "contained", "overlap", "crossing", "cannot tell")
CLEAR, NEAR, TOUCHING, CONTAINED, OVERLAP, CROSSING, CANNOT_TELL = range(7)

# Verdicts in groups, the worst group first; those in one group are equally bad. A pair that could not be judged may be
# a collision, so it is worse than a touch.
WORST_FIRST = ((CROSSING, OVERLAP), (CONTAINED,), (CANNOT_TELL,), (TOUCHING,), (NEAR,))

# Codes of the column `status`: why a verdict is "cannot tell".
STATUSES = (
    "",
    "the run was cancelled before this pair was finished",
    "one seems to be inside the other, which has a hole",
    "one of them is not convex, and this method judges convex bodies only",
    "the search ended before the answer was certain",
)
OK, CANCELLED, NOT_CLOSED, NOT_CONVEX, NOT_SURE = range(5)

# Codes of the column `inner`: which object of a contained pair lies in the other one, or seems to where that one is not
# closed.
NEITHER, A_IN_B, B_IN_A = range(3)

UNFINISHED_PAIRS = "unfinished_pairs"     # key of a report's counts: of a cancelled run that does not list them all
FAIL_ON = ("crossing", "overlap", "contained", "near")


def cut_of_contacts(listed: int, found: int) -> str:
    """How the note begins that says that not all contacts are listed."""
    return f"The first {listed:,} of {found:,} contacts"


@dataclass
class Skipped:
    """An object that was left out. `judged` is False where that leaves a question open (NaN), True where there is
    nothing to judge (no faces)."""

    index: int | None           # None: left out before it reached the Scene
    name: str
    reason: str
    judged: bool = True
