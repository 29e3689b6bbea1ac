# SPDX-License-Identifier: GPL-3.0-or-later
"""Names are data: those that terminals and build servers would obey, and bytes that are no UTF-8, as other programs
write them into files."""
import csv
import json

import bpy
import pytest
from command_line import detect, refused, run
from scene_building import add, add_collection_instance, add_cube, cube_mesh, new_collection
from touchpoint.addon import api, session
from touchpoint.addon.listed import find_object
from touchpoint.addon.names import name_of

LATIN = "caf\udce9"


@pytest.fixture
def latin(tmp_path):
    """A file whose names are Latin-1: of an object, a mesh, a collection and the scene."""
    add_cube("B", (1, 0.25, 0.5), new_collection("colX", bpy.context.scene.collection))
    add("cafX", cube_mesh(), collection=new_collection("sideX", bpy.context.scene.collection))
    bpy.data.objects["cafX"].data.name = "meshX"
    parts = new_collection("partX")
    add_cube("deepX", collection=parts)
    add_collection_instance("instX", parts, (40, 0, 0))
    bpy.context.scene.name = "sceneX"
    path = tmp_path / "latin.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    data = path.read_bytes()
    for name in (b"GRcolX", b"GRsideX", b"OBcafX", b"MEmeshX", b"SCsceneX", b"OBdeepX", b"OBinstX", b"GRpartX"):
        assert data.count(name) >= 1
        data = data.replace(name, name[:-1] + b"\xe9")
    path.write_bytes(data)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path


def test_names_that_are_no_utf8_are_read_without_loss(latin, tmp_path, capsys):
    data = detect(latin, tmp_path, "--csv", tmp_path / "p.csv", "--save-as", tmp_path / "copy.blend", code=1)
    assert [each["name"] for each in data["objects"]] == ["B", LATIN, "inst\udce9 ▸ deep\udce9 #1"]
    assert (data["pairs"][0]["a"], data["pairs"][0]["b"]) == ("B", LATIN)
    assert r"crossing     B × caf\xe9" in capsys.readouterr().out
    with open(tmp_path / "p.csv", encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["b"] == r"caf\xe9"
    again = detect(tmp_path / "copy.blend", tmp_path, code=1)
    assert again["objects"] == data["objects"]


def test_they_can_be_asked_for(latin, tmp_path, capsys):
    detect(latin, tmp_path, "--a", "side\udce9", "--b", "col\udce9", code=1)
    said = refused(capsys, "detect", latin, "--a", "nein\udce9", "--b", "col\udce9")
    assert r'There is no collection "nein\xe9".' in said


def test_they_are_asked_why_they_are_not_tested(latin, tmp_path, capsys):
    bpy.ops.wm.open_mainfile(filepath=str(latin))
    hidden = next(each for each in bpy.data.objects if name_of(each) == LATIN)
    hidden.hide_set(True)
    bpy.ops.wm.save_as_mainfile(filepath=str(latin))
    assert run("why", latin, "--a", LATIN, "--b", "B") == 0
    assert r"caf\xe9 is not tested: it is hidden." in capsys.readouterr().out
    hidden = next(each for each in bpy.data.objects if name_of(each) == LATIN)
    bpy.context.scene.collection.children.unlink(hidden.users_collection[0])
    bpy.ops.wm.save_as_mainfile(filepath=str(latin))
    assert run("why", latin, "--a", LATIN, "--b", "B") == 0
    assert r"caf\xe9 is not tested: it is not in the view layer." in capsys.readouterr().out


def test_a_rule_is_learned_of_them(latin, tmp_path, capsys):
    target = tmp_path / "rules.json"
    assert run("learn", latin, "--out", target) == 0
    [rule] = json.loads(target.read_text(encoding="utf-8"))["rules"]
    assert rule["pairs"] == [["B", LATIN]]
    assert run("detect", latin, "--rules", target) == 0
    assert "1 pair taken away by 1 rule." in capsys.readouterr().out


def test_they_are_compared(latin, tmp_path):
    target = tmp_path / "c.json"
    assert run("compare", latin, "--methods", "touchpoint,hull_points", "--repeats", "1", "--json", target) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["objects"] == 3


def test_they_are_written_back_and_found_again(registered, latin):
    bpy.ops.wm.open_mainfile(filepath=str(latin))
    report = api.detect()
    api.write_back(report)
    assert bpy.context.scene.touchpoint.result.pairs[0].name == r"B × caf\xe9"
    row = report.source.rows[1]
    assert row.object_name == LATIN and row.find() is not None and None not in report.source.find_objects()
    assert any(r"caf\xe9" in each.name for collection in bpy.data.collections if "touchpoint_results" in collection
               for each in collection.objects)
    api.clear()


def test_a_listed_pair_is_found_again_in_a_saved_file(registered, latin, tmp_path):
    bpy.ops.wm.open_mainfile(filepath=str(latin))
    api.write_back(api.detect())
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    result = bpy.context.scene.touchpoint.result
    found = find_object(result, result.pairs[0], "b")
    assert name_of(found) == LATIN and find_object(result, result.pairs[0], "a").name == "B"
    found.hide_set(True)
    assert bpy.ops.touchpoint.select_pair(index=0) == {"FINISHED"}
    assert session.message() == r"Hidden: caf\xe9."
    add(r"caf\xe9", None)       # which of the two is meant is not known any more
    assert find_object(result, result.pairs[0], "b") is None


def test_the_copy_is_saved_under_its_own_name_only(crossing, tmp_path, capsys):
    assert run("detect", crossing, "--save-as", tmp_path / "copy.blend") == 1
    printed = capsys.readouterr().out
    assert ".touchpoint-" not in printed and f"Wrote {tmp_path / 'copy.blend'}" in printed


@pytest.mark.parametrize("size", [2000, 20_000])
def test_a_copy_that_cannot_be_saved_whole_is_named(size, crossing, tmp_path, capsys):
    resource = pytest.importorskip("resource")
    (tmp_path / "copy.blend").write_text("older")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))        # as a disk that becomes full
    try:
        said = refused(capsys, "detect", crossing, "--save-as", tmp_path / "copy.blend")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.startswith(f"{tmp_path / 'copy.blend'} cannot be saved. Blender ")
    assert ".touchpoint-" not in said and said.endswith("are free there)")
    assert (tmp_path / "copy.blend").read_text() == "older"


def test_summaries_are_not_forged(save, tmp_path, capsys):
    names = ["A\n::error::forged", "##vso[task.complete]\x1b[2J"]
    for number, name in enumerate(names):
        add_cube(name, (number, 0.25 * number, 0.5 * number))
    data = detect(save(), tmp_path, "--csv", tmp_path / "p.csv", code=1)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "##vso" not in printed
    assert not any(line.lstrip().startswith("::") for line in printed.splitlines())
    assert (tmp_path / "p.csv").read_bytes().count(b"\n") == 2
    assert sorted(each["name"] for each in data["objects"]) == sorted(names)
