# SPDX-License-Identifier: GPL-3.0-or-later
"""A few questions about meshes of real things, where packages that bring some are installed."""
import numpy as np
import pytest

from . import real_meshes


def test_some_real_meshes():
    reason = real_meshes.reason_to_skip()
    if reason:
        pytest.skip(reason)
    outcome = real_meshes.run(4, seed=1)
    assert outcome.asked == 8 and outcome.counted["judged by rational arithmetic"] > 0
    assert outcome.wrong == 0, outcome.examples


def test_wrong_answers_are_noticed(monkeypatch):
    corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [3, 1, -1]], float)
    shape = ("two", corners, np.array([[0, 1, 2], [3, 4, 5]], np.int32))
    monkeypatch.setattr(real_meshes, "meshes", lambda: [shape])
    outcome = real_meshes.Outcome()
    real_meshes.ask(outcome, number=3, seed=0)          # the mesh on itself
    assert outcome.asked == 2 and outcome.wrong == 0 and outcome.counted["face pairs"] == 8
    monkeypatch.setattr(real_meshes, "faces_that_meet", lambda first, second: {(0, 0), (0, 1)})
    monkeypatch.setattr(real_meshes, "faces_by_libigl", lambda first, second: {(0, 0), (0, 1), (1, 0), (1, 1)})
    real_meshes.ask(outcome, number=3, seed=0)
    assert outcome.wrong == 4 and "missed" in outcome.examples[0]
