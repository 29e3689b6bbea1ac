# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that nothing else of their surface meets, beside rational arithmetic."""
import numpy as np
import pytest
from naive.shapes import ball, box, joined, moved
from touchpoint.core import Scene
from touchpoint.core.reference.triangle_pair import DISJOINT, shared_part
from touchpoint.core.scene.select import world_boxes
from touchpoint.core.trees.bvh.forest import Forest
from touchpoint.core.verdicts.bare_edges import bare_edges


def is_bare(edge, corners):
    """By the definition. What only shares an end with a triangle is not met between its ends."""
    ends = [tuple(end) for end in edge.tolist()]
    for triangle in corners.tolist():
        if set(ends) <= set(map(tuple, triangle)):
            continue
        shared = shared_part((ends[0], ends[1], ends[1]), triangle)
        if shared.kind != DISJOINT and (len(set(shared.corners)) > 1 or shared.corners[0] not in ends):
            return False
    return True


def body(random, kind):
    """Boxes of whole numbers, balls of few faces or triangles at random, as one mesh, turned or not."""
    if kind == "boxes":
        vertices, faces = joined(*(box(low, low + random.integers(1, 4, 3)) for low in random.integers(0, 4, (3, 3))))
    elif kind == "balls":
        vertices, faces = joined(*(moved(ball(), random.integers(-1, 2, 3) * 0.5) for _ in range(2)))
    else:
        vertices, faces = random.integers(0, 4, (12, 3)).astype(float), random.integers(0, 12, (14, 3))
    if random.random() < 0.5:
        angle = random.random() * 6.0
        vertices = vertices @ np.array([(np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0),
                                        (0, 0, 1)]).T
    return vertices, faces.astype(np.int32)


@pytest.mark.parametrize("kind", ["boxes", "balls", "at random"])
@pytest.mark.parametrize("seed", range(12))
def test_as_rational_arithmetic_says(seed, kind):
    """Whatever is called bare is bare; and so is all that is, but beside triangles without area."""
    vertices, faces = body(np.random.default_rng(seed), kind)
    scene = Scene()
    scene.add_object(scene.add_mesh(vertices, faces))
    forest = Forest(scene, np.zeros(1, np.int32), world_boxes(scene), lambda *_: None)
    corners = vertices[faces]
    edges = np.unique(np.sort(faces[:, [(0, 1), (1, 2), (2, 0)]].reshape(-1, 2), axis=1), axis=0)
    ends = vertices[edges]
    ends = ends[(ends[:, 0] != ends[:, 1]).any(axis=1)]
    here = np.zeros(1, np.int32)
    found = np.concatenate([bare_edges(forest, np.zeros(len(ends), np.int32), ends)
                            for _ in forest.batches(here, here)])
    expected = np.array([is_bare(edge, corners) for edge in ends])
    assert not (found & ~expected).any()
    if kind != "at random":
        assert np.array_equal(found, expected) and expected.any()
