# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of finely divided objects that meet in a small place (core/depth/local_common.py) against the search down
trees."""
import numpy as np
import pytest
from naive.self_meshes import torus, unwelded
from naive.shapes import ball, grid, joined, moved
from test_local_search import assert_same, both_ways, turned
from touchpoint.core.machine_code.jit import COMPILED

pytestmark = pytest.mark.scenes


def ring(around=48, across=24, thick=0.3):
    """A torus about z."""
    return torus(around, across, 1.0, thick)


def divided_box(n, low, high):
    """A box whose sides are n × n squares, vertices shared."""
    sides = []
    for x in range(3):
        for end in range(2):
            u, v = (1 + end + x) % 3, (2 - end + x) % 3
            sides.append(grid(n, n, 1.0 * end * np.eye(3)[x], np.eye(3)[u] / n, np.eye(3)[v] / n))
    vertices, faces = joined(*sides)
    vertices, which = np.unique(vertices.round(9), axis=0, return_inverse=True)
    return vertices * np.subtract(high, low) + low, which.ravel()[faces].astype(np.int32)


def next_link(mesh, gap):
    """The next one of a chain, upright on the first."""
    vertices, faces = mesh
    return vertices[:, [0, 2, 1]] * (1, 1, -1) + (1.4 + gap, 0, 0), faces


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-6, 0.013, 0.1])
def test_links_of_a_chain(gap, monkeypatch):
    """Both are large in the box that they have in common, and what is inside is small."""
    link = ring()
    fast, slow = both_ways(link, next_link(link, gap), monkeypatch)
    assert_same(link, next_link(link, gap), monkeypatch)
    if COMPILED and 0.0 < gap < 0.1:
        assert fast.counts["depth_tests"] < 0.5 * slow.counts["depth_tests"]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_inside_as_a_whole(seed, monkeypatch):
    """Parts without contacts, one of them deeper than all that has some, and cavities."""
    rng = np.random.default_rng(seed)
    beads = joined(*(moved((0.05 * ball(12, 9)[0], ball(12, 9)[1]), place)
                     for place in rng.uniform((0.7, -0.2, -0.2), (1.3, 0.2, 0.2), (9, 3))))
    link = ring(thick=0.4)
    hollow = joined(link, (ring(thick=0.2)[0], ring(thick=0.2)[1][:, ::-1]))
    a = joined(next_link(link, 0.05), beads) if seed % 2 else next_link(link, 0.05)
    assert_same(a, hollow if seed % 3 else link, monkeypatch)


@pytest.mark.parametrize("seed", range(6))
def test_other_surfaces(seed, monkeypatch):
    """Triangles that do not hang together, open ones, turned over, stretched and turned in space."""
    link = ring(40, 20)
    other = next_link(link, 0.01)
    rng = np.random.default_rng(seed)
    if seed == 0:
        other = unwelded(other)
    elif seed == 1:
        other = other[0], other[1][rng.permutation(len(other[1]))[25:]]
    elif seed == 2:
        other = other[0], other[1][:, ::-1]
    a, b = (turned(each, seed, (1, 1, 0.3) if seed > 3 else (1, 1, 1)) for each in (link, other))
    assert_same(a, b, monkeypatch)


@pytest.mark.parametrize("place", [(0.5, 0.5, 0.5), (1.0, 0.25, 0.25), (0.75, 0.0, 0.0), (0.9, 0.35, 0.0)])
def test_flush_and_finely_divided(place, monkeypatch):
    """Faces in one plane share areas, which two ends of a contact do not tell."""
    one = divided_box(12, (0, 0, 0), (1, 1, 1))
    assert_same(one, moved(divided_box(12, (0, 0, 0), (1, 1, 1)), place), monkeypatch)
    pin = divided_box(12, (0.1, 0.1, -0.5), (0.3, 0.3, 0.02))
    assert_same(one, pin, monkeypatch)
