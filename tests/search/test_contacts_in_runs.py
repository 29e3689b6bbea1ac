# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of contacts that are copied in runs, against the same rows one by one."""
import numpy as np
import pytest
from touchpoint.core import contacts as contacts_module
from touchpoint.core.arrays import first_of_each
from touchpoint.core.contacts import Contacts


@pytest.mark.parametrize("long_run", [0, 1, 5, 1000])
def test_rows_in_runs(long_run, monkeypatch):
    """Runs that follow one another, come again, are empty, or go on in the next chunk."""
    monkeypatch.setattr(contacts_module, "LONG_RUN", long_run)
    rng = np.random.default_rng(long_run)
    for trial in range(60):
        chunks = [Contacts.unset(int(rng.integers(30))) for _ in range(rng.integers(5))]
        for column in (getattr(chunk, name) for chunk in chunks for name in Contacts.__dataclass_fields__):
            column[...] = rng.integers(0, 100, column.shape)
        total, count = sum(map(len, chunks)), int(rng.integers(12))
        first = rng.integers(0, total + 1, count)
        count = rng.integers(0, total - first + 1)
        if trial % 3 == 1:
            first, count = np.sort(first), np.diff(np.sort(first), append=total)
        elif trial % 3 == 2:
            first, count = np.repeat(first, 3), np.repeat(count, 3)
        found = Contacts.of_runs(chunks, first, count, lambda: None)
        expected = Contacts.join(chunks).take(first_of_each(first, count))
        for name in Contacts.__dataclass_fields__:
            assert getattr(found, name).tolist() == getattr(expected, name).tolist()
