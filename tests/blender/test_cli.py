# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line and its `detect`: what it says, what it writes, and its exit codes."""
import csv
import json

import bpy
import pytest
from command_line import ERROR, detect, refused, run
from scene_building import add, add_collection_instance, add_cube, add_text, cube_mesh, mesh_of, new_collection
from touchpoint.addon.names import is_result
from touchpoint.core import memory
from touchpoint.core.version import version


@pytest.fixture
def touching(save):
    add_cube("B")
    add_cube("C", (2, 0.5, 0.25))
    return save()


@pytest.fixture
def clear(save):
    add_cube("A")
    add_cube("D", (9, 9, 9))
    return save()


def verdicts(data):
    return {(pair["a"], pair["b"]): pair["verdict"] for pair in data["pairs"]}


def test_a_collision_gives_1(crossing, tmp_path, capsys):
    data = detect(crossing, tmp_path, code=1)
    assert verdicts(data) == {("A", "B"): "crossing", ("B", "C"): "touching"}
    assert (data["touchpoint"], data["scene"], data["frame"]) == (version(), "scene.blend", 1)
    assert [each["name"] for each in data["objects"]] == ["A", "B", "C", "D"]
    assert all(len(pair["points"]) == pair["contacts"] > 0 for pair in data["pairs"])
    printed = capsys.readouterr().out
    assert "crossing     A × B" in printed and "touching     B × C" in printed
    assert "4 objects with 48 triangles tested in" in printed


def test_copies_and_faces_in_one_plane_are_findings_of_their_own(save, tmp_path, capsys):
    for name, x in (("One", 0), ("Same", 0), ("Beside", 2), ("Elsewhere", 20)):
        add_cube(name, (x, 0, 0))
    data = detect(save(), tmp_path, code=1)
    assert (data["summary"]["copies"], data["summary"]["coplanar"]) == (1, 3)
    assert "Among them 1 pair of exact copies, 3 pairs with faces in one plane.\n" in capsys.readouterr().out


def test_a_file_that_does_not_fit_into_memory(clear, capsys, monkeypatch):
    monkeypatch.setattr(memory, "SMALL_BYTES", 0)
    monkeypatch.setattr(memory, "free", lambda: memory.SPARE_BYTES + 100)
    assert refused(capsys, "detect", clear).startswith("The data in this file need 0.00 GB of memory")


def test_nothing_found_gives_0(clear, tmp_path, capsys):
    assert detect(clear, tmp_path, code=0)["pairs"] == []
    assert "No collisions." in capsys.readouterr().out


def test_what_cannot_be_judged_gives_2(save, tmp_path, capsys):
    for name in ("A", "B"):
        add_cube(name, (9 * (name == "B"), 0, 0))
    add_cube("Broken").data.vertices[0].co.x = float("nan")
    data = detect(save(), tmp_path, code=2)
    assert [each["name"] for each in data["skipped"]] == ["Broken"]
    assert "Left out: Broken: it has coordinates" in capsys.readouterr().out


def test_a_collision_counts_more_than_what_cannot_be_judged(save, tmp_path):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("Broken").data.vertices[0].co.x = float("nan")
    detect(save(), tmp_path, code=1)


def test_what_has_no_faces_is_no_question(save, tmp_path):
    add_cube("A")
    add_cube("B", (9, 0, 0))
    add("Wire", mesh_of("Wire", [(0, 0, 0), (1, 0, 0)], [], [(0, 1)]))
    assert detect(save(), tmp_path, code=0)["skipped"] == [{"name": "Wire", "reason": "it has no faces"}]


@pytest.mark.parametrize("fail_on, code", [("touching", 1), ("crossing,touching", 1), ("crossing", 0), ("none", 0),
                                           ("near, contained", 0), ("cannot-tell", 0)])
def test_fail_on(fail_on, code, touching, tmp_path):
    assert verdicts(detect(touching, tmp_path, "--fail-on", fail_on, code=code)) == {("B", "C"): "touching"}


