# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of rows: by depth where it was measured, else by verdict and number of contacts."""
import numpy as np
from touchpoint.core import Report
from touchpoint.core.codes import VERDICTS
from touchpoint.core.contacts import Contacts
from touchpoint.core.findings import BLANK


def ordered(*rows):
    """The numbers of rows (verdict, depth, contacts, gap), None for what is not measured, the worst first."""
    pairs = np.repeat(BLANK, len(rows))
    for pair, (verdict, depth, contacts, gap) in zip(pairs, rows):
        pair["verdict"], pair["contacts"] = VERDICTS.index(verdict), contacts
        pair["depth"], pair["gap"] = (np.nan if each is None else each for each in (depth, gap))
    return Report("touchpoint", {}, [], [], pairs, Contacts.empty()).worst_first().tolist()


def test_the_deepest_come_first_and_what_is_not_measured_after_them():
    assert ordered(("crossing", 1e-3, 900, None), ("overlap", 0.5, 1, None), ("crossing", None, 999, None),
                   ("contained", 2.0, 0, None), ("crossing", 0.01, 2, None), ("overlap", None, 5, None),
                   ("contained", None, 3, None), ("contained", 3.0, 0, None)) == [1, 4, 0, 2, 5, 7, 3, 6]


def test_without_depths_verdicts_and_contacts_decide():
    assert ordered(("near", None, 0, 0.5), ("overlap", None, 9, None), ("crossing", None, 1, None),
                   ("near", None, 0, 0.25), ("touching", None, 50, 0.0), ("crossing", None, 8, None),
                   ("cannot tell", None, 0, None), ("contained", None, 2, None)) == [5, 2, 1, 7, 6, 4, 3, 0]


def test_depths_of_touching_pairs_do_not_count():
    assert ordered(("touching", 1e-9, 3, None), ("touching", None, 7, 1e-9), ("touching", 0.0, 5, 0.0)) == [1, 2, 0]


def test_rows_that_are_alike_stay_in_their_order():
    assert ordered(*[("crossing", 0.5, 2, None)] * 5) == [0, 1, 2, 3, 4] and ordered() == []
