# SPDX-License-Identifier: GPL-3.0-or-later
"""A search for a depth gave up where its memory was full, and went on where another pair had made the memory grow: so
the bounds of a pair, and how many points were measured, depended on the pairs before it."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, detect
from touchpoint.core.depth import depths

pytestmark = pytest.mark.scenes


def waves(cells):
    """A sheet of squares with every second corner below, every other one above the middle."""
    x, y = (each.ravel() for each in np.mgrid[:cells + 1, :cells + 1])
    vertices = np.column_stack([x / cells - 0.5, y / cells - 0.5, np.where((x + y) % 2, 0.01, -0.01)])
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    one, other, third = corner + 1, corner + cells + 1, corner + cells + 2
    return vertices, np.concatenate([np.stack(each, axis=1) for each in ((corner, one, other), (one, third, other))])


def test_memory_that_has_grown(monkeypatch):
    answers = []
    for factor in (1, 4):
        scene = Scene()
        for mesh in (box((-1, -1, -0.1), (1, 1, 0.1)), waves(70)):
            scene.add_object(scene.add_mesh(*mesh))
        with monkeypatch.context() as patch:
            grown = depths._items(factor * depths.FIRST_ITEMS)
            patch.setattr(depths, "_items", lambda capacity, grown=grown: grown)
            report = detect(scene, depth=True, threads=1)
        pair = report.pairs[0]
        answers.append((pair["depth"], pair["depth_upper"], pair["depth_points"].tolist(),
                        report.counts["depth_tests"]))
    assert answers[0] == answers[1]
    assert 0.0 < answers[0][0] <= 0.1 <= answers[0][1]
