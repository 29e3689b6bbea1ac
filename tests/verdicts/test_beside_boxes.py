# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that touch and of which the box of one object says so (core/verdicts/beside_boxes.py)."""
import numpy as np
import pytest
from naive.answers import verdicts_of
from naive.shapes import box, joined, moved
from touchpoint.core.verdicts import judging

pytestmark = pytest.mark.scenes


def shelf():
    """A back, two sides and three boards, as one closed surface per board: what stands in it is beside no plane."""
    boards = [box((0, 0, z), (4, 2, z + 0.25)) for z in (0.0, 2.0, 4.0)]
    return joined(*boards, box((-0.25, 0, 0), (0, 2, 4.25)), box((4, 0, 0), (4.25, 2, 4.25)),
                  box((0, 2, 0), (4, 2.25, 4.25)))


def flipped(mesh):
    return mesh[0], mesh[1][:, ::-1]


def test_what_stands_on_a_shelf_is_not_sampled(monkeypatch):
    """Of 300 books in a shelf, samples took seven times as long as the search for contacts."""
    asked = []
    whole = judging.shared_volume

    def watched(forest, topology, a, b, contacts, rows, *rest):
        asked.extend(rows.tolist())
        whole(forest, topology, a, b, contacts, rows, *rest)

    monkeypatch.setattr(judging, "shared_volume", watched)
    books = [moved(box((0, 0, 0), (0.5, 1.5, 1.2)), (0.5 * k, 0.5, z)) for k in range(8) for z in (0.25, 2.25)]
    found = verdicts_of(shelf(), *books)
    assert len([pair for pair in found if pair[0] == 0]) == 16 and not asked
    assert {verdict for verdict, _ in found.values()} == {"touching"}


@pytest.mark.parametrize("turn", [False, True], ids=["as they are", "inside out"])
def test_what_fills_a_room_or_a_block_is_none_of_these(turn):
    """The open box of the inner one meets no triangle of the other: in the room it is outside, in the block inside."""
    inner, block = box((1, 1, 1), (3, 3, 3)), box((0, 0, 0), (4, 4, 3))
    room = joined(box((0, 0, 0), (4, 4, 4)), flipped(box((1, 1, 1), (3, 3, 3))))
    if turn:
        room, block = flipped(room), flipped(block)
    assert verdicts_of(inner, room) == {(0, 1): ("touching", None)}
    assert verdicts_of(room, inner) == {(0, 1): ("touching", None)}
    assert verdicts_of(inner, block) == {(0, 1): ("contained", 0)}
    assert verdicts_of(block, inner) == {(0, 1): ("contained", 1)}


def test_a_flat_object_has_no_open_box():
    """A sheet in the middle of a block, whose rim touches the block's sides, is inside."""
    sheet = np.array([(0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)], float), np.array([(0, 1, 2), (0, 2, 3)], np.int32)
    assert verdicts_of(sheet, box((0, 0, 0), (2, 2, 2))) == {(0, 1): ("contained", 0)}


@pytest.mark.parametrize("seed", range(60))
def test_random_boxes_on_a_grid(seed, monkeypatch):
    """Boxes of whole numbers, several in one object, some hollow, some without a side: as without a look at boxes, and
    as rational arithmetic says."""
    random = np.random.default_rng(seed)

    def body():
        parts = []
        for _ in range(random.integers(1, 4)):
            low = random.integers(0, 5, 3)
            parts.append(box(low, low + random.integers(1, 4, 3)))
            if random.random() < 0.3:
                parts.append(flipped(box(low + 0.25, low + 0.75)))
        vertices, faces = joined(*parts)
        return vertices, faces[random.random(len(faces)) < (0.9 if random.random() < 0.3 else 2.0)]

    meshes = [body() for _ in range(6)]
    found = verdicts_of(*meshes)
    assert found == verdicts_of(*meshes, method="exact")
    monkeypatch.setattr(judging, "beside_boxes", lambda forest, topology, a, b, asked: np.zeros(len(a), bool))
    assert found == verdicts_of(*meshes)
