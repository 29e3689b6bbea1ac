# SPDX-License-Identifier: GPL-3.0-or-later
"""`ContactStore`: contacts of pairs, of which each frame brings some anew and leaves the others as they are."""
from collections.abc import Callable

import numpy as np

from ..arrays import first_of_each, starts_of
from ..codes import CROSSING
from ..contacts import Contacts
from ..errors import Cancelled
from ..memory import SMALL_BYTES
from ..search.contact_budget import MOST_LISTED_CONTACTS, contact_budget, shares
from .asking import NO_QUESTIONS, Asking

BYTES_PER_LISTED = 104      # of one contact in a chunk
SPARE_CONTACTS = 1 << 12    # contacts that may be held in vain, so that few of them are not moved all the time


class ContactStore:
    """Chunks of contacts, one after the other. A pair's contacts are those from `contact_start` on, of all chunks."""

    def __init__(self):
        self._chunks: list[Contacts] = []
        self._held = 0

    def add(self, contacts: Contacts) -> int:
        """Take over a chunk; returns where it begins."""
        start = self._held
        if len(contacts):
            self._chunks.append(contacts)
            self._held += len(contacts)
        return start

    def view(self, pairs: np.ndarray, asking: Asking = NO_QUESTIONS) -> Callable[[], Contacts]:
        """What makes the contacts of pairs, ordered by row, also when the store has gone on. pairs: (k,) structured,
        with contact_start in this store, and contacts. asking: called between pieces of them."""
        chunks, first, count = tuple(self._chunks), pairs["contact_start"].copy(), pairs["contacts"].astype(np.int64)
        return lambda: _gathered(chunks, first, count, asking)

    def tidy(self, pairs: np.ndarray, asking: Asking = NO_QUESTIONS) -> None:
        """Let go of what belongs to no pair, and of contacts beyond what a run lists. pairs: all that have
        contacts here; their columns contact_start, contacts and unlisted are changed. asking: where the answer is no,
        what belongs to no pair stays."""
        fewer = list_fewer(pairs)
        listed = int(pairs["contacts"].sum())
        if self._held > listed + SPARE_CONTACTS:
            self._drop_chunks(pairs)
        if not fewer and self._held <= 2 * listed + SPARE_CONTACTS:
            return
        try:
            kept = self.view(pairs, asking)()
        except Cancelled:
            return
        self._chunks, self._held = ([kept] if len(kept) else []), len(kept)
        pairs["contact_start"] = starts_of(pairs["contacts"])[:-1]

    def _drop_chunks(self, pairs: np.ndarray) -> None:
        """Let go of whole chunks that belong to no pair: nothing has to be moved for that. pairs: as in `tidy`."""
        starts = starts_of([len(each) for each in self._chunks])
        some = np.flatnonzero(pairs["contacts"])
        chunk = starts.searchsorted(pairs["contact_start"][some], side="right") - 1
        used = np.bincount(chunk, minlength=len(self._chunks)) > 0
        if used.all():
            return
        sizes = np.diff(starts)
        gone = np.concatenate([[0], np.cumsum(np.where(used, 0, sizes))])      # contacts, before each chunk
        pairs["contact_start"][some] -= gone[chunk]
        self._chunks = [each for each, is_used in zip(self._chunks, used.tolist()) if is_used]
        self._held -= int(gone[-1])


def list_fewer(pairs: np.ndarray) -> bool:
    """Let pairs have no more contacts than a run lists, and there is memory to copy: False where they had no more.
    pairs: structured; the columns contacts and unlisted are changed."""
    listed = int(pairs["contacts"].sum())
    most = MOST_LISTED_CONTACTS if BYTES_PER_LISTED * listed <= SMALL_BYTES else contact_budget()
    if listed <= most:
        return False
    count = pairs["contacts"].astype(np.int64)
    share = shares(count, pairs["verdict"] == CROSSING, most)
    pairs["contacts"] = share
    pairs["unlisted"] += count - share
    return True


def list_none(pairs: np.ndarray) -> Contacts:
    """No contacts: those of the pairs are not listed. pairs: structured; the columns contacts, contact_start and
    unlisted are changed."""
    pairs["unlisted"] += pairs["contacts"]
    pairs["contacts"] = pairs["contact_start"] = 0
    return Contacts.empty()


def _gathered(chunks: tuple[Contacts, ...], first: np.ndarray, count: np.ndarray, asking: Asking) -> Contacts:
    """The contacts first[i] … first[i] + count[i] - 1 of each row i, one row after the other."""
    contacts = Contacts.picked(chunks, first_of_each(first, count), asking)
    contacts.pair = np.repeat(np.arange(len(count), dtype=np.int32), count)
    return contacts
