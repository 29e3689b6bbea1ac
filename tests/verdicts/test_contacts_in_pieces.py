# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts of pairs that touch do not depend on how many of their contacts are looked at together."""
import pytest
from naive.scenes import SCENES, build, draw
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
    monkeypatch.setattr(surface_verdicts, "CONTACTS_PER_CALL", most)
    monkeypatch.setattr(coplanar_overlap.Evidence, "add", lambda self, pair, found: (sizes.append(len(found)),
                                                                                     add(self, pair, found)))
    pieces = detect(build(scene))
    assert pieces.pairs[COLUMNS].tolist() == whole.pairs[COLUMNS].tolist()
    assert all(contacts <= most for contacts in sizes)


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
