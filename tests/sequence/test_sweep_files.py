# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON and CSV of many frames."""
import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Scene, detect, sweep

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8"))


def two_boxes():
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for name in ("Bullet", "Wall"):
        scene.add_object(mesh, name=name)
    return scene


def through(places, scene):
    """The bullet at these places along x, from frame -1 on, in steps of a half."""
    for number, place in enumerate(places):
        scene.set_poses([0], [pose(1, (place, 0.25, 0.25))])
        yield -1 + 0.5 * number, scene


PLACES = (-3, -0.8, 0.5, 2, 3, 1.5, 0.25)


def written(report, name, tmp_path, **how):
    path = tmp_path / name
    getattr(report, f"to_{name}")(path, **how)
    return path.read_bytes()


def test_json_says_when(tmp_path):
    report = sweep(through(PLACES, two_boxes()), depth=True)
    text = json.loads(written(report, "json", tmp_path))
    jsonschema.validate(text, SCHEMA)
    assert text["frame"] is None and text["frames"] == {"start": -1, "end": 2, "count": 7}
    assert text["continuous"] is None
    pair, = text["pairs"]
    assert pair["intervals"] == [[-0.5, 0], [2, 2]] and pair["first_contact"] == -0.5
    assert pair["worst_frame"] == 0 and pair["depth"] == pytest.approx(0.5)
    assert '"intervals": [[-0.5, 0], [2, 2]]' in written(report, "json", tmp_path).decode()     # 0, not 0.0


def test_csv_has_the_columns(tmp_path):
    report = sweep(through(PLACES, two_boxes()), tolerance=1e-3)
    row, = csv.DictReader(io.StringIO(written(report, "csv", tmp_path).decode()))
    assert json.loads(row["intervals"]) == [[-0.5, 0], [2, 2]]
    assert row["first_contact"] == "-0.5"
    assert row["worst_frame"] == "0" and row["exact"] == "crossing"


def test_the_same_frames_give_the_same_bytes(tmp_path):
    scenes = two_boxes(), two_boxes()
    ones = [sweep(through(PLACES, scene), clearance=0.5, threads=threads) for scene, threads in zip(scenes, (1, 2))]
    for name in ("json", "csv"):
        assert written(ones[0], name, tmp_path) == written(ones[1], name, tmp_path)


def test_a_report_of_one_scene_has_no_such_keys(tmp_path):
    report = detect(two_boxes())
    text = json.loads(written(report, "json", tmp_path))
    assert not {"frames", "continuous"} & set(text)
    assert not {"intervals", "first_contact", "worst_frame"} & set(text["pairs"][0])
    assert b"intervals" not in written(report, "csv", tmp_path)
