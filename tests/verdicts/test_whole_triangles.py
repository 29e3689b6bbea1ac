# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that another surface does not cut: against rational arithmetic, and against samples in all of them."""
from fractions import Fraction

import numpy as np
import pytest
from naive.scenes import SCENES, build, draw
from naive.self_meshes import shuffled
from naive.shapes import ball, box, cubes, grid
from touchpoint.benchmarks.flush import full_glasses
from touchpoint.core import Scene, detect
from touchpoint.core.contacts import AREA, SEGMENT
from touchpoint.core.geometry.placed import placed_corners
from touchpoint.core.geometry.undecided import UNDECIDED
from touchpoint.core.reference.triangle_pair import shared_part
from touchpoint.core.verdicts import coplanar_overlap
from touchpoint.core.verdicts.mesh_topology import MeshTopology
from touchpoint.core.verdicts.whole_triangles import _root, whole_triangles

TURN = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]


class Found:
    """What a run has found of the pairs that do not pass through each other, and two ways to look at that."""

    def __init__(self, scene: Scene):
        self.report = report = detect(scene)
        self.forest, self.scene = scene.cache["forest"], scene
        self.a, self.b = (np.ascontiguousarray(report.pairs[side], np.int32) for side in ("a", "b"))
        through = np.zeros(len(report.pairs), bool)
        through[report.contacts.pair[report.contacts.proper]] = True
        self.contacts = report.contacts.take(~through[report.contacts.pair])
        self.pair = self.contacts.pair.astype(np.int64)

    def evidence(self):
        topology = MeshTopology(self.scene)
        return coplanar_overlap.Evidence(self.forest, topology, self.a, self.b)

    def corners(self, side: np.ndarray, row: int, triangle: int) -> np.ndarray:
        """World coordinates (3,3) of a triangle of an object of the pair of contact `row`."""
        index = self.forest.objects[side[self.pair[row]]]
        mesh = self.scene.meshes[self.scene.layout.mesh[index]]
        return placed_corners(mesh.vertices, mesh.triangles[[triangle]], self.scene.poses[index])[0]


WEDGE = (np.array([(0, 0.25, 0), (1, 0.25, 0), (0, 0, 0.5), (1, 0, 0.5), (0, 0.5, 0.5), (1, 0.5, 0.5)]),
         np.array([(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 5), (2, 5, 4), (0, 2, 4), (1, 5, 3)], np.int32))


def on_edges(seed: int) -> Scene:
    """Wedges that stand on faces with an edge, along lines of the mesh and across them."""
    rng, scene = np.random.default_rng(seed), Scene()
    scene.add_object(scene.add_mesh(*box((-1, -1, -1), (3, 3, 0))))
    for corner in rng.integers(0, 8, (6, 2)) * 0.25:
        vertices = WEDGE[0][:, rng.permutation(2).tolist() + [2]] + (*corner, 0.0)
        scene.add_object(scene.add_mesh(vertices, WEDGE[1]))
    return scene


def solids(seed: int) -> Scene:
    """Boxes, balls and bodies of cubes that stand flush on each other, in each other or there twice."""
    rng, scene = np.random.default_rng(seed), Scene()
    turn = TURN if seed % 2 else np.eye(3)
    for _ in range(4):
        mesh = [box((0, 0, 0), tuple(rng.integers(1, 4, 3) * 0.5)), ball(6, 4),
                cubes(rng.random((2, 2, 2)) < 0.7) if seed % 3 else box()][rng.integers(3)]
        vertices, triangles = shuffled(rng, mesh)[0]
        scene.add_object(scene.add_mesh((vertices + rng.integers(0, 4, 3) * 0.5) @ turn.T, triangles))
    return scene


def on_one_edge(points, triangle) -> bool:
    """Whether these points, exact ones of a triangle, are all on the same edge of it."""
    corners = [[Fraction(float(x)) for x in corner] for corner in triangle]
    return any(all(is_on_line(point, corners[i], corners[i - 1]) for point in points) for i in range(3))


def is_on_line(point, p, q) -> bool:
    u, v = [a - b for a, b in zip(q, p)], [a - b for a, b in zip(point, p)]
    return all(u[x] * v[x - 1] == u[x - 1] * v[x] for x in range(3))


@pytest.mark.rational
@pytest.mark.parametrize("seeds", [range(0, 12, 2), range(1, 12, 2)], ids=["straight", "turned"])
def test_what_is_cut(seeds):
    """A triangle is left to be looked at where the other surface reaches into it, and only there."""
    for scenes in (solids, on_edges):
        assert {cut for seed in seeds for cut in checked_against_rational(Found(scenes(seed)))} == {True, False}


