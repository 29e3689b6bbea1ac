# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs that frames bring (core/sequence/contact_store.py)."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene, Sweep
from touchpoint.core.contacts import Contacts
from touchpoint.core.errors import Refused
from touchpoint.core.findings import PAIR_DTYPE
from touchpoint.core.sequence import contact_store
from touchpoint.core.sequence.contact_store import BYTES_PER_LISTED, ContactStore
from touchpoint.core.sequence.history import History


def chunk_of(count, begin):
    chunk = Contacts.empty(count)
    chunk.triangle_a[:] = np.arange(begin, begin + count)
    chunk.point[:] = np.arange(begin, begin + count)[:, None, None]
    return chunk


@pytest.mark.parametrize("seed", range(20))
def test_pairs_have_the_contacts_that_they_had(seed):
    random, store, pairs = np.random.default_rng(seed), ContactStore(), []
    for _ in range(int(random.integers(1, 6))):
        counts = random.integers(0, 5, int(random.integers(0, 7)))
        start = store.add(chunk_of(int(counts.sum()), store.add(Contacts.empty())))
        ends = start + np.cumsum(counts)
        pairs += [(int(end - count), int(count)) for end, count in zip(ends, counts, strict=True)]
    chosen = [pairs[k] for k in random.permutation(len(pairs))[:int(random.integers(0, len(pairs) + 1))]]
    rows = np.zeros(len(chosen), PAIR_DTYPE)
    rows["contact_start"] = [start for start, _ in chosen]
    rows["contacts"] = [count for _, count in chosen]
    found = store.view(rows)()
    wanted = [k for start, count in chosen for k in range(start, start + count)]
    assert found.triangle_a.tolist() == wanted and found.point[:, 1, 2].tolist() == wanted
    assert found.pair.tolist() == [row for row, (_, count) in enumerate(chosen) for _ in range(count)]
    store.tidy(rows)
    assert store.view(rows)().triangle_a.tolist() == wanted


def test_bytes_of_a_contact():
    one = Contacts.empty(1)
    size = sum(getattr(one, name).nbytes for name in Contacts.__dataclass_fields__)
    assert size <= BYTES_PER_LISTED < size + 8


def two_boxes():
    scene = Scene()
    mesh = scene.add_mesh(*box((0, 0, 0), (1, 1, 1)))
    scene.add_object(mesh)
    scene.add_object(mesh, np.array([(1, 0, 0, 0.5), (0, 1, 0, 0.5), (0, 0, 1, 0.5), (0, 0, 0, 1.0)]))
    return scene


def test_where_memory_is_short_fewer_contacts_are_listed(monkeypatch):
    """They were copied whatever was free, and the process was killed."""
    whole, short = Sweep(), Sweep()
    whole.add(0, two_boxes())
    monkeypatch.setattr(contact_store, "SMALL_BYTES", 0)
    monkeypatch.setattr(contact_store, "contact_budget", lambda: 3)
    short.add(0, two_boxes())
    before, after = whole.report(), short.report()
    assert len(after.contacts) == after.pairs["contacts"][0] == 3 < len(before.contacts)
    assert after.pairs["unlisted"][0] == len(before.contacts) - 3
    assert after.verdict(0) == before.verdict(0)
    assert np.array_equal(after.contacts.point, before.contacts.point[:3])


def test_no_frame_follows_one_that_was_not_told_of(monkeypatch):
    """What was wrong was hidden by another exception."""
    sweep, scene = Sweep(), two_boxes()
    sweep.add(0, scene)

    def take(_step, _asking):
        raise MemoryError

    monkeypatch.setattr(sweep.told, "take", take)
    with pytest.raises(MemoryError):
        sweep.add(1, scene)
    monkeypatch.undo()
    with pytest.raises(Refused, match="no frame can follow"):
        sweep.add(1, scene)
    assert sweep.report().cancelled and len(sweep.report().pairs) == 1


def test_chunks_that_belong_to_no_pair_go_without_a_move():
    """Whatever the others have, and although less than half of what is held is in vain."""
    store, rows, last = ContactStore(), np.zeros(3, PAIR_DTYPE), contact_store.SPARE_CONTACTS
    chunks = [chunk_of(last + 1, 0), chunk_of(3 * last, last + 1), chunk_of(last, 4 * last + 1)]
    starts = [store.add(each) for each in chunks]
    rows["contact_start"], rows["contacts"] = [starts[2], starts[1], 0], [last, 3 * last, 0]
    expected = store.view(rows)().triangle_a.tolist()
    store.tidy(rows)
    assert rows["contact_start"].tolist() == [3 * last, 0, 0] and store._held == 4 * last
    assert [each is chunk for each, chunk in zip(store._chunks, chunks[1:], strict=True)] == [True, True]
    assert store.view(rows)().triangle_a.tolist() == expected


def test_a_frame_is_not_copied_where_all_of_it_is_kept(monkeypatch):
    """Two million contacts would be held twice."""
    found, taken = [], History.add
    monkeypatch.setattr(History, "add", lambda self, *given: (found.append(given[2]), taken(self, *given)))
    sweep = Sweep()
    assert sweep.take(0, two_boxes())
    assert sweep.told._history._contacts._chunks == [found[0].contacts]


@pytest.mark.parametrize("continuous", [False, True])
def test_whoever_has_the_report_of_a_frame_may_write_into_it(continuous):
    scene, points = two_boxes(), []
    for spoils in (False, True):
        sweep = Sweep(continuous=continuous)
        for frame in range(3):
            report = sweep.add(frame, scene)
            if spoils:
                report.contacts.point[:] = np.nan
                report.pairs["contacts"] = 0
        points.append(sweep.report().contacts.point)
    assert len(points[0]) and np.array_equal(*points)
