# SPDX-License-Identifier: GPL-3.0-or-later
"""Drills: faults, made at random and in numbers, each with a word on what must hold afterwards.

A drill is a function that makes one fault, drawn from the random generator it gets, and raises where something was
lost: an answer, a file, an object of the user's, or the process's word on it. `tools/check.py drills` runs all of them
and prints how often each was tried and what was lost. docs/reliability.md has the table.
"""
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Drill:
    """One kind of fault. faults: which of docs/reliability.md. attempt(random, folder): one fault, in an empty folder;
    raises where something was lost. short: how often it is tried in the short form."""

    faults: str
    what: str
    attempt: Callable[[np.random.Generator, Path], None]
    short: int


def picked(random: np.random.Generator, choices):
    """One of a sequence."""
    return choices[int(random.integers(len(choices)))]
