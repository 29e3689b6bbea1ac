# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports written from the panel, and the command line that finds the same."""
import csv
import json
import shlex
from types import SimpleNamespace

import bpy
import pytest
import touchpoint
from scene_building import add_collection_instance, add_cube, new_collection
from touchpoint.addon import session
from touchpoint.addon.cli import main
from touchpoint.addon.command_line import command_of, why_no_command
from touchpoint.addon.operators import in_pieces, ticks
from touchpoint.addon.operators.export import TOUCHPOINT_OT_copy_command, TOUCHPOINT_OT_export
from touchpoint.addon.operators.in_pieces import InPieces
from touchpoint.addon.operators.save_pictures import TOUCHPOINT_OT_save_pictures
from touchpoint.addon.reports import bcf, saving
from touchpoint.addon.reports.saving import ENDINGS, said_of_rest

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def cubes(registered):
    return [add_cube(name, (0.9 * number, 0.1 * number, 0.2 * number)) for number, name in enumerate("ABC")]


def settings():
    return bpy.context.scene.touchpoint


def test_nothing_can_be_exported_before_a_run(save):
    assert TOUCHPOINT_OT_export.why_not(bpy.context).startswith("There is no result")
    bpy.ops.touchpoint.detect()
    assert TOUCHPOINT_OT_export.why_not(bpy.context) == ""
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    assert "came with the file" in TOUCHPOINT_OT_export.why_not(bpy.context)


def test_both_formats(tmp_path):
    bpy.ops.touchpoint.detect()
    bpy.ops.touchpoint.export(filepath=str(tmp_path / "report"), kind="JSON")
    bpy.ops.touchpoint.export(filepath=str(tmp_path / "report.csv"), kind="CSV")
    kept = json.loads((tmp_path / "report.json").read_text())
    rows = list(csv.DictReader((tmp_path / "report.csv").open()))
    assert len(kept["pairs"]) == len(rows) == len(session.report_of(bpy.context.scene).pairs) == 3
    assert [each["verdict"] for each in kept["pairs"]] == [row["verdict"] for row in rows]
    with pytest.raises(RuntimeError, match="cannot be written"):
        bpy.ops.touchpoint.export(filepath=str(tmp_path / "no folder" / "report.json"))


def test_other_formats(tmp_path):
    """The name follows the format, in the file browser and from scripts."""
    bpy.ops.touchpoint.detect()
    for kind, ending in ENDINGS.items():
        bpy.ops.touchpoint.export(filepath=str(tmp_path / "report"), kind=kind, pictures=False)
        assert (tmp_path / f"report{ending}").stat().st_size > 100
    shown = SimpleNamespace(kind="BCF", filepath="/x/report.json", filename_ext="")
    assert TOUCHPOINT_OT_export.check(shown, bpy.context) and shown.filepath == "/x/report.bcf"
    assert not TOUCHPOINT_OT_export.check(shown, bpy.context)


def test_what_a_file_leaves_out_is_said(monkeypatch):
    bpy.ops.touchpoint.detect()
    report = session.report_of(bpy.context.scene)
    assert [said_of_rest(report, kind) for kind in ENDINGS] == [""] * len(ENDINGS)
    monkeypatch.setattr(saving, "MOST_LISTED", 2)
    monkeypatch.setattr(bcf, "MOST_TOPICS", 1)
    assert said_of_rest(report, "HTML") == "The HTML file has the worst 2 pairs; 1 more is in JSON and CSV files."
    assert said_of_rest(report, "BCF") == "The BCF file has the worst pair; 2 more are in JSON and CSV files."
    assert said_of_rest(report, "CSV") == ""


class Writing(InPieces):
    """An operator of which nobody but this test knows, in a window that there is not."""

    def __init__(self, path, pieces):
        self.said, self.status, self.timers = [], "", []
        self.report = lambda kind, text: self.said.append(text)
        manager = SimpleNamespace(event_timer_add=lambda seconds, window: self.timers.append(1) or 1,
                                  event_timer_remove=self.timers.remove, modal_handler_add=lambda operator: None)
        space = SimpleNamespace(session_uid=7, status_text_set=lambda text: setattr(self, "status", text))
        self.context = SimpleNamespace(window=1, workspace=space, window_manager=manager,
                                       blend_data=SimpleNamespace(workspaces=[space]))
        self.outcome = self.begin(self.context, pieces, "Writing x:", str(path), "Written: x", watched=True)

    def event(self, kind):
        self.outcome = self.modal(self.context, SimpleNamespace(type=kind, value="PRESS"))
        return self.outcome


