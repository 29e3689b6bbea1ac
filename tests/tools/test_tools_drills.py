# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/drills: what is lost is counted, named by a number, and found again by it."""
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

drills = importlib.import_module("drills")
index = importlib.import_module("drills.__main__")


@pytest.fixture
def asked(monkeypatch, capsys):
    """Runs one drill as `python -m drills core …` would; returns (exit status, what was printed)."""
    def ask(attempt, *arguments, short=20):
        group = type(sys)("drills.only_here")
        group.DRILLS = [drills.Drill("F0", "a fault", attempt, short)]
        monkeypatch.setitem(sys.modules, "drills.only_here", group)
        monkeypatch.setattr(index, "GROUPS", {"core": ("only_here",)})
        monkeypatch.setattr(sys, "argv", ["drills", "core", *arguments])
        monkeypatch.setattr(sys, "path", list(sys.path))
        return index.main(), capsys.readouterr().out

    return ask


def test_nothing_is_lost(asked):
    code, printed = asked(lambda random, folder: print("a word of the drill's"), short=3)
    assert code == 0 and "| F0 | 3 | 3 | 0 |" in printed and "a word" not in printed


def test_a_loss_is_counted_and_found_again(asked):
    drawn = []

    def lose_some(random, folder):
        assert list(folder.iterdir()) == []
        (folder / "left behind").write_text("x")
        drawn.append(float(random.random()))
        assert drawn[-1] < 0.8, f"{drawn[-1]} is too much"

    code, printed = asked(lose_some)
    lost = [number for number, value in enumerate(drawn) if value >= 0.8]
    assert code == 1 and lost and f"| F0 | 20 | {20 - len(lost)} | {len(lost)} |" in printed
    assert f"lost: a fault, number {lost[0]}" in printed and "is too much" in printed
    first = drawn[lost[0]]
    drawn.clear()
    assert asked(lose_some, "--first", str(lost[0]), "--times", "0.05")[0] == 1 and drawn == [first]
    drawn.clear()
    asked(lose_some, "--seed", "2", "--times", "0.05")
    assert drawn != [first]


def test_every_group_is_run():
    there = {path.stem for path in (ROOT / "tools" / "drills").glob("*.py")} - {"__init__", "__main__"}
    assert {group for groups in index.GROUPS.values() for group in groups} == there


def test_picked_is_one_of_them():
    random = np.random.default_rng(1)
    assert {drills.picked(random, "abc") for _ in range(50)} == set("abc")
