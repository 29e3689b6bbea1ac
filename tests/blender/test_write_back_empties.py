# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty in the middle of each of the first places where objects meet."""
import bpy
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from report_building import empties, report_of, results, told_anew
from scene_building import add_cube
from touchpoint.addon import api, write_back
from touchpoint.addon.names import NAME_BYTES, pair_label, shorten
from touchpoint.addon.style import EMPTIES
from touchpoint.addon.write_back.empties import empties_of, share
from touchpoint.addon.write_back.framing import Bounds


@pytest.fixture(autouse=True)
def cubes(empty_file):
    return [add_cube(name) for name in "ABC"]


@given(st.lists(st.integers(0, 300), max_size=40), st.integers(0, 500))
def test_places_are_shared_fairly(counts, limit):
    counts = np.array(counts, np.int32)
    shares = share(counts, limit)
    assert shares.sum() == min(limit, counts.sum())
    assert (shares <= counts).all() and (shares >= 0).all()
    short = shares[shares < counts]         # pairs that would have more
    if len(short):
        assert short.max() - short.min() <= 1 and shares.max() <= short.min() + 1


def test_each_contact_has_its_empty():
    write_back.write(report_of(("A", "B", "crossing", 2), ("B", "C", "overlap", 1)))
    assert empties() == ["Touchpoint A × B 001", "Touchpoint A × B 002", "Touchpoint B × C 001"]
    places = [tuple(bpy.data.objects[name].location) for name in empties()]
    assert places == [(0.0, 0.0, 0.5), (1.0, 0.0, 0.5), (2.0, 0.0, 0.5)]
    first = bpy.data.objects[empties()[0]]
    assert first.show_in_front and 0.0 < first.empty_display_size < 1.0


def test_the_limit_is_spread_over_the_pairs():
    write_back.write(report_of(("A", "B", "crossing", 1000), ("B", "C", "overlap", 5)))
    names = empties()
    assert len(names) == EMPTIES
    assert sum("B × C" in name for name in names) == 5
    along = [bpy.data.objects[name].location.x for name in names if "A × B" in name]
    assert min(along) == 0 and max(along) == 999 and len(set(along)) == EMPTIES - 5


def test_a_rerun_keeps_what_is_still_there():
    write_back.write(report_of(("A", "B", "crossing", 2), ("B", "C", "overlap", 1)))
    kept = bpy.data.objects["Touchpoint A × B 001"]
    kept.name = "Bookmark"
    write_back.write(report_of(("A", "B", "crossing", 1), ("A", "C", "crossing", 1)))
    assert empties() == ["Bookmark", "Touchpoint A × C 001"]
    assert bpy.data.objects["Bookmark"] == kept and tuple(kept.location) == (0.0, 0.0, 0.5)


def test_what_is_there_already_is_not_written_to(cubes, registered):
    report = report_of(("A", "B", "crossing", 3), ("B", "C", "crossing", 2))
    write_back.write(report)
    names = empties()
    assert told_anew(lambda: write_back.write(report), names) == set()
    bpy.data.objects[names[1]].location.x += 0.25
    bpy.data.objects[names[2]].empty_display_size *= 2.0
    places = [tuple(bpy.data.objects[name].location) for name in names]
    assert told_anew(lambda: write_back.write(report), names) == {names[1], names[2]}
    moved = [name for name, place in zip(names, places) if tuple(bpy.data.objects[name].location) != place]
    assert moved == [names[1]] and len({bpy.data.objects[name].empty_display_size for name in names}) == 1


def test_a_name_of_the_users_is_not_taken_away():
    mine = bpy.data.objects.new("Touchpoint A × B 001", None)
    bpy.context.scene.collection.objects.link(mine)
    for _ in range(2):
        write_back.write(report_of(("A", "B", "crossing", 2)))
    assert mine.name == "Touchpoint A × B 001" and len(results()) == 3
    write_back.clear()
    assert mine.name in bpy.data.objects


