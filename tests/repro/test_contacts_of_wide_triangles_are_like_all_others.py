# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts that rational arithmetic decides had a status that no column knows, and no normal where the triangle is long
in one direction and short in another."""
import numpy as np
import pytest
from naive.scenes import build, pose
from touchpoint.core import detect, methods
from touchpoint.core.contacts import EXACT

METHODS = [name for name in methods.ids()
           if methods.load(name).answer == "exact" and not methods.load(name).needs]


@pytest.mark.parametrize("method", METHODS)
def test_status_and_normal(method):
    floor = np.array([(0, 0, 0), (1e-200, 0, 0), (0, 1e200, 0)]), np.array([(0, 1, 2)], np.int32)
    wall = np.array([(0, 0, -1), (0, 0, 1), (0, 1e200, 0)]), np.array([(0, 1, 2)], np.int32)
    contacts = detect(build(([wall, floor], [(0, pose()), (1, pose())])), method=method).contacts
    assert contacts.status.tolist() == [EXACT] and contacts.normal.tolist() == [[0, 0, 1]]
