# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of a scene, also by pickle, answers as the scene does and goes its own way, whatever was kept of the scene."""
import copy
import pickle

import numpy as np
import pytest
from naive.asked import EXACT as METHODS
from naive.scenes import build, crowd, pose
from touchpoint.core import detect

COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda scene: pickle.loads(pickle.dumps(scene))}
EVERYTHING = {"clearance": 0.1, "tolerance": "auto", "volume": True, "regions": True, "self_collisions": True}


def some_scene():
    return build(crowd(np.random.default_rng(4), count=12))


def answer(scene, **how):
    report = detect(scene, **how)
    return report.pairs.tobytes(), report.contacts.point.tobytes(), list(report.objects)


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("how", [*({"method": method} for method in METHODS),
                                 pytest.param(EVERYTHING, marks=pytest.mark.scenes)], ids=str)
def test_a_copy_answers_as_the_scene(way, how):
    scene = some_scene()
    expected = answer(scene, **how)
    assert answer(COPIES[way](scene), **how) == expected == answer(scene, **how)


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_its_own_way(way):
    scene = some_scene()
    scene.objects[3].group = "others"
    expected = answer(scene)
    other = COPIES[way](scene)
    kept = {name: getattr(scene.objects[3], name) for name in ("name", "group", "mesh", "static", "clearance")}
    assert {name: getattr(other.objects[3], name) for name in kept} == kept
    other.objects[3].name = "another"
    other.hide([1])
    other.set_poses([0], [pose(1, (9.0, 9.0, 9.0))])
    other.set_vertices(other.objects[2].mesh, 2.0 * other.meshes[other.objects[2].mesh].vertices)
    other.add_object(0, name="added")
    assert answer(scene) == expected
    names = [each.name for each in detect(other).objects]
    assert "another" in names and "added" in names and len(names) == len(scene.objects)
    scene.objects[4].name = "of the first"
    assert "of the first" in [each.name for each in detect(scene).objects]
    assert "of the first" not in [each.name for each in detect(other).objects]


def test_a_scene_in_the_middle_of_a_run_can_be_copied():
    scene, copies = some_scene(), []
    expected = answer(scene)
    scene.cache.clear()
    detect(scene, progress=lambda *_: copies.append(copy.deepcopy(scene)))
    assert answer(copies[0]) == expected == answer(copies[-1])
