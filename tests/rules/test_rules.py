# SPDX-License-Identifier: GPL-3.0-or-later
"""What rules take away, against a loop over all pairs."""
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from touchpoint.core import Refused, Scene, Unsupported, detect, methods
from touchpoint.core.codes import CROSSING, NEAR, OVERLAP, TOUCHING
from touchpoint.core.rules import Ref, Relations, Rule, RuleSet
from touchpoint.core.rules.applied import NO_RULE, Applied
from touchpoint.core.rules.relations import IN_NONE
from touchpoint.core.scene.tiny import BOX, BOX_TRIANGLES, one_box_at
from touchpoint.core.sequence.sweep import sweep

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
THINGS = 5
NAMES = "VWXYZ"


def pair_rule(a, b, **more):
    return Rule("pairs", pairs=((Ref(a), Ref(b)),), **more)


@st.composite
def relations(draw):
    """A few objects of a few things, related at random."""
    def some(values, size=THINGS):
        return np.array(draw(st.lists(values, min_size=size, max_size=size)), np.int64)

    def pairs_below(count):
        pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
        return np.array(draw(st.lists(pairs, max_size=4)), np.int64).reshape(-1, 2)

    objects = draw(st.integers(2, 12))
    thing = some(st.integers(0, THINGS - 1), objects)
    numbers = [int((thing[:i] == each).sum()) for i, each in enumerate(thing)]
    instances = [None if number == 0 else f"Tree #{number}" for number in numbers]
    names = [f"{NAMES[t]} ▸ {i}" if i else NAMES[t] for t, i in zip(thing, instances)]
    collections = {Ref(name): np.unique(some(st.integers(0, THINGS - 1), draw(st.integers(1, 3)))) for name in "AB"}
    return Relations(names, [Ref(name) for name in NAMES], thing, instances, collections, pairs_below(THINGS),
                     some(st.integers(IN_NONE, 2)), some(st.booleans()).astype(bool), some(st.integers(IN_NONE, 2)),
                     pairs_below(3), pairs_below(THINGS))


refs = st.builds(Ref, st.sampled_from([*NAMES, "nobody"]), st.none(), st.sampled_from([None, None, "", "Tree #1"]))
depths = st.sampled_from([None, None, 0.25])
rules = st.one_of(
    st.builds(Rule, st.sampled_from(["parents", "assembly", "joints"]), allowed_depth=depths),
    st.builds(Rule, st.just("pairs"), allowed_depth=depths,
              pairs=st.lists(st.tuples(refs, refs), min_size=1, max_size=3).map(tuple)),
    st.builds(Rule, st.just("collections"), allowed_depth=depths, a=st.builds(Ref, st.sampled_from("ABC")),
              b=st.builds(Ref, st.sampled_from("ABC"))))


def answers_to(ref, number, related):
    """Whether a rule's word means an object."""
    thing = related.things[related.thing[number]]
    if ref == Ref(related.names[number]) and ref.name not in NAMES:
        return True
    own = related.instances[number] or ""
    return (ref.name, ref.library) == (thing.name, thing.library) and ref.instance in (None, own)


def unordered(pairs, a, b):
    return any({a, b} == set(pair) for pair in pairs.tolist())


def concerns(rule, related, i, j):
    """Whether a rule concerns two objects, asked the slow way."""
    t, u = int(related.thing[i]), int(related.thing[j])
    if rule.kind == "pairs":
        return any((answers_to(a, i, related) and answers_to(b, j, related))
                   or (answers_to(a, j, related) and answers_to(b, i, related)) for a, b in rule.pairs)
    if rule.kind == "collections":
        a, b = (set(related.collections.get(side, np.zeros(0)).tolist()) for side in (rule.a, rule.b))
        return (t in a and u in b) or (u in a and t in b)
    if rule.kind == "parents":
        return unordered(related.parents, t, u)
    if rule.kind == "assembly":
        same = related.assembly[t] == related.assembly[u] != IN_NONE
        return bool(same and (t != u or related.whole[t]))
    if t == u:
        return False
    links = related.link[t], related.link[u]
    linked = IN_NONE not in links and (links[0] == links[1] or unordered(related.next_links, *links))
    return bool(linked or unordered(related.joined, t, u))


@settings(max_examples=300)
@given(relations(), st.lists(rules, min_size=1, max_size=4))
def test_the_first_rule_that_concerns_a_pair_decides(related, chosen):
    count = len(related.thing)
    a, b = np.triu_indices(count, 1)
    decided = Applied(chosen, related).deciding(a, b)
    for i, j, rule in zip(a.tolist(), b.tolist(), decided.tolist()):
        expected = next((k for k, each in enumerate(chosen) if concerns(each, related, i, j)), NO_RULE)
        assert rule == expected, (i, j)
    assert (Applied(chosen, related).deciding(b, a) == decided).all()


