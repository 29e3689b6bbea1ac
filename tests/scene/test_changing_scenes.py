# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene in which objects come and go, are hidden, moved and deformed, gives the answers of a scene that was just
built, to the last bit, and keeps what it has made for the others."""
import numpy as np
import pytest
from naive.asked import EXACT as METHODS
from naive.scenes import SHAPES, pose, random_linear
from naive.shapes import ball, box
from touchpoint.core import Refused, Scene, detect
from touchpoint.core.findings import PAIR_DTYPE
from touchpoint.core.trees.bvh.mesh_trees import MeshTrees

KINDS = ("turned", "mirrored", "stretched", "sheared")
COLUMNS = [name for name in PAIR_DTYPE.names if name not in ("a", "b")]


def any_pose(rng):
    return pose(random_linear(rng, KINDS[rng.integers(4)]), rng.uniform(0, 2.5, 3))


def fresh(scene):
    """A new scene of what is enabled, and the index of each of its objects in the other."""
    copy, mesh = Scene(), {}
    indices = [index for index, each in enumerate(scene.objects) if each.enabled]
    for each in (scene.objects[index] for index in indices):
        if each.mesh not in mesh:
            kept = scene.meshes[each.mesh]
            mesh[each.mesh] = copy.add_mesh(kept.vertices.copy(), kept.triangles.copy())
        copy.add_object(mesh[each.mesh], each.pose, name=each.name, group=each.group, static=each.static)
    return copy, np.array(indices)


def assert_same_answer(scene, **how):
    copy, indices = fresh(scene)
    here, there = detect(scene, **how), detect(copy, **how)
    assert [each.index for each in here.objects] == [indices[each.index] for each in there.objects]
    assert [each.name for each in here.objects] == [each.name for each in there.objects]
    assert [(each.index, each.reason) for each in here.skipped] == [(indices[each.index], each.reason)
                                                                    for each in there.skipped]
    for side in "ab":
        assert np.array_equal(here.pairs[side], indices[there.pairs[side]])
    for column in COLUMNS:
        assert here.pairs[column].tobytes() == there.pairs[column].tobytes(), column
    for name, column in vars(there.contacts).items():
        assert getattr(here.contacts, name).tobytes() == column.tobytes(), name
    assert here.summary() == there.summary()


class Changes:
    """Draws a change, makes it, and knows which trees it may cost."""

    def __init__(self, rng):
        self.rng, self.scene = rng, Scene()
        for _ in range(6):
            self.add()

    def alive(self):
        return [index for index, each in enumerate(self.scene.objects) if not each.removed]

    def some(self):
        return self.rng.choice(self.alive(), self.rng.integers(1, 4)).tolist()

    def add(self):
        scene, rng = self.scene, self.rng
        if rng.random() < 0.5 or all(each.removed for each in scene.meshes):
            vertices, triangles = SHAPES[rng.integers(len(SHAPES))]
            scene.add_mesh(vertices + 0.0, triangles)
        mesh = rng.choice([index for index, each in enumerate(scene.meshes) if not each.removed])
        scene.add_object(int(mesh), any_pose(rng), name=f"object {len(scene.objects)}")

    def remove(self):
        if len(self.alive()) > 3:
            self.scene.remove_object(int(self.rng.choice(self.alive())))

    def remove_meshes(self):
        used = {self.scene.objects[index].mesh for index in self.alive()}
        for index, each in enumerate(self.scene.meshes):
            if index not in used and not each.removed:
                self.scene.remove_mesh(index)

    def hide(self):
        self.scene.hide(self.some())

    def show(self):
        self.scene.show(self.some())

    def move(self):
        chosen = sorted(set(self.some()))
        self.scene.set_poses(chosen, [any_pose(self.rng) for _ in chosen])

    def deform(self):
        mesh = self.scene.objects[int(self.rng.choice(self.alive()))].mesh
        vertices = self.scene.meshes[mesh].vertices
        self.scene.set_vertices(mesh, vertices + self.rng.normal(0, 0.02, vertices.shape))

    def exchange(self):
        """Another mesh for an object, as one whose topology changes gets."""
        vertices, triangles = SHAPES[self.rng.integers(len(SHAPES))]
        self.scene.objects[int(self.rng.choice(self.alive()))].mesh = self.scene.add_mesh(vertices + 0.0, triangles)

    def rearrange(self):
        self.scene.rearrange(self.rng.permutation(self.alive())[:max(3, len(self.alive()) - 1)])

    def one(self):
        kinds = (self.add, self.remove, self.remove_meshes, self.hide, self.show, self.move, self.deform,
                 self.exchange, self.rearrange)
        kinds[self.rng.integers(len(kinds))]()


@pytest.mark.parametrize("seed", range(12))
def test_any_sequence_of_changes_ends_in_the_answer_of_a_new_scene(seed):
    changes = Changes(np.random.default_rng(seed))
    for step in range(25):
        for _ in range(changes.rng.integers(1, 4)):
            changes.one()
        if sum(each.enabled for each in changes.scene.objects) < 2:
            with pytest.raises(Refused):
                detect(changes.scene)
            continue
        assert_same_answer(changes.scene, clearance=0.05 if step % 3 == 0 else 0.0, threads=1 + step % 2,
                           contacts=step % 4 != 1)


@pytest.mark.parametrize("method", [each for each in METHODS if each != "touchpoint"])
def test_all_methods_follow(method):
    changes = Changes(np.random.default_rng(99))
    for _ in range(8):
        for _ in range(3):
            changes.one()
        if sum(each.enabled for each in changes.scene.objects) >= 2:
            assert_same_answer(changes.scene, method=method)


def row_of_boxes(count=40):
    """Neighbours cross, each with a mesh of its own."""
    scene = Scene()
    for k in range(count):
        scene.add_object(scene.add_mesh(*box()), pose(1, (0.75 * k, 0.01 * k, 0)))
    return scene


def placed(scene):
    """Indices of the objects that stand ready."""
    forest = scene.cache["forest"]
    return set(forest.objects[forest.placed].tolist())


def forest_after(scene, change):
    """What the next run finds placed before it places anything: detect with nothing to place."""
    from touchpoint.core.scene.select import select
    from touchpoint.core.trees.bvh.forest import Forest

    detect(scene)
    change()
    selection = select(scene)
    Forest.of(scene, selection.objects, selection.bounds, lambda *_: None, 1)
    return placed(scene)


@pytest.mark.parametrize("change, lost", [
    (lambda scene: scene.remove_object(7), {7}),
    (lambda scene: scene.hide([0, 39]), {0, 39}),
    (lambda scene: scene.add_object(3, pose(1, (1, 1, 0))), set()),
    (lambda scene: scene.set_poses([5], [pose(1, (3, 0.5, 0))]), {5}),
    (lambda scene: scene.set_vertices(6, box()[0] * 0.9), {6}),
    (lambda scene: (scene.hide([4]), scene.show([4])), set()),
    (lambda scene: scene.rearrange(range(40)), set()),
])
def test_a_change_costs_what_was_changed(change, lost):
    scene = row_of_boxes()
    assert forest_after(scene, lambda: change(scene)) == set(range(40)) - lost
    trees = MeshTrees.of(scene)
    before, vertices = trees.built.copy(), trees.vertices
    assert_same_answer(scene)
    assert np.array_equal(trees.built, before) and trees.vertices is vertices


def test_rearranged_objects_stay_placed():
    scene = row_of_boxes()
    order = [*range(39, 20, -1), *range(3, 21)]
    assert forest_after(scene, lambda: scene.rearrange(order)) == set(range(37))
    assert [each.name for each in scene.objects] == [f"object {k}" for k in order]
    assert [each.pose[0, 3] for each in scene.objects] == [0.75 * k for k in order]
    assert_same_answer(scene)
    for wrong, error in (([0, 0], ValueError), ([0, 40], IndexError)):
        with pytest.raises(error):
            scene.rearrange(wrong)
    assert len(scene.objects) == 37 and scene.add_object(0) == 37


@pytest.mark.scenes
def test_what_was_hidden_for_a_while_is_built_once():
    scene = row_of_boxes()
    scene.hide([3])
    detect(scene)
    trees = MeshTrees.of(scene)
    assert trees.row[3] == -1
    scene.show([3])
    detect(scene)
    arrays = trees.vertices
    for _ in range(3):
        scene.hide([3])
        assert_same_answer(scene)
        scene.show([3])
        assert_same_answer(scene)
    assert trees.vertices is arrays and not trees.built.any()


def test_a_zero_that_changes_its_sign_is_a_change():
    """A vertex then has another zero in the world, which contacts show."""
    scene = row_of_boxes(3)
    detect(scene)
    turned = np.eye(4)
    turned[0, 1] = -0.0
    scene.set_poses([0], [turned])
    assert_same_answer(scene)
    assert forest_after(scene, lambda: scene.set_poses([0], [np.eye(4)])) == {1, 2}


@pytest.mark.scenes
def test_memory_of_removed_meshes_is_used_again():
    scene = Scene()
    for k in range(2):
        scene.add_object(scene.add_mesh(*ball(20, 20)), pose(1, (0.3 * k, 0, 0)))
    sizes = []
    for k in range(30):
        detect(scene)
        gone = scene.objects[0].mesh
        scene.objects[0].mesh = scene.add_mesh(*ball(20, 20, 1.0 + 0.01 * k))
        scene.remove_mesh(gone)
        sizes.append(len(MeshTrees.of(scene).triangles))
    assert max(sizes) <= 4 * len(ball(20, 20)[1]) and len(scene.meshes[gone].vertices) == 0
    assert_same_answer(scene)


@pytest.mark.scenes
def test_memory_of_removed_objects_is_used_again():
    scene = row_of_boxes()
    detect(scene)
    for k in range(20):
        scene.remove_object(k)
        scene.add_object(0, pose(1, (0.75 * k, 0.02 * k, 0)))
        assert_same_answer(scene)
    assert len(scene.cache["forest"].world) <= 2 * 40 * 8


def test_indices_are_stable_and_not_given_again():
    scene = row_of_boxes(4)
    scene.remove_object(1)
    assert scene.add_object(0) == 4 and scene.objects[1].removed and not scene.objects[1].enabled
    for index in (1, 5, -1):
        for change in (lambda index=index: scene.remove_object(index), lambda index=index: scene.hide([0, index]),
                       lambda index=index: scene.show([index])):
            with pytest.raises(IndexError, match="no object"):
                change()
    assert scene.objects[0].enabled
    with pytest.raises(ValueError, match="still has"):
        scene.remove_mesh(0)
    scene.remove_mesh(1)
    for change in (lambda: scene.remove_mesh(1), lambda: scene.add_object(1), lambda: scene.remove_mesh(9)):
        with pytest.raises(IndexError, match="no mesh"):
            change()
    assert scene.add_mesh(*box()) == 4


def test_what_is_hidden_is_neither_tested_nor_left_out():
    scene = row_of_boxes(3)
    scene.add_object(scene.add_mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32)), name="empty")
    assert [each.name for each in detect(scene).skipped] == ["empty"]
    scene.hide([3])
    report = detect(scene)
    assert report.skipped == [] and [each.index for each in report.objects] == [0, 1, 2]
    scene.hide([0, 1])
    with pytest.raises(Refused, match="At least two objects"):
        detect(scene)
    scene.hide([2])
    with pytest.raises(Refused, match="no objects"):
        detect(scene)


def test_pairs_of_hidden_objects_are_not_tested():
    scene = row_of_boxes(4)
    scene.hide([2])
    report = detect(scene, pairs=[(0, 1), (1, 2), (2, 3)])
    assert [(row["a"], row["b"]) for row in report.pairs] == [(0, 1)]


def test_objects_that_are_added_at_once_are_those_that_are_added_one_by_one():
    one, other = Scene(), Scene()
    for scene in (one, other):
        for size in (1.0, 2.0):
            scene.add_mesh(*box((0, 0, 0), (size, size, size)))
        scene.add_object(1, np.diag([2.0, 2.0, 2.0, 1.0]))
    meshes, shells = [0, 1] * 20, [True, False, False, True] * 10
    one.add_objects(meshes, shells)
    for mesh, shell in zip(meshes, shells):
        other.add_object(mesh, shell=shell)
    assert [each.name for each in one.objects] == [each.name for each in other.objects]
    assert one.poses.tobytes() == other.poses.tobytes()
    for name in ("mesh", "shell", "enabled", "serial", "clearance", "group", "static"):
        assert getattr(one.layout, name).tolist() == getattr(other.layout, name).tolist(), name
    with pytest.raises(IndexError):
        one.add_objects([0, 2], [False, False])
    assert len(one.objects) == 41


def test_to_hide_what_is_hidden_changes_nothing():
    scene = row_of_boxes()
    scene.hide([3])
    layout, state = scene.layout, scene.state
    scene.hide([3])
    scene.show([0, 4])
    assert scene.layout is layout and scene.state is state
    scene.show([3])
    assert scene.layout is not layout
