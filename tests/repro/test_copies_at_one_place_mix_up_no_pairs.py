# SPDX-License-Identifier: GPL-3.0-or-later
"""Where objects are copies at one place, pairs that are alike are searched once. Methods that judge by what they noted
of each row while they searched gave pairs the verdicts of others, or none, and failed where a clearance was asked for.
"""
import pytest
from touchpoint.core import detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.scene.tiny import one_box_at

SCENES = {
    "one is a copy": [(0, 0, 0), (0, 0, 0), (0.5, 0, 0)],
    "and one is near": [(0, 0, 0), (0, 0, 0), (0.5, 0, 0), (1.75, 0.5, 0.5)],
    "two pairs of copies": [(0, 0, 0), (1.25, 0, 0), (0, 0, 0), (1.25, 0, 0)],
    "only copies": [(0, 0, 0)] * 4,
}


def found(scene, method, clearance):
    """{pair: whether it meets, and is not only near}"""
    report = detect(scene, method, clearance)
    return {(int(pair["a"]), int(pair["b"])): VERDICTS[pair["verdict"]] != "near" for pair in report.pairs}


@pytest.mark.parametrize("clearance", [0.0, 0.5])
@pytest.mark.parametrize("method", ["hull_points", "saga"])
@pytest.mark.parametrize("name", SCENES)
def test_every_pair_has_its_own_verdict(name, method, clearance):
    """Of boxes, whose hulls they are themselves."""
    scene = one_box_at(*SCENES[name])
    expected = found(scene, "touchpoint", clearance)
    assert expected and found(scene, method, clearance) == expected


@pytest.mark.parametrize("method", ["hull_points", "saga"])
def test_the_gap_is_that_of_the_pair(method):
    report = detect(one_box_at(*SCENES["two pairs of copies"]), method, 0.5)
    gaps = {(int(pair["a"]), int(pair["b"])): float(pair["gap"]) for pair in report.pairs}
    assert {pair for pair, gap in gaps.items() if gap == pytest.approx(0.25)} == {(0, 1), (0, 3), (1, 2), (2, 3)}
