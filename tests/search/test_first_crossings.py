# SPDX-License-Identifier: GPL-3.0-or-later
"""A pair is done at its first sure crossing: which pairs are, what is kept of the others, and that it is soon."""
import numpy as np
import pytest
from naive.answers import verdict_table
from naive.scenes import SCENES, build, crowd, draw, pose
from naive.shapes import ball, box
from touchpoint.core import detect
from touchpoint.core.codes import CROSSING, VERDICTS
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.mid_phase.descend import descend
from touchpoint.core.mid_phase.thin_objects import thin_objects
from touchpoint.core.narrow_phase.triangle_filter import PROPER
from touchpoint.core.narrow_phase.triangle_pairs import CandidateFilter
from touchpoint.core.records import ObjectPairs
from touchpoint.core.scene.select import select
from touchpoint.core.search.first_crossings import descend_to_crossings, up_to_one_crossing
from touchpoint.core.trees.bvh.forest import Forest


def quiet(*_):
    return None


def placed(scene):
    selection = select(scene)
    forest = Forest(scene, selection.objects, selection.bounds, quiet)
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(selection.objects), 1))
    next(forest.batches(a, b))
    tasks = np.stack([np.arange(len(a)), forest.root[a], forest.root[b]], axis=1).astype(np.int32)
    return forest, a, b, tasks


def all_hits(forest, a, b, tasks):
    """{(pair, slot of a, slot of b): whether the filter is sure that they cross}, of all that meet or may meet."""
    stack = np.concatenate([tasks, np.empty((4096, 3), np.int32)])
    depth, found, filtered = len(tasks), {}, CandidateFilter()
    pairs = ObjectPairs(a, b, np.zeros(len(a), np.uint8))
    while depth:
        depth, count = descend(pairs, forest.placed_trees, thin_objects(forest, a, b), stack, depth, 1000,
                               filtered.candidates, np.zeros(1, np.int64))
        kept = filtered.keep(count, a, b, forest.corners)
        found.update(zip(map(tuple, filtered.candidates[:kept].tolist()), (filtered.result[:kept] == PROPER).tolist()))
    return found


def first_hits(forest, a, b, tasks, rows=96, steps=40):
    """(done, hits): what `descend_to_crossings` finds with so little room that it stops again and again."""
    stack = np.concatenate([tasks, np.empty((4096, 3), np.int32)])
    depth, found, filtered, stats = len(tasks), [], CandidateFilter(), np.zeros(2, np.int64)
    pairs = ObjectPairs(a, b, np.zeros(len(a), np.uint8))
    while depth:
        depth, kept = descend_to_crossings(pairs, forest.placed_trees, thin_objects(forest, a, b), stack, depth, steps,
                                           filtered.candidates[:rows], filtered.scratch, filtered.result,
                                           filtered.undecided, stats)
        found += map(tuple, filtered.candidates[:kept].tolist())
    return pairs.done, found


@pytest.mark.parametrize("rows, steps", [(16, 1), (96, 40), (1000, 100_000)])
@pytest.mark.parametrize("name", SCENES)
def test_pairs_are_done_that_surely_cross_and_the_hits_of_all_others_are_kept(name, rows, steps):
    forest, a, b, tasks = placed(build(draw(name, 4)))
    wanted = all_hits(forest, a, b, tasks)
    crossing = {hit[0] for hit, sure in wanted.items() if sure}
    done, found = first_hits(forest, a, b, tasks, rows, steps)
    assert set(np.flatnonzero(done).tolist()) == crossing
    assert len(found) == len(set(found))
    assert {hit for hit in found if hit[0] not in crossing} == {hit for hit in wanted if hit[0] not in crossing}
    assert not any(wanted[hit] for hit in found)


def test_the_hits_of_a_block_up_to_one_crossing():
    rng = np.random.default_rng(0)
    for _ in range(200):
        hits = np.column_stack([np.sort(rng.integers(0, 4, 20)), np.arange(20), np.arange(20)]).astype(np.int32)
        result, done = rng.choice([PROPER, PROPER + 1, PROPER + 1], 20).astype(np.uint8), np.zeros(4, np.uint8)
        done[rng.integers(0, 4)] = 1
        expected, over = [], set(np.flatnonzero(done).tolist())
        for row, sure in zip(hits.tolist(), (result == PROPER).tolist()):
            if row[0] not in over and not sure:
                expected.append(row)
            elif sure:
                over.add(row[0])
        kept = up_to_one_crossing(hits, result, len(hits), done)
        assert hits[:kept].tolist() == expected and set(np.flatnonzero(done).tolist()) == over


@pytest.mark.scenes
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SCENES)
def test_verdicts_are_those_with_contacts(name, threads):
    for seed in range(20, 26 if COMPILED else 21):
        scene = build(draw(name, seed))
        short, whole = detect(scene, contacts=False, threads=threads), detect(scene, threads=threads)
        assert verdict_table(short) == verdict_table(whole), seed
        for column in ("verdict", "status", "inner", "exact", "winding", "copy"):
            assert short.pairs[column].tobytes() == whole.pairs[column].tobytes(), (seed, column)


@pytest.mark.skipif(not COMPILED, reason="too slow in plain Python")
@pytest.mark.parametrize("threads", [1, 2])
def test_large_meshes_that_cross_in_many_pairs_are_done_after_few_triangles(threads):
    """Also where threads share a pair, as a few triangles tell those that only touch from those that cross."""
    objects = [(0, pose(1, (0.5 * i, 0.2 * i, 0.1))) for i in range(12)]
    objects += [(1, pose(1, (0, 0, 3))), (1, pose(1, (1, 0, 3))), (1, pose(0.01, (0.5, 0.5, 3.5)))]
    scene = build(([ball(120, 80), box()], objects))
    short, whole = detect(scene, contacts=False, threads=threads), detect(scene, threads=threads)
    assert verdict_table(short) == verdict_table(whole)
    assert {VERDICTS[each] for each in np.unique(short.pairs["verdict"])} >= {"crossing", "touching", "contained"}
    crossing = int((short.pairs["verdict"] == CROSSING).sum())
    assert short.counts["triangle_pairs"] < 100 * crossing < whole.counts["triangle_pairs"] / 20


@pytest.mark.scenes
def test_few_candidates_of_each_pair_are_looked_at():
    scene = build(crowd(np.random.default_rng(3), 40, 2.0))
    short, whole = detect(scene, contacts=False, threads=1), detect(scene, threads=1)
    assert verdict_table(short) == verdict_table(whole)
    assert 2 * short.counts["triangle_pairs"] < whole.counts["triangle_pairs"]