def test_a_clearance_is_in_metres(save, tmp_path, capsys):
    bpy.context.scene.unit_settings.scale_length = 0.01
    add_cube("A")
    add_cube("B", (2.5, 0, 0))
    add_cube("C", (5.25, 0, 0))
    data = detect(save(), tmp_path, "--clearance", "0.005", code=1)
    (pair,) = data["pairs"]
    assert (pair["a"], pair["b"], pair["verdict"], pair["contacts"]) == ("A", "B", "near", 0)
    assert pair["gap"] == pytest.approx(0.005) and data["settings"]["clearance"] == 0.005
    assert [point[0] for point in pair["points"]] == pytest.approx([0.01, 0.015])
    assert "A × B  0.005 m" in capsys.readouterr().out
    detect(save(), tmp_path, "--clearance", "0.004", code=0)
    detect(save(), tmp_path, "--clearance", "0.006", "--fail-on", "crossing", code=0)


def test_touching_alone_does_not_fail(touching, tmp_path):
    detect(touching, tmp_path, code=0)


def test_the_same_input_gives_the_same_bytes(crossing, tmp_path):
    written = []
    for number, threads in enumerate((1, 2, 4)):
        target = tmp_path / f"{number}.json", tmp_path / f"{number}.csv"
        assert run("detect", crossing, "--json", target[0], "--csv", target[1], "--threads", threads) == 1
        written.append([each.read_bytes() for each in target])
    assert written[0] == written[1] == written[2]
    assert str(tmp_path).encode() not in b"".join(written[0])


def test_both_methods_write_the_same_pairs(crossing, tmp_path):
    exact = detect(crossing, tmp_path, "--method", "exact", code=1)
    assert exact["method"] == "exact"
    assert verdicts(exact) == verdicts(detect(crossing, tmp_path, code=1))


