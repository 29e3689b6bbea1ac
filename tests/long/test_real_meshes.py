# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof about real meshes notices what is wrong. (Its short form is asked in test_proofs.py.)"""
import numpy as np

from . import real_meshes


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
