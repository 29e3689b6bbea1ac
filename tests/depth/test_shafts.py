# SPDX-License-Identifier: GPL-3.0-or-later
"""Shafts in holes of their own radius, as in every machine: all of their surfaces coincide but for roundings, and where
these lie, edges of either one cross flat faces of the other, everywhere a little deep."""
from fractions import Fraction

import numpy as np
import pytest
from naive.depths import depth_of_point
from naive.shapes import circle, joined, moved, pipe, prism
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CROSSING, OVERLAP, TOUCHING

pytestmark = pytest.mark.scenes

ROUNDED = 4.0 * 2.0 ** -24      # in places of about 1, of both


def rod(sides):
    vertices, faces = prism(circle(sides, 1.0), 2.0)
    return vertices - (0, 0, 0.5), faces


def plate(sides, cells):
    """Squares with a hole of radius 1 each, in a row along x: one mesh of closed bodies."""
    around = circle(sides, 1.0)
    square = 1.25 * around / np.abs(around).max(axis=1)[:, None]
    return joined(*(moved(pipe(around, square, 0.0, 1.0), (2.5 * k, 0, 0)) for k in range(cells)))


def in_single(mesh, offset):
    """The mesh at a place where its coordinates are rounded otherwise, and back."""
    vertices, faces = mesh
    return np.float64(np.float32(vertices + offset)) - offset, faces


def report_of(*meshes, tolerance):
    scene = Scene()
    for mesh in meshes:
        scene.add_object(scene.add_mesh(*mesh))
    report = detect(scene, depth=True, tolerance=tolerance)
    assert len(report.pairs) == 1
    return report


@pytest.mark.parametrize("sides, cells, seed", [(12, 1, 0), (32, 1, 1), (32, 1, 2), (32, 5, 3), (48, 4, 4)])
def test_a_shaft_in_a_hole(sides, cells, seed):
    """Its depth is known as well as others, and holds against points of the shaft measured one by one. With many holes
    beside it, too many triangles are near at first. Without cuts along edges, no search came to its end."""
    rng = np.random.default_rng(seed)
    solid, shaft = plate(sides, cells), in_single(rod(sides), rng.uniform(0.2, 0.9, 3))
    report = report_of(solid, shaft, tolerance=0)
    exact = report.pairs[0]
    assert exact["verdict"] == CROSSING and 0.0 < exact["depth"] <= exact["depth_upper"] < ROUNDED
    assert exact["depth_upper"] - exact["depth"] < 1e-9 * 2.0      # the shaft is 2 long
    assert report.counts["depth_tests"] < 2000
    assert report_of(solid, shaft, tolerance="auto").pairs["verdict"] == TOUCHING
    corners = shaft[0][shaft[1]]
    side = corners[np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]) < 1e-3]
    measured = 0
    for _ in range(40):
        point = rng.dirichlet(np.ones(3)) @ side[rng.integers(len(side))]
        squared, inside = depth_of_point([Fraction(each) for each in point], solid)
        assert not inside or squared <= Fraction(exact["depth_upper"]) ** 2
        measured += inside
    assert measured


@pytest.mark.parametrize("aside", [1e-4, 1e-2])
def test_a_shaft_that_does_not_fit(aside):
    solid, shaft = plate(32, 5), moved(rod(32), (aside, 0, 0))
    pair = report_of(solid, shaft, tolerance="auto").pairs[0]
    assert pair["verdict"] == CROSSING and pair["depth"] == pytest.approx(aside, rel=0.01)


@pytest.mark.parametrize("turn", [0.0, 0.03])
def test_a_shaft_pressed_into_a_hole(turn):
    """It is thicker than its hole by 2 %, and flush with the plate above and below: of many sides all are equally deep,
    and where faces are flush there are more contacts than triangles. The deepest points are edges of the shaft."""
    sides, thicker = 64, 1.02
    along = circle(sides, thicker) @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    hole = circle(sides, 1.0)
    pair = report_of(pipe(hole, 2.0 * hole, 0.0, 1.0), prism(along, 1.0), tolerance=0).pairs[0]
    side = np.roll(hole, -1, axis=0) - hole
    away = along[:, None] - hole
    share = np.clip(np.einsum("ijx,jx->ij", away, side) / np.einsum("jx,jx->j", side, side), 0.0, 1.0)
    deepest = np.linalg.norm(away - share[:, :, None] * side, axis=2).min(axis=1).max()
    assert pair["verdict"] == OVERLAP and pair["contacts"] > 1024
    assert pair["depth"] <= deepest * (1.0 + 1e-12) and deepest <= pair["depth_upper"] * (1.0 + 1e-12)
    assert pair["depth_upper"] - pair["depth"] < 1e-9 * 2.0 * thicker
