# SPDX-License-Identifier: GPL-3.0-or-later
"""The list in the panel: rows below headings that fold, by object, assembly, place and container."""
import bpy
import numpy as np
import pytest
from report_building import report_of
from scene_building import add_cube
from test_rows import MANY, rows_of
from touchpoint.addon import session, write_back
from touchpoint.addon.rows import groups, shown
from touchpoint.addon.rows.kept import forget_rows
from touchpoint.addon.rows.properties import make_places
from touchpoint.core.codes import A_IN_B, B_IN_A, CONTAINED


@pytest.fixture
def hall(registered):
    """A Wall that four pipes run through, two chairs in a Room, a Nut on a Bolt."""
    for name in ("Wall", "P1", "P2", "P3", "P4", "Room", "C1", "C2", "Nut", "Bolt"):
        add_cube(name)
    report = report_of(("Wall", "P1", "crossing", 1), ("Wall", "P2", "crossing", 2), ("Wall", "P3", "crossing", 3),
                       ("P4", "Wall", "crossing", 4), ("C1", "Room", "contained", 0), ("C2", "Room", "contained", 0),
                       ("Bolt", "Nut", "touching", 5))
    names = {each.index: each.name for each in report.objects}
    for pair in report.pairs:
        if "Room" in (names[int(pair["a"])], names[int(pair["b"])]):
            pair["inner"] = B_IN_A if names[int(pair["a"])] == "Room" else A_IN_B
    write_back.write(report)
    return bpy.context.scene


def listed(scene):
    """The lines of the page as text, headings with the number of their rows."""
    found, pairs = shown.groups_in(scene), scene.touchpoint.result.pairs
    return [pairs[line].name if line >= 0 else f"{found.title(~line)}: {found.size(~line)}"
            for line in shown.page_of(scene).tolist()]


def by(kind):
    bpy.context.window_manager.touchpoint.group_by = kind


WALL = ["P4 × Wall", "P3 × Wall", "P2 × Wall", "P1 × Wall"]


def as_sorted(names):
    return [" × ".join(sorted(name.split(" × "))) for name in names]


def test_what_one_object_contains_is_one_row_that_unfolds(hall):
    assert as_sorted(listed(hall)) == [*WALL, "inside Room: 2", "Bolt × Nut"]
    assert bpy.ops.touchpoint.fold_group(group=4, unfold=True) == {"FINISHED"}
    assert as_sorted(listed(hall)) == [*WALL, "inside Room: 2", "C1 × Room", "C2 × Room", "Bolt × Nut"]
    assert bpy.ops.touchpoint.fold_group(group=4, unfold=False) == {"FINISHED"}
    assert "inside Room: 2" in listed(hall) and len(listed(hall)) == 6
    for group in (0, 99):
        assert bpy.ops.touchpoint.fold_group(group=group) == {"CANCELLED"}


def test_each_scene_keeps_what_is_folded(hall):
    """Two windows that show two scenes draw their lists in turns."""
    copy = hall.copy()
    shown.fold(hall, 4, True)
    before, made = len(listed(hall)), shown.groups_in(hall)
    assert len(listed(copy)) < before
    shown.fold(copy, 4, True)
    shown.fold(copy, 4, False)
    assert len(listed(hall)) == before and shown.groups_in(hall) is made, "and is not put in groups again"


def test_groups_by_object_assembly_and_place(hall):
    by("object")
    assert as_sorted(listed(hall)) == ["Wall: 4", "Room: 2", "Bolt × Nut"]
    for name in ("P2", "P3", "P4"):
        bpy.data.objects[name].parent = bpy.data.objects["P1"]
    by("assembly")
    assert listed(hall)[0].split(":")[1] == " 4" and set(listed(hall)[0].split(":")[0].split(" × ")) == {"Wall", "P1"}
    bpy.data.objects["P4"].parent = None
    by("assembly")
    assert listed(hall)[0] == "P4 × Wall" and listed(hall)[1].endswith(": 3"), "parents are looked at again"
    by("space")
    assert sum(groups_of := np.diff(shown.groups_in(hall).start)) == 7 and groups_of.max() > 1
    by("container")
    assert len(listed(hall)) == 6


def test_a_chosen_row_unfolds_its_group_and_a_heading_stands_for_its_first_row(hall):
    by("object")
    window, settings = bpy.context.window_manager.touchpoint, hall.touchpoint
    window.pair_index = 0
    first = shown.groups_in(hall).rows[0]
    assert settings.pair_index == first and len(listed(hall)) == 7 and window.pair_index == 1
    rows = shown.shown_in(hall).tolist()
    bpy.ops.touchpoint.next_pair()
    assert settings.pair_index == rows[1]
    settings.pair_index = rows[5]
    assert len(listed(hall)) == 9 and shown.page_of(hall)[window.pair_index] == rows[5]
    make_places(window, len(listed(hall)))
    assert any(each.line.startswith("2 pairs: Room. The first one: ") for each in window.listed)


def test_search_and_verdict_hold_within_groups(hall):
    by("object")
    bpy.context.window_manager.touchpoint.search = "P1"
    assert as_sorted(listed(hall)) == ["P1 × Wall"]
    bpy.context.window_manager.touchpoint.search = ""
    hall.touchpoint.show_verdict = "contained"
    assert listed(hall) == ["Room: 2"]


def test_groups_are_there_after_loading(hall, tmp_path):
    for name in ("C1", "C2"):
        bpy.data.objects[name].parent = bpy.data.objects["Room"]
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    forget_rows()
    scene = bpy.context.scene
    for kind in ("object", "assembly"):
        by(kind)
        assert len(listed(scene)) < 7, kind
    assert session.report_of(scene) is None


def test_very_many_rows_are_grouped():
    rows = rows_of(MANY)
    rows.table["inner"][rows.table["verdict"] == CONTAINED] = A_IN_B
    found = np.arange(MANY)
    for kind in ("container", "object", "space"):
        made = groups.listing(rows, found, kind, None)
        assert sorted(made.rows.tolist()) == list(range(MANY)) and made.start[-1] == MANY
        folded = made.lines()
        several = int((np.diff(made.start) > 1).sum())
        assert (folded < 0).sum() == several and len(folded) == len(made.start) - 1
