# SPDX-License-Identifier: GPL-3.0-or-later
"""Which differences of two answers count, where the answers do not say the same kind of things."""
from dataclasses import replace

import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Scene, methods
from touchpoint.core.codes import CLEAR
from touchpoint.core.compare import compare, compare_frames
from touchpoint.core.search import contact_budget
from touchpoint.core.sequence.film import Film

pytestmark = pytest.mark.scenes


@pytest.fixture
def boxes():
    """Flush but for roundings: A and B reach into each other, C and D are apart."""
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for name, place in (("A", (0, 0, 0)), ("B", (1 - 1e-9, 0.5, 0)), ("C", (0, 0, 3)), ("D", (1 + 1e-9, 0.5, 3))):
        scene.add_object(mesh, pose(1, place), name=name)
    return scene


def spoil(monkeypatch, method, is_missed):
    """Let a method call all pairs clear where is_missed(contacts)."""
    load, true = methods.load, methods.load(method)

    def verdicts(objects, table, run):
        columns = true.verdicts(objects, table, run)
        columns["verdict"][:] = CLEAR if is_missed(table.contacts) else columns["verdict"]
        return columns

    spoilt = replace(true, verdicts=verdicts)
    monkeypatch.setattr(methods, "load", lambda name: spoilt if name == method else load(name))


def missed(row):
    return [(each.name_a + each.name_b, each.expected, each.found) for each in row.missed]


def test_what_cannot_judge_with_a_tolerance_is_held_against_exact_verdicts(boxes, monkeypatch):
    spoil(monkeypatch, "rapid", lambda contacts: True)
    comparison = compare(boxes, ["touchpoint", "parallel", "rapid"], tolerance="auto", repeats=1, memory=False)
    assert [(row.compared, row.expected, missed(row), row.invented + row.differing, row.broken)
            for row in comparison.rows] == [(True, 2, [], [], False), (True, 1, [], [], False),
                                            (True, 1, [("AB", "crossing", "clear")], [], True)]


def test_frames_with_and_without_a_tolerance_are_not_compared(boxes):
    film = Film()
    for frame in (1, 2):
        boxes.set_poses([1], [pose(1, (1 - 1e-9 * frame, 0.5, 0))])
        film.add(frame, boxes)
    comparison = compare_frames(film, ["touchpoint", "rapid"], tolerance="auto", repeats=1, memory=False)
    assert [row.compared for row in comparison.rows] == [True, False] and not comparison.rows[1].broken


def test_an_interval_in_the_middle_that_is_missing_is_a_difference(monkeypatch):
    spoil(monkeypatch, "rapid", lambda contacts: len(contacts) and contacts.point[..., 0].min() == 0.75)
    film, scene = Film(), Scene()
    for _ in range(2):
        scene.add_object(scene.add_mesh(*box()))
    for frame, x in enumerate((0.5, 3.0, 0.75, 3.0, 0.25)):
        scene.set_poses([1], [pose(1, (x, 0.25, 0.125))])
        film.add(frame, scene)
    comparison = compare_frames(film, ["touchpoint", "rapid"], repeats=1, memory=False)
    assert [[each.other for each in row.differing] for row in comparison.rows] == [[], ["times"]]


def test_contacts_that_one_does_not_list_make_no_difference(boxes, monkeypatch):
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 7)
    comparison = compare(boxes, ["touchpoint", "exact"], repeats=1, memory=False)
    assert comparison.rows[0].contacts > 7 and comparison.exit_code() == 0