def random_boxes(rng, count):
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for number in range(count):
        pose = np.eye(4)
        pose[:3, 3] = rng.uniform(0, 3, 3)
        scene.add_object(mesh, pose, name=f"box {number}", group="AB"[number % 2])
    return scene


def known(report):
    """{(a, b): verdict} of what is listed and of what was taken away after a test; the pairs that were not tested."""
    taken = report.rules.taken
    tested = {(row["a"], row["b"]): row["verdict"] for row in taken[taken["tested"]]}
    listed = {(row["a"], row["b"]): row["verdict"] for row in report.pairs}
    untested = {(row["a"], row["b"]) for row in taken[~taken["tested"]]}
    assert len(taken) == len(tested) + len(untested) and not (tested.keys() & listed.keys())
    return {**tested, **listed}, untested


@pytest.mark.parametrize("method", [each for each in methods.ids()
                                    if each not in ("saga", "exact")
                                    and not {"interval", "gpu"} & set(methods.load(each).needs)])
@pytest.mark.parametrize("clearance", [0.0, 0.2])
def test_what_is_taken_away_and_what_is_left_make_up_all_pairs(method, clearance):
    rng = np.random.default_rng(3)
    scene = random_boxes(rng, 14)
    rules = RuleSet([Rule("collections", "within A", a=Ref("A"), b=Ref("A")), pair_rule("box 1", "box 2"),
                     Rule("collections", enabled=False, a=Ref("A"), b=Ref("B"))])
    try:
        whole = detect(scene, method, clearance)
    except Unsupported:
        return
    left = detect(scene, method, clearance, rules=rules)
    found, untested = known(left)
    every = {(row["a"], row["b"]): row["verdict"] for row in whole.pairs}
    assert found == {pair: verdict for pair, verdict in every.items() if pair not in untested}
    box = scene.poses[:, :3, 3]
    near = {(i, j) for i in range(14) for j in range(i + 1, 14) if (abs(box[i] - box[j]) <= 1 + clearance).all()}
    concerned = {(i, j) for i in range(14) for j in range(i + 1, 14) if i % 2 == j % 2 == 0 or (i, j) == (1, 2)}
    assert untested == near & concerned and untested
    assert left.rules.counts.tolist() == [sum(i % 2 == 0 == j % 2 for i, j in untested), (1, 2) in untested]
    assert left.summary()["taken_away"] == len(untested) and len(left.rules.rules) == 2


def test_an_allowed_depth_takes_away_what_is_no_deeper():
    scene = one_box_at((0, 0, 0), (0.9, 0.25, 0.125), (1.5, 0.25, 0.125), (2.5, 0.25, 0.125), (9, 9, 9), (10.01, 9, 9))
    every = Rule("collections", "joints may overlap", allowed_depth=0.2, a=Ref("all"), b=Ref("all"))
    for each in scene.objects:
        each.group = "all"
    whole = detect(scene, clearance=0.02, depth=True)
    report = detect(scene, clearance=0.02, rules=RuleSet([every]))
    assert [tuple(row)[:3] for row in report.pairs[["a", "b", "verdict"]].tolist()] == [(1, 2, OVERLAP)]
    taken = report.rules.taken
    assert taken[["a", "b", "verdict"]].tolist() == [(0, 1, CROSSING), (2, 3, TOUCHING), (4, 5, NEAR)]
    assert taken["tested"].all() and report.rules.kept.tolist() == [1] and report.settings["depth"]
    assert taken["depth"][0] == whole.pairs["depth"][0] and 0.0999 < taken["depth"][0] < 0.1001
    assert len(report.contacts) == report.pairs["contacts"].sum() == whole.pairs["contacts"][1]
    for row in range(len(report.pairs)):
        assert (report.contacts_of(row).point == whole.contacts_of(1).point).all()


@pytest.mark.parametrize("beside", [0.0, 1e-7, 0.003])
@pytest.mark.parametrize("asked", [{}, {"self_collisions": True}, {"tolerance": 1e-6}, {"threads": 1}])
def test_solids_that_coincide_are_no_allowed_depth(beside, asked):
    """No surface of a copy is deep in the other, and yet a whole box is there twice."""
    scene = Scene()
    for x in (0.0, beside, 0.9995):
        scene.add_object(scene.add_mesh(BOX + (x, 0, 0), BOX_TRIANGLES), group="all")
    every = [Rule("collections", allowed_depth=allowed, a=Ref("all"), b=Ref("all")) for allowed in (0.004, 0.6)]
    reports = [detect(scene, rules=RuleSet([rule]), **asked) for rule in every]
    assert [(pair["a"], pair["b"]) for pair in reports[0].pairs] == [(0, 1)] and reports[0].exit_code() == 1
    assert reports[0].rules.kept.tolist() == [1] and len(reports[0].rules.taken) == 2
    assert len(reports[1].pairs) == 0       # a box is no deeper than that anywhere


