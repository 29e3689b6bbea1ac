# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles with common corners: what a few signs say is what rational arithmetic says, and they say it of flush tiles,
of copies and of most neighbours."""
import numpy as np
import pytest
from naive.shapes import ball, grid
from naive.triangle_pairs import rotations, whole
from touchpoint.core.contacts import AREA, POINT, SEGMENT
from touchpoint.core.geometry.common_corners import common_corners
from touchpoint.core.geometry.orientation import EXPANSION_SIZE
from touchpoint.core.reference import shared_part

KINDS = [0, POINT, SEGMENT, AREA]       # by number of common corners


def asked(a, b):
    return common_corners(np.concatenate([a, b]), np.empty(6, np.int64), np.empty(EXPANSION_SIZE))


@pytest.mark.parametrize("limit", [1, 2, 4])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_said_is_right(limit, count, turned):
    """Small whole numbers: corners come twice, triangles are flat, neighbours lie in one plane or along a line."""
    rng = np.random.default_rng(count + 10 * limit)
    a, b = whole(rng, 400, limit), whole(rng, 400, limit)
    b[:, :count] = a[:, :count]
    b[::2] = b[::2][:, [2, 0, 1]]
    if turned:
        turn = rotations(rng, 1)[0]
        a, b = a @ turn, b @ turn
    said = 0
    for p, q in zip(a, b):
        found = asked(p, q)
        if found:
            said += 1
            assert shared_part(p.tolist(), q.tolist()).kind == KINDS[found]
    assert said > 40


@pytest.mark.parametrize("turned", [False, True])
def test_neighbours_in_a_plane_need_no_more(turned):
    """Every two tiles of a flat sheet, with themselves, with others, and with those of the same sheet turned over."""
    vertices, triangles = grid(3, 3)
    if turned:
        vertices = vertices @ rotations(np.random.default_rng(5), 1)[0]
    for other in (triangles, triangles[:, ::-1]):
        for one in triangles:
            for two in other:
                common = len(set(one) & set(two))
                assert asked(vertices[one], vertices[two]) == common


def test_most_neighbours_of_a_ball_need_no_more():
    vertices, triangles = ball(16, 9, 1.0)
    pairs = [(one, two) for one in triangles for two in triangles if set(one) & set(two)]
    said = sum(asked(vertices[one], vertices[two]) > 0 for one, two in pairs)
    assert said > 0.95 * len(pairs)
