# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene that nobody has any more is gone at once, with its trees: nothing that it keeps holds it. What hangs together
in circles stays until Python looks for such, and of a hundred scenes one after the other it may not have looked."""
import gc
import weakref

import numpy as np
import pytest
from naive.asked import EXACT as METHODS
from naive.scenes import build, crowd
from touchpoint.core import Sweep, detect
from touchpoint.core.errors import Cancelled

MEASURES = {"clearance": 0.1, "tolerance": "auto", "volume": True, "regions": True, "self_collisions": True}


def film(scene, **how):
    sweep = Sweep(**how)
    for frame in range(3):
        sweep.add(frame, scene)
        scene.poses[:, 0, 3] += 0.05
    sweep.report()


def cancelled(scene):
    left = iter(range(3))
    detect(scene, progress=lambda *_: next(left, None) is not None)


def broken_off(scene):
    def fail(*_):
        raise Cancelled

    with pytest.raises(Cancelled):
        detect(scene, progress=fail)


USES = {"only made": lambda scene: None, "copied": lambda scene: scene.__copy__(), "cancelled": cancelled,
        "broken off": broken_off, "film": film, "between frames": lambda scene: film(scene, continuous=True),
        "measures": lambda scene: detect(scene, **MEASURES),
        **{method: lambda scene, method=method: detect(scene, method) for method in METHODS}}


@pytest.fixture
def without_search():
    """It would be luck when Python looks for circles by itself."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("use", USES)
def test_a_scene_goes_with_whoever_had_it(use, without_search):
    scene = build(crowd(np.random.default_rng(4), count=8))
    USES[use](scene)
    seen = weakref.ref(scene), weakref.ref(scene.meshes[0])
    del scene
    assert [each() for each in seen] == [None, None]


def test_an_object_stays_what_it_is_without_its_scene():
    scene = build(crowd(np.random.default_rng(4), count=8))
    last = scene.objects[-1]
    pose = last.pose.copy()
    del scene
    last.name = "another"
    assert last.pose.tolist() == pose.tolist() and last.name == "another"