def test_a_file_is_written_piece_by_piece_in_a_window(tmp_path, monkeypatch):
    monkeypatch.setattr(in_pieces, "PIECES_SECONDS", 0.0)
    bpy.ops.touchpoint.detect()
    path = tmp_path / "x.json"
    writing = Writing(path, saving.saved_in_pieces(session.report_of(bpy.context.scene), path))
    ticks = 0
    while writing.outcome == {"RUNNING_MODAL"}:
        assert not path.exists() and writing.status.startswith("Touchpoint: Writing x:") and writing.timers
        assert writing.event("MOUSEMOVE") == {"RUNNING_MODAL"}
        writing.event("TIMER")
        ticks += 1
    assert writing.outcome == {"FINISHED"} and writing.said == ["Written: x"] and ticks > 10
    assert len(json.loads(path.read_text())["pairs"]) == 3
    assert writing.status is None and not writing.timers


@pytest.mark.parametrize("ticks", (0, 1, 3))
def test_esc_and_errors_leave_the_older_file(tmp_path, monkeypatch, ticks):
    monkeypatch.setattr(in_pieces, "PIECES_SECONDS", 0.0)
    bpy.ops.touchpoint.detect()
    report, path = session.report_of(bpy.context.scene), tmp_path / "x.csv"
    path.write_text("of before")
    writing = Writing(path, saving.saved_in_pieces(report, path))
    for _ in range(ticks):
        assert writing.event("TIMER") == {"RUNNING_MODAL"}
    assert writing.event("ESC") == {"CANCELLED"} and writing.said == ["Cancelled: nothing was written"]
    failing = Writing(path, saving.saved_in_pieces(report, tmp_path / "no folder" / "x.csv"))
    assert failing.event("TIMER") == {"CANCELLED"} and "x.csv cannot be written" in failing.said[0]
    for each in (writing, failing):
        assert each.status is None and not each.timers
    assert path.read_text() == "of before" and list(tmp_path.iterdir()) == [path]


def test_nothing_ticks_on_when_the_add_on_is_disabled(tmp_path, monkeypatch):
    """Blender frees the operator then and calls nothing of it: the timer went on for ever, the status bar said that a
    file was being written."""
    bpy.ops.touchpoint.detect()
    path = tmp_path / "x.csv"
    writing = Writing(path, saving.saved_in_pieces(session.report_of(bpy.context.scene), path))
    assert writing.timers and writing.status
    monkeypatch.setattr(ticks, "bpy", SimpleNamespace(context=writing.context))
    touchpoint.unregister()
    assert not writing.timers and writing.status is None
    touchpoint.register()       # the fixture disables it again


@pytest.mark.parametrize("operator", (TOUCHPOINT_OT_export, TOUCHPOINT_OT_save_pictures))
def test_the_file_browser_can_be_left(operator):
    """Blender calls `cancel` then, too, though nothing has begun."""
    chosen = SimpleNamespace(_pieces=operator._pieces, _ticks=operator._ticks)
    chosen._tidy = lambda context: operator._tidy(chosen, context)
    operator.cancel(chosen, bpy.context)


def test_nothing_is_exported_while_something_runs(monkeypatch):
    """Only one of both would hear the clock of the window, and the result is about to be another one."""
    bpy.ops.touchpoint.detect()
    monkeypatch.setattr(session, "run", lambda: SimpleNamespace(title="Detect"))
    assert TOUCHPOINT_OT_export.why_not(bpy.context) == "Detect is running"


