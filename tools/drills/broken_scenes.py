# SPDX-License-Identifier: GPL-3.0-or-later
"""Broken objects among healthy ones: they are named, or judged, and the answer for the healthy ones stays the same."""
import numpy as np
from naive.asked import EXACT
from naive.scenes import build, crowd, pose, random_linear
from naive.shapes import ball, box
from touchpoint.core import Scene, detect

from . import Drill, picked

METHODS = [name for name in EXACT if name != "exact"]       # which takes seconds


def answer(report, names):
    """{(name, name): (verdict, contacts)} of these objects."""
    found = {}
    for row, pair in enumerate(report.pairs):
        both = tuple(sorted((report.name(pair["a"]), report.name(pair["b"]))))
        if set(both) <= names:
            found[both] = report.verdict(row), int(pair["contacts"])
    return found


def with_others(random, spoil):
    """Detect healthy objects, then among broken ones in any order. Returns the second report, and names of the broken.

    spoil(random): (vertices, triangles, pose) of a broken object.
    """
    meshes, objects = crowd(random, count=7)
    method = picked(random, METHODS)
    healthy = [(f"healthy {number}", *meshes[mesh], matrix) for number, (mesh, matrix) in enumerate(objects)]
    broken = [(f"broken {number}", *spoil(random)) for number in range(int(random.integers(1, 4)))]
    names = {entry[0] for entry in healthy}
    expected = answer(detect(_scene(healthy), method=method), names)
    everything = healthy + broken
    random.shuffle(everything)
    report = detect(_scene(everything), method=method)
    assert answer(report, names) == expected, method
    return report, {entry[0] for entry in broken}


def _scene(entries):
    scene = Scene()
    for name, vertices, triangles, matrix in entries:
        scene.add_object(scene.add_mesh(vertices, triangles), matrix, name=name)
    return scene


def not_finite(random, _folder):
    """F1: NaN, infinity and 1e300 in vertices and matrices: named, and no clear answer."""
    def spoil(random):
        vertices, triangles = (np.array(each) for each in box())
        matrix = pose(random_linear(random, "sheared"), random.uniform(0, 3, 3))
        kind = picked(random, ("vertex", "all", "pose", "overflow"))
        bad = picked(random, (np.nan, np.inf, -np.inf))
        if kind == "vertex":
            vertices[tuple(random.integers(0, vertices.shape))] = bad
        elif kind == "all":
            vertices[:] = bad
        elif kind == "pose":
            matrix[tuple(random.integers(0, (3, 4)))] = bad
        else:
            vertices[0, 0], matrix = 1e300, pose(1e100)
        return vertices, triangles, matrix

    report, broken = with_others(random, spoil)
    assert {each.name for each in report.skipped} == broken and not any(each.judged for each in report.skipped)
    assert report.exit_code(fail_on=()) == 2


def empty(random, _folder):
    """F2: no vertices, no faces, loose vertices: named, as nothing is to be judged."""
    def spoil(random):
        count = int(random.integers(0, 9))
        return random.normal(size=(count, 3)), np.zeros((0, 3), np.int32), pose()

    report, broken = with_others(random, spoil)
    assert {each.name for each in report.skipped} == broken and all(each.judged for each in report.skipped)


def degenerate(random, _folder):
    """F2, F3: one triangle, equal points, points in a line, repeated corners, scales 0, -1, 1e-30: judged."""
    def spoil(random):
        vertices, triangles = (np.array(each) for each in ball(6, 4, 0.6))
        kind = picked(random, ("one triangle", "equal", "line", "repeated", "whole"))
        if kind == "one triangle":
            triangles = triangles[:1]
        elif kind == "equal":
            vertices[:] = vertices[0]
        elif kind == "line":
            vertices[:, 1:] = 0.0
        elif kind == "repeated":
            triangles[:, 1] = triangles[:, 0]
        scale = picked(random, (1.0, 0.0, -1.0, (1, 0, 1), (0, 0, 1), (-1, 1, 1), 1e-30, 1e-300, 1e30))
        return vertices, triangles, pose(scale, random.uniform(0, 3, 3))

    report, broken = with_others(random, spoil)
    assert not report.skipped and broken <= {each.name for each in report.objects}


def odd_surfaces(random, _folder):
    """F4: open, doubled, flipped and non-manifold faces: what meets is found as by rational arithmetic."""
    meshes, objects = crowd(random, count=4)
    spoiled = []
    for vertices, triangles in meshes:
        kind = picked(random, ("open", "doubled", "flipped", "fins", "whole"))
        if kind == "open":
            triangles = triangles[:-int(random.integers(1, 3))]
        elif kind == "doubled":
            triangles = np.concatenate([triangles, triangles[::-1]])
        elif kind == "flipped":
            triangles = np.where(random.random((len(triangles), 1)) < 0.5, triangles[:, ::-1], triangles)
        elif kind == "fins":
            triangles = np.concatenate([triangles, random.permuted(triangles[:2], axis=1)[:, [0, 1, 0]]])
        spoiled.append((vertices, triangles.astype(np.int32)))
    scene = build((spoiled, objects))
    names = {each.name for each in scene.objects}
    assert answer(detect(scene, method=picked(random, METHODS)), names) == answer(detect(scene, method="exact"), names)


DRILLS = [
    Drill("F1", "NaN, infinity, 1e300 in vertices and matrices of some objects", not_finite, 20),
    Drill("F2", "objects without vertices or faces", empty, 15),
    Drill("F2, F3", "degenerate triangles; scales of zero, negative, 1e-300 to 1e30", degenerate, 20),
    Drill("F4", "open, doubled, flipped, non-manifold faces, held against rational arithmetic", odd_surfaces, 4),
]
