# SPDX-License-Identifier: GPL-3.0-or-later
"""`ObjectInfos` is held against a plain list of the same ObjectInfo."""
import copy
import pickle
from operator import attrgetter

import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, detect
from touchpoint.core.findings import ObjectInfo
from touchpoint.core.tested import MADE_AT_ONCE, ObjectInfos

NAMES = [f"name {number}" for number in range(3 * MADE_AT_ONCE)]


def both(count):
    """The same objects both ways, every second of the scene's."""
    index = np.arange(count, dtype=np.int32) * 2
    triangles, clearance = index.astype(np.int64) + 7, index / 8.0
    plain = [ObjectInfo(2 * k, NAMES[2 * k], 2 * k + 7, None, k / 4.0) for k in range(count)]
    return ObjectInfos(NAMES, index, triangles, clearance), plain


@pytest.mark.parametrize("count", [0, 1, 5, MADE_AT_ONCE, MADE_AT_ONCE + 1])
def test_it_reads_as_a_list_does(count):
    found, plain = both(count)
    assert len(found) == count and list(found) == plain and found == plain and plain == found and not found != plain
    assert found[1:4] == plain[1:4] and found[::-1] == plain[::-1] and list(reversed(found)) == plain[::-1]
    assert repr(found) == repr(plain) and bool(found) is bool(plain)
    for where in (0, -1, count - 1):
        if count:
            assert found[where] == plain[where] and plain[where] in found and found.index(plain[where]) == where % count
            assert found[np.int32(where)] == plain[where]
    for where in (count, -count - 1):
        with pytest.raises(IndexError):
            found[where]
    with pytest.raises(TypeError):
        found["0"]
    assert found.names_of([each.index for each in plain[::-1]]) == [each.name for each in plain[::-1]]
    for info in found:      # plain numbers and texts, whatever the arrays hold
        assert [type(value) for value in (info.index, info.name, info.triangles, info.clearance)] == [int, str, int,
                                                                                                      float]


CHANGES = {
    "set": lambda some: some.__setitem__(1, ObjectInfo(99, "another", 1)),
    "set a slice": lambda some: some.__setitem__(slice(0, 2), [ObjectInfo(99, "another", 1)]),
    "delete": lambda some: some.__delitem__(0),
    "insert": lambda some: some.insert(1, ObjectInfo(99, "another", 1)),
    "append": lambda some: some.append(ObjectInfo(99, "another", 1)),
    "pop": lambda some: some.pop(),
    "reverse": lambda some: some.reverse(),
    "clear": lambda some: some.clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_changes_as_a_list_does(change):
    found, plain = both(4)
    before = copy.deepcopy(found)
    CHANGES[change](found)
    CHANGES[change](plain)
    assert list(found) == plain and len(found) == len(plain) and found[:] == plain
    assert found != before and pickle.loads(pickle.dumps(found)) == plain
    assert list(before) == both(4)[1]


def test_equal_is_what_has_the_same_objects():
    found, plain = both(4)
    assert found == both(4)[0] and found != both(3)[0] and found != tuple(plain) and found != 4
    with pytest.raises(TypeError):
        hash(found)


def test_a_report_says_what_the_scene_has():
    scene = Scene()
    meshes = [scene.add_mesh(*box()), scene.add_mesh(np.zeros((0, 3)), np.zeros((0, 3), int)),
              scene.add_mesh(box()[0], box()[1][:5])]
    for mesh, name, clearance in ((0, "A", 0.0), (1, "faceless", 0.0), (2, "B", 0.5), (0, "hidden", 0.0), (0, "C", 0)):
        scene.add_object(meshes[mesh], name=name, clearance=clearance)
    scene.hide([3])
    first, second = detect(scene), detect(scene)
    assert [(each.index, each.name, each.triangles, each.clearance) for each in first.objects] == [
        (0, "A", 12, 0.0), (2, "B", 5, 0.5), (4, "C", 12, 0.0)]
    first.objects.clear()
    scene.objects[0].name = "renamed"
    assert list(map(attrgetter("name"), second.objects)) == ["A", "B", "C"]
    assert list(map(attrgetter("name"), detect(scene).objects)) == ["renamed", "B", "C"]
