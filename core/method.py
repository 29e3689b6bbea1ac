# SPDX-License-Identifier: GPL-3.0-or-later
"""What a method declares. A method is a recipe of stages; the pipeline runs them and asks for no method by name."""
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Method:
    """One way to find the contacts of a scene; `METHOD` of each module in methods/.

    prepare(scene, selection, run) -> objects             whatever the next stages need, one entry per tested object
    broad_phase(objects, selection, run) -> (a, b)        int32 positions in the selection, a < b, ordered by (a, b)
    contacts(objects, a, b, run) -> Contacts              of these pairs, `pair` being the row of a and b, ordered
    verdicts(objects, a, b, contacts, run) -> (v, s, i)   (pairs,) int8 codes of report.VERDICTS, uint8 of STATUSES,
                                                          int8 of the report's column `inner`
    clearances(objects, a, b, rows, clearance, run) -> (near, gap, points)
        of the pairs `rows` (k,), which do not meet: (k,) bool, the gap is no more than the clearance; (k,) and (k,2,3)
        float64, the gap and the points of a and of b where it is, NaN for pairs that are not near. Where the run is
        cancelled, run.finished is set to False for what was not measured. None: the method measures no clearances
    """

    id: str
    title: str
    document: str                   # where it comes from
    summary: str                    # one sentence for the user
    answer: str                     # exact, conservative or image
    prepare: Callable
    broad_phase: Callable
    contacts: Callable
    verdicts: Callable
    clearances: Callable | None = None
