# SPDX-License-Identifier: GPL-3.0-or-later
"""What decides about two objects: the same as a whole run says of them."""
import numpy as np
import pytest
from touchpoint.core import Refused, Scene, detect
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES, one_box_at
from touchpoint.core.why import BOXES, LEFT_OUT, NOT_ASKED, RULE, SURFACES, why


def pair_rule(a, b, **more):
    return Rule("pairs", "on purpose", pairs=((Ref(f"object {a}"), Ref(f"object {b}")),), **more)


def asked(scene, a, b, **how):
    found = why(scene, [a], [b], **how)
    assert (found.a, found.b) == (min(a, b), max(a, b))
    return found


SCENE = [(0, 0, 0), (0.9, 0.25, 0.125), (2.0, 0.5, 0.25), (9, 9, 9)]


def test_surfaces_decide_with_depth_or_gap():
    scene = one_box_at(*SCENE)
    crossing = asked(scene, 1, 0)
    assert (crossing.stage, crossing.verdict, crossing.rule) == (SURFACES, "crossing", None)
    assert crossing.report.pairs["depth"][0] == pytest.approx(0.1)
    near = asked(scene, 1, 2, clearance=0.2)
    assert (near.stage, near.verdict) == (SURFACES, "near") and near.report.pairs["gap"][0] == pytest.approx(0.1)


def test_boxes_decide_and_the_gap_is_measured_all_the_same():
    scene = one_box_at(*SCENE)
    for rules in (None, RuleSet([pair_rule(1, 2)])):
        found = asked(scene, 1, 2, rules=rules, clearance=0.05)
        assert (found.stage, found.verdict) == (BOXES, "clear") and found.box_gap == pytest.approx(0.1)
        assert found.report.pairs["gap"][0] == pytest.approx(0.1) and (found.rule is None) == (rules is None)
    assert asked(scene, 0, 3).report.pairs["gap"][0] == pytest.approx(8 * 3 ** 0.5)


@pytest.mark.parametrize("size", (1e-310, 1e-200, 1e300, 3e306))
def test_lengths_whose_squares_are_no_numbers(size):
    scene = Scene()
    mesh = scene.add_mesh(np.array(BOX) * size, BOX_TRIANGLES)
    for x in (0.0, 3.0):
        pose = np.eye(4)
        pose[0, 3] = x * size
        scene.add_object(mesh, pose)
    found = asked(scene, 0, 1)
    assert (found.stage, found.verdict) == (BOXES, "clear")
    for length in (found.box_gap, found.report.pairs["gap"][0]):
        assert length / size == pytest.approx(2.0)


def test_a_rule_decides_before_or_after_the_test():
    scene = one_box_at(*SCENE)
    for rule, stage in ((pair_rule(0, 1), RULE), (pair_rule(0, 1, allowed_depth=0.2), RULE),
                        (pair_rule(0, 1, allowed_depth=0.05), SURFACES)):
        found = asked(scene, 0, 1, rules=RuleSet([rule]))
        assert (found.stage, found.rule) == (stage, rule) and found.report.verdict(0) == "crossing"
        assert found.verdict == ("" if stage == RULE else "crossing")


def test_a_copy_is_no_allowed_depth():
    scene = one_box_at((0, 0, 0), (0, 0, 0))
    assert asked(scene, 0, 1, rules=RuleSet([pair_rule(0, 1, allowed_depth=0.2)])).stage == SURFACES


def test_a_tolerance_is_told():
    scene = one_box_at(*SCENE)
    found = asked(scene, 0, 1, tolerance=0.5)
    assert (found.stage, found.verdict) == (SURFACES, "touching") and found.report.pairs["exact"][0] == 5
    assert asked(scene, 1, 2, tolerance=0.2).verdict == "touching"


def test_what_is_not_asked_for():
    scene = one_box_at(*SCENE)
    for each, group in zip(scene.objects, "AABB"):
        each.group = group
    found = asked(scene, 0, 1, rules=[("A", "B")])
    assert (found.stage, found.verdict) == (NOT_ASKED, "") and found.report.verdict(0) == "crossing"
    scene.objects[0].static = scene.objects[1].static = True
    assert asked(scene, 0, 1).stage == NOT_ASKED


def test_what_is_left_out():
    scene = one_box_at(*SCENE)
    scene.add_object(scene.add_mesh(np.full((3, 3), np.nan), np.array([[0, 1, 2]])), name="broken")
    found = asked(scene, 0, 4)
    assert found.stage == LEFT_OUT and "NaN" in found.reason
    scene.hide([1])
    assert (asked(scene, 0, 1).stage, asked(scene, 0, 1).reason) == (LEFT_OUT, "it is hidden")


def test_of_instances_the_worst_pair_is_explained():
    scene = one_box_at(*SCENE)
    assert (found := why(scene, [3, 0, 2], [1])).report.verdict(0) == "crossing" and (found.a, found.b) == (0, 1)
    assert (found := why(scene, [3, 2], [1])).stage == BOXES and (found.a, found.b) == (1, 2)
    with pytest.raises(Refused, match="one and the same"):
        why(scene, [1], [1])
    with pytest.raises(Refused, match="pairs of instances"):
        why(scene, range(101), range(101))


@pytest.mark.parametrize("clearance, tolerance", [(0.0, 0.0), (0.1, 0.0), (0.1, 0.02), (0.0, "auto")])
def test_why_says_what_a_whole_run_says(clearance, tolerance):
    rng = np.random.default_rng(5)
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for number in range(9):
        pose = np.eye(4)
        pose[:3, 3] = rng.uniform(0, 2.5, 3)
        scene.add_object(mesh, pose, name=f"object {number}", group="AB"[number % 2])
    rules = RuleSet([Rule("collections", a=Ref("A"), b=Ref("A")),
                     Rule("collections", allowed_depth=0.3, a=Ref("A"), b=Ref("B"))])
    report = detect(scene, clearance=clearance, tolerance=tolerance, rules=rules)
    listed = {(row["a"], row["b"]): report.verdict(i) for i, row in enumerate(report.pairs)}
    taken = {(row["a"], row["b"]) for row in report.rules.taken}
    seen = set()
    for a in range(9):
        for b in range(a + 1, 9):
            found = asked(scene, a, b, clearance=clearance, tolerance=tolerance, rules=rules)
            seen.add(found.stage)
            assert (found.stage == RULE) == ((a, b) in taken)
            assert found.verdict == ("" if (a, b) in taken else listed.get((a, b), "clear"))
    assert seen == {RULE, BOXES, SURFACES}
