# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlap volumes against the solids that manifold3d cuts out: the proved bounds must hold its volume."""
import numpy as np
import pytest
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import overlap_volume
from touchpoint.core.volume import overlap
from touchpoint.tools.answers.shapes import ball, box, moved, rotation, tetrahedron, torus

manifold3d = pytest.importorskip("manifold3d", reason="there is no manifold3d for this platform")

# manifold3d snaps places that are nearer to each other than this, relative to the largest coordinate.
SNAPPED = 1e-11
CASES = 150 if COMPILED else 2      # of each kind and arrangement
GRIDS = ((8,), (32,), (32, 96)) if COMPILED else ((4,),)        # one after the other: bounds hold on coarse grids, too


def star(rng):
    """A body with dents: each vertex of a ball is moved along its ray from the centre."""
    vertices, triangles = ball(int(rng.integers(5, 12)), int(rng.integers(4, 9)), 0.6)
    return vertices * rng.uniform(0.35, 1.3, (len(vertices), 1)), triangles


CONVEX = (box, tetrahedron, lambda: ball(6, 5), lambda: ball(13, 9, 0.8))


def convex(rng):
    return CONVEX[rng.integers(len(CONVEX))]()


def bent(rng):
    return star(rng) if rng.random() < 0.6 else torus(int(rng.integers(5, 14)), int(rng.integers(3, 8)))


def placed(mesh, rng, scale=1.0, offset=0.0):
    """Turned, stretched along its axes by `scale`, and moved."""
    vertices = (mesh[0] - mesh[0].mean(axis=0)) * scale
    return vertices @ rotation(rng).T + offset, mesh[1]


def side_by_side(rng, make):
    return placed(make(rng), rng), placed(make(rng), rng, 1.0, rng.normal(size=3) * 0.45)


def nested(rng, make):
    """One is so small that it may be inside the other altogether, near its surface, or in the hole of a ring."""
    return placed(make(rng), rng), placed(make(rng), rng, rng.uniform(0.02, 0.3), rng.normal(size=3) * 0.2)


def far(rng, make):
    where = rng.normal(size=3) * 10.0 ** rng.integers(1, 6)
    return tuple(moved(each, where) for each in side_by_side(rng, make))


def thin(rng, make):
    """One is a sheet or a needle."""
    flat = np.array([(1.0, 1.0, 1e-3), (1.0, 2e-3, 1e-3), (1.0, 0.02, 1.0)])[rng.integers(3)]
    return placed(make(rng), rng), placed(make(rng), rng, flat, rng.normal(size=3) * 0.2)


def boolean_volume(one, other):
    """The volume that manifold3d finds for what two meshes share, and how far its rounding may move that."""
    solids = [manifold3d.Manifold(manifold3d.Mesh64(vertices, triangles.astype(np.uint64)))
              for vertices, triangles in (one, other)]
    for solid in solids:
        assert solid.status() == manifold3d.Error.NoError
    shared = solids[0] ^ solids[1]
    largest = max(np.abs(mesh[0]).max() for mesh in (one, other))
    # A surface that is moved by the rounding sweeps at most so much; both surfaces can be.
    return shared.volume(), SNAPPED * largest * sum(solid.surface_area() for solid in solids)


@pytest.mark.parametrize("make", [convex, bent], ids=["convex", "not convex"])
@pytest.mark.parametrize("arrange", [side_by_side, nested, far, thin])
def test_the_boolean_is_within_the_bounds(arrange, make, monkeypatch):
    rng = np.random.default_rng([8, [side_by_side, nested, far, thin].index(arrange), [convex, bent].index(make)])
    shared, close = 0, 0
    for case in range(CASES):
        monkeypatch.setattr(overlap, "SIDES", GRIDS[case % len(GRIDS)])
        one, other = arrange(rng, make)
        if rng.random() < 0.25:
            one = one[0] * (-1.0, 1.0, 1.0), one[1][:, ::-1]        # mirrored, and turned inside out
        exact, rounding = boolean_volume(one, other)
        volume, lower, upper = overlap_volume(*one, *other)
        assert lower - rounding <= exact <= upper + rounding, (case, exact, lower, upper, rounding)
        assert lower <= volume <= upper
        shared += exact > rounding
        close += exact > rounding and lower > 0.0
    assert shared > 0.4 * CASES and (close > 0.1 * CASES or not COMPILED), (shared, close)
