# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal objects at one place: what is found of one of them is what a run finds that asks every pair by itself."""
import numpy as np
import pytest
from naive.scenes import SCENES, build, draw, pose
from naive.shapes import box, joined
from touchpoint.core import detect, pipeline
from touchpoint.core.verdicts import judging

pytestmark = pytest.mark.scenes

COLUMNS = ["a", "b", "verdict", "exact", "status", "inner", "contacts", "copy"]


def every_pair_by_itself(monkeypatch):
    monkeypatch.setattr(pipeline, "some_have_one_place", lambda bounds, a, b: False)


def assert_same(one, other):
    for column in COLUMNS:
        assert one.pairs[column].tolist() == other.pairs[column].tolist()
    for column in ("depth", "depth_upper", "depth_points", "gap"):
        np.testing.assert_array_equal(one.pairs[column], other.pairs[column])
    assert all((a == b).all() for a, b in zip(one.contacts.columns, other.contacts.columns))


@pytest.mark.parametrize("asked", [{}, {"contacts": False}, {"tolerance": "auto"},
                                   {"tolerance": 0.01, "clearance": 0.1}, {"depth": True, "self_collisions": True}],
                         ids=str)
@pytest.mark.parametrize("name", sorted(SCENES))
def test_scenes_of_which_each_object_is_there_twice(name, asked, monkeypatch):
    meshes, objects = draw(name, 3)
    scene = build((meshes, [each for each in objects for _ in range(2)]))
    once = detect(scene, **asked)
    every_pair_by_itself(monkeypatch)
    assert_same(once, detect(scene, **asked))


OPEN_BOX = (box()[0], box()[1][2:])
BOTH_SIDES = (box()[0], np.concatenate([box()[1], box()[1][:, ::-1]]))      # closed, with nothing inside
LAYERS = joined(box(), box((0.5, 0, 0), (1.5, 1, 1)))                       # a face inside of it
TURNED = (box()[0], np.concatenate([box()[1][:1, ::-1], box()[1][1:]]))     # triangles that are not turned alike
NOTCHED = (LAYERS[0], LAYERS[1][2:])                                        # and open: no box tells


@pytest.mark.parametrize(("mesh", "verdict", "sampled"), [
    (box(), "overlap", [0]), (TURNED, "overlap", [0]), (OPEN_BOX, "touching", []), (BOTH_SIDES, "touching", []),
    (NOTCHED, "touching", [1]), (LAYERS, "overlap", [0])],
    ids=["box", "not oriented", "open", "both sides", "open layers", "layers"])
@pytest.mark.parametrize("linear", [1, (1, 1, -1)], ids=["as it is", "mirrored"])
def test_what_twins_are(mesh, verdict, sampled, linear, monkeypatch):
    """A few contacts show where two solids share volume. Where they show nothing, and no box tells, all are asked."""
    asked = []
    real = judging.shared_volume
    monkeypatch.setattr(judging, "shared_volume", lambda *args: (asked.append(len(args[5])), real(*args)))
    scene = build(([mesh], [(0, pose(linear, (1, 2, 3)))] * 2))
    report = detect(scene)
    assert report.verdict(0) == verdict and report.pairs["copy"].all()
    assert asked == sampled
    every_pair_by_itself(monkeypatch)
    assert_same(report, detect(scene))
