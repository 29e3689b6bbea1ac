# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules as JSON, there and back; what is no such file is refused with the place of the fault."""
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from touchpoint.core import Refused
from touchpoint.core.rules import Ref, Rule, read_rules, strict_json, write_rules

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "rules.schema.json").read_text(encoding="utf-8"))

names = st.text(min_size=1, max_size=20)
refs = st.builds(Ref, names, st.none() | names, st.none() | st.just("") | names)
plain_refs = st.builds(Ref, names, st.none() | names)
common = {"reason": st.text(max_size=30), "enabled": st.booleans(),
          "allowed_depth": st.none() | st.floats(0, 1e6, allow_nan=False)}
rules = st.one_of(
    st.builds(Rule, st.sampled_from(["parents", "assembly", "joints"]), **common),
    st.builds(Rule, st.just("collections"), a=plain_refs, b=plain_refs, **common),
    st.builds(Rule, st.just("pairs"), pairs=st.lists(st.tuples(refs, refs), min_size=1, max_size=3).map(tuple),
              **common))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rules, max_size=4, unique=True))
def test_rules_come_back_as_they_were(tmp_path, chosen):
    path = tmp_path / "rules.json"
    write_rules(chosen, path)
    assert read_rules(path) == chosen
    jsonschema.validate(json.loads(path.read_bytes()), SCHEMA)
    first = path.read_bytes()
    write_rules(read_rules(path), path)
    assert path.read_bytes() == first


def test_names_that_are_no_utf8_come_back(tmp_path):
    odd = [Rule("pairs", pairs=((Ref("\udc80"), Ref("a\u202eb")),))]
    write_rules(odd, tmp_path / "rules.json")
    assert read_rules(tmp_path / "rules.json") == odd


def test_lengths_are_metres_in_the_file(tmp_path):
    write_rules([Rule("parents", allowed_depth=4.0)], tmp_path / "rules.json", unit_scale=0.001)
    assert json.loads((tmp_path / "rules.json").read_text())["rules"][0]["allowed_depth"] == 0.004
    assert read_rules(tmp_path / "rules.json", unit_scale=0.001)[0].allowed_depth == pytest.approx(4.0)


def file_of(*rules):
    return json.dumps({"touchpoint_rules": 1, "rules": list(rules)})


PAIR = {"kind": "pairs", "pairs": [["a", "b"]]}
WRONG = {
    "": "no JSON",
    "[]": "the file must be an object",
    "{}": '"touchpoint_rules"',
    '{"touchpoint_rules": 2, "rules": []}': "must be 1",
    '{"touchpoint_rules": true, "rules": []}': "must be 1",
    '{"touchpoint_rules": 1}': "rules must be a list",
    '{"touchpoint_rules": 1, "rules": {}}': "rules must be a list",
    '{"touchpoint_rules": 1, "rules": [], "more": 1}': 'unknown key "more"',
    '{"touchpoint_rules": 1, "rules": [], "rules": []}': 'the key "rules" comes twice',
    '{"touchpoint_rules": 1, "rules": [{"kind": "parents", "allowed_depth": NaN}]}': "NaN is no number",
    '{"touchpoint_rules": 1, "rules": [{"kind": "parents", "allowed_depth": 1e999}]}': "a length of zero or more",
    file_of(1): r"rules\[0\] must be an object",
    file_of(PAIR, {}): r"rules\[1\].kind must be a text",
    file_of({"kind": "friends"}): r"rules\[0\].kind must be one of pairs, collections",
    file_of({"kind": "parents", "pairs": []}): 'unknown key "pairs"',
    file_of({"kind": "parents", "enabled": 1}): r"rules\[0\].enabled must be true or false",
    file_of({"kind": "parents", "reason": None}): r"rules\[0\].reason must be a text",
    file_of({"kind": "parents", "reason": "x" * 2000}): "at most 1,000 letters",
    file_of({"kind": "parents", "allowed_depth": True}): "a length in metres",
    file_of({"kind": "parents", "allowed_depth": "4mm"}): "a length in metres",
    file_of({"kind": "parents", "allowed_depth": -1}): "a length of zero or more",
    file_of({"kind": "parents", "allowed_depth": 10 ** 400}): "too large",
    file_of({"kind": "pairs"}): r"rules\[0\].pairs must be a list",
    file_of({"kind": "pairs", "pairs": []}): "at least one pair",
    file_of({"kind": "pairs", "pairs": [["a"]]}): r"pairs\[0\] must name two objects, not 1",
    file_of({"kind": "pairs", "pairs": [["a", 3]]}): r"pairs\[0\]\[1\] must be an object",
    file_of({"kind": "pairs", "pairs": [["a", ""]]}): "1 to 4,096 letters",
    file_of({"kind": "pairs", "pairs": [["a", {"name": "b", "uid": 3}]]}): 'unknown key "uid"',
    file_of({"kind": "collections", "a": "A"}): r"rules\[0\].b must be an object",
    file_of({"kind": "collections", "a": "A", "b": {"name": "B", "instance": "x"}}): 'unknown key "instance"',
    file_of(PAIR, {"kind": "parents"}, PAIR): r"rules\[2\] is the same as rules\[0\]",
    "[" * 100_000: "too deep",
    '{"touchpoint_rules": ' + "1" * 10_000 + "}": "too long|must be 1",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:60])
def test_what_is_no_file_of_rules_is_refused_with_its_place(text, tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(text)
    with pytest.raises(Refused, match=WRONG[text]) as refusal:
        read_rules(path)
    assert str(refusal.value).startswith(str(path)) and len(str(refusal.value)) < 500


def test_bytes_that_are_no_text_and_files_beyond_measure_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "rules.json"
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(Refused, match="no text in UTF-8"):
        read_rules(path)
    monkeypatch.setattr(strict_json, "MOST_BYTES", 1 << 20)
    path.write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(Refused, match="more than 1 MB"):
        read_rules(path)
    with pytest.raises(FileNotFoundError):
        read_rules(tmp_path / "nothing.json")
