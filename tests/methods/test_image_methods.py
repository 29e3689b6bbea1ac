# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods that look at pictures, drawn by the processor."""
import numpy as np
import pytest
from naive.scenes import build, crowd, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Refused, Scene, Unsupported, detect, methods
from touchpoint.core.codes import CLEAR, OVERLAP
from touchpoint.core.machine_code.jit import COMPILED

METHODS = [each for each in methods.ids() if "resolution" in {option.name for option in methods.load(each).options}]
CPU = {"device": "cpu", "resolution": 64 if COMPILED else 8}


def bits(report):
    return [report.pairs.tobytes(), *(getattr(report.contacts, name).tobytes() for name in ("point", "kind", "pair"))]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4 if COMPILED else 1))
def test_confirmed_answers_are_those_of_the_default(method, seed):
    scene = build(crowd(np.random.default_rng(seed), 16 if COMPILED else 4))
    expected = detect(scene)
    found = detect(scene, method, options=CPU)
    assert bits(found) == bits(expected) and len(expected.pairs)
    assert any("by the pictures alone" in note for note in found.notes)
    assert found.counts["pictures"] > 0
    near = detect(scene, method, 0.2, options=CPU)
    assert near.pairs.tobytes() == detect(scene, clearance=0.2).pairs.tobytes()


def two(mesh_a, mesh_b, *move):
    scene = Scene()
    scene.add_object(scene.add_mesh(*mesh_a), np.eye(4))
    scene.add_object(scene.add_mesh(*mesh_b), pose(1, move))
    return scene


def raw(scene, method, **options):
    report = detect(scene, method, options={**CPU, "confirm": False, **options})
    assert len(report.contacts) == 0 and not report.cancelled
    return report.pairs["verdict"].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_pictures_alone(method):
    assert raw(two(box(), box(), 0.5, 0.3, 0.2), method) == [OVERLAP]
    assert raw(two(box(), box(), 0, 0, 0), method) == [OVERLAP]         # copies at one place
    assert raw(two(box(), box(), 1, 0.3, 0.2), method) == []            # they touch
    assert raw(two(box(), box(), 3, 0, 0), method) == []
    assert raw(two(ball(), box(), 0.2, 0.2, 0.2), method, resolution=16) == [OVERLAP]


def test_open_meshes():
    """A sheet that is bent, and one that crosses it."""
    bent = grid(2, 2)[0].copy()
    bent[:, 2] = 0.2 * bent[:, 0] ** 2
    faces = grid(2, 2)[1]
    assert raw(two((bent, faces), grid(2, 2, u=(0.1, 0, 1)), 0.9, 0.1, -0.7), "ibcd", resolution=48) == [OVERLAP]


def test_only_whole_hulls_fill_a_notch():
    """A small box in the notch of a thick L."""
    corner = [box((0, 0, 0), (4, 1, 1)), box((0, 1, 0), (1, 4, 1))]
    vertices = np.concatenate([each[0] for each in corner])
    triangles = np.concatenate([corner[0][1], corner[1][1] + len(corner[0][0])])
    scene = two((vertices, triangles), box((0, 0, 0), (0.5, 0.5, 0.5)), 1.2, 1.2, 0.2)
    assert raw(scene, "ibcd") == [] and raw(scene, "recode") == [OVERLAP]


@pytest.mark.parametrize("method", METHODS)
def test_a_mesh_that_is_deformed_is_taken_apart_anew(method):
    scene = two(box(), box(), 3, 0, 0)
    assert raw(scene, method) == []
    scene.set_vertices(0, box()[0] * 4.0)
    assert raw(scene, method) == [OVERLAP]


@pytest.mark.parametrize("method", METHODS)
def test_odd_objects(method):
    """Mirrored, of no thickness, points only, very small and very large ones."""
    for size in (1e-150, 1e-30, 1e30, 1e150):
        assert len(detect(two((box()[0] * size, box()[1]), (box()[0] * size, box()[1]), 0, 0, 0), method,
                          options=CPU).pairs) == 1
    scene = two(box(), (box()[0] * (1, 1, 0), box()[1]), 0.1, 0.1, 0.5)
    scene.set_poses([0], [np.diag([-1.0, 1.0, 1.0, 1.0])])
    assert [pair["verdict"] for pair in detect(scene, method, options=CPU).pairs] == [
        pair["verdict"] for pair in detect(scene).pairs]
    needle = np.zeros((3, 3)), np.array([[0, 1, 2]], np.int32)
    assert raw(two(needle, box(), 0, 0, 0), method) == []


@pytest.mark.parametrize("method", METHODS)
def test_what_is_promised(method):
    recipe = methods.load(method)
    assert recipe.promise() == "exact" and recipe.promise({"confirm": False}) == "approximate"
    with pytest.raises(Unsupported, match="needs a GPU"):
        detect(two(box(), box(), 0, 0, 0), method)
    with pytest.raises(Refused, match="Resolution"):
        detect(two(box(), box(), 0, 0, 0), method, options={**CPU, "resolution": 4})


@pytest.mark.parametrize("method", METHODS)
def test_cancelled_at_any_moment(method):
    scene = build(crowd(np.random.default_rng(5), 6))
    whole = {(pair["a"], pair["b"]) for pair in detect(scene, method, options=CPU).pairs}
    for confirm in (True, False):
        for last in range(0, 12, 3):
            left = iter(range(last))
            report = detect(scene, method, options={**CPU, "confirm": confirm},
                            progress=lambda stage, done, left=left: next(left, None) is not None)
            assert report.cancelled or {(pair["a"], pair["b"]) for pair in report.pairs} == whole
            assert all(pair["verdict"] != CLEAR for pair in report.pairs)
    assert {(pair["a"], pair["b"]) for pair in detect(scene, method, options=CPU).pairs} == whole
