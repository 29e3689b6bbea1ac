# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/same_answers.py: does it ask the same each time, and does it see every bit that changes?"""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from answers import child  # noqa: E402
from answers.archive import Reader, Writer, clear  # noqa: E402
from answers.batches import batches  # noqa: E402
from answers.compared import Comparison  # noqa: E402
from answers.families import FAMILIES  # noqa: E402
from answers.fuzzed import COUNT, PLACES, fuzzed  # noqa: E402
from answers.plan import Variant, chosen, variants  # noqa: E402
from touchpoint.core import Scene, detect, methods  # noqa: E402

PAIRS = np.array([(0, 1, 0.5), (0, 2, np.nan)], [("a", np.int32), ("b", np.int32), ("gap", np.float64)])
ANSWER = {"question": "q", "pairs": PAIRS, "counts": {"tests": 3}, "report.json": b'{"touchpoint": "1", "gap": 0.5}\n'}


def folder(path, **changed):
    clear(path)
    writer = Writer(path, "part")
    writer.add("one", {**ANSWER, **changed})
    writer.close()
    return Reader(path)


def differing(tmp_path, **changed):
    """What is told of an answer that changed so, and what was added to it."""
    found = Comparison(folder(tmp_path / "before"), folder(tmp_path / "now", **changed))
    return found.differences.get("one", []), found.added


def with_gap(value):
    pairs = PAIRS.copy()
    pairs["gap"][0] = value
    return pairs


def wider():
    pairs = np.zeros(2, [*PAIRS.dtype.descr, ("depth", np.float64)])
    for name in PAIRS.dtype.names:
        pairs[name] = PAIRS[name]
    return pairs


def test_the_same_answers_are_the_same(tmp_path):
    assert differing(tmp_path) == ([], {})


@pytest.mark.parametrize("changed", [
    {"pairs": with_gap(np.nextafter(0.5, 1.0))}, {"pairs": PAIRS[:1]}, {"pairs": PAIRS[["a", "b"]].copy()},
    {"pairs": PAIRS.astype([("a", np.int64), ("b", np.int32), ("gap", np.float64)])}, {"counts": {"tests": 4}},
    {"counts": {}}, {"question": "r"}, {"report.json": b'{"touchpoint": "1", "gap": 0.6}\n'},
    {"report.json": b'{"touchpoint": "1",  "gap": 0.5}\n'}])
def test_every_change_is_named(tmp_path, changed):
    found, _ = differing(tmp_path, **changed)
    assert len(found) == 1


def test_minus_zero_is_another_number(tmp_path):
    before, now = (folder(tmp_path / name, pairs=with_gap(value)) for name, value in (("before", 0.0), ("now", -0.0)))
    assert list(Comparison(before, now).differences) == ["one"]


def test_what_is_new_is_told_and_is_no_difference(tmp_path):
    assert differing(tmp_path, pairs=wider()) == ([], {"pairs.depth": 1})
    assert differing(tmp_path, counts={"tests": 3, "boxes": 1}) == ([], {"counts.boxes": 1})
    assert differing(tmp_path, **{"report.json": b'{"touchpoint": "2", "gap": 0.5}\n'}) == ([], {})
    assert differing(tmp_path, notes=["n"]) == ([], {"notes (all of it)": 1})


def test_a_new_column_of_no_rows(tmp_path):
    narrow, wide = np.zeros(0, [("a", np.int32)]), np.zeros(0, [("a", np.int32), ("depth", float)])
    before, now = folder(tmp_path / "before", pairs=narrow), folder(tmp_path / "now", pairs=wide)
    found = Comparison(before, now)
    assert not found.differences and found.added == {"pairs.depth": 1}


def test_a_question_that_is_not_asked_any_more_is_a_difference(tmp_path):
    before = folder(tmp_path / "before")
    clear(tmp_path / "now")
    writer = Writer(tmp_path / "now", "part")
    writer.add("two", ANSWER)
    writer.close()
    found = Comparison(before, Reader(tmp_path / "now"))
    assert list(found.differences) == ["one"] and found.only_second == ["two"]


def test_scenes_are_always_the_same_and_of_all_kinds():
    assert [fuzzed(number).digest for number in (0, 7, 200)] == [fuzzed(number).digest for number in (0, 7, 200)]
    some = [fuzzed(number) for number in range(0, COUNT, 7)]
    assert len({each.digest for each in some}) == len(some)
    names = {fuzzed(number).name.split(" ", 2)[1] for number in range(len(FAMILIES))}
    assert names == {family.__name__ for family in FAMILIES} and COUNT >= len(FAMILIES) * len(PLACES)


def test_every_value_of_every_option_is_asked_of_some_scene():
    everyone = variants(methods)
    asked = {str(variant) for number in range(COUNT) for variant in chosen(everyone, number, 100, 10)}
    assert asked == {str(variant) for variant in everyone}
    for method in methods.ids():
        for option in () if {"interval", "gpu"} & set(methods.load(method).needs) else methods.load(method).options:
            values = {variant.options.get(option.name, option.default) for variant in everyone
                      if variant.method == method}
            assert len(values) > 1 and values >= {value for value, _ in option.choices}


def test_every_query_is_asked():
    from touchpoint.core import queries

    public = {name for name in dir(queries) if callable(getattr(queries, name)) and not name.startswith("_")}
    assert {function for _, function, _, _ in batches()} == public


def ask(path, number, monkeypatch, detect_instead=detect):
    """The answers of the default method to one scene, on one thread and on two."""
    monkeypatch.setattr(child, "detect", detect_instead)
    monkeypatch.setattr(child, "PROBLEMS", [])
    clear(path)
    writer = Writer(path, "part")
    child.ask_scene(writer, fuzzed(number), Variant("touchpoint"), two_threads=True)
    writer.close()
    return Reader(path), child.PROBLEMS


@pytest.mark.scenes
def test_a_scene_is_asked_at_each_step_and_a_changed_contact_is_seen(tmp_path, monkeypatch):
    before, problems = ask(tmp_path / "before", 3, monkeypatch)
    again, _ = ask(tmp_path / "again", 3, monkeypatch)
    assert len(before.index) == 9 and not problems and not Comparison(before, again).differences

    def otherwise(scene, **how):
        report = detect(scene, **how)
        if len(report.contacts):
            report.contacts.normal[0, 0] += 1.0
        return report

    now, _ = ask(tmp_path / "now", 3, monkeypatch, otherwise)
    told = [line for lines in Comparison(before, now).differences.values() for line in lines]
    assert told and all(line.startswith("contacts.normal: 1 of") for line in told)


@pytest.mark.scenes
def test_what_depends_on_threads_and_what_fails_is_told(tmp_path, monkeypatch):
    def depends(scene, threads, **how):
        report = detect(scene, threads=threads, **how)
        report.notes += [f"on {threads} threads"]
        return report

    def broken(scene, **how):
        raise TypeError("broken")

    assert any(line.startswith("DIFFERS") for line in ask(tmp_path, 3, monkeypatch, depends)[1])
    assert any(line.startswith("FAILED") for line in ask(tmp_path, 3, monkeypatch, broken)[1])


def test_the_scene_changes_between_the_calls():
    each, scene, verdicts = fuzzed(0), Scene(), []
    each.build(scene)
    for step in range(3):
        each.apply(step, scene)
        verdicts.append(detect(scene).pairs.tobytes())
    assert len(set(verdicts)) == 3
