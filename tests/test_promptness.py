# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that grows with the pairs or contacts of a run is made without a question whether to go on, and whoever
cancels waits for no more rows than a cancelled run lists."""
import numpy as np
import pytest
from naive.scenes import build, crowd
from naive.shapes import box
from touchpoint.core import Cancelled, Scene, arrays, contacts, detect, reporting
from touchpoint.core.codes import CANNOT_TELL, CROSSING, OVERLAP, TOUCHING
from touchpoint.core.search import contact_budget
from touchpoint.core.tolerance import moves
from touchpoint.core.verdicts import edges

CUBES = 8


def pile(turned=1):
    """Equal cubes at one place, each pair of which overlaps, some that stand askew and cross them, and a flush one."""
    scene, pose = Scene(), np.eye(4)
    mesh = scene.add_mesh(*box())
    for _ in range(CUBES):
        scene.add_object(mesh, pose)
    pose[:2, :2] = [[0.8, -0.6], [0.6, 0.8]]
    for _ in range(turned):
        scene.add_object(mesh, pose)
    pose = np.eye(4)
    pose[0, 3] = 1.0
    scene.add_object(mesh, pose)
    return scene


class Asks:
    """A progress callback that answers its stop-th question with False, or by raising; None: none."""

    def __init__(self, stop=None, raises=False):
        self.stages, self.stop, self.raises = [], stop, raises

    def __call__(self, stage, _fraction):
        self.stages.append(stage)
        if len(self.stages) == self.stop:
            if self.raises:
                raise Cancelled
            return False
        return True


def asked(scene, **how):
    asks = Asks()
    report = detect(scene, progress=asks, threads=1, **how)
    return asks.stages, report


@pytest.fixture
def short_lists(monkeypatch):
    monkeypatch.setattr(reporting, "MAX_CANCELLED_PAIRS", 3)
    monkeypatch.setattr(reporting, "LISTED_AT_ONCE", 2)


def test_esc_while_rows_are_listed_lists_the_worst_ones(short_lists):
    stages, whole = asked(pile())
    rows = len(whole.pairs)
    assert rows > 20 and set(whole.pairs["verdict"]) == {CROSSING, OVERLAP, TOUCHING}
    for back in range(1, 4):
        report = detect(pile(), progress=Asks(len(stages) + 1 - back), threads=1)
        assert report.cancelled and len(report.pairs) == 3
        assert not (report.pairs["verdict"] == TOUCHING).any() and not (report.pairs["verdict"] == CANNOT_TELL).any()
        assert f"{rows} pairs are not clear; the worst 3 of them are listed, as the run was cancelled." in report.notes
        assert len(report.contacts) == report.pairs["contacts"].sum() and report.exit_code(()) == 2
        with pytest.raises(Cancelled):
            detect(pile(), progress=Asks(len(stages) + 1 - back, raises=True), threads=1)


def test_a_cancelled_run_lists_no_more_than_the_worst_ones(short_lists):
    stages, whole = asked(pile(), depth=True)
    last = max(k for k, stage in enumerate(stages) if stage != stages[-1]) + 2      # the last stage has just begun
    for stop in range(1, len(stages) + 1):
        report = detect(pile(), progress=Asks(stop), threads=1, depth=True)
        assert report.cancelled and len(report.pairs) <= 6
        unfinished = report.pairs["verdict"] == CANNOT_TELL
        assert unfinished.sum() <= 3 and (stop <= last or not (report.pairs["verdict"] == TOUCHING).any())


@pytest.mark.parametrize("seed", range(3))
def test_esc_while_contacts_are_gathered(seed, monkeypatch):
    """Contacts are dropped and put together in pieces; cancelled between two of them, few are listed, all of them true.
    """
    scene = crowd(np.random.default_rng(seed), count=12)
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 40)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", 4)
    few, whole = asked(build(scene))
    monkeypatch.setattr(contacts, "GATHERED_AT_ONCE", 3)
    monkeypatch.setattr(contact_budget, "MAX_CANCELLED_CONTACTS", 20)
    stages, again = asked(build(scene))
    assert again.contacts.point.tolist() == whole.contacts.point.tolist()
    assert stages.count("contacts") > few.count("contacts") + len(whole.contacts) // 3
    known = {(row["a"], row["b"]): row["verdict"] for row in whole.pairs}
    for stop in range(2, len(stages) - 1, 7):
        report = detect(build(scene), progress=Asks(stop), threads=1)
        assert report.cancelled
        assert stages[stop - 1] != "contacts" or len(report.contacts) <= max(20, len(report.pairs))
        assert len(report.contacts) == report.pairs["contacts"].sum()
        for row in report.pairs:
            assert row["verdict"] in (CANNOT_TELL, known.get((row["a"], row["b"])))


def test_contacts_of_several_chunks_are_gathered(monkeypatch):
    found = detect(build(crowd(np.random.default_rng(1), count=12))).contacts
    chunks = [found.take(slice(0, 5)), found.take(slice(5, 5)), found.take(slice(5, 40)), found.take(slice(40, None))]
    rows = np.flatnonzero(np.random.default_rng(2).random(len(found)) < 0.4)
    for most in (1, 3, 1 << 17):
        monkeypatch.setattr(contacts, "GATHERED_AT_ONCE", most)
        pauses = Asks()
        gathered = contacts.Contacts.gathered(chunks, rows, lambda pauses=pauses: pauses("", 0.0))
        for name in contacts.Contacts.__dataclass_fields__:
            assert np.array_equal(getattr(gathered, name), getattr(found, name)[rows], equal_nan=True)
        assert len(pauses.stages) >= len(rows) // most


@pytest.mark.parametrize(("module", "name", "how", "stage"), [
    (moves, "VERTICES_PER_TICK", {"tolerance": 0.1}, "tolerance"),
    (arrays, "ROWS_AT_ONCE", {"clearance": 0.1}, "clearances"),
])
def test_stages_ask_between_pieces(module, name, how, stage, monkeypatch):
    few, whole = asked(pile(turned=CUBES), **how)
    monkeypatch.setattr(module, name, 1)
    many, same = asked(pile(turned=CUBES), **how)
    assert many.count(stage) > few.count(stage) + len(whole.pairs) // 2
    assert same.pairs.tobytes() == whole.pairs.tobytes()


def test_edges_are_joined_in_pieces(monkeypatch):
    triangles = box()[1].astype(np.int32)
    whole = edges.edges_of(np.concatenate([triangles, triangles + 8, triangles + 16]), 24)
    each = [edges.edges_of(triangles, 8)] * 3
    for rows in (1, 7, 1 << 19):
        monkeypatch.setattr(edges, "ROWS_PER_PIECE", rows)
        asks = Asks()
        joined = edges.join_edges(each, lambda asks=asks: asks("", 0.0))
        assert joined.start.tolist() == whole.start.tolist() and joined.wings.tolist() == whole.wings.tolist()
        assert len(asks.stages) == (len(joined.wings) - 1) // rows
