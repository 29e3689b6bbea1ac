# SPDX-License-Identifier: GPL-3.0-or-later
"""--one-case-in: no test is left out, only cases of it."""
from types import SimpleNamespace

from conftest import some_cases


class Item(SimpleNamespace):
    __hash__ = object.__hash__


def test_every_test_is_asked_and_a_part_of_its_cases():
    items = [Item(nodeid=f"tests/test_a.py::test_{name}[{case}]") for name in "pq" for case in range(300)]
    items.append(Item(nodeid="tests/test_a.py::test_without_cases"))
    kept = [item.nodeid for item in items if item in some_cases(items, 3)]
    assert {each.partition("[")[0] for each in kept} == {each.nodeid.partition("[")[0] for each in items}
    assert 100 < len(kept) < 300
    assert kept == [item.nodeid for item in items if item in some_cases(items, 3)]
