# SPDX-License-Identifier: GPL-3.0-or-later
"""More contacts than a run lists: verdicts and counts are those of the whole, and which contacts are listed follows the
written rule, whatever method, threads and batches."""
import json

import numpy as np
import pytest
from little_room import little_room
from naive.asked import exact_variants
from naive.scenes import SCENES, build, crowd, draw, pose, touching_grid
from naive.shapes import box
from touchpoint.core import Scene, Unsupported, detect, memory, pipeline, reporting
from touchpoint.core.codes import CANNOT_TELL, VERDICTS
from touchpoint.core.geometry.placed import placed_vertices
from touchpoint.core.pair_table import BYTES_PER_FOUND
from touchpoint.core.run import Run
from touchpoint.core.scene.twins import some_have_one_place, twins
from touchpoint.core.search import contact_budget, contact_search, stream
from touchpoint.core.search.contact_budget import Listing, shares
from touchpoint.core.verdicts import judging

pytestmark = pytest.mark.scenes
__all__ = ["little_room"]       # a fixture

JUDGED = ["a", "b", "verdict", "status", "inner"]


def plain_shares(found, crossing, budget):
    """The rule of docs/decisions/0011 word by word, one contact after the other."""
    share = [0] * len(found)
    for wanted in (True, False):
        for row, count in enumerate(found):
            if count and crossing[row] == wanted and sum(share) < budget:
                share[row] = 1
    for wanted in (True, False):
        while True:
            more = [row for row, count in enumerate(found) if share[row] and crossing[row] == wanted
                    and share[row] < count]
            if not more:
                break
            if sum(share) + len(more) > budget:
                return share
            for row in more:
                share[row] += 1
    return share


def listed(report, row):
    contacts = report.contacts_of(row)
    return list(zip(contacts.triangle_a.tolist(), contacts.triangle_b.tolist(), contacts.kind.tolist(),
                    contacts.point.tolist(), contacts.normal.tolist()))


def assert_cut(whole, cut, budget):
    """`cut` is the run `whole` with a budget."""
    assert cut.pairs[JUDGED].tolist() == whole.pairs[JUDGED].tolist()
    assert cut.found.tolist() == whole.pairs["contacts"].tolist()
    assert cut.pairs["contacts"].sum() == len(cut.contacts) <= budget
    crossing = [bool(whole.contacts_of(row).proper.any()) for row in range(len(whole.pairs))]
    assert cut.pairs["contacts"].tolist() == plain_shares(whole.pairs["contacts"].tolist(), crossing, budget)
    for row, count in enumerate(cut.pairs["contacts"].tolist()):
        assert listed(cut, row) == listed(whole, row)[:count]


@pytest.mark.parametrize("seed", range(40))
def test_shares_follow_the_rule(seed):
    rng = np.random.default_rng(seed)
    found, crossing = rng.integers(0, 12, 15) * rng.integers(0, 2, 15), rng.random(15) < 0.5
    for budget in (1, 3, 7, 12, 20, 35, 60, 200):
        assert shares(found, crossing, budget).tolist() == plain_shares(found.tolist(), crossing.tolist(), budget)


@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.parametrize("budget", [5, 60])
def test_verdicts_are_those_of_all_contacts(name, budget, little_room):
    scene = draw(name, 3)
    whole = detect(build(scene))
    assert not whole.pairs["unlisted"].any()
    little_room(budget)
    assert_cut(whole, detect(build(scene)), budget)


@pytest.mark.parametrize("variant", exact_variants(), ids=str)
@pytest.mark.parametrize("name", ["lattice boxes", "duplicates", "crowd"])
def test_every_method_lists_the_same(variant, name, little_room):
    scene = draw(name, 5)
    whole = detect(build(scene))
    little_room(40)
    assert_cut(whole, detect(build(scene), method=variant.method, options=variant.options), 40)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("most, first", [(1, 1), (9, 2), (1000, 1000)])
