# SPDX-License-Identifier: GPL-3.0-or-later
"""A pair whose contacts do not fit: pieces of it give the verdict, the counts and the listed contacts of the whole."""
import numpy as np
import pytest
from little_room import little_room
from naive.asked import exact_variants
from naive.scenes import SCENES, build, draw
from test_contact_budget import JUDGED, assert_cut, listed
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CANNOT_TELL
from touchpoint.core.search import contact_budget, contact_search
from touchpoint.core.verdicts import judging

pytestmark = pytest.mark.scenes
__all__ = ["little_room"]       # a fixture


@pytest.fixture
def in_pieces(monkeypatch):
    """in_pieces(contacts): no table of one pair may have more contacts, and the pieces that were searched."""
    monkeypatch.setattr(contact_search, "HITS_PER_LOOK", 1)

    def searched(contacts):
        made = []
        monkeypatch.setattr(contact_budget, "ANY_NUMBER", contacts)
        monkeypatch.setattr(contact_budget, "piece_budget", lambda: contacts)
        begin = contact_budget._pieces

        def pieces(*arguments):
            for row, part in begin(*arguments):
                made.append((int(row[0]), part.piece, len(part.contacts)))
                yield row, part

        monkeypatch.setattr(contact_budget, "_pieces", pieces)
        return made

    return searched


@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.parametrize("budget, most", [(9, 3), (60, 12)])
def test_a_pair_in_pieces_is_judged_by_all_of_them(name, budget, most, little_room, in_pieces, monkeypatch):
    monkeypatch.setattr(judging, "SAMPLED_CONTACTS", 5)
    scene = draw(name, 3)
    whole = detect(build(scene))
    little_room(budget)
    made = in_pieces(most)
    cut = detect(build(scene))
    assert_cut(whole, cut, budget)
    assert bool(made) == bool(cut.pairs["unlisted"].any() and (whole.pairs["contacts"] > most).any())
    for _, (start, stop), count in made:
        assert count <= most or stop - start == 1
    if name == "crowd":         # no twins: each question counts once, however many pieces there were
        for count in ("exact_decisions", "triangle_pairs", "box_pairs"):
            assert made and cut.counts[count] == whole.counts[count]


@pytest.mark.parametrize("variant", exact_variants(), ids=str)
def test_every_method_searches_in_pieces(variant, little_room, in_pieces):
    scene = draw("lattice boxes", 5)
    whole = detect(build(scene))
    little_room(40)
    made = in_pieces(3)
    assert_cut(whole, detect(build(scene), method=variant.method, options=variant.options), 40)
    assert made or variant.method in ("exact",)


def test_objects_by_themselves_are_searched_in_pieces(little_room, in_pieces):
    """Crumpled sheets: nets whose vertices were thrown about."""
    def sheets():
        rng, scene = np.random.default_rng(2), Scene()
        faces = [(7 * i + j, 7 * i + j + 1, 7 * i + j + 7) for i in range(6) for j in range(6)]
        for _ in range(2):
            scene.add_object(scene.add_mesh(rng.random((49, 3)), np.array(faces)), np.eye(4))
        return scene

    whole = detect(sheets(), self_collisions=True)
    little_room(100)
    made = in_pieces(20)
    cut = detect(sheets(), self_collisions=True)
    assert len(made) > 6 and cut.pairs[JUDGED].tolist() == whole.pairs[JUDGED].tolist()
    assert cut.found.tolist() == whole.pairs["contacts"].tolist() and cut.pairs["unlisted"].any()
    for row, count in enumerate(cut.pairs["contacts"].tolist()):
        assert listed(cut, row) == listed(whole, row)[:count]


@pytest.mark.parametrize("stop_at", range(1, 60, 4))
def test_a_pair_in_pieces_can_be_cancelled(stop_at, little_room, in_pieces):
    scene = draw("lattice boxes", 2)
    whole = detect(build(scene))
    verdict = {(pair["a"], pair["b"]): pair["verdict"] for pair in whole.pairs}
    little_room(20)
    in_pieces(3)
    left = iter(range(stop_at))
    report = detect(build(scene), progress=lambda stage, done: next(left, None) is not None)
    for pair in report.pairs:
        assert pair["verdict"] in (verdict[pair["a"], pair["b"]], CANNOT_TELL)
