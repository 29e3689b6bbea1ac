# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/drills/random_calls: what a call does to the user's objects is noticed, whatever was called before it."""
import importlib
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

random_calls = importlib.import_module("drills.random_calls")


@pytest.fixture
def calls(registered, tmp_path):
    """Calls in an empty file; `kinds` is what each call is to be: ours or the user's."""
    made = random_calls.Calls(np.random.default_rng(1), tmp_path)
    made.kinds = iter(())
    draw = made.random

    class Chosen:
        def random(self):
            return {"ours": 0.9, "user's": 0.1}[next(made.kinds)]

        def __getattr__(self, name):
            return getattr(draw, name)

    made.random = Chosen()
    return made


def move():
    each = next(each for each in bpy.data.objects if random_calls.MOVES not in each)
    each.location[2] += 1.0


@pytest.mark.parametrize("kinds", [["ours"], ["ours", "ours"], ["user's", "ours"], ["ours", "user's", "ours"]])
def test_a_call_that_moves_an_object_is_noticed(calls, kinds):
    made = []
    calls.kinds = iter(kinds)
    calls.others = move
    calls.ours = lambda: move() if len(made) == len(kinds) - 1 else None
    for _ in kinds[:-1]:
        calls.call()
        made.append(1)
    with pytest.raises(AssertionError, match="Cube"):
        calls.call()


def test_what_users_do_between_two_calls_is_theirs(calls):
    calls.kinds = iter(["ours", "user's", "ours", "ours"])
    calls.others, calls.ours = move, lambda: None
    for _ in range(4):
        calls.call()


def test_a_change_between_two_calls_of_ours_is_noticed(calls):
    """A timer of ours that comes between two calls is held against the fingerprint after the first."""
    calls.kinds = iter(["ours", "ours"])
    calls.ours = lambda: None
    calls.call()
    move()
    with pytest.raises(AssertionError, match="Cube"):
        calls.call()