def test_neither_batches_nor_threads_change_what_is_listed(threads, most, first, little_room, monkeypatch):
    scene = crowd(np.random.default_rng(4), count=12)
    whole = detect(build(scene))
    little_room(30)
    monkeypatch.setattr(contact_budget, "BATCH_CONTACTS", most)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", first)
    cut = detect(build(scene), threads=threads)
    assert_cut(whole, cut, 30)
    assert cut.counts["exact_decisions"] == whole.counts["exact_decisions"], "each question counts once"
    assert cut.counts["triangle_pairs"] == whole.counts["triangle_pairs"]


@pytest.mark.parametrize("name, seed", [("crowd", 4), ("lattice boxes", 3), ("duplicates", 1)])
def test_depths_rest_on_all_contacts(name, seed):
    """Cut lists of contacts let bounds be wider, and a pair that touches within its tolerance be called crossing."""
    scene = draw(name, seed)
    columns = [*JUDGED, "exact", "depth", "depth_upper"]
    for asked in ({"depth": True}, {"tolerance": 0.05}, {"tolerance": "auto", "threads": 1}):
        whole = detect(build(scene), **asked)
        assert (whole.pairs["depth"] > 0.0).any() or name == "duplicates"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(contact_search, "HITS_PER_LOOK", 4)
            patch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 20)
            patch.setattr(contact_budget, "BATCH_CONTACTS", 16)
            cut = detect(build(scene), **asked)
            assert cut.pairs["unlisted"].any()
        for column in columns:
            assert cut.pairs[column].tobytes() == whole.pairs[column].tobytes(), column


@pytest.mark.parametrize("budget", [8, 40, 100])
def test_pairs_and_objects_by_themselves_are_counted_apart(budget, little_room):
    """Where contacts of only one of the two kinds are too many, those of the other are all there."""
    def folded():
        scene, rng = Scene(), np.random.default_rng(8)
        for _ in range(4):
            faces = rng.permuted(np.tile(np.arange(12), (8, 1)), axis=1)[:, :3]
            scene.add_object(scene.add_mesh(rng.random((12, 3)), faces))
        for _ in range(3):
            scene.add_object(scene.add_mesh(*box()), pose(1, (0.1, 0.2, 0.3)))
        return scene

    whole = detect(folded(), self_collisions=True)
    alone = whole.pairs["a"] == whole.pairs["b"]
    kinds = [int(whole.pairs["contacts"][some].sum()) for some in (alone, ~alone)]
    assert 8 < kinds[0] < 40 < 100 < kinds[1]
    little_room(budget)
    cut = detect(folded(), self_collisions=True)
    assert cut.pairs[JUDGED].tolist() == whole.pairs[JUDGED].tolist()
    assert cut.found.tolist() == whole.pairs["contacts"].tolist() and cut.pairs["unlisted"].any()
    for row, count in enumerate(cut.pairs["contacts"].tolist()):
        assert listed(cut, row) == listed(whole, row)[:count]


def test_verdicts_alone_need_no_room(little_room):
    scene = touching_grid(np.random.default_rng(1))
    whole = detect(build(scene), contacts=False)
    little_room(5)
    cut = detect(build(scene), contacts=False)
    columns = [*JUDGED, "contacts", "unlisted"]
    assert cut.pairs[columns].tolist() == whole.pairs[columns].tolist()
    assert not cut.notes and len(cut.contacts) == 0


def test_a_run_whose_contacts_fit_says_nothing_of_it(little_room):
    scene = crowd(np.random.default_rng(4), count=12)
    total = len(detect(build(scene)).contacts)
    little_room(total)
    assert not detect(build(scene)).notes
    little_room(total - 1)
    report = detect(build(scene))
    assert report.notes == [f"The first {len(report.contacts)} of {total} contacts are listed. Verdicts rest on all of "
                            "them."]
    assert report.summary()["contacts"] == total
    assert report.summary()["contacts_listed"] == len(report.contacts) < total


