# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids made of unit cubes: counting cubes says what they share, without any geometry. Everything is flush with
everything here, which is the hardest case for telling crossing, overlapping and touching apart."""
import os
from itertools import product

import numpy as np
import pytest
from naive.asked import EXACT
from naive.scenes import build, pose
from naive.shapes import halves
from touchpoint.core import detect
from touchpoint.core.machine_code.jit import COMPILED

pytestmark = pytest.mark.scenes

SEEDS = range(300 if os.environ.get("TOUCHPOINT_LONG") else 12 if COMPILED else 3)


def grown(rng, count, room=3):
    """A connected set of so many cubes."""
    cubes = {tuple(rng.integers(0, room, 3).tolist())}
    while len(cubes) < count:
        cube = list(sorted(cubes)[rng.integers(len(cubes))])
        cube[rng.integers(3)] += int(rng.choice((-1, 1)))
        cubes.add(tuple(cube))
    return frozenset(cubes)


def surface(cubes, rng):
    """The mesh of the outside; the diagonals of its squares at random."""
    number, quads = {}, []
    for cube in sorted(cubes):
        for axis, side in product(range(3), (0, 1)):
            other = [cube[x] + (x == axis) * (2 * side - 1) for x in range(3)]
            if tuple(other) in cubes:
                continue
            square = [(0, 0), (1, 0), (1, 1), (0, 1)] if side else [(0, 0), (0, 1), (1, 1), (1, 0)]
            corners = []
            for u, v in square:
                place = list(cube)
                place[axis] += side
                place[(axis + 1) % 3] += u
                place[(axis + 2) % 3] += v
                corners.append(number.setdefault(tuple(place), len(number)))
            quads.append(tuple(np.roll(corners, rng.integers(4)).tolist()))
    return np.array(list(number), float), halves(quads)


def answers(a, b):
    """The verdicts that are right for two sets of cubes."""
    if a == b:
        return {"overlap"}
    if a < b or b < a:
        return {"contained"}
    if a & b:
        return {"crossing", "overlap"}
    near = any(max(abs(x - y) for x, y in zip(p, q)) <= 1 for p in a for q in b)
    return {"touching"} if near else {"clear"}


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_are_those_of_counting_cubes(method, seed):
    rng = np.random.default_rng(seed)
    solids = [grown(rng, int(rng.integers(1, 8))) for _ in range(5)]
    solids += [solids[0], solids[1] | grown(rng, 3), frozenset(sorted(solids[2])[:1])]
    meshes = [(solid, surface(solid, rng)) for solid in solids]
    turn = pose(rng.permutation(np.diag(rng.choice((-1.0, 1.0, 2.0), 3))), rng.integers(-5, 5, 3))
    report = detect(build(([mesh for _, mesh in meshes], [(i, turn) for i in range(len(meshes))])), method=method)
    told = {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}
    for j in range(len(meshes)):
        for i in range(j):
            one, other = meshes[i][0], meshes[j][0]
            assert told.get((i, j), "clear") in answers(one, other), (sorted(one), sorted(other))


def spoiled(mesh, rng, kind):
    """The same surface with faces turned, given twice, given twice and turned, left out, or with inner walls."""
    vertices, faces = mesh
    some = rng.random(len(faces)) < rng.choice((0.1, 0.5, 1.0))
    if kind == "open":
        return vertices, faces[~some | (rng.random(len(faces)) < 0.5)]
    if kind == "turned":
        return vertices, np.where(some[:, None], faces[:, ::-1], faces).astype(np.int32)
    more = faces[some][:, ::-1] if kind == "there and back" else faces[some]
    return vertices, np.concatenate([faces, more]).astype(np.int32)


def glued(cubes, rng):
    """Every cube with all its sides, vertices shared: walls inside, edges of up to eight wings."""
    parts = [surface({cube}, rng) for cube in sorted(cubes)]
    vertices, number = np.unique(np.concatenate([part[0] for part in parts]), axis=0, return_inverse=True)
    faces = np.concatenate([8 * i + part[1] for i, part in enumerate(parts)])
    return vertices, number.reshape(-1)[faces].astype(np.int32)


@pytest.mark.parametrize("seed", range(400 if os.environ.get("TOUCHPOINT_LONG") else 6 if COMPILED else 1))
def test_odd_surfaces_are_judged_like_the_reference_does(seed):
    rng = np.random.default_rng([seed, 1])
    solids = [grown(rng, int(rng.integers(1, 4)), room=2) for _ in range(3)]
    solids += [solids[0], solids[1] | {(0, 0, 0), (1, 1, 0)}]
    meshes = []
    for solid in solids:
        kind = rng.choice(("whole", "open", "turned", "twice", "there and back", "glued"))
        mesh = glued(solid, rng) if kind == "glued" else surface(solid, rng)
        meshes.append(mesh if kind in ("whole", "glued") else spoiled(mesh, rng, kind))
    scene = build((meshes, [(i, pose()) for i in range(len(meshes))]))
    fast, exact = (detect(scene, method=method).pairs for method in ("touchpoint", "exact"))
    assert [tuple(row) for row in fast[["a", "b", "verdict", "inner"]]] == [
        tuple(row) for row in exact[["a", "b", "verdict", "inner"]]]