def test_long_names_are_cut_and_stay_apart(cubes):
    cubes[0].name, cubes[1].name, cubes[2].name = "Ä" * 31, "B" * 60 + "1", "B" * 60 + "2"
    a, b, c = (each.name for each in cubes)
    for _ in range(2):
        write_back.write(report_of((a, b, "crossing", 2), (a, c, "crossing", 2)))
        assert len(empties()) == 4
        assert all(len(name.encode()) <= NAME_BYTES and name.endswith(f"{number:03d}")
                   for number, name in enumerate(empties(), 1))


@given(st.text(max_size=80), st.text(max_size=80), st.integers(16, 80))
def test_labels_fit(a, b, size):
    assume(a != b)
    label = pair_label(a, b, size)
    assert len(label.encode()) <= size and " × " in label
    if len(f"{a} × {b}".encode()) <= size:
        assert label == f"{a} × {b}"


@given(st.text(max_size=80), st.integers(3, 80))
def test_a_shortened_name_says_so(name, size):
    short = shorten(name, size)
    assert len(short.encode()) <= size
    assert short == name or short.endswith("…")


def test_places_of_pairs_that_only_touch_are_marked_where_that_is_asked_for(registered):
    """They leave their share of the empties to others."""
    add_cube("D")
    bpy.context.scene.touchpoint.empties = 4
    write_back.write(report_of(("A", "B", "touching", 9), ("B", "C", "crossing", 5), ("C", "D", "near", 0)))
    assert [name.rpartition(" ")[0] for name in empties()] == ["Touchpoint B × C"] * 4
    assert bpy.context.scene.touchpoint.result.contacts == "14 contacts at 14 places, 4 marked"
    bpy.context.scene.touchpoint.show_touching = True
    assert sum("A × B" in name for name in empties()) == 2 and len(empties()) == 4
    bpy.context.scene.touchpoint.show_touching = False
    assert not any("A × B" in name for name in empties())


def test_an_empty_in_the_middle_of_each_place(cubes, registered):
    """A face on a face, a bar through a cube, which goes in and comes out; a mug has small ones beside a wall."""
    cubes[1].location = (2, 0.5, 0.25)
    cubes[2].location, cubes[2].scale = (10, 0, 0), (3, 0.1, 0.1)
    add_cube("D", (10, 0, 0))
    add_cube("E", (30, 0, 0)).scale = (10, 10, 10)
    add_cube("F", (20, 0, 0), size=0.2)
    bpy.context.view_layer.update()
    bpy.context.scene.touchpoint.show_touching = True
    report = api.detect()
    assert len(report.contacts) > 30
    write_back.write(report)
    places = {name: tuple(np.round(bpy.data.objects[name].location, 5)) for name in empties()}
    assert places == {"Touchpoint A × B 001": (1.0, 0.25, 0.125), "Touchpoint C × D 001": (9.0, 0.0, 0.0),
                      "Touchpoint C × D 002": (11.0, 0.0, 0.0), "Touchpoint E × F 001": (20.0, 0.0, 0.0)}
    sizes = {name: bpy.data.objects[name].empty_display_size for name in empties()}
    assert 0.0 < 5 * sizes["Touchpoint E × F 001"] < sizes["Touchpoint A × B 001"] < 0.5


def test_the_largest_places_are_marked(cubes):
    """Of a bar with a thin and a thick end in two cubes' walls."""
    cubes[0].scale = (3, 0.1, 0.1)
    for vertex in cubes[0].data.vertices:
        if vertex.co.x > 0:
            vertex.co.y, vertex.co.z = 5 * vertex.co.y, 5 * vertex.co.z
    bpy.data.objects.remove(cubes[2])
    bpy.context.view_layer.update()
    report = api.detect()
    for limit, expected in ((1, [1.0]), (2, [-1.0, 1.0])):
        marks = empties_of(report, np.arange(1), np.array([limit]), Bounds(report.source.boxes))
        assert [float(mark.place[0]) for mark in marks.values()] == expected


def test_the_size_follows_the_objects(cubes):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    small = bpy.data.objects[empties()[0]].empty_display_size
    for each in cubes:
        each.scale = (100, 100, 100)
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert bpy.data.objects[empties()[0]].empty_display_size == pytest.approx(100 * small)