def test_the_files_say_how_many_there_are(little_room, tmp_path):
    little_room(40)
    report = detect(build(crowd(np.random.default_rng(4), count=12)))
    report.to_json(tmp_path / "report.json")
    report.to_csv(tmp_path / "report.csv")
    written = json.loads((tmp_path / "report.json").read_text())
    assert [each["contacts"] for each in written["pairs"]] == report.found.tolist()
    assert sum(len(each["points"]) for each in written["pairs"]) == len(report.contacts) <= 40
    assert written["summary"]["contacts"] == report.found.sum()
    assert written["summary"]["contacts_listed"] == len(report.contacts)
    lines = (tmp_path / "report.csv").read_text().splitlines()[1:]
    assert [int(line.split(",")[3]) for line in lines] == report.found.tolist()


def cubes(count, apart=False):
    """Equal cubes at one place, of one mesh, or each of its own."""
    scene = Scene()
    for number in range(count):
        mesh = scene.add_mesh(*box()) if apart or number == 0 else 0
        scene.add_object(mesh, pose(1, (1, 2, 3)))
    return scene


@pytest.mark.parametrize("apart", [False, True])
def test_equal_objects_at_one_place_are_searched_once(apart, little_room):
    whole = detect(cubes(12, apart))
    little_room(300)
    cut = detect(cubes(12, apart))
    assert_cut(whole, cut, 300)
    assert VERDICTS[cut.pairs["verdict"][0]] == "overlap"
    assert cut.counts["triangle_pairs"] == whole.counts["triangle_pairs"] < 12 * 12


def test_equal_objects_at_one_place_are_judged_once(monkeypatch):
    """Cubes, some of them with a smaller one of its own in a corner, and walls flush with them."""
    scene, rng = Scene(), np.random.default_rng(6)
    for low, high in (((0, 0, 0), (2, 2, 2)), ((0, 0, 0), (1, 1, 1)), ((2, 0, 0), (3, 2, 2)), ((1, 0, 0), (3, 2, 2))):
        scene.add_mesh(*box(low, high))
    for _ in range(24):
        scene.add_object(int(rng.integers(4)), pose(1, (int(rng.integers(2)), 0, 0)))
    judged = []
    real = judging.shared_volume
    monkeypatch.setattr(judging, "shared_volume", lambda *args: (judged.append(len(args[5])), real(*args)))
    once = detect(scene)
    monkeypatch.setattr(pipeline, "some_have_one_place", lambda bounds, a, b: False)
    each = detect(scene)
    assert once.pairs[[*JUDGED, "contacts"]].tolist() == each.pairs[[*JUDGED, "contacts"]].tolist()
    assert all((a == b).all() for a, b in zip(once.contacts.columns, each.contacts.columns))
    assert len(set(once.pairs["verdict"])) > 2 and judged[0] < judged[1] // 3


def test_pairs_beside_each_other_are_searched_once(little_room, monkeypatch):
    """Boxes of a grid that only touch: what a plane keeps apart needs no second look at its contacts."""
    little_room(50)
    searched, again = [], contact_budget._again
    monkeypatch.setattr(contact_budget, "_again", lambda stage, table, rows, run: (
        searched.extend(rows), again(stage, table, rows, run))[1])
    report = detect(build(touching_grid(np.random.default_rng(3))))
    assert report.found.sum() > len(report.contacts) and not searched


def test_what_is_no_twin():
    scene = cubes(2)
    scene.add_object(0, pose(1, (1, 2, 3)), static=True)
    scene.add_object(0, pose(1, (1, 2, np.nextafter(3, 4))))
    scene.add_object(scene.add_mesh(box()[0], box()[1][::-1]), pose(1, (1, 2, 3)))
    scene.add_object(scene.add_mesh(*box()), pose(1, (1, 2, 3)))
    scene.add_object(scene.add_mesh(*box((0, 0, 0), (1, 1, 2))), pose(1, (1, 2, 3)))
    bounds = np.array([np.append(*(side(placed_vertices(scene.meshes[each.mesh].vertices, each.pose), axis=0)
                                   for side in (np.min, np.max))) for each in scene.objects])
    assert twins(scene, np.arange(7, dtype=np.int32), bounds).tolist() == [0, 0, 2, 3, 4, 0, 6]
    assert twins(scene, np.array([1, 3, 5], np.int32), bounds[[1, 3, 5]]).tolist() == [0, 1, 0]
    assert some_have_one_place(bounds, np.array([0]), np.array([5]))
    assert not some_have_one_place(bounds + np.arange(7)[:, None], np.array([0]), np.array([5]))
    assert not some_have_one_place(bounds, np.array([0]), np.array([6]))


