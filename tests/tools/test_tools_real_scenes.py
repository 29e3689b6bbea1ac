# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/real_scenes: what it reads of robots, what it plants, and what it counts."""
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

made = importlib.import_module("real_scenes.made")
parts = importlib.import_module("real_scenes.parts")
robots = importlib.import_module("real_scenes.robots")
rows = importlib.import_module("real_scenes.rows")

URDF = """<robot name="two"><link name="base"><visual><origin xyz="0 0 1" rpy="0 0 0"/><geometry>
<mesh filename="package://robots/two/box.stl" scale="2 2 2"/></geometry></visual></link>
<link name="empty"/><link name="arm"><collision><geometry><mesh filename="box.stl"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="empty"/><origin xyz="0 0 2"/>
<axis xyz="0 1 0"/><limit lower="0" upper="3.141592653589793"/></joint>
<joint name="slide" type="prismatic"><parent link="empty"/><child link="arm"/><axis xyz="1 0 0"/>
<limit lower="0" upper="4"/></joint></robot>"""


@pytest.fixture
def robot(tmp_path):
    """Two boxes; the arm turns about y and slides along its own x."""
    corners = parts.CORNERS[parts.SIDES]
    row = np.zeros(12, np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]))
    row["corners"] = corners
    folder = tmp_path / "robots" / "two"
    folder.mkdir(parents=True)
    (folder / "box.stl").write_bytes(bytes(80) + (12).to_bytes(4, "little") + row.tobytes())
    (folder / "two.urdf").write_text(URDF)
    return robots.Robot(folder / "two.urdf")


def test_a_robot_is_put_into_a_pose(robot):
    model = robot.model([0.5, 0.25].__getitem__)
    base, arm = model.parts
    assert (base.name, arm.name, len(base.vertices), len(base.triangles)) == ("base", "arm", 8, 12)
    assert model.next_links == [(2, 0)] and (base.link, arm.link) == (0, 2)
    assert np.ptp(base.vertices, axis=0).tolist() == [2, 2, 2] and base.pose[:3, 3].tolist() == [0, 0, 1]
    assert arm.pose[:3, 3] == pytest.approx([0, 0, 1], abs=1e-6)     # a quarter turn about y, one along its x
    assert arm.pose[:3, 0] == pytest.approx([0, 0, -1], abs=1e-6)


def test_text_and_binary_stl_are_the_same(tmp_path):
    text = "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2.5 0\nendloop\nendfacet\n"
    (tmp_path / "a.stl").write_text(text)
    assert robots.read_stl(tmp_path / "a.stl").tolist() == [[[0, 0, 0], [1, 0, 0], [0, 2.5, 0]]]


@pytest.mark.scenes
def test_planted_cubes_reach_as_deep_as_they_say():
    ground = parts.Model("ground", [parts.box("ground", (-1, -1, -1), (1, 1, 1), np.eye(4))])
    cubes = parts.planted(ground, 3)
    report = rows._report(ground, cubes, tolerance="auto")
    depths = {report.name(int(pair["b"])): pair["depth"] for pair in report.pairs if pair["a"] == 0}
    assert [depths[f"planted {1000 * depth:g} mm"] for depth in parts.DEPTHS] == pytest.approx(parts.DEPTHS, abs=1e-6)


@pytest.mark.scenes
def test_neighbours_are_taken_away_and_what_is_planted_stays(robot):
    model = robot.model([0.0, 0.25].__getitem__)        # the rules take its only pair away
    row = rows.measured(model, parts.planted(model, 1), [model])
    assert (row.parts, row.exact, row.automatic, row.joints, row.learned) == (2, 1, 1, 0, 0)
    assert row.found == (5, 5) and max(row.last) <= rows.PAGE


@pytest.mark.scenes
def test_clashes_of_a_design_are_found_with_their_depths():
    boxes = [parts.box(name, (x, 0, 0), (x + 1, 1, 1), np.eye(4)) for name, x in (("a", 0), ("b", 0.75), ("c", 1.75))]
    clashes = [parts.Clash("b", "a", 0.25), parts.Clash("b", "c", 0.1)]
    found = rows.designed(parts.Model("three", boxes), clashes)
    assert [(clash.a, clash.b, place) for clash, place, _ in found] == [("b", "a", 1), ("b", "c", 0)]   # c is flush
    assert [depth for _, _, depth in found] == pytest.approx([0.25, 0.0])


@pytest.mark.parametrize("make", [made.office, made.plates])
def test_made_scenes_are_closed_and_their_parts_are_named(make):
    model = make()
    assert len({part.name for part in model.parts}) == len(model.parts) > 200
    for part in {part.name.split()[0]: part for part in model.parts}.values():
        edges = np.sort(part.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        assert (np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all(), part.name
        corners = part.vertices[part.triangles]
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()
        assert volume > 0, part.name