@pytest.mark.rational
def test_what_is_cut_by_triangles_without_area():
    """The plane of such a triangle says nothing: all of a face is in it."""
    rng, scene = np.random.default_rng(0), Scene()
    scene.add_object(scene.add_mesh(*grid(2, 2, u=(2, 0, 0), v=(0, 2, 0))))
    for low, high in rng.integers(0, 8, (20, 2, 2)) * 0.5:
        vertices = np.zeros((3, 3))
        vertices[:, :2] = low, 0.5 * (low + high), high
        scene.add_object(scene.add_mesh(vertices, np.arange(3, dtype=np.int32)[None]))
    assert set(checked_against_rational(Found(scene), exactly=False)) == {True, False}


def checked_against_rational(found: Found, exactly=True):
    """Yield whether each triangle that meets another object is cut. exactly: others are not taken for cut ones."""
    common = found.evidence().know_common(found.pair, found.contacts)
    asked = np.ones(len(found.a), bool)
    triangles = found.contacts.triangle_a, found.contacts.triangle_b
    for (inner, outer), (mine, others) in zip(((found.a, found.b), (found.b, found.a)), (triangles, triangles[::-1])):
        left, covered, owner, samples = whole_triangles(found.forest, (inner, outer, asked), found.pair, (mine, others),
                                                        found.contacts, common)
        groups = {}
        for row, key in enumerate(zip(found.pair.tolist(), mine.tolist())):
            groups.setdefault(key, []).append(row)
        for (_, triangle), rows in groups.items():
            corners = found.corners(inner, rows[0], triangle)
            parts = [(found.contacts.kind[row], shared_part(corners, found.corners(outer, row, others[row])).corners)
                     for row in rows]
            cut = any(kind == AREA or kind == SEGMENT and not on_one_edge(points, corners) for kind, points in parts)
            is_covered = any(kind == AREA and {tuple(map(Fraction, corner)) for corner in corners.tolist()}
                             <= set(map(tuple, points)) for kind, points in parts)
            assert common[rows].any() or covered[rows].sum() == is_covered or not exactly
            expected = cut and not is_covered
            assert (left[rows] == expected).all() or left[rows].all() and not exactly
            yield cut
        assert len(samples) == len(owner) <= len(groups)


def same_evidence(scene: Scene) -> int:
    """Samples everywhere say what samples in classes of triangles say. Returns how many contacts need no look."""
    found = Found(scene)
    everywhere, in_classes = found.evidence(), found.evidence()
    for _ in found.forest.batches(found.a, found.b):
        everywhere.know_common(found.pair, found.contacts)
        everywhere.add(found.pair, found.contacts)
        cut = in_classes.know(found.pair, found.contacts)
        rows = np.flatnonzero(cut[0] | cut[1])
        in_classes.add(found.pair[rows], found.contacts.take(rows), cut[:, rows])
        for one, other in zip(everywhere.sides, in_classes.sides):
            told = one.found & ~np.uint8(UNDECIDED), other.found & ~np.uint8(UNDECIDED)
            assert told[0].tolist() == told[1].tolist() and not (other.found & ~one.found & UNDECIDED).any()
        for one, other in zip(everywhere.judged(), in_classes.judged()):
            assert one.tolist() == other.tolist()
    return len(found.pair) - len(rows)


@pytest.mark.scenes
@pytest.mark.parametrize("scenes", [solids, on_edges])
@pytest.mark.parametrize("seed", range(30))
def test_samples_of_classes_tell_all(seed, scenes):
    same_evidence(scenes(seed))


@pytest.mark.scenes
@pytest.mark.parametrize("name", sorted(SCENES))
def test_samples_of_classes_tell_all_of_scenes(name):
    for seed in range(3):
        same_evidence(build(draw(name, seed)))


def test_ways_to_what_is_linked_grow_shorter():
    """Of a strip that is linked against the order of its vertices: gone down for each of its triangles."""
    link = np.arange(1000, dtype=np.int32)
    link[0] = -1
    for _ in range(10):
        assert _root(np.int64(999), link) == 0
    assert link[999] == 1 and link[0] == -1 and np.count_nonzero(link == 1) > 1


def test_hardly_any_samples_where_solids_are_flush(monkeypatch):
    """A glass of water, turned: the fans at the bottom are the same, and the walls hang together."""
    taken = []
    real = coplanar_overlap.locate_corners
    monkeypatch.setattr(coplanar_overlap, "locate_corners", lambda samples, *rest: (taken.append(len(samples)),
                                                                                    real(samples, *rest)))
    question, scene = full_glasses(1), Scene()
    for mesh, pose in zip(question.bodies, question.poses_at(1)):
        scene.add_object(scene.add_mesh(*mesh), pose)
    report = detect(scene)
    assert report.verdict(0) == "touching" and len(report.contacts) > 1000 and sum(taken) <= 4
