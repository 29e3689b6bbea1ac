# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty at each of the first contacts."""
import bpy
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from report_building import empties, report_of, results
from scene_building import add_cube
from touchpoint.addon import write_back
from touchpoint.addon.names import NAME_BYTES, pair_label, shorten
from touchpoint.addon.style import EMPTIES
from touchpoint.addon.write_back.empties import share


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
    write_back.write(report_of(("A", "B", "crossing", 2), ("B", "C", "touching", 1)))
    assert empties() == ["Touchpoint A × B 001", "Touchpoint A × B 002", "Touchpoint B × C 001"]
    places = [tuple(bpy.data.objects[name].location) for name in empties()]
    assert places == [(0.0, 0.0, 0.5), (1.0, 0.0, 0.5), (2.0, 0.0, 0.5)]
    first = bpy.data.objects[empties()[0]]
    assert first.show_in_front and 0.0 < first.empty_display_size < 1.0


def test_the_limit_is_spread_over_the_pairs():
    write_back.write(report_of(("A", "B", "crossing", 1000), ("B", "C", "touching", 5)))
    names = empties()
    assert len(names) == EMPTIES
    assert sum("B × C" in name for name in names) == 5
    along = [bpy.data.objects[name].location.x for name in names if "A × B" in name]
    assert min(along) == 0 and max(along) == 999 and len(set(along)) == EMPTIES - 5


def test_a_rerun_keeps_what_is_still_there():
    write_back.write(report_of(("A", "B", "crossing", 2), ("B", "C", "touching", 1)))
    kept = bpy.data.objects["Touchpoint A × B 001"]
    kept.name = "Bookmark"
    write_back.write(report_of(("A", "B", "crossing", 1), ("A", "C", "crossing", 1)))
    assert empties() == ["Bookmark", "Touchpoint A × C 001"]
    assert bpy.data.objects["Bookmark"] == kept and tuple(kept.location) == (0.0, 0.0, 0.5)


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


def test_the_size_follows_the_objects(cubes):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    small = bpy.data.objects[empties()[0]].empty_display_size
    for each in cubes:
        each.scale = (100, 100, 100)
    bpy.context.view_layer.update()
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert bpy.data.objects[empties()[0]].empty_display_size == pytest.approx(100 * small)