def test_what_touches_by_a_tolerance_only_is_taken_away():
    """The gap of 0.01 has no depth, and one of 0.01 is within the tolerance."""
    scene = one_box_at((0, 0, 0), (1.01, 0.25, 0.125), (2.0, 0.5, 0.25), (9, 9, 9))
    rules = RuleSet([pair_rule("object 0", "object 1", allowed_depth=0.0),
                     pair_rule("object 1", "object 2", allowed_depth=0.0)])
    report = detect(scene, rules=rules, tolerance=0.02)
    assert report.rules.taken[["a", "b", "verdict"]].tolist() == [(0, 1, TOUCHING), (1, 2, TOUCHING)]
    assert len(report.pairs) == 0 and report.rules.kept.tolist() == [0, 0]
    exact = detect(scene, rules=rules)
    assert exact.pairs[["a", "b", "verdict"]].tolist() == [(1, 2, CROSSING)] and exact.rules.kept.tolist() == [0, 1]


def test_no_rule_concerns_an_object_with_itself():
    """A corner of one triangle touches another of the same mesh, and is listed whatever a rule allows."""
    scene = Scene()
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.25, 0.25, 0], [0, 0, 1], [0, 1, 1.0]])
    scene.add_object(scene.add_mesh(corners, np.array([[0, 1, 2], [3, 4, 5]])), name="a", group="A")
    scene.add_object(scene.add_mesh(BOX + 5.0, BOX_TRIANGLES), name="b", group="A")
    for allowed in (None, 1.0):
        rules = RuleSet([Rule("collections", allowed_depth=allowed, a=Ref("A"), b=Ref("A")), pair_rule("a", "a")])
        report = detect(scene, rules=rules, self_collisions=True)
        assert report.pairs[["a", "b", "verdict"]].tolist() == [(0, 0, TOUCHING)]
        assert len(report.rules.taken) == 0 and report.rules.kept.sum() == 0


def test_what_was_not_measured_stays_on_the_list():
    scene = Scene()
    sheet = scene.add_mesh(np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0.0]]), np.array([[0, 1, 2]]))
    other = scene.add_mesh(np.array([[1, 1, -1], [1, 1, 1], [3, 1, 0.5]]), np.array([[0, 1, 2]]))
    scene.add_object(sheet, name="a")
    scene.add_object(other, name="b")
    report = detect(scene, rules=RuleSet([pair_rule("a", "b", allowed_depth=100.0)]))
    assert report.pairs["verdict"].tolist() == [CROSSING] and report.rules.kept.tolist() == [1]
    assert report.exit_code() == 1


def test_nothing_left_to_test_is_refused():
    scene = random_boxes(np.random.default_rng(3), 4)
    everything = [Rule("collections", a=Ref(a), b=Ref(b)) for a, b in ("AA", "AB", "BB")]
    with pytest.raises(Refused, match="the rules take all of them away"):
        detect(scene, rules=RuleSet(everything))
    with pytest.raises(Refused, match="the rules take all of them away"):
        detect(scene, pairs=[[0, 1]], rules=RuleSet(everything[1:2]))
    with pytest.raises(Refused, match="the rules take all of them away"):
        detect(scene, rules=RuleSet(everything[1:2], groups=[("A", "B")]))
    assert detect(scene, pairs=[[0, 2]], rules=RuleSet(everything[1:2])).exit_code() in (0, 1)


def test_pairs_far_apart_are_clear_whatever_a_rule_says():
    report = detect(one_box_at((0, 0, 0), (5, 0, 0), (9, 0, 0)), rules=RuleSet([pair_rule("object 0", "object 1")]))
    assert len(report.rules.taken) == 0 and report.exit_code() == 0


def test_a_method_without_depths_refuses_an_allowed_depth():
    rules = RuleSet([pair_rule("object 0", "object 1", allowed_depth=0.1)])
    with pytest.raises(Unsupported, match="cannot measure depths"):
        detect(one_box_at((0, 0, 0), (0.5, 0, 0)), "rapid", rules=rules)


def test_relations_of_another_scene_are_an_error():
    rules = RuleSet([Rule("parents")], Relations.of_names(["a"], [None]))
    with pytest.raises(ValueError, match="relations of 1 objects"):
        detect(one_box_at((0, 0, 0), (0.5, 0, 0)), rules=rules)


