# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of pairs: names, files, where the eye stands, and what is drawn, with Mesa's software OpenGL and without."""
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from gpu_children import output_of
from scene_building import add_cube
from touchpoint.addon import api, cli, gpu_backend, session
from touchpoint.addon.operators.save_pictures import TOUCHPOINT_OT_save_pictures, written
from touchpoint.addon.pictures import surroundings
from touchpoint.addon.pictures.camera import FIRST_SIDE, Camera, distance_for
from touchpoint.addon.pictures.names import names_of
from touchpoint.addon.pictures.png import png_bytes
from touchpoint.addon.pictures.saving import camera_of
from touchpoint.addon.write_back.framing import Bounds, view_of_pair
from touchpoint.core import Refused

NO_DRIVER = "there is no graphics driver that Blender can use in background mode."


def test_names_of_files():
    """No name leads out of the folder, and no two are the same."""
    objects = ["../../etc/passwd", "CON", "a" * 300, "\u202egnp.exe\n\0", "Würfel.001"]
    pairs = np.array([(0, 1), (2, 3), (3, 4), (4, 4)], [("a", int), ("b", int)])
    report = SimpleNamespace(objects=[SimpleNamespace(index=each, name=name) for each, name in enumerate(objects)],
                             pairs=pairs, worst_first=lambda: np.array([3, 0, 1, 2]))
    assert names_of(report, 20) == {3: "0001_W_rfel_001.png", 0: "0002_etc_passwd_CON.png",
                                    1: f"0003_{'a' * 40}_gnp_exe.png", 2: "0004_gnp_exe_W_rfel_001.png"}
    assert list(names_of(report, 2)) == [3, 0]


def test_files_are_png(tmp_path):
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 3)).astype(np.uint8)
    (tmp_path / "a.png").write_bytes(png_bytes(pixels))
    image = bpy.data.images.load(str(tmp_path / "a.png"))
    assert tuple(image.size) == (7, 5)
    read = np.array(image.pixels).reshape(5, 7, 4)[::-1]
    assert np.array_equal(np.rint(255 * read[:, :, :3]), pixels) and (read[:, :, 3] == 1.0).all()
    bpy.data.images.remove(image)


@pytest.mark.parametrize("side", [(0, 0, 1), (0, 0, -1), (1, 0, 0), FIRST_SIDE / np.linalg.norm(FIRST_SIDE)])
def test_a_sphere_fills_the_picture(side):
    radius, reach = 2.5, 1000.0
    camera = Camera(np.zeros(3), np.array(side, float), distance_for(radius))
    places = np.random.default_rng(1).normal(size=(5000, 3))
    places *= radius / np.linalg.norm(places, axis=1, keepdims=True)
    places = np.vstack((places, np.zeros(3), camera.side, -reach * camera.side))
    view, clip = camera.to_view(), camera.to_clip(reach)
    assert np.allclose(view[:3, :3] @ view[:3, :3].T, np.eye(3)) and np.linalg.det(view[:3, :3]) == pytest.approx(1)
    seen = np.c_[places, np.ones(len(places))] @ (clip @ view).T
    seen = seen[:, :3] / seen[:, 3:]
    assert 0.8 < np.abs(seen[:-3, :2]).max() < 1.0 and np.abs(seen[-3, :2]).max() < 1e-12
    assert seen[-2, 2] < seen[-3, 2] < seen[-1, 2] <= 1.0 + 1e-9     # what is nearer has less depth


def test_what_is_drawn_around_a_pair(monkeypatch):
    boxes = np.array([(x, 0, 0, x + 1, 1, 1) for x in (0, 1, 9, 4, -50)], float)
    chosen, reach = surroundings.drawn_around(boxes, np.full(5, 10), np.array((1, 0.5, 0.5)), [1, 0])
    assert chosen.tolist() == [0, 1, 3, 2, 4] and reach == pytest.approx(np.sqrt(51 ** 2 + 0.5))
    monkeypatch.setattr(surroundings, "MOST_SURROUNDING_TRIANGLES", 39)
    chosen, _ = surroundings.drawn_around(boxes, np.full(5, 10), np.array((1, 0.5, 0.5)), [1, 0])
    assert chosen.tolist() == [0, 1, 3]
    chosen, reach = surroundings.drawn_around(boxes, np.array([50, 10, 1, 1, 1]), np.array((1, 0.5, 0.5)), [1, 0])
    assert chosen.tolist() == [0, 1] and reach > 1.0      # the pair itself is drawn, however large
    boxes[[0, 3], 4] = np.nan, np.inf
    chosen, reach = surroundings.drawn_around(boxes, np.ones(5, int), np.array((1, 0.5, 0.5)), [1, 0])
    assert chosen.tolist() == [1, 2, 4] and reach == pytest.approx(np.sqrt(51 ** 2 + 0.5))


def camera_for_worst(report):
    row = int(report.worst_first()[0])
    return camera_of(bpy.context, report, row, view_of_pair(Bounds(report.source.boxes), report, row))


