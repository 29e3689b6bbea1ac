# SPDX-License-Identifier: GPL-3.0-or-later
"""Places: connected pieces of what two surfaces share, however finely these are divided."""
import json

import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import ball, box, grid, joined, moved
from touchpoint.core import Scene, detect
from touchpoint.core.contacts import Contacts
from touchpoint.core.places import MOST_COUNTED_CONTACTS, places


def two(first, second, at=(0, 0, 0), turn=1.0, scale=1.0, offset=(0, 0, 0)):
    """A report of two meshes, the second one moved; both in other units and elsewhere."""
    matrix = pose(scale * turn, scale * np.asarray(at, float) + offset)
    return detect(build(([first, second], [(0, pose(scale, offset)), (1, matrix)])))


def turned(seed):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]


def pegs(count):
    """Pegs side by side along x, 1 wide and 10 high, 3 from middle to middle."""
    return joined(*(moved(box((-0.5, -0.5, -5), (0.5, 0.5, 5)), (3.0 * k, 0, 0)) for k in range(count)))


@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e4)])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_peg_through_a_plate_is_a_place(count, scale, offset):
    plate = box((-2, -2, -0.1), (3 * count, 2, 0.1))
    report = two(plate, pegs(count), scale=scale, offset=np.full(3, offset))
    # Each peg leaves the plate above and below: two rings.
    assert report.places.tolist() == [2 * count] and report.pairs["contacts"][0] > 8 * count


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rings", [4, 12, 40])
def test_two_balls_meet_in_one_ring(seed, rings):
    shape = ball(2 * rings, rings, 1.0)
    report = two(shape, shape, at=turned(seed)[0] * 1.1, turn=turned(seed + 100))
    assert report.places.tolist() == [1]


def test_a_face_on_a_face_is_one_place_however_it_is_divided():
    for n, m, turn in ((1, 1, 0), (6, 6, 0), (5, 8, 0.4), (9, 9, 1.1)):
        one = grid(n, n, (-1, -1, 0), (2 / n, 0, 0), (0, 2 / n, 0))
        other = grid(m, m, (-0.7, -0.7, 0), (1.4 / m, 0, 0), (0, 1.4 / m, 0))
        around = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        report = two(one, other, turn=around)
        assert report.places.tolist() == [1], (n, m, turn)


def test_feet_on_one_floor_triangle_are_places_of_their_own():
    floor = np.array([(-100, -100, 0), (200, -100, 0), (-100, 200, 0)], float), np.array([(0, 1, 2)])
    feet = joined(*(moved(box((0, 0, 0), (1, 1, 3)), (x, y, 0)) for x in (0, 5) for y in (0, 5)))
    assert two(floor, feet).places.tolist() == [4]


def test_a_point_and_pairs_without_contacts():
    tip = np.array([(0.3, 0.3, 1), (0, 1, 2), (1, 0, 2), (0, 0, 2)], float), np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1)])
    assert two(box(), tip).places.tolist() == [1]
    inside = two(box((-3, -3, -3), (3, 3, 3)), box())
    assert inside.verdict(0) == "contained" and inside.places.tolist() == [0]
    assert detect(build(([box()], [(0, pose()), (0, pose(1, (9, 9, 9)))]))).places.tolist() == []


def test_places_do_not_depend_on_the_order_of_contacts():
    report = two(box((-2, -2, -0.1), (12, 2, 0.1)), pegs(4))
    order = np.random.default_rng(1).permutation(len(report.contacts))
    shuffled = places(report.contacts.take(order))
    groups = {frozenset(np.flatnonzero(places(report.contacts) == k).tolist()) for k in range(8)}
    assert groups == {frozenset(order[shuffled == k].tolist()) for k in range(8)}


def test_several_pairs_and_the_files(tmp_path):
    scene = Scene()
    plate, many = scene.add_mesh(*box((-2, -2, -0.1), (12, 2, 0.1))), scene.add_mesh(*pegs(3))
    scene.add_object(plate), scene.add_object(many), scene.add_object(many, pose(1, (0.25, 0, 20.2)))
    scene.add_object(plate, pose(1, (0, 0, 16)))
    report = detect(scene)
    assert report.places.tolist() == [6, 6] and report.summary()["contacts"] == len(report.contacts)
    report.to_json(tmp_path / "report.json")
    kept = json.loads((tmp_path / "report.json").read_text())
    assert [pair["places"] for pair in kept["pairs"]] == [6, 6] and kept["summary"]["places"] == 12


def test_where_each_contact_is_follows_the_contacts():
    report = two(box(), box(), at=(0.5, 0.5, 0.5))
    assert report.place_of.tolist() == places(report.contacts).tolist() and report.places.tolist() == [1]
    report.contacts = Contacts.empty()
    assert len(report.place_of) == 0 and report.places.tolist() == [0]


def test_of_too_many_contacts_none_are_counted(tmp_path):
    report = two(box(), box(), at=(0.5, 0.5, 0.5))
    report.contacts = Contacts.empty(MOST_COUNTED_CONTACTS + 1)
    assert report.places is None and "places" not in report.summary()


def test_of_contacts_that_are_not_all_listed_none_are_counted():
    report = two(box(), box(), at=(0.5, 0.5, 0.5))
    report.pairs["unlisted"] = 3
    assert report.places is None and "places" not in report.summary()