def test_a_name_that_several_objects_have_means_all_of_them():
    scene = one_box_at((0, 0, 0), (0.5, 0, 0), (0.25, 0.5, 0.25))
    for each, name in zip(scene.objects, ("bolt", "bolt", "plate")):
        each.name = name
    report = detect(scene, rules=RuleSet([pair_rule("bolt", "plate")]))
    assert report.rules.taken[["a", "b"]].tolist() == [(0, 2), (1, 2)]
    assert report.pairs[["a", "b"]].tolist() == [(0, 1)]


def test_ten_thousand_objects_are_matched_at_once():
    """A loop over the fifty million pairs of them would take minutes."""
    count = 10_000
    related = Relations.of_names([f"object {i}" for i in range(count)], [f"group {i % 100}" for i in range(count)])
    related.assembly = np.arange(count) % 7
    chosen = [Rule("collections", a=Ref("group 1"), b=Ref("group 2")), Rule("assembly"),
              Rule("pairs", pairs=tuple((Ref(f"object {i}"), Ref(f"object {i + 1}")) for i in range(count - 1)))]
    a = np.repeat(np.arange(0, count, 10), 200)
    b = (a + np.tile(np.arange(1, 201), count // 10)) % count
    decided = Applied(chosen, related).deciding(a, b)
    expected = np.full(len(a), NO_RULE)
    expected[np.abs(a - b) == 1] = 2
    expected[a % 7 == b % 7] = 1
    expected[((a % 100 == 1) & (b % 100 == 2)) | ((a % 100 == 2) & (b % 100 == 1))] = 0
    assert (decided == expected).all()


def test_rules_that_make_no_sense_are_refused():
    for wrong in ({"kind": "friends"}, {"kind": "pairs"}, {"kind": "collections", "a": Ref("A")},
                  {"kind": "parents", "allowed_depth": -1.0}, {"kind": "parents", "allowed_depth": float("nan")},
                  {"kind": "parents", "reason": "x" * 1001}, {"kind": "parents", "pairs": ((Ref("a"), Ref("b")),)},
                  {"kind": "assembly", "a": Ref("A"), "b": Ref("B")}):
        with pytest.raises(Refused):
            Rule(**wrong)


def test_reports_name_what_was_taken_away(tmp_path):
    scene = one_box_at((0, 0, 0), (0.9, 0.25, 0.125), (1.5, 0.25, 0.125))
    rules = RuleSet([pair_rule("object 0", "object 1", reason="a knee", allowed_depth=0.2),
                     pair_rule("object 1", "object 2", reason="one part")])
    report = detect(scene, rules=rules)
    report.unit_scale = 0.5
    report.to_json(tmp_path / "report.json")
    data = json.loads((tmp_path / "report.json").read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["rules"] == [
        {"kind": "pairs", "reason": "a knee", "allowed_depth": 0.1, "taken_away": 1, "kept": 0},
        {"kind": "pairs", "reason": "one part", "allowed_depth": None, "taken_away": 1, "kept": 0}]
    knee, part = data["taken_away"]
    assert (knee["verdict"], knee["tested"], knee["reason"]) == ("crossing", True, "a knee")
    assert knee["depth"] <= 0.05 <= knee["depth_upper"] + 1e-9
    assert part == {"a": "object 1", "b": "object 2", "rule": 1, "tested": False, "verdict": None, "depth": None,
                    "depth_upper": None, "reason": "one part"}
    assert data["summary"]["taken_away"] == 2 and data["pairs"] == []
    report.to_csv(tmp_path / "report.csv")
    lines = (tmp_path / "report.csv").read_text().splitlines()[1:]
    assert lines[0].startswith("object 0,object 1,allowed (crossing),,,0.0") and lines[0].endswith(",a knee")
    assert lines[1] == "object 1,object 2,not tested,,,,one part"


def test_a_report_without_rules_says_nothing_of_rules(tmp_path):
    report = detect(one_box_at((0, 0, 0), (0.5, 0, 0)), rules=RuleSet([pair_rule("a", "b", enabled=False)]))
    report.to_json(tmp_path / "report.json")
    data = json.loads((tmp_path / "report.json").read_text())
    assert report.rules is None and not {"rules", "taken_away"} & {*data, *data["summary"]}


def test_rules_that_are_given_piece_by_piece_hold_in_each_frame():
    given = RuleSet(iter([pair_rule("object 0", "object 1")]))
    scenes = [(frame, one_box_at((0, 0, 0), (0.5, 0.25, 0.125 * frame), (0.25, 0.5, 0.25))) for frame in (1, 2)]
    assert sweep(scenes, rules=given).pairs[["a", "b"]].tolist() == [(0, 2), (1, 2)]