@pytest.mark.parametrize("name", ["crowd", "lattice boxes", "duplicates"])
def test_a_cancelled_run_is_right_in_what_it_tells(name, little_room):
    scene = draw(name, 2)
    whole = detect(build(scene))
    verdict = {(pair["a"], pair["b"]): pair["verdict"] for pair in whole.pairs}
    little_room(20)
    partial = 0
    for calls in range(1, 10_000, 7):
        left = iter(range(calls))
        report = detect(build(scene), progress=lambda stage, done, left=left: next(left, None) is not None)
        if not report.cancelled:
            break
        told = report.pairs[report.pairs["verdict"] != CANNOT_TELL]
        assert all(verdict[pair["a"], pair["b"]] == pair["verdict"] for pair in told)
        assert not any("rest on all" in note for note in report.notes)      # more may have been found later
        partial += 0 < len(told) < len(whole.pairs)
    assert not report.cancelled and partial


def test_short_memory_lists_fewer(monkeypatch):
    budget = contact_budget.MOST_LISTED_CONTACTS
    monkeypatch.setattr(contact_budget, "free", lambda: None)
    assert contact_budget.contact_budget() == budget
    need = 2 * budget * contact_budget.BYTES_PER_CONTACT + memory.SPARE_BYTES
    monkeypatch.setattr(contact_budget, "free", lambda: need)
    assert contact_budget.contact_budget() == budget
    monkeypatch.setattr(contact_budget, "free", lambda: need - 1)
    assert contact_budget.contact_budget() == budget // 2
    monkeypatch.setattr(contact_budget, "free", lambda: 0)
    assert 500 < contact_budget.contact_budget() < 2000


def test_contacts_leave_room_for_what_else_is_kept_of_pairs(monkeypatch):
    budget = contact_budget.MOST_LISTED_CONTACTS
    need = 2 * budget * contact_budget.BYTES_PER_CONTACT + memory.SPARE_BYTES
    monkeypatch.setattr(contact_budget, "free", lambda: need + 1000 * BYTES_PER_FOUND)
    assert contact_budget.contact_budget(1000) == budget
    assert contact_budget.contact_budget(1001) == budget // 2


def short_of_memory(patch, contacts):
    """A progress callback in whose stage `contacts` there is memory for so many contacts, else for all."""
    left = [1 << 60]
    patch.setattr(contact_search, "HITS_PER_LOOK", 4)
    patch.setattr(memory, "SMALL_BYTES", 0)
    patch.setattr(memory, "SPARE_BYTES", 0)
    patch.setattr(memory, "free", lambda: left[0])

    def progress(stage, done):
        left[0] = contacts * contact_budget.BYTES_PER_CONTACT if stage == "contacts" else 1 << 60

    return progress


def test_one_pair_too_many_for_memory_is_refused_and_leaves_the_scene(monkeypatch):
    scene = build(crowd(np.random.default_rng(4), count=12))
    with monkeypatch.context() as patch:
        with pytest.raises(Unsupported, match="contacts of these objects need .* GB of memory; 0.00 GB are free"):
            detect(scene, progress=short_of_memory(patch, 4))
    assert not scene.cache
    assert_cut(detect(build(crowd(np.random.default_rng(4), count=12))), detect(scene), 10 ** 9)