def test_objects_are_identified_by_a_property(tmp_path, cubes):
    bpy.ops.touchpoint.detect()
    cubes[0]["GlobalId"], cubes[1]["GlobalId"] = "1x2", 7
    deleted = cubes.pop().name
    bpy.data.objects.remove(bpy.data.objects[deleted])
    path = tmp_path / "report.json"
    bpy.ops.touchpoint.export(filepath=str(path), identify_by="GlobalId")
    kept = json.loads(path.read_text())
    assert {each["name"]: each["identifier"] for each in kept["objects"]} == {"A": "1x2", "B": "7", deleted: None}
    assert kept["settings"]["identified_by"] == "GlobalId"
    bpy.ops.touchpoint.export(filepath=str(path), identify_by="")
    assert "identifier" not in json.loads(path.read_text())["objects"][0]


def test_instances_are_identified_by_what_they_show(tmp_path, cubes):
    collection = new_collection("Parts")
    add_cube("Bolt", collection=collection)["GlobalId"] = "bolt"
    add_collection_instance("Left", collection)
    bpy.ops.touchpoint.detect()
    bpy.ops.touchpoint.export(filepath=str(tmp_path / "report.json"), identify_by="GlobalId")
    kept = json.loads((tmp_path / "report.json").read_text())
    assert {each["identifier"] for each in kept["objects"] if each["name"].startswith(("Bolt", "Left"))} == {"bolt"}


def test_why_there_is_no_command_line(tmp_path):
    assert "Save the file first" in why_no_command(bpy.context.scene)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert TOUCHPOINT_OT_copy_command.why_not(bpy.context) == ""
    settings().scope = "SELECTED"
    assert "selection" in why_no_command(bpy.context.scene)
    settings().scope = "COLLECTIONS"
    assert "Choose the collections" in why_no_command(bpy.context.scene)


def same_as_the_command(tmp_path, run):
    """Save, run in the panel and by the command line; returns its words where both reports are the same."""
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "it's a scene.blend"))
    run()
    bpy.ops.touchpoint.export(filepath=str(tmp_path / "panel.json"), kind="JSON")
    words = shlex.split(command_of(bpy.context.scene))
    assert words.pop(0) == "touchpoint"
    assert main([*words, "--json", str(tmp_path / "command.json")]) == 1
    panel, command = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("panel", "command"))
    assert panel == command and len(panel["pairs"]) > 0
    return words


def test_the_command_line_asks_the_same(tmp_path, cubes):
    add_cube("Near", (-2.005, 0, 0))
    settings().clearance, settings().tolerance_kind, settings().tolerance = 0.01, "LENGTH", 0.002
    settings().self_collisions, settings().weld = True, 0.001
    bpy.context.scene.frame_set(7)
    words = same_as_the_command(tmp_path, bpy.ops.touchpoint.detect)
    assert words[0] == "detect" and {"--self-collisions", "--weld", "--frame", "--clearance"} <= set(words)


def test_the_command_line_names_the_method_and_what_is_not_its_default(save):
    settings().method, settings().options.tsgo.depth = "tsgo", 3
    assert command_of(bpy.context.scene).endswith("--method tsgo --option depth=3")


def test_the_command_line_of_two_collections(tmp_path, cubes):
    for name in ("Left", "Right"):
        bpy.context.scene.collection.children.link(bpy.data.collections.new(name))
    bpy.data.collections["Left"].objects.link(cubes[0])
    bpy.data.collections["Right"].objects.link(cubes[1])
    settings().scope = "COLLECTIONS"
    settings().collection_a, settings().collection_b = bpy.data.collections["Left"], bpy.data.collections["Right"]
    words = same_as_the_command(tmp_path, bpy.ops.touchpoint.detect)
    assert words[-4:] == ["--a", "Left", "--b", "Right"]


def test_the_command_line_of_an_animation(tmp_path, cubes):
    cubes[0].keyframe_insert("location", frame=1)
    cubes[0].location.x += 9.0
    cubes[0].keyframe_insert("location", frame=5)
    chosen = settings().animation
    chosen.range, chosen.first, chosen.last, chosen.step, chosen.continuous = "CUSTOM", 2, 5, 0.5, True
    words = same_as_the_command(tmp_path, bpy.ops.touchpoint.check_animation)
    assert words[0] == "animation" and "--continuous" in words
