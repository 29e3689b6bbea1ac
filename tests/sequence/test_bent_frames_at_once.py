# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are tested together while meshes bend: what is said of each is what is said of it alone, to the last bit.
"""

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box, joined, moved
from test_frames_at_once import ANEW, BETWEEN, LONG, Film, alone, assert_same, counted_batches, in_parts
from test_joined_parts import files
from test_sweep import HOW, RULES
from touchpoint.core import Scene, Sweep, detect
from touchpoint.core.errors import TooLarge
from touchpoint.core.sequence import at_once, queued
from touchpoint.core.trees.bvh.mesh_trees import MeshTrees

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


class Bending(Film):
    """The same, of which some bend, in every frame or in every third one. No object has a mesh of its own but those
    that bend; two of these share one."""

    def __init__(self, seed, frames=LONG, bent=(0, 2, 5), **how):
        super().__init__(seed, frames, **how)
        self.shapes = [ball(9, 6, 0.7) if k in bent else shape for k, shape in enumerate(self.shapes)]
        self.bent = bent
        self.poses[:, 1, 0, 3] += 1e-3 * np.arange(len(self.poses))      # no two frames are the same

    def vertices(self, k, number):
        vertices = self.shapes[k][0]
        return vertices + 0.15 * np.sin(4.0 * vertices[:, [1, 2, 0]] + 0.5 * (number if k % 2 else number // 3 * 3))

    def scenes(self, first=0):
        scene = Scene()
        for k, shape in enumerate(self.shapes):
            mesh = self.bent[0] if k == self.bent[-1] else scene.add_mesh(*shape)
            scene.add_object(mesh, name=f"o{k}", group=("left", "right")[k % 2], shell=k in self.shells,
                             static=k in self.static)
        for number in range(first, self.frames):
            scene.set_poses(range(len(self.shapes)), self.poses[number])
            for k in self.bent[:-1]:
                if number == first or k % 2 or number % 3 == 0:
                    scene.set_vertices(scene.layout.mesh[k], self.vertices(k, number))
            yield 0.5 * number, scene


@pytest.fixture
def batches(monkeypatch):
    return counted_batches(monkeypatch)


@pytest.mark.parametrize("how", [*sorted({*HOW} - {"selves", "everything", "rapid", "tsgo"}), *BETWEEN])
@pytest.mark.parametrize("seed", range(3))
def test_together_as_alone(batches, seed, how):
    film = Bending(seed, bent=((0, 2, 5), (1, 3, 4), (0, 1, 3, 6))[seed], static=(3,) if seed == 2 else ())
    report = assert_same(film.scenes, **{**HOW, **BETWEEN}[how])
    assert len(report.pairs) > 2 and sum(batches) >= LONG - 6 and max(batches) >= ANEW - 3


# How many frames are tested at once. In frame 3 some begin to bend; frames 0, 8 and 16 are tested by themselves.
TOGETHER = {"nan": [2, 1, 7, 4], "far": [2, 1, 7, 4], "disorder": [2, 1, 4, 1, 4], "another bends": [2, 3, 7, 4],
            "a hidden one": [2, 1, 7, 4], "one without faces": [2]}


@pytest.mark.parametrize("how", ["plain", "between"])
def test_meshes_that_no_object_has_come_and_go(how):
    """A script may add a mesh frames before it adds an object, and remove one that no object has any more."""
    def scenes():
        for k, (frame, scene) in enumerate(Bending(3).scenes()):
            if k in (3, 4, 12):
                scene.add_mesh(*box())
            if k in (7, 16):
                scene.remove_mesh(len(scene.meshes) - 1)
            yield frame, scene

    assert len(assert_same(scenes, **{**HOW, **BETWEEN}[how]).pairs) > 2


@pytest.mark.parametrize("what", [*TOGETHER])
def test_what_bends_otherwise_is_tested_by_itself(batches, what):
    """A mesh that cannot be tested in one frame, one that loses the order of its tree, and one that begins to bend."""
    film, rng = Bending(3), np.random.default_rng(0)
    film.shapes[0] = ball(24, 16, 0.7)

    def scenes():
        for number, (frame, scene) in enumerate(film.scenes()):
            vertices = scene.meshes[0].vertices
            if number == 0 and what == "one without faces":
                scene.add_object(scene.add_mesh(np.eye(3), np.zeros((0, 3), np.int32)), name="no faces")
            if number == 4 and what == "a hidden one":
                scene.hide([0])
            if number in (4, 5) and what in ("nan", "far"):
                odd = [[0.0, np.nan if what == "nan" else 1.5e308, 0.0]]
                scene.set_vertices(0, np.concatenate([odd, vertices[1:]]))
            if number in (4, 5, 13) and what == "disorder":
                scene.set_vertices(0, np.random.default_rng(number).permutation(vertices))
            if number >= 4 and what == "another bends":
                scene.set_vertices(4, scene.meshes[4].vertices * rng.uniform(0.99, 1.01))
            if number >= 3 and what == "one without faces":
                scene.set_vertices(len(scene.meshes) - 1, rng.random((3, 3)))
            yield frame, scene
        rng.bit_generator.state = np.random.default_rng(0).bit_generator.state

    for how in ({"depth": True}, {"continuous": True}):
        assert_same(scenes, **how)
        assert batches == TOGETHER[what]
        batches.clear()


def test_trees_of_frames_are_those_of_the_scene(batches, monkeypatch):
    """None is built or looked after in the scene of several frames, also where nothing is kept of it any more."""
    film, at_work, detect = Bending(1), [], at_once.detect
    for name in ("_build", "_follow"):
        own = getattr(MeshTrees, name)

        def noted(self, *how, own=own):
            at_work.append(self)
            return own(self, *how)
        monkeypatch.setattr(MeshTrees, name, noted)

    def fails(scene, *how, **more):
        if len(scene.frames.rows) == 7:
            scene.cache.clear()
            raise MemoryError
        return detect(scene, *how, **more)

    monkeypatch.setattr(at_once, "detect", fails)
    run = Sweep(depth=True)
    for frame, scene in film.scenes():
        run.take(frame, scene)
    run.finish()
    assert at_work and all(each is MeshTrees.of(scene) for each in at_work) and batches[3:5] == [1, 1]


@pytest.mark.parametrize("error", [TooLarge("No room."), MemoryError()])
def test_what_does_not_fit_together_is_tested_alone(batches, monkeypatch, error):
    """Then nothing is kept of the scene of several frames, and its trees are taken from the other one again."""
    detect = at_once.detect

    def fails(scene, *how, **more):
        if len(scene.frames.rows) > 1:
            scene.cache.clear()
            raise error
        return detect(scene, *how, **more)

    monkeypatch.setattr(at_once, "detect", fails)
    assert_same(Bending(1, frames=12).scenes, depth=True)
    assert batches[0] > 1 and set(batches[1:]) == {1}


@pytest.mark.parametrize("mesh", [0, 3, None])
def test_other_runs_between_frames_that_wait(batches, mesh):
    """A run of the caller's own, of a mesh that has lost the order of its tree, builds that anew, with others in its
    place. Or it keeps nothing, for want of memory. mesh: one that bends, one that does not."""
    film = Bending(3, shells=(3,))
    film.shapes[0] = film.shapes[3] = ball(24, 16, 0.7)

    def scenes():
        for number, (frame, scene) in enumerate(film.scenes()):
            yield frame, scene
            if number in (4, 11, 12):
                kept = scene.meshes[mesh or 0].vertices
                if mesh is None:
                    scene.cache.clear()
                else:
                    scene.set_vertices(mesh, np.random.default_rng(number).permutation(kept))
                detect(scene, pairs=[(0, 3)], contacts=False)
                scene.set_vertices(mesh or 0, kept)

    assert len(assert_same(scenes, depth=True).pairs) > 2 and max(batches) > 2


def test_components_of_trees_that_others_built(batches):
    """What a run of the caller's own keeps, after one that ended for want of memory, are trees in another order: a
    vertex of each component is looked for anew."""
    parts, solid = [ball(6, 4, 0.2), moved(ball(12, 8, 0.2), (3.0, 0.0, 0.0))], ball(12, 8, 1.0)
    two = joined(*parts)

    def scenes():
        scene = Scene()
        for name, mesh in (("two", two), ("solid", solid), ("other", solid)):
            scene.add_object(scene.add_mesh(*mesh), name=name)
        for number in range(2 * ANEW):
            vertices, places = two[0] * (1.0 + 0.02 * np.sin(3.0 * two[0] + number)), [(0, 0, 0), (0, 1.5, 0)]
            scene.set_vertices(0, vertices)
            scene.set_poses(range(3), [np.eye(4), *(pose(offset=place) for place in places)])
            yield number, scene
            if number % ANEW == 3:
                scene.cache.clear()
                scene.set_vertices(0, vertices * (-1.0, 1.0, 1.0))
                scene.set_poses([0, 1], [pose(offset=(0.9, 1.0, 0)), pose(offset=(0, 1.0, 0))])
                detect(scene, contacts=False)       # all cross, and nobody asks for components
                scene.set_vertices(0, vertices)

    assert len(assert_same(scenes).pairs) == 2 and max(batches) > 2


def test_many_that_bend_are_tested_by_themselves(batches, monkeypatch):
    monkeypatch.setattr(queued, "BENDING_AT_ONCE", 1)
    assert len(assert_same(Bending(3).scenes).pairs) > 2 and batches == [2]      # before anything bends


def test_held_poses_are_tested_by_themselves(batches):
    """Where nothing is different in every other frame, few frames would be tested together: from the first on that is
    held, each is by itself, until nothing was held for as many frames as begin anew."""
    def scenes(held, frames):
        scene = Scene()
        for k in range(3):
            scene.add_object(scene.add_mesh(*ball(6, 5, 0.6)), pose(offset=(0.9 * k, 0, 0)))
        for number in range(frames):
            if number < 4 or number >= held or number % 2:
                scene.set_vertices(0, ball(6, 5, 0.6 + 0.01 * number)[0])
            yield float(number), scene

    assert_same(lambda: scenes(LONG, LONG))
    assert sum(batches) <= 4
    batches.clear()
    assert_same(lambda: scenes(10, 10 + 4 * ANEW))
    assert sum(batches) > ANEW


def test_parts(batches):
    film, how = Bending(2), {"rules": RULES, "depth": True, "continuous": True}
    assert files(in_parts(film.scenes, **how)) == files(alone(film.scenes, **how)[1]) and len(batches) >= 3


def test_trees_of_meshes_that_come_several_times():
    """They have the nodes of the trees that there are, and the vertices that these have, until they take others."""
    scene = Scene()
    for shape in (ball(9, 6, 0.7), box((0, 0, 0), (1, 1, 1)), ball(5, 4, 1.0)):
        scene.add_mesh(*shape)
    trees = MeshTrees.of(scene)
    trees.update(scene, np.array([0, 2]), lambda done: None, 1)
    source = np.array([0, 0, 1, 2, 2, 2])
    others = trees.repeated(source, np.arange(6))
    bent = scene.meshes[2].vertices + 1.0
    others.take(4, bent, 7)
    others.take(2, scene.meshes[1].vertices, 3)         # it has no tree
    assert (others.row[[0, 1, 3, 4, 5]] == range(5)).all() and others.row[2] < 0
    assert [others.version_of(k) for k in range(6)] == [0, 1, 2, 3, 7, 5]
    for index in (0, 1, 3, 4, 5):
        mine, theirs = others.tree(index), trees.tree(source[index])
        assert mine.root == theirs.root
        assert all(np.array_equal(getattr(mine, name), getattr(theirs, name)) for name in ("children", "leaf", "order"))
        row, of = others.row[index], trees.row[source[index]]
        first, there = others.vertex_start[row], trees.vertex_start[of]
        count, offset = trees.vertex_count[of], 1.0 if index == 4 else 0.0
        assert others.vertex_count[row] == count
        assert np.array_equal(others.vertices[first:first + count], trees.vertices[there:there + count] + offset)
