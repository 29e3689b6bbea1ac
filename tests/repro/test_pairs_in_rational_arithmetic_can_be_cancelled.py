# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts in rational arithmetic, seconds each for meshes of some size, went on after the user asked to stop."""
import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import box
from touchpoint.core import detect
from touchpoint.core.codes import CANCELLED, CANNOT_TELL
from touchpoint.core.reference import last_resort


@pytest.mark.parametrize("method", ["touchpoint", "rapid", "tsgo", "hybrid", "particle", "parallel"])
def test_what_is_not_judged_yet_is_left(method, monkeypatch):
    large, tiny = (box((-size,) * 3, (size,) * 3) for size in (1.0, 1e-310))
    scene = build(([large, tiny], [(0, pose()), *((1, pose()) for _ in range(3))]))
    judged = []
    verdict = last_resort.verdict
    monkeypatch.setattr(last_resort, "verdict", lambda *given: judged.append(0) or verdict(*given))
    whole = detect(scene, method=method)
    needed = len(judged)
    assert needed >= 3

    report = detect(scene, method=method, progress=lambda stage, done: len(judged) < needed + 1)
    assert len(judged) == needed + 1 and report.cancelled
    left = report.pairs["verdict"] == CANNOT_TELL
    assert left.sum() == needed - 1 and (report.pairs["status"][left] == CANCELLED).all()
    again = detect(scene, method=method)
    assert np.array_equal(again.pairs[["a", "b", "verdict"]], whole.pairs[["a", "b", "verdict"]])