def test_batches_that_fit_are_found_where_memory_is_short(monkeypatch):
    scene = crowd(np.random.default_rng(4), count=12)
    whole = detect(build(scene))
    most = int(whole.pairs["contacts"].max()) + 40
    assert len(whole.contacts) > most
    assert_cut(whole, detect(build(scene), progress=short_of_memory(monkeypatch, most)), 10 ** 9)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_dropped_on_the_way_is_not_listed(seed):
    """Any division into batches lists the same contacts, although each may drop some."""
    rng = np.random.default_rng(seed)
    scene = draw(("crowd", "lattice boxes", "touching grid")[seed % 3], seed)
    table = whole_table(scene)
    budget, times = int(rng.integers(1, len(table.contacts))), rng.integers(1, 4, len(table))
    pair_of = np.repeat(np.arange(len(table)), times)
    answers = []
    for pieces in (1, 2, 5, len(table)):
        listing = Listing(times, budget, Run.unwatched(True))
        for numbers in np.array_split(np.arange(len(table)), pieces):
            part = table.part(numbers)
            some = np.isin(table.contacts.pair, numbers)
            part.contacts = table.contacts.take(some)
            part.contacts.pair = part.contacts.pair - numbers[0].astype(np.int32)
            listing.add(numbers, part)
        contacts = listing.contacts(pair_of)
        answers.append((contacts.pair.tolist(), contacts.triangle_a.tolist(), contacts.triangle_b.tolist()))
    assert answers[1:] == answers[:-1] and len(answers[0][0]) <= budget


def whole_table(scene):
    """A PairTable with all contacts of a scene."""
    from touchpoint.core.pair_table import PairTable

    report = detect(build(scene))
    table = PairTable(report.pairs["a"], report.pairs["b"])
    table.contacts = report.contacts
    return table


def test_a_cancelled_run_lists_some_of_many_unfinished_pairs(monkeypatch):
    """Whatever is listed is told as it would be without a limit, contacts included."""
    scene = crowd(np.random.default_rng(4), count=12)

    def cancelled():
        left = iter(range(10))
        return detect(build(scene), progress=lambda stage, done: next(left, None) is not None, threads=1)

    monkeypatch.setattr(contact_search, "HEAD_START_SECONDS", 0.0)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", 4)
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 60)
    monkeypatch.setattr(contact_search, "HITS_PER_LOOK", 4)
    whole = cancelled()
    unfinished = np.flatnonzero(whole.pairs["verdict"] == CANNOT_TELL)
    assert whole.cancelled and 6 < len(unfinished) and not any("not finished" in note for note in whole.notes)
    monkeypatch.setattr(reporting, "MAX_CANCELLED_PAIRS", 5)
    some = cancelled()
    expected = np.delete(np.arange(len(whole.pairs)), unfinished[5:])
    assert some.pairs[JUDGED].tolist() == whole.pairs[expected][JUDGED].tolist()
    assert f"{len(unfinished)} pairs were not finished; the first 5 of them are listed." in some.notes
    assert some.counts["unfinished_pairs"] == len(unfinished) and "unfinished_pairs" not in whole.counts
    for row, before in enumerate(expected):
        assert listed(some, row) == listed(whole, before)
    assert len(some.contacts) == some.pairs["contacts"].sum()


@pytest.mark.parametrize("most", [1, 7])
def test_pairs_are_searched_a_few_at_a_time(most, monkeypatch):
    scene = crowd(np.random.default_rng(4), count=12)
    whole, begun = detect(build(scene)), []
    monkeypatch.setattr(stream, "STREAMED_PAIRS_AT_ONCE", most)
    through = stream.Search.through
    monkeypatch.setattr(stream.Search, "through", lambda self, batch, tick: (begun.append(batch.stop - batch.start),
                                                                             through(self, batch, tick)))
    assert_cut(whole, detect(build(scene)), 10 ** 9)
    assert len(begun) > 3 and max(begun) == most


def test_progress_never_goes_back(little_room):
    little_room(40)
    told = []
    report = detect(build(crowd(np.random.default_rng(4), count=12)),
                    progress=lambda stage, done: told.append((stage, done)))
    assert report.pairs["unlisted"].any()
    for stage in ("contacts", "verdicts"):
        fractions = [done for name, done in told if name == stage]
        assert fractions == sorted(fractions) and fractions[-1] <= 1.0
    assert len({done for name, done in told if name == "contacts"}) > 3