def test_the_eye_goes_where_nothing_stands_before_the_pair():
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    free = camera_for_worst(api.detect())
    assert np.allclose(free.side, FIRST_SIDE / np.linalg.norm(FIRST_SIDE))
    wall = add_cube("Wall", 4.0 * free.side, size=1.0)
    wall.scale = (9, 0.5, 9)
    report = api.detect()
    turned = camera_for_worst(report)
    assert np.degrees(np.arccos(turned.side @ free.side)) > 20
    for place in report.contacts_of(int(report.worst_first()[0])).middle:
        eye = turned.centre + turned.distance * turned.side
        hit = bpy.context.scene.ray_cast(bpy.context.evaluated_depsgraph_get(), eye, place - eye)
        assert hit[4].name != "Wall"


def test_why_pictures_cannot_be_saved(registered):
    assert TOUCHPOINT_OT_save_pictures.why_not(bpy.context).startswith("There is no result")
    add_cube("A")
    add_cube("B", (9, 0, 0))
    bpy.ops.touchpoint.detect()
    assert TOUCHPOINT_OT_save_pictures.why_not(bpy.context) == "There is no pair to draw"
    add_cube("C", (1, 0.25, 0.5))
    bpy.ops.touchpoint.detect()
    assert session.report_of(bpy.context.scene) and TOUCHPOINT_OT_save_pictures.why_not(bpy.context) == ""
    assert gpu_backend.known_reason() == ""     # asking looks for no GPU
    bpy.ops.touchpoint.check_animation()
    assert TOUCHPOINT_OT_save_pictures.why_not(bpy.context) == "Pictures show one frame: test that frame by itself"


def test_pictures_need_a_folder(registered, tmp_path, monkeypatch, capsys):
    """Where none is named, none is written: not beside the file, and not where Blender was started."""
    monkeypatch.chdir(tmp_path)
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    bpy.ops.touchpoint.detect()
    for directory, said in (("", "Name a folder for the pictures."), ("  ", "Name a folder for the pictures."),
                            ("//pictures", "Save the file first: the folder is one beside it.")):
        with pytest.raises(RuntimeError, match=said):
            bpy.ops.touchpoint.save_pictures(directory=directory)
        with pytest.raises(Refused, match="Name a folder"):
            api.save_pictures(session.report_of(bpy.context.scene), " ")
    assert cli.main(["detect", "scene.blend", "--pictures", ""]) == 3
    assert "a folder needs a name" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_pictures_of_a_scene_that_has_changed_say_so(registered):
    add_cube("A")
    moving = add_cube("B", (1, 0.25, 0.5))
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    assert written(2, "/x", result) == "Written: 2 pictures in /x"
    moving.location.x = 1.1
    bpy.context.view_layer.update()
    assert written(1, "/x", result) == ("Written: 1 picture in /x. They show what was tested; the scene has changed "
                                        "since")


CUBES = """
import json
from pathlib import Path
from touchpoint import addon
import touchpoint
from touchpoint.addon import api, cli
sys.path.insert(0, {tests!r})
from scene_building import add_cube
from touchpoint.addon.default_colours import PAIR_COLOURS
folder = Path({folder!r})
bpy.ops.wm.read_factory_settings(use_empty=True)
add_cube("A/B")
add_cube("B", (1, 0.25, 0.5))
add_cube("Wall", (0, 0, -0.6)).scale = (3, 3, 0.3)
bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
def pixels_of(path):
    image = bpy.data.images.load(str(path))
    found = np.array(image.pixels).reshape(image.size[1], image.size[0], 4)[:, :, :3]
    bpy.data.images.remove(image)
    return found
def part_of(pixels, side):
    colour = np.array(PAIR_COLOURS[side])
    of = pixels / np.maximum(pixels.max(axis=2, keepdims=True), 1e-9)
    return float((np.abs(of - colour / colour.max()).max(axis=2) < 0.15).mean())
"""


def child(script, tmp_path, **how):
    cubes = CUBES.format(tests=__file__.rpartition("/")[0], folder=str(tmp_path))
    return output_of(cubes + script, tmp_path=tmp_path, **how)