def test_csv_and_timings(crossing, tmp_path):
    assert run("detect", crossing, "--csv", tmp_path / "p.csv", "--timings", tmp_path / "t.json") == 1
    with open(tmp_path / "p.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["a"], row["b"], row["verdict"]) for row in rows] == [("A", "B", "crossing"), ("B", "C", "touching")]
    timings = json.loads((tmp_path / "t.json").read_text())
    assert timings["stages"][0]["name"] == "read" and timings["seconds"] > 0


def test_lengths_are_in_metres(save, tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.001
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    data = detect(save(), tmp_path, code=1)
    assert data["unit"] == {"scale": 0.001, "length": "m"}
    assert max(abs(x) for point in data["pairs"][0]["points"] for x in point) <= 0.002


def test_another_frame(save, tmp_path):
    add_cube("A").driver_add("location", 0).driver.expression = "frame"
    add_cube("B", (40, 0.25, 0.5))
    scene = save()
    assert detect(scene, tmp_path, code=0)["frame"] == 1
    assert detect(scene, tmp_path, "--frame", "41", code=1)["frame"] == 41
    assert detect(scene, tmp_path, "--frame", "38.5", code=1)["frame"] == 38.5
    assert detect(scene, tmp_path, "--frame", "-5", code=0)["frame"] == -5


def test_collections(save, tmp_path):
    for name, objects in (("Cars", "AB"), ("Wälle", "C")):
        collection = new_collection(name, bpy.context.scene.collection)
        for each in objects:
            add_cube(each, (0.3 * ord(each), 0.1 * ord(each), 0), collection)
    scene = save()
    pairs = verdicts(detect(scene, tmp_path, "--a", "Cars", "--b", "Wälle", code=1))
    assert set(pairs) == {("A", "C"), ("B", "C")}


def test_instances_have_names_of_their_own(save, tmp_path, capsys):
    trees = new_collection("Trees")
    add_cube("Baum ▸ 木", collection=trees)
    for x in range(2):
        add_collection_instance(f"Wald {x}", trees, (x, 0.25, 0.5))
    data = detect(save(), tmp_path, code=1)
    assert [each["name"] for each in data["objects"]] == ["Wald 0 ▸ Baum ▸ 木 #1", "Wald 1 ▸ Baum ▸ 木 #1"]
    assert "Wald 0 ▸ Baum ▸ 木 #1 × Wald 1" in capsys.readouterr().out


def test_long_lists_are_cut_on_screen_only(save, tmp_path, capsys):
    mesh = cube_mesh()
    for number in range(60):
        add(f"Cube {number:02}", mesh, (number * 1.5, number * 0.1, 0))
    for number in range(25):
        add(f"Wire {number:02}", mesh_of("Wire", [(0, 0, 0), (1, 0, 0)], [], [(0, 1)]))
    data = detect(save(), tmp_path, code=1)
    printed = capsys.readouterr().out
    assert len(data["pairs"]) == 59 and printed.count(" × ") == 50
    assert "… and 9 more pairs" in printed
    assert len(data["skipped"]) == 25 and "Left out: 5 more." in printed


def test_save_as_writes_a_copy_with_the_results(crossing, tmp_path):
    before = crossing.read_bytes()
    copy = tmp_path / "copy.blend"
    assert run("detect", crossing, "--save-as", copy) == 1
    assert crossing.read_bytes() == before
    bpy.ops.wm.open_mainfile(filepath=str(copy))
    assert {each.name for each in bpy.data.objects} >= {"A", "B", "C", "D"}
    assert any(is_result(each) for each in bpy.data.collections)
    assert run("detect", copy, "--json", tmp_path / "again.json") == 1
    assert [each["name"] for each in json.loads((tmp_path / "again.json").read_text())["objects"]] == list("ABCD")


def test_save_as_shows_the_frame_that_was_tested(save, tmp_path):
    add_cube("A").driver_add("location", 0).driver.expression = "frame"
    add_cube("B", (40, 0.25, 0.5))
    copy = tmp_path / "copy.blend"
    assert run("detect", save(), "--frame", 41, "--save-as", copy) == 1
    bpy.ops.wm.open_mainfile(filepath=str(copy))
    assert bpy.context.scene.frame_current == 41


def test_the_open_file_is_used_where_none_is_named(crossing, tmp_path, capsys):
    assert "No scene file is open" in refused(capsys, "detect")
    bpy.ops.wm.open_mainfile(filepath=str(crossing))
    assert run("detect", "--json", tmp_path / "open.json") == 1
    assert run("detect", crossing, "--json", tmp_path / "named.json") == 1
    assert (tmp_path / "open.json").read_bytes() == (tmp_path / "named.json").read_bytes()


def test_scenes_that_cannot_be_read(clear, tmp_path, capsys):
    """Whatever else is open must not be tested instead: it would be "clear"."""
    bpy.ops.wm.open_mainfile(filepath=str(clear))
    target = tmp_path / "report.json"
    (tmp_path / "text.blend").write_text("not a scene")
    (tmp_path / "half.blend").write_bytes(clear.read_bytes()[:2000])
    (tmp_path / "empty.blend").write_bytes(b"")
    (tmp_path / "folder.blend").mkdir()
    for name in ("missing.blend", "text.blend", "half.blend", "empty.blend", "folder.blend"):
        assert name in refused(capsys, "detect", tmp_path / name, "--json", target)
        assert not target.exists()


def test_nothing_to_test(save, tmp_path, capsys):
    add("Camera", bpy.data.cameras.new("Camera"))
    assert "has a surface to test" in refused(capsys, "detect", save("empty.blend"))
    add_cube("Alone")
    assert '"Alone"' in refused(capsys, "detect", save("one.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name in "AB":
        add_cube(name).hide_viewport = True
    assert "has a surface to test" in refused(capsys, "detect", save("hidden.blend"))
    assert list(tmp_path.glob("*.json")) == []


def test_what_would_be_lost_is_not_overwritten(crossing, tmp_path, capsys, monkeypatch):
    before = crossing.read_bytes()
    monkeypatch.chdir(tmp_path)
    for option in ("--json", "--csv", "--timings", "--save-as"):
        for same in (crossing, "scene.blend", tmp_path / "x" / ".." / "scene.blend"):
            (tmp_path / "x").mkdir(exist_ok=True)
            assert "is the scene itself" in refused(capsys, "detect", crossing, option, same)
    assert "also the file of --json" in refused(capsys, "detect", crossing, "--json", "a", "--csv", "a")
    assert crossing.read_bytes() == before


def test_places_that_cannot_be_written(crossing, tmp_path, capsys):
    assert "there is no folder" in refused(capsys, "detect", crossing, "--json", tmp_path / "none" / "a.json")
    assert "is a folder" in refused(capsys, "detect", crossing, "--csv", tmp_path)
    assert "ends in .blend" in refused(capsys, "detect", crossing, "--save-as", tmp_path / "copy.json")


@pytest.mark.parametrize("arguments, words", [
    ((), "COMMAND"),
    (("find",), "invalid choice"),
    (("detect", "--frame", "soon"), "soon is not a number"),
    (("detect", "--frame", "nan"), "nan is not a number"),
    (("detect", "--threads", "0"), "0 is not a number of threads"),
    (("detect", "--threads", "-1"), "-1 is not a number of threads"),
    (("detect", "--fail-on", "clear"), '"clear" is not one of'),
    (("detect", "--fail-on", ""), "is not one of"),
    (("detect", "--frames", "3"), "unrecognized arguments"),
    (("detect", "--xhtml", "report.html"), "unrecognized arguments"),
    (("detect", "one.blend", "two.blend"), "unrecognized arguments"),
    (("detect", "--a", "Cars"), "--a and --b belong together"),
    (("detect", "--method", "magic"), "The methods are: touchpoint, "),
    (("version", "now"), "unrecognized arguments"),
])
def test_arguments_that_make_no_sense(arguments, words, capsys):
    assert words in refused(capsys, *arguments)


@pytest.mark.parametrize("arguments, words", [
    (("--frame", "1e300"), "There is no frame"),
    (("--clearance", "-1"), "The clearance must be"),
    (("--a", "Cars", "--b", "Collection"), 'There is no collection "Cars".'),
])
def test_questions_that_make_no_sense(arguments, words, crossing, capsys):
    assert words in refused(capsys, "detect", crossing, *arguments)


@pytest.mark.parametrize("arguments", [("--help",), ("detect", "--help"), ("self-test", "-h")])
def test_help(arguments, capsys):
    assert run(*arguments) == 0
    assert "usage: touchpoint" in capsys.readouterr().out


def test_what_goes_wrong_unexpectedly_is_a_sentence(crossing, capsys, monkeypatch):
    def broken(*_, **__):
        raise KeyError("inside")

    monkeypatch.setattr("touchpoint.addon.api.detect", broken)
    assert refused(capsys, "detect", crossing).startswith("KeyError: 'inside' (--debug shows where)")
    assert run("--debug", "detect", crossing) == ERROR
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("raised, words", [(KeyboardInterrupt(), "stopped"), (MemoryError(), "not enough memory"),
                                           (OSError(28, "No space left on device", "a.json"), "No space left")])
def test_other_ends(raised, words, crossing, capsys, monkeypatch):
    def broken(*_, **__):
        raise raised

    monkeypatch.setattr("touchpoint.addon.api.detect", broken)
    assert words in refused(capsys, "detect", crossing)


@pytest.mark.parametrize("name", ["Größe 椅子 🪑", "ä" * 31 + "z", 'say "a, b"', "=1+1", "A;\tB"])
def test_names_come_back(name, save, tmp_path):
    add_cube(name)
    add_text("Τext")
    data = detect(save(), tmp_path, "--csv", tmp_path / "p.csv", code=1)
    assert {data["pairs"][0]["a"], data["pairs"][0]["b"]} == {name, "Τext"}
    with open(tmp_path / "p.csv", encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert {row["a"], row["b"]} == {{"=1+1": "'=1+1", "A;\tB": r"A;\tB"}.get(name, name), "Τext"}
