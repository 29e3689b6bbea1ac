# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixture for runs that list few contacts."""
import pytest
from touchpoint.core.mid_phase import thin_objects
from touchpoint.core.search import contact_budget, contact_search


@pytest.fixture
def little_room(monkeypatch):
    """room(contacts): a run lists so many, and takes them from batches of a few contacts and pairs. Thin objects are
    not looked for: whether that is worth it, and so what is compared, depends on how large a batch is."""
    for name in ("FEW_PAIRS", "FEW_TRIANGLE_PAIRS"):
        monkeypatch.setattr(thin_objects, name, 1 << 60)
    monkeypatch.setattr(contact_search, "HITS_PER_LOOK", 4)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", 3)
    monkeypatch.setattr(contact_budget, "BATCH_CONTACTS", 16)

    def room(contacts):
        monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", contacts)

    return room
