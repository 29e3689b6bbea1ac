# SPDX-License-Identifier: GPL-3.0-or-later
"""`self_intersections` against Fractions, against the reference, and against what must not change an answer."""
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.self_meshes import PLAIN, grid, shuffled, soup, torus, two_boxes, unwelded
from naive.self_pairs import self_pairs
from touchpoint.core.queries import mesh_triangle_pairs, self_intersections
from touchpoint.core.reference import last_resort
from touchpoint.core.reference.triangle_pair import DISJOINT, beyond_common_vertices


def by_reference(V, F) -> list[list[int]]:
    """All pairs whose boxes meet, by core/reference."""
    corners = V[F]
    low, high = corners.min(axis=1), corners.max(axis=1)
    return [[i, j] for i, j in combinations(range(len(F)), 2)
            if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
            and beyond_common_vertices(corners[i].tolist(), corners[j].tolist()).kind != DISJOINT]


@pytest.mark.parametrize("name", PLAIN)
def test_plain_cases(name):
    V, F, expected = PLAIN[name]
    assert self_intersections(V, F).tolist() == expected
    assert self_pairs(V, F) == expected
    assert self_intersections(V, np.array(F)[::-1, ::-1]).tolist() == expected


@settings(max_examples=40)
@given(st.integers(0, 2 ** 32), st.integers(3, 9), st.integers(2, 9), st.integers(2, 5))
def test_lattice_meshes_against_fractions(seed, vertices, triangles, side):
    V, F = soup(np.random.default_rng(seed), vertices, triangles, side)
    assert self_intersections(V, F).tolist() == self_pairs(V, F)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size,shift", [(1.0, 0.0), (1.0, 1e6), (1e-6, 0.0), (1e6, 0.0), (1e-150, 0.0), (1e60, 0.0),
                                        (2.0 ** -3, 2.0 ** 40)])
def test_lattice_meshes_against_the_reference(seed, size, shift):
    rng = np.random.default_rng(seed)
    V, F = soup(rng, 16, 30, 4)
    V = V * size + shift
    if seed % 2:                    # beside exact cases, such as are almost that
        V = V * (1.0 + rng.integers(-2, 3, V.shape) * 2.0 ** -52)
    assert self_intersections(V, F).tolist() == by_reference(V, F)


@pytest.mark.parametrize("seed", range(6))
def test_numbers_that_span_more_than_kernels_take(seed, monkeypatch):
    answers, right = [], last_resort.meet_beyond
    monkeypatch.setattr(last_resort, "meet_beyond", lambda *pair: answers.append(right(*pair)) or answers[-1])
    V, F = soup(np.random.default_rng(seed), 10, 14, 3)
    wide = V * 2.0 ** np.array([-400, 0, 400])
    assert self_intersections(wide, F).tolist() == self_intersections(V, F).tolist() == self_pairs(V, F)
    assert set(answers) == {True, False}


@pytest.mark.parametrize("seed", range(8))
def test_random_meshes_against_the_reference(seed):
    rng = np.random.default_rng(seed)
    V, F = soup(rng, 120, 200, 1 << 20)
    V += rng.random(V.shape)
    found = self_intersections(V, F).tolist()
    assert found == by_reference(V, F) and len(found) > 100


@pytest.mark.scenes
def test_sheets_that_do_not_meet_themselves():
    for height in (lambda x, y: 0.0 * x, lambda x, y: 0.3 * x + 0.1 * y, lambda x, y: np.sin(x) + np.cos(y),
                   lambda x, y: 40 * ((x + y) % 2)):
        V, F = grid(40, height)
        assert len(self_intersections(V, F)) == 0
        assert len(self_intersections(*unwelded((V, F)))) == 0


def test_a_sheet_folded_onto_itself():
    V, F = grid(9)
    V[:, 0] = np.abs(V[:, 0] - 4.0)         # the right half lies on the left one, turned over
    found = self_intersections(V, F).tolist()
    assert found == by_reference(V, F)
    assert len({i for pair in found for i in pair}) == len(F)


def test_a_crumpled_sheet():
    rng = np.random.default_rng(5)
    V, F = grid(16)
    V = V * (0.1, 0.1, 1.0) + 0.2 * rng.normal(size=V.shape)
    found = self_intersections(V, F).tolist()
    assert found == by_reference(V, F) and len(found) > 300


def test_tori():
    assert len(self_intersections(*torus(24, 12, 2.0, 1.0))) == 0
    V, F = torus(24, 12, 1.0, 1.5)
    found = self_intersections(V, F).tolist()
    assert found == by_reference(V, F) and len(found) > 24


def test_parts_of_one_mesh():
    """Two boxes side by side, each of whose triangles keeps its own numbers, meet as two meshes would."""
    V, F = two_boxes(0.5)
    half = len(F) // 2
    between = mesh_triangle_pairs(V, F[:half], V, F[half:]) + [0, half]
    assert self_intersections(V, F).tolist() == by_reference(V, F)
    assert len(between) >= len(self_intersections(V, F)) > 0
    assert len(self_intersections(*two_boxes(5.0))) == 0


@pytest.mark.parametrize("seed", range(5))
def test_numbers_and_order_change_nothing(seed):
    rng = np.random.default_rng(seed)
    mesh = soup(rng, 40, 80, 5)
    expected = {tuple(pair) for pair in self_intersections(*mesh).tolist()}
    other, order = shuffled(rng, mesh)
    found = self_intersections(*other)
    assert (found[:, 0] < found[:, 1]).all() and found.tolist() == sorted(found.tolist())
    assert {tuple(sorted(pair)) for pair in order[found].tolist()} == expected
    assert {tuple(pair) for pair in self_intersections(*unwelded(mesh)).tolist()} == expected
    mirrored = self_intersections(mesh[0][:, [1, 2, 0]] * (1, -1, 1), mesh[1][:, ::-1])
    assert {tuple(pair) for pair in mirrored.tolist()} == expected


def test_empty_and_single():
    V = np.zeros((3, 3))
    for F in (np.zeros((0, 3), int), [[0, 1, 2]]):
        found = self_intersections(V, F)
        assert found.shape == (0, 2) and found.dtype == np.int32
    assert self_intersections(np.zeros((0, 3)), np.zeros((0, 3), int)).shape == (0, 2)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(bad):
    V = np.zeros((4, 3))
    V[3, 1] = bad                   # in a vertex that no triangle uses
    with pytest.raises(ValueError, match="finite"):
        self_intersections(V, [[0, 1, 2]])


def test_wrong_arrays_are_refused():
    for V, F in (([[0, 0]], [[0, 0, 0]]), (np.zeros((3, 3)), [[0, 1, 3]]), (np.zeros((3, 3)), [[0, 1]])):
        with pytest.raises(ValueError):
            self_intersections(V, F)
