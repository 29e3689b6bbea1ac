# SPDX-License-Identifier: GPL-3.0-or-later
"""Large meshes are worked on in pieces, so that cancelling is noticed: the trees are those of one piece."""
import numpy as np
import pytest
from naive.scenes import build, crowd
from touchpoint.core import arrays, detect
from touchpoint.core.trees.refit_quality import corners_of, triangle_path_length


def nothing():
    pass


@pytest.mark.parametrize("method", ["rapid", "parallel"])
def test_trees_made_in_pieces(method, monkeypatch):
    answers, asked = [], []
    for at_once in (1 << 20, 5):
        monkeypatch.setattr(arrays, "ROWS_AT_ONCE", at_once)
        scene, count = build(crowd(np.random.default_rng(3))), [0]

        def progress(*_, count=count):
            count[0] += 1

        for moved in range(2):          # made, then fitted to other vertices
            for mesh in range(len(scene.meshes)):
                scene.set_vertices(mesh, scene.meshes[mesh].vertices * (1.0, 1.0 + 0.1 * moved, 1.0))
            report = detect(scene, method=method, threads=1, progress=progress)
            answers.append((report.pairs.tobytes(), report.contacts.point.tobytes(), report.counts))
        asked.append(count[0])
    assert answers[:2] == answers[2:] and asked[1] > 2 * asked[0]


def test_paths_and_corners_in_pieces(monkeypatch):
    rng = np.random.default_rng(1)
    vertices, triangles, slots = rng.normal(size=(50, 3)), rng.integers(0, 50, (83, 3)), rng.permutation(83)
    whole = corners_of(vertices, triangles, nothing)
    assert np.array_equal(whole, vertices[triangles])
    path = triangle_path_length(whole[slots], None, nothing)
    monkeypatch.setattr(arrays, "ROWS_AT_ONCE", 10)
    asked = []
    assert np.array_equal(corners_of(vertices, triangles, lambda: asked.append(0)), whole) and len(asked) == 9
    assert triangle_path_length(whole, slots, nothing) == path


def test_whoever_cancels_waits_for_one_piece(monkeypatch):
    monkeypatch.setattr(arrays, "ROWS_AT_ONCE", 10)
    done = []

    def pause():
        if len(done) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        for some in arrays.pieces(100, pause):
            done.append(some)
    assert done == [slice(0, 10), slice(10, 20), slice(20, 30)]
