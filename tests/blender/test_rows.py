# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a result: how a scene keeps them, and which of them the list shows."""
import base64
import zlib

import bpy
import numpy as np
import pytest
from report_building import report_of
from scene_building import add_cube
from touchpoint.addon import session, write_back
from touchpoint.addon.rows import kept, shown
from touchpoint.addon.rows.kept import forget_rows
from touchpoint.addon.rows.packing import packed, unpacked
from touchpoint.addon.rows.table import NOT_ASKED, ROW_DTYPE, SPAN_DTYPE, Rows, Side

MANY = 100_000


def rows_of(count, sides=500):
    """So many rows of as many objects."""
    random = np.random.default_rng(3)
    table = np.zeros(count, ROW_DTYPE)
    table["a"], table["b"] = random.integers(0, sides, (2, count))
    table["verdict"], table["exact"], table["contacts"] = random.integers(1, 6, count), NOT_ASKED, np.arange(count)
    table["centre"], table["winding"] = random.random((count, 3)), np.nan
    return Rows([Side(f"Bolt {number}", f"Bolt {number}", "", "", number) for number in range(sides)], table)


def test_rows_come_back_as_they_were():
    rows = rows_of(1000)
    rows.spans = np.array([(1.0, 2.5, 5), (4.0, 4.0, 2)], SPAN_DTYPE)
    rows.table["spans"][7] = 2
    again = unpacked(packed(rows))
    assert again.sides == rows.sides and again.table.tobytes() == rows.table.tobytes()
    assert again.spans.tobytes() == rows.spans.tobytes() and again.unit_scale == rows.unit_scale
    assert [tuple(each) for each in again[7].intervals] == [(1.0, 2.5, "crossing"), (4.0, 4.0, "touching")]
    assert again[6].intervals == [] == again[8].intervals and again[-1].contacts == 999
    with pytest.raises(IndexError):
        again[1000]


@pytest.mark.parametrize("column, value", [("a", 500), ("b", 1 << 31), ("verdict", 7), ("exact", 99), ("status", 9),
                                           ("inner", 3), ("spans", 1), ("gap", np.nan), ("radius", np.inf)])
def test_numbers_that_lead_nowhere_are_refused(column, value):
    rows = rows_of(3)
    rows.table[column][1] = value
    with pytest.raises(ValueError, match="fit together"):
        unpacked(packed(rows))


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_units_that_are_none_are_refused(scale):
    rows = rows_of(3)
    rows.unit_scale = scale
    with pytest.raises(ValueError, match="fit together"):
        unpacked(packed(rows))


@pytest.mark.parametrize("name", ["start", "end"])
def test_times_that_are_none_are_refused(name):
    rows = rows_of(3)
    rows.spans = np.array([(1.0, 2.5, 5)], SPAN_DTYPE)
    rows.table["spans"][0], rows.spans[name] = 1, np.nan
    with pytest.raises(ValueError, match="fit together"):
        unpacked(packed(rows))


def test_a_name_that_is_no_text_is_refused():
    rows = rows_of(3)
    rows.sides[0] = rows.sides[0]._replace(name="\ud800")
    with pytest.raises(ValueError, match="cannot be read"):
        unpacked(packed(rows))


def test_no_room_is_made_for_rows_that_are_not_there(monkeypatch):
    """Text of zeros takes a thousandth of its room: a row for each byte would take a hundred times as much."""
    raw = bytearray(zlib.decompress(base64.b64decode(packed(rows_of(5)))))
    size = int.from_bytes(raw[:8], "little")
    head = raw[8:8 + size].replace(b'"rows": 5', b'"rows": 900000')
    text = base64.b64encode(zlib.compress(len(head).to_bytes(8, "little") + head + bytes(1_000_000))).decode()
    monkeypatch.setattr(np, "empty", lambda *given: pytest.fail("room was made"))
    with pytest.raises(ValueError, match="cannot be read"):
        unpacked(text)


def _bent(text):
    raw = zlib.decompress(base64.b64decode(text))
    deep = b"[" * 100_000
    others = [raw[:-1], raw.replace(b'"form": 2', b'"form": 1'), (1 << 60).to_bytes(8, "little") + b"{}",
              len(deep).to_bytes(8, "little") + deep,
              raw.replace(b'"Bolt 0", "Bolt 0", ""', b'"Bolt 0", "Bolt 0", 17')]
    return [text[:-9], "é" + text, base64.b64encode(b"no zlib").decode(),
            *(base64.b64encode(zlib.compress(each)).decode() for each in others)]


@pytest.mark.parametrize("kind", range(8))
def test_texts_of_somebody_else_are_refused(kind):
    with pytest.raises(ValueError, match="cannot be read|fit together"):
        unpacked(_bent(packed(rows_of(5)))[kind])


def test_all_of_very_many_rows_are_searched():
    rows = rows_of(MANY)
    one = shown.shown_rows(rows, shown.Asked(search="bolt 49?", verdict="crossing", order="CONTACTS"))
    table = rows.table[one]
    assert len(one) and one.max() > 0.9 * MANY and (table["verdict"] == 5).all()
    assert (np.diff(table["contacts"]) < 0).all() and ((table["a"] >= 490) | (table["b"] >= 490)).all()
    assert len(shown.shown_rows(rows, shown.Asked())) == MANY
    named = [(rows[each].object_a, rows[each].object_b) for each in shown.shown_rows(rows, shown.Asked(order="NAME"))]
    assert named == sorted(named) and len(named) == MANY


