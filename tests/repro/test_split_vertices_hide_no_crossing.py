# SPDX-License-Identifier: GPL-3.0-or-later
"""A wall through a floor exactly along its grid lines touched it where vertices were split, as in imported files: open
meshes have the verdict of the same surface with joined vertices."""
import numpy as np
import pytest
from naive.scenes import build, pose, random_linear
from naive.shapes import grid, halves, joined
from test_split_vertices_hide_no_coincidence import split
from touchpoint.core import detect

ALONG = np.eye(3)
FLOOR = grid(4, 4, (-2, -2, 0), ALONG[0], ALONG[1])
WALL = grid(4, 4, (-2, 0, -2), ALONG[0], ALONG[2])
HALF = grid(4, 2, (-2, 0, 0), ALONG[0], ALONG[2])       # stands on the floor
SLANTED = grid(4, 4, (-2, -2, -2), ALONG[0], ALONG[1] + ALONG[2])
ROOF = joined(HALF, grid(4, 2, (-2, 0, 0), ALONG[0], ALONG[1] + ALONG[2]))      # touches along its ridge
SURFACES = {"wall": (WALL, "crossing"), "half": (HALF, "touching"), "slanted": (SLANTED, "crossing"),
            "roof": (ROOF, "touching")}


def united(mesh):
    """The same surface with one vertex for each place, which `grid` and `joined` do not promise."""
    places, number = np.unique(mesh[0] + 0.0, axis=0, return_inverse=True)
    return places, number.ravel()[mesh[1]].astype(np.int32)


def verdict(a, b, where, method):
    report = detect(build(([a, b], [(0, where), (1, where)])), method)
    return report.verdict(0) if len(report.pairs) else "clear"


@pytest.mark.parametrize("method", ["touchpoint", "exact", "rapid"])
@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize("name", SURFACES)
def test_walls_and_floors(name, every, method):
    surface, expected = SURFACES[name]
    where = pose(2.0, (1, 2, 3))
    for floor in (united(FLOOR), split(united(FLOOR), every)):
        for other in (united(surface), split(united(surface), every)):
            assert verdict(floor, other, where, method) == verdict(other, floor, where, method) == expected


PLACES = np.array(list(np.ndindex(3, 3, 3)), float)
SQUARES = np.array([[place, place + u, place + u + v, place + v] for u, v in ((9, 3), (3, 1), (1, 9))
                    for place in range(27) if all(place // step % 3 < 2 for step in (u, v))])


@pytest.mark.parametrize("seed", range(60))
def test_any_splits_have_the_verdict_of_joined_vertices(seed):
    """Some unit squares of a lattice each: they meet along edges with any number of wings, and lie on each other."""
    rng = np.random.default_rng(seed)
    where = pose(random_linear(rng, "turned") if seed % 2 else 1.0, (1, 2, 3) if seed % 2 else (0, 0, 0))
    meshes = [(PLACES, halves(rng.permutation(SQUARES)[:rng.integers(4, 20)])) for _ in range(2)]
    for method in ("touchpoint", "exact"):
        expected = verdict(*meshes, where, method)
        for every in ((1, 1), (2, 1), (1, 3)):
            assert verdict(*(split(mesh, step) for mesh, step in zip(meshes, every)), where, method) == expected


def test_places_follow_a_mesh_that_deforms():
    floor, wall = united(FLOOR), split(united(WALL))
    scene = build(([floor, wall], [(0, pose()), (1, pose())]))
    assert detect(scene).verdict(0) == "crossing"
    vertices, faces = wall[0].copy(), wall[1]
    low = faces[vertices[faces, 2].mean(axis=1) < 0]
    vertices[low.ravel(), 2] -= 1.0         # the lower half comes loose
    scene.set_vertices(1, vertices)
    assert detect(scene).verdict(0) == detect(scene, "exact").verdict(0) == "touching"
    scene.set_vertices(1, wall[0])
    assert detect(scene).verdict(0) == "crossing"
