# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage of a run that tests objects with themselves, and its rows among those of pairs. No kernels are needed here:
methods that have none share it."""
from functools import partial

import numpy as np

from ..codes import CROSSING, TOUCHING
from ..contacts import Contacts
from ..errors import Cancelled
from ..findings import BLANK, PAIR_DTYPE
from ..method import Method
from ..pair_table import Cut, PairTable
from ..run import Run
from ..scene import Scene
from ..scene.select import Selection
from ..search.contact_budget import contacts_within_budget
from .known import OnlyNew, SelfReference

STAGE = "self-collisions"


def with_themselves(recipe: Method, objects, scene: Scene, selection: Selection, table: PairTable, run: Run,
                    reference: SelfReference | None) -> PairTable:
    """The table with a row more for each object that is tested with itself, a and b being the same.

    objects: what the method has prepared, None where the run was cancelled before that. table: of pairs of two objects,
    with all that was found of them. reference: what is known already, or None.
    """
    alone = selection.alone()
    own = PairTable(alone, alone)
    own.twins, own.triangle_count = table.twins, table.triangle_count
    run.counts["objects_alone"] = len(own)
    if run.cancelled:
        own.drop()
        return joined(table, own)
    stage, only_new = partial(run.call, recipe, "within", objects), None
    if reference is not None:
        only_new = OnlyNew(stage, reference, scene, selection.objects)
        own.twins = None        # of two that are alike now, more may be known of the one
    try:
        with run.stage(STAGE, len(own)) as record:
            own.contacts = contacts_within_budget(only_new or stage, own, run)
            own.verdict = _verdicts(own)
            own.mark_unfinished()
            record.items_out = int(np.count_nonzero(own.verdict))
            if only_new is not None:
                only_new.tell(alone, run)
    except Cancelled:
        run.cancelled = True
        own.drop()
    return joined(table, own)


def _verdicts(own: PairTable) -> np.ndarray:
    """(objects,) int8: crossing where triangles pass through each other, touching where others collide, else clear."""
    verdict, contacts = np.zeros(len(own), np.int8), own.contacts           # CLEAR
    assert contacts is not None
    verdict[contacts.pair] = TOUCHING
    if own.cut is not None:
        verdict[own.cut.found > 0] = TOUCHING
    verdict[contacts.pair[contacts.proper]] = CROSSING
    verdict[own.crossing] = CROSSING
    return verdict


def joined(one: PairTable, other: PairTable) -> PairTable:
    """The rows of both tables in one, ordered by (a, b), for the report. other: has verdicts, and nothing measured."""
    a, b = (np.concatenate([getattr(each, side) for each in (one, other)]) for side in "ab")
    order = np.lexsort((b, a))
    table = PairTable(a[order], b[order])
    for name in ("finished", "crossing", "verdict", "status", "inner", "coincide"):
        setattr(table, name, np.concatenate([getattr(one, name), getattr(other, name)])[order])
    if one.exact is not None:
        table.exact = np.concatenate([one.exact, other.verdict])[order]
    for name, column in one.measured.items():
        blank = BLANK[name] if name in (PAIR_DTYPE.names or ()) else np.nan
        rest = np.full((len(other), *column.shape[1:]), blank, column.dtype)
        table.measured[name] = np.concatenate([column, rest])[order]
    row = np.empty(len(order), np.int64)
    row[order] = np.arange(len(order))
    if one.regions is not None:
        table.regions = one.regions.copy()
        table.regions["pair"] = row[table.regions["pair"]]
    if one.cut is not None or other.cut is not None:
        found = np.concatenate([_found(one), _found(other)])[order]     # before contacts change their rows
        table.cut = Cut(found, lambda rows: iter(()))
    table.contacts = _joined_contacts(one, other, row)
    return table


def _joined_contacts(one: PairTable, other: PairTable, row: np.ndarray) -> Contacts:
    """The contacts of both tables, by their rows in the joined one: row (rows,) int64."""
    parts = [Contacts.empty() if each.contacts is None else each.contacts for each in (one, other)]
    for contacts, first in zip(parts, (0, len(one))):
        contacts.pair = row[contacts.pair + first].astype(np.int32)
    contacts = Contacts.join(parts)
    return contacts.take(np.argsort(contacts.pair, kind="stable")) if len(parts[0]) and len(parts[1]) else contacts


def _found(table: PairTable) -> np.ndarray:
    """(rows,) int64: how many contacts of each row were found."""
    if table.cut is not None:
        return table.cut.found
    if table.contacts is None:
        return np.zeros(len(table), np.int64)
    return np.bincount(table.contacts.pair, minlength=len(table))
