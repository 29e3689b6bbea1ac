# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees and edges of large meshes, which are found in pieces: as in one go, and cancelled between any two of them."""
import threading
from collections.abc import Callable

import numpy as np
import pytest
from naive.answers import difference
from naive.scenes import pose
from naive.shapes import ball
from naive.validate_bvh import tree_faults
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED
from touchpoint.core.parallel import run_in_pieces
from touchpoint.core.report import Report
from touchpoint.core.trees.bvh import large_meshes, mesh_trees
from touchpoint.core.trees.bvh.forest import MeshTrees
from touchpoint.core.verdicts import edges

ARRAYS = ("vertices", "vertex_order", "triangles", "order", "vertex_count", "node_count", "root")


def ball_and_others(seed: int) -> tuple[Scene, int]:
    """Balls with vertices that nothing uses and triangles in disorder, and how many triangles the first one has."""
    rng, scene = np.random.default_rng(seed), Scene()
    for n in (9, 5, 4):
        vertices, triangles = ball(2 * n, n)
        order, place = rng.permutation(len(triangles)), rng.permutation(len(vertices) + 6)
        given = rng.normal(size=(len(place), 3))
        given[place[:len(vertices)]] = vertices
        scene.add_object(scene.add_mesh(given, place[triangles[order]]), pose(1, rng.normal(size=3) * 0.6))
    return scene, len(scene.meshes[0].triangles)


def trees_of(scene: Scene) -> list[np.ndarray]:
    """The arrays of all meshes, of those with memory to spare what is in use."""
    trees = MeshTrees.of(scene)
    nodes = [array for index in range(len(scene.meshes)) for array in (trees.tree(index).children,
                                                                       trees.tree(index).leaf)]
    return [*(getattr(trees, name) for name in ARRAYS[3:]), *nodes, *(
        getattr(trees, name)[start:start + count] for name in ARRAYS[:2]
        for start, count in zip(trees.vertex_start, trees.vertex_count)), trees.triangles]


def check_cancelling(made: Callable[[], Scene], stage: str, wanted: Report) -> None:
    """Wherever a run is cancelled within a stage, it ends at that very call, and the next run finds what a new scene
    would."""
    calls: list[str] = []
    detect(made(), threads=1, progress=lambda name, _: calls.append(name))
    stops = [k for k, name in enumerate(calls) if name == stage]
    assert len(stops) > 20
    for stop in stops[::3]:
        scene, asked = made(), []
        report = detect(scene, threads=1, progress=lambda *step, asked=asked, stop=stop: asked.append(step)
                        or len(asked) <= stop)
        assert report.cancelled and len(asked) == stop + 1
        assert difference(wanted, detect(scene)) == ""


@pytest.fixture
def small_pieces(monkeypatch):
    def divide(size):
        for module in (large_meshes, mesh_trees):
            monkeypatch.setattr(module, "TRIANGLES_PER_PIECE", size)
    monkeypatch.setattr(mesh_trees, "TRIANGLES_PER_GROUP", 1)
    return divide


@pytest.mark.parametrize("size", [4, 7, 100])
@pytest.mark.parametrize("threads", [1, 2])
def test_trees_are_those_that_are_built_in_one_go(size, threads, small_pieces):
    scene, count = ball_and_others(size)
    whole = detect(scene)
    pieces, _ = ball_and_others(size)
    small_pieces(size)
    told = []
    report = detect(pieces, threads=threads, progress=lambda stage, done: told.append((stage, done)))
    assert difference(whole, report) == ""
    for one, other in zip(trees_of(scene), trees_of(pieces), strict=True):
        assert np.array_equal(one, other)
    assert tree_faults(MeshTrees.of(pieces).tree(0), count) == []
    prepare = [done for stage, done in told if stage == "prepare"]
    assert prepare == sorted(prepare) and (threads > 1 or len(set(prepare)) > 10)


@pytest.mark.scenes
@pytest.mark.parametrize("deformed", [False, True])
def test_a_run_that_is_cancelled_between_two_pieces_leaves_the_scene_whole(deformed, small_pieces):
    small_pieces(40)

    def made():
        scene, _ = ball_and_others(3)
        if deformed:
            detect(scene)
            scene.set_vertices(0, np.random.default_rng(0).permutation(scene.meshes[0].vertices))
        return scene

    check_cancelling(made, "prepare", detect(made()))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_piece_ends_where_its_chunk_is_cancelled(threads):
    pauses = []

    def work(number, pause):
        for step in range(2000):
            pauses.append(number)
            pause(step / 2000)
            threading.Event().wait(0.001)

    def tick(done):
        if done > 0.01:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_in_pieces(work, [1, 1, 2], threads, tick)
    assert 10 < len(pauses) < 2000


def test_progress_is_weighed_by_size():
    told = []
    run_in_pieces(lambda number, pause: pause(0.5), [1, 3], 1, told.append)
    assert told == sorted(told) and {0.0, 0.125, 0.25, 0.625} <= set(told)


@pytest.mark.parametrize("rows", [1, 7, 64])
def test_edges_are_those_that_are_found_in_one_go(rows, monkeypatch):
    vertices, triangles = ball(12, 6)
    whole, ticks = edges.edges_of(triangles, len(vertices)), []
    monkeypatch.setattr(edges, "ROWS_PER_PIECE", rows)
    found = edges.edges_of(triangles, len(vertices), lambda: ticks.append(0))
    assert np.array_equal(found.start, whole.start) and np.array_equal(found.wings, whole.wings)
    assert len(ticks) >= 5 * len(triangles) // rows - 3


def test_a_run_can_be_cancelled_while_the_edges_of_a_mesh_are_found(monkeypatch):
    """A small ball within a large one, whose edges tell that it is closed."""
    def made():
        scene, (vertices, triangles) = Scene(), ball(12, 6)
        for scale in (1.0, 0.2):
            scene.add_object(scene.add_mesh(vertices * scale, triangles))
        return scene

    wanted = detect(made(), threads=1)
    assert wanted.pairs["verdict"].tolist() == [CONTAINED]
    monkeypatch.setattr(edges, "ROWS_PER_PIECE", 16)
    check_cancelling(made, "verdicts", wanted)
