# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts of pairs that touch do not depend on how many of their contacts are looked at together."""
import pytest
from naive.scenes import SCENES, build, draw, pose
from naive.shapes import box
from touchpoint.core import Cancelled, detect
from touchpoint.core.codes import CANNOT_TELL
from touchpoint.core.verdicts import coplanar_overlap, surface_verdicts

pytestmark = pytest.mark.scenes

COLUMNS = ["a", "b", "verdict", "status", "inner", "contacts"]


@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.parametrize("most", [1, 20])
def test_few_contacts_at_a_time(name, most, monkeypatch):
    scene = draw(name, 11)
    whole = detect(build(scene))
    sizes = []
    add = coplanar_overlap.Evidence.add
    monkeypatch.setattr(coplanar_overlap, "SAMPLED_CONTACTS", most)
    monkeypatch.setattr(coplanar_overlap, "FEW_CONTACTS", most)
    monkeypatch.setattr(coplanar_overlap, "FIRST_CONTACTS", most)
    monkeypatch.setattr(surface_verdicts, "CONTACTS_PER_CALL", most)
    monkeypatch.setattr(coplanar_overlap.Evidence, "add", lambda self, pair, found, *cut: (
        sizes.append(len(found)), add(self, pair, found, *cut)))
    pieces = detect(build(scene))
    assert pieces.pairs[COLUMNS].tolist() == whole.pairs[COLUMNS].tolist()
    assert all(contacts <= most for contacts in sizes)


@pytest.mark.parametrize("name", sorted(SCENES))
def test_how_many_contacts_are_looked_at_first_decides_nothing(name, monkeypatch):
    told = []
    for first in (1, 8, 1 << 30):       # the last one: all, before anything is said
        monkeypatch.setattr(coplanar_overlap, "FIRST_CONTACTS", first)
        told.append([detect(build(draw(name, seed))).pairs[COLUMNS].tolist() for seed in range(5)])
    assert told[0] == told[1] == told[2]


def test_a_few_contacts_show_that_aligned_boxes_overlap(monkeypatch):
    looked_at = []
    add = coplanar_overlap.Evidence.add
    monkeypatch.setattr(coplanar_overlap.Evidence, "add", lambda self, pair, found, *cut: (
        looked_at.append(len(found)), add(self, pair, found, *cut)))
    report = detect(build(([box()], [(0, pose(1.0, (0.7 * i, 0.0, 0.0))) for i in range(2)])))
    assert report.verdict(0) == "overlap"
    assert sum(looked_at) <= coplanar_overlap.FIRST_CONTACTS < len(report.contacts)


def test_judging_can_be_cancelled_between_pieces(monkeypatch):
    monkeypatch.setattr(surface_verdicts, "CONTACTS_PER_CALL", 1)
    told = []

    def progress(stage, done):
        told.append(stage)
        return told.count("verdicts") < 5

    scene = draw("lattice boxes", 11)
    report = detect(build(scene), progress=progress)
    assert report.cancelled and (report.pairs["verdict"] == CANNOT_TELL).any()

    def raising(stage, done):
        if stage == "verdicts":
            raise Cancelled

    with pytest.raises(Cancelled):
        detect(build(scene), progress=raising)