def test_pictures_from_the_command_line_and_the_panel(tmp_path):
    """Both objects of a pair are seen in their colours, and the rest is grey; the JSON names the files. A picture that
    fails, or another file that cannot be written, leaves nothing behind."""
    assert child("""
code = cli.main(["detect", str(folder / "scene.blend"), "--pictures", str(folder / "p"), "--json",
                 str(folder / "r.json"), "--most-pictures", "2"])
report = json.loads((folder / "r.json").read_text())
print(">", code, len(report["pairs"]), sorted(each.name for each in (folder / "p").iterdir()))
print(">", sorted(each["picture"] for each in report["pairs"] if "picture" in each))
pixels = pixels_of(folder / "p" / "0001_A_B_B.png")
print(">", pixels.shape, part_of(pixels, "a") > 0.05, part_of(pixels, "b") > 0.05)
grey = np.ptp(pixels, axis=2) < 0.02
print(">", 0.2 < grey.mean() < 0.9, len(np.unique(pixels[grey].round(2), axis=0)) > 2)
print(">", (pixels > 0.9).all(axis=2).any())
kept = (folder / "p" / "0001_A_B_B.png").read_bytes()
from touchpoint.addon.pictures.names import names_of
from touchpoint.addon.pictures.saving import saved_in_pieces
report = api.detect()
pieces = saved_in_pieces(report, folder / "half", names_of(report, 3))
print(">", next(pieces), next(pieces))
pieces.close()
print(">", (folder / "half").exists())
before = len(bpy.data.images), len(bpy.data.objects)
for number in range(2):
    written = api.save_pictures(api.detect(), folder / "again", most=1)
print(">", [each.name for each in written], written[0].read_bytes() == kept)
print(">", list((folder / "again").iterdir()) == written)
print(">", before == (len(bpy.data.images), len(bpy.data.objects)))
touchpoint.register()
bpy.ops.touchpoint.detect()
print(">", bpy.ops.touchpoint.save_pictures(directory=str(folder / "panel"), most=2))
print(">", len(list((folder / "panel").iterdir())))
bpy.data.objects["B"].location.x = 1.1
bpy.context.view_layer.update()
changed = (folder / "panel" / "0001_A_B_B.png").read_bytes()
bpy.ops.touchpoint.save_pictures(directory=str(folder / "panel"), most=2)
print(">", changed == (folder / "panel" / "0001_A_B_B.png").read_bytes())
try:
    bpy.ops.touchpoint.save_pictures(directory=str(folder / "no" / "folder"))
except RuntimeError as error:
    print(">", "no/folder cannot be written: No such file or directory" in str(error))
from touchpoint.addon.pictures import offscreen
def asked(*more):
    code = cli.main(["detect", str(folder / "scene.blend"), "--pictures", str(place / "p"), *more])
    print(">", code, sorted(each.name for each in place.iterdir()))
place = folder / "place"
place.mkdir()
(place / "x").touch()
asked("--json", "/dev/full")
asked("--pictures", str(place / "x"))
def broken():
    raise Exception("no shader")
gpu_backend.free()
offscreen._solid_shader = broken
asked("--csv", str(place / "r.csv"))
asked("--csv", str(place / "r.csv"))
""", tmp_path) == ["1 3 ['0001_A_B_B.png', '0002_A_B_Wall.png']", "['0001_A_B_B.png', '0002_A_B_Wall.png']",
                   "(640, 640, 3) True True", "True True", "True", "1 2", "False", "['0001_A_B_B.png'] True", "True",
                   "True", "{'FINISHED'}", "2", "True", "True", *["3 ['x']"] * 4]


def test_without_a_driver(tmp_path):
    """It is refused before anything is tested or written."""
    lines = child("""
import contextlib, io
said = io.StringIO()
with contextlib.redirect_stderr(said):
    code = cli.main(["detect", str(folder / "scene.blend"), "--pictures", str(folder / "p"), "--json",
                     str(folder / "r.json")])
print(">", code, said.getvalue().strip())
print(">", sorted(each.name for each in folder.iterdir()))
""", tmp_path, driver=False)
    assert lines == ["3 touchpoint: error: Pictures are drawn by the GPU. The GPU cannot be used: " + NO_DRIVER,
                     "['no drivers', 'scene.blend']"]


def test_pictures_are_in_the_page_and_in_the_bcf_file(tmp_path):
    """The same ones as in the folder; from the panel and from scripts, too."""
    assert child("""
import zipfile
names = [folder / each for each in ("p", "r.html", "r.bcf")]
words = [word for pair in zip(("--pictures", "--html", "--bcf"), map(str, names)) for word in pair]
print(">", cli.main(["detect", str(folder / "scene.blend"), *words, "--most-pictures", "2"]))
import base64
kept = {each.read_bytes() for each in names[0].iterdir()}
page = names[1].read_text()
print(">", len(kept), page.count("<img "), all(base64.b64encode(each).decode() in page for each in kept))
def snapshots(path):
    with zipfile.ZipFile(path) as archive:
        return {archive.read(each) for each in archive.namelist() if each.endswith(".png")}
print(">", snapshots(names[2]) == kept)
print(">", snapshots(api.save_report(api.detect(), folder / "api.bcf", pictures=2)) == kept)
touchpoint.register()
bpy.ops.touchpoint.detect()
for wanted in (True, False):
    bpy.ops.touchpoint.export(filepath=str(folder / "panel.html"), kind="HTML", pictures=wanted)
    print(">", (folder / "panel.html").read_text().count("<img "))
""", tmp_path) == ["1", "2 2 True", "True", "True", "3", "0"]


def test_a_page_without_a_driver(tmp_path):
    """The panel writes it without pictures; who asks a script for them is refused."""
    assert child("""
touchpoint.register()
bpy.ops.touchpoint.detect()
bpy.ops.touchpoint.export(filepath=str(folder / "panel.html"), kind="HTML")
print(">", (folder / "panel.html").read_text().count("<img "))
from touchpoint.core import Unsupported
try:
    api.save_report(api.detect(), folder / "api.html", pictures=2)
except Unsupported:
    print(">", (folder / "api.html").exists())
""", tmp_path, driver=False) == ["0", "False"]