def test_findings_of_their_own():
    rows = rows_of(6)
    rows.table["copy"], rows.table["coplanar"] = (0, 1, 0, 0, 1, 0), (3, 0, 0, 0, 2, 0)
    assert shown.shown_rows(rows, shown.Asked(verdict="COPIES")).tolist() == [1, 4]
    assert shown.shown_rows(rows, shown.Asked(verdict="COPLANAR")).tolist() == [0, 4]


def test_by_first_contact():
    rows = rows_of(6)
    assert shown.shown_rows(rows, shown.Asked(order="FIRST")).tolist() == [0, 1, 2, 3, 4, 5]    # of a single frame
    rows = rows_of(6)
    rows.table["spans"] = 2, 1, 0, 1, 1, 3
    rows.spans = np.zeros(8, SPAN_DTYPE)
    rows.table["first_contact"] = 9.0, 4.5, 0.0, 9.0, 1.0, 2.0      # where there is no interval, it says nothing
    assert shown.shown_rows(rows, shown.Asked(order="FIRST")).tolist() == [4, 5, 1, 0, 3, 2]
    assert shown.shown_rows(rows, shown.Asked(order="FIRST", reverse=True)).tolist() == [2, 3, 0, 1, 5, 4]


@pytest.fixture
def listed(registered):
    for name in "ABC":
        add_cube(name)
    write_back.write(report_of(("A", "B", "crossing", 2), ("A", "C", "touching", 1), ("B", "C", "touching", 7)))
    return bpy.context.scene.touchpoint


def names(settings):
    return [pair.name for pair in settings.result.pairs]


def test_a_page_follows_the_chosen_row(listed, monkeypatch):
    monkeypatch.setattr(shown, "PAGE", 2)
    scene, window = bpy.context.scene, bpy.context.window_manager.touchpoint
    assert shown.page_count(scene) == 2 and shown.page_of(scene).tolist() == [0, 1]
    listed.pair_index = 2
    assert window.page == 2 and shown.page_of(scene).tolist() == [2] and window.pair_index == 0
    window.search = "B ×"
    assert window.page == 1 and shown.page_of(scene).tolist() == [0, 1] and window.pair_index == -1
    window.pair_index = 0
    assert listed.pair_index == 0
    write_back.clear()
    assert shown.page_count(scene) == 1 and len(shown.page_of(scene)) == 0


def test_undo_and_redo_bring_rows_along(listed):
    bpy.ops.ed.undo_push(message="three")
    write_back.write(report_of(("A", "C", "crossing", 1)))
    bpy.ops.ed.undo_push(message="one")
    assert names(bpy.context.scene.touchpoint) == ["A × C"]
    bpy.ops.ed.undo()
    assert names(bpy.context.scene.touchpoint) == ["A × B", "B × C", "A × C"]
    forget_rows()
    assert names(bpy.context.scene.touchpoint) == ["A × B", "B × C", "A × C"]
    bpy.ops.ed.redo()
    assert names(bpy.context.scene.touchpoint) == ["A × C"]


def test_a_scene_that_is_appended_brings_its_rows(listed, tmp_path):
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(path) as (_, wanted):
        wanted.scenes = ["Scene"]
    assert names(wanted.scenes[0].touchpoint) == ["A × B", "B × C", "A × C"]
    assert names(bpy.context.scene.touchpoint) == []


def test_rows_that_cannot_be_read_are_none(listed):
    listed.result.packed_rows = "nothing"
    forget_rows()
    assert names(listed) == [] and listed.result.pairs_found == 3
    assert session.report_of(bpy.context.scene) is not None
    write_back.write(report_of(("A", "C", "crossing", 1)))
    assert names(listed) == ["A × C"]


def test_rows_follow_their_text(listed):
    """Somebody puts another text in place of ours: what is listed is that text's, under the same run id."""
    other = packed(unpacked(listed.result.packed_rows))
    before = kept.rows_of(listed.result)
    bpy.context.view_layer.update()
    listed.result.packed_rows = other
    session.note_change()
    assert kept.rows_of(listed.result) is before
    fewer = unpacked(other)
    fewer.table = fewer.table[1:]
    listed.result.packed_rows = packed(fewer)
    session.note_change()
    assert names(listed) == ["B × C", "A × C"]
    listed.result.packed_rows = other[:-9]
    session.note_change()
    assert names(listed) == []
    listed.result.packed_rows = other
    session.note_change()
    assert names(listed) == ["A × B", "B × C", "A × C"]


def test_a_text_is_read_once_per_change(listed, monkeypatch):
    read = []
    monkeypatch.setattr(kept, "unpacked", lambda text: read.append(text) or unpacked(text))
    forget_rows()
    for _ in range(3):
        assert len(names(listed)) == 3
    session.note_change()
    assert len(names(listed)) == 3 and len(read) == 1


def test_what_is_asked_for_most_is_not_forgotten(listed):
    """A list that is drawn again and again, beside more results than are held."""
    scene = bpy.context.scene
    mine = kept.rows_of(listed.result)
    for _ in range(2 * kept.RESULTS):
        copy = scene.copy()
        assert names(copy.touchpoint) == ["A × B", "B × C", "A × C"]
        assert kept.rows_of(listed.result) is mine and len(kept._held) <= kept.RESULTS


@pytest.mark.parametrize("scale", [1e30, 3e38])
def test_rows_of_huge_objects_can_be_read_again(registered, scale):
    """The sphere around such a pair is larger than a float32 can say."""
    for name in "AB":
        add_cube(name).scale = (scale,) * 3
    report = report_of(("A", "B", "crossing", 2))
    write_back.write(report)
    forget_rows()
    assert names(bpy.context.scene.touchpoint) == ["A × B"]
    assert np.isfinite(bpy.context.scene.touchpoint.result.pairs[0].radius)
