# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench --table tsgo` and its like: what is counted, compared and written. Times are not tested."""
import json
from types import SimpleNamespace

import numpy as np
import pytest
from touchpoint.addon.cli import main
from touchpoint.benchmarks import documents
from touchpoint.benchmarks.documents import fan_ibcd, fan_stream, fccd, page, particle, pcs, steps, tsgo
from touchpoint.benchmarks.documents.run import drawn_by
from touchpoint.core import detect
from touchpoint.core.run import StageRecord
from touchpoint.sample_scenes.swarm import Swarm

ONE_OF_EACH = {"tsgo": "tsgo-50,tsgo-depth-100", "fan-parallel": "fan-all-1,fan-hit-2",
               "particle": "particle-equal-50,particle-mixed-50", "pcs": "pcs-ball,pcs-dominoes",
               "fccd": "fccd-gliding-50,fccd-turning-500",
               "fan-ibcd": "fan-ibcd-hand-1,fan-ibcd-variation,fan-ibcd-errors",
               "fan-stream": "fan-stream-scene-1,fan-stream-balls-512"}


def test_every_table_has_a_short_form_here():
    assert set(ONE_OF_EACH) == set(documents.TABLES)


@pytest.mark.slow       # without compilation
@pytest.mark.parametrize("table", documents.TABLES)
def test_short_form_measures_something(table, tmp_path, capsys):
    module, figures, written = documents.load(table), tmp_path / "figures.json", tmp_path / "page.md"
    arguments = ["bench", "--quick", "--table", table, "--only", ONE_OF_EACH[table], "--json", str(figures),
                 "--markdown", str(written)]
    assert main(arguments) == 0
    results = json.loads(figures.read_text())
    assert ",".join(results["cases"]) == ONE_OF_EACH[table]
    said, text = capsys.readouterr().out, written.read_text()
    for case in module.CASES:
        if case.id in results["cases"]:
            entry = results["cases"][case.id]
            assert case.title in said and case.title in text
            if table == "pcs":
                check_curves(entry)
            elif table == "fccd":
                check_times(entry)
            elif "resolutions" in entry:
                check_errors(entry)
            elif table == "fan-ibcd":
                check_figures(entry["sides"], contacts=False)
            elif table == "fan-stream":
                check_figures({name: each for name, each in entry["sides"].items() if not asks_pictures(name)}, True)
                check_figures({name: each for name, each in entry["sides"].items() if asks_pictures(name)}, False)
            else:
                check_figures(entry["sides"], contacts=case.id != "fan-hit-2")
            header, *rows = module.case_rows(entry)
            assert len(rows) == len(entry["sides"]) and all(len(row) == len(header) for row in rows)
    for title, _, (header, *rows) in module.chapters(results):
        assert f"### {title}" in text and rows and all(len(row) == len(header) for row in rows)
    assert main(arguments) == 0 and json.loads(figures.read_text()) == results      # nothing is measured again


def check_figures(sides, contacts):
    """Real values: times, work done, contacts found; nothing invented, and nothing lost by who must not."""
    lossy = {side.name for side in tsgo.SIDES if not side.sure}
    for name, each in sides.items():
        assert 0 < each["best"] <= each["mean"] <= each["whole"] and each["verdicts"] > 0 and each["runs"] >= 1
        assert 0 < each["meeting"] <= each["broad"] <= each["possible"] and each["triangle tests"] >= each["contacts"]
        assert min(each["placements"]) <= each["best"] and len(each["placements"]) <= each["runs"]
        assert (each["contacts"] > 0) == contacts and each["contacts"] <= each["points"] <= 2 * each["contacts"]
        assert each["objects invented"] == each["triangles invented"] == 0 < each["objects asked"]
        if name not in lossy and "diagonals" not in name and not (asks_pictures(name) and each["objects lost"]):
            assert each["objects lost"] == each["triangles lost"] == 0
            assert steps.agreement(each).startswith("same")


def asks_pictures(name):
    return name.startswith(("RECODE", "IBCD", "touchpoint, do"))


def check_errors(entry):
    """None is invented, and of those that are missed the deepest is shallow."""
    assert 0 < entry["meeting"] < entry["pairs"] and [*entry["sides"]] == [str(side) for side in entry["resolutions"]]
    for each in entry["sides"].values():
        assert each["invented"] == 0 <= each["shallow missed"] <= each["missed"] and each["deepest"] < 0.1


def check_curves(entry):
    """Around the last event, in which something is near: checks are made, and the exact method says the same."""
    mine, exact = (entry["sides"][name] for name in (pcs.PCS, pcs.CERTIFIED))
    assert all(len(each) == entry["steps"] == 5 for each in (mine["checks"], mine["pairs"], mine["met"], exact["met"]))
    assert sum(mine["checks"]) > 0 == sum(exact["checks"]) and min(mine["seconds"]) > 0
    assert pcs.agreement(mine["met"], exact["met"]).startswith("the same")


def check_times(entry):
    """Some cubes meet, all methods see which and when, and the frames alone see none that the methods do not."""
    right = entry["sides"][fccd.CERTIFIED]
    assert right["pairs"] > 0
    for name, each in entry["sides"].items():
        assert len(each["seconds"]) == entry["steps"] == 3 and min(each["seconds"]) > 0
        told = each.get("agreement")
        if name != fccd.CERTIFIED:
            assert told["found"] == right["pairs"] and told["invented"] == 0
        if name not in (fccd.CERTIFIED, fccd.FRAMES):
            assert told["missed"] == 0 and max(told["later by"], told["earlier by"]) < 1e-6


def side_of(met):
    return SimpleNamespace(met=met, seconds=[[3.0, 1.0], [2.0, 4.0]])


def test_what_times_differ_by():
    right = side_of([{(0, 1): 0.5, (0, 2): 0.0}, {(1, 2): 0.25}])
    assert fccd.figures(right, right) == {"seconds": [2.0, 1.0], "pairs": 3, "notes": []}
    other = side_of([{(0, 1): 0.75, (1, 2): 0.5}, {(1, 2): 0.125}])
    assert fccd.figures(other, right)["agreement"] == {"missed": 1, "invented": 1, "found": 3, "later by": 0.25,
                                                      "earlier by": 0.125}


@pytest.mark.slow       # without compilation
def test_frames_alone_miss_what_flies_past():
    """A cube that is through another one in a single step, and one that stays in a third."""
    edges, none = np.ones(4), np.zeros(4)
    model = Swarm(edges, np.array([(0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (9.0, 0.0, 0.0), (9.1, 0.0, 0.0)]),
                  np.array([(0.0, 0.0, 8.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.1, 0.0)]),
                  np.tile((0.0, 0.0, 1.0), (4, 1)), none, none, last=2)
    told = []
    for side in (fccd.Between(model, "fccd"), fccd.Frames(model, "touchpoint")):
        side.begin(model.poses(1))
        side.step(model.poses(2))
        told.append(side.met)
    assert told == [[{(0, 1): pytest.approx(0.375, abs=1e-6), (2, 3): 0.0}], [{(2, 3): 0.0}]]


def test_what_agrees_over_time():
    met = [[[0, 1, 0.5]], [], [[0, 2, 0.25], [1, 2, 1.0]]]
    assert pcs.agreement(met, met) == "the same"
    assert pcs.agreement(met, [[[0, 1, 0.5]], [], [[0, 2, 0.25], [1, 2, 0.875]]]) == (
        "the same, times within 1e-01 of a step")
    assert pcs.agreement(met, [met[0], [], met[2][:1]]) == "other pairs" == pcs.agreement([met[0], met[2], []], met)


def test_checks_per_second_by_hand():
    """Thirty steps of 0.01 s: 25 of two checks, five of ten."""
    side = {"checks": [2] * 25 + [10] * 5, "pairs": [3] * 30, "met": [[]] * 29 + [[[0, 1, 0.5]]]}
    header, *rows = pcs.curve_rows({"first": 100, "sides": {pcs.PCS: side}})
    assert rows == [("1.00", "1.25", "200", "████", "300", "0"), ("1.25", "1.30", "1,000", "█" * 20, "300", "1")]


def moving_boxes():
    return particle.question(12, True, True)


@pytest.mark.slow       # without compilation
def test_a_step_is_what_the_documents_time(monkeypatch):
    """Not the selection of objects, the verdicts and the report, which have columns of their own."""
    question = moving_boxes()
    seconds = {"select": 1.0, "prepare": 2.0, "broad phase": 4.0, "contacts": 8.0, "verdicts": 16.0}
    told = detect(steps.Turn(question, particle.SIDES[0]).scene)
    told.stages = [StageRecord(name, 0, 0, 0, value) for name, value in seconds.items()]
    monkeypatch.setattr(steps, "detect", lambda scene, **settings: told)
    clock = iter([0.0, 0.5, 40.0] * 3)
    monkeypatch.setattr(steps.time, "perf_counter", lambda: next(clock))
    turn = steps.Turn(question, particle.SIDES[0])
    for step in (0, 1):
        turn.step(step)
    figures = turn.figures()
    assert (figures["mean"], figures["best"], figures["verdicts"], figures["whole"]) == (14.5, 14.5, 16.0, 40.0)
    assert figures["contacts"] == len(told.contacts) and figures["broad"] == told.counts["pairs"]


def test_best_is_the_mean_over_placements():
    turn = steps.Turn(moving_boxes(), particle.SIDES[0])
    turn.step(0)
    turn.step(1)
    turn.seconds = [[3.0, 1.0], [5.0, 9.0]]
    assert (turn.figures()["best"], turn.figures()["mean"], turn.figures()["runs"]) == (3.0, 4.5, 4)


def answer(objects, triangles):
    return steps.Answer(0, {}, np.array(objects), np.array(triangles), 0, [])


def test_what_a_side_loses_and_invents_is_counted():
    right = SimpleNamespace(answers=[answer([1, 2], [10, 11, 12]), answer([3], [13])])
    other = SimpleNamespace(answers=[answer([2], [11]), answer([3, 4], [13, 14])])
    found = steps.compared(right, other)
    assert found == {"objects asked": 3, "objects lost": 1, "objects invented": 1,
                     "triangles asked": 4, "triangles lost": 2, "triangles invented": 1}
    assert steps.agreement(found) == ("1 of 3 pairs lost, 1 of 3 pairs invented, 2 of 4 contacts lost, "
                                      "1 of 4 contacts invented")
    assert steps.agreement(steps.compared(right, right)) == "same 4"
    assert tsgo.share(2, 4) == "2 of 4 (50 %)"


def test_pictures_are_a_part_of_a_step(monkeypatch):
    """Methods that draw do it in the stage of verdicts."""
    question = moving_boxes()
    told = SimpleNamespace(stages=[StageRecord(name, 0, 0, 0, 1.0) for name in ("prepare", "broad phase", "contacts",
                                                                               "verdicts")])
    monkeypatch.setattr(steps, "detect", lambda scene, **settings: told)
    monkeypatch.setattr(steps, "answer_of", lambda question, report: None)
    clock = iter([0.0] * 9)
    monkeypatch.setattr(steps.time, "perf_counter", lambda: next(clock))
    turns = [steps.Turn(question, steps.Side("", "ibcd", draws=draws)) for draws in (True, False)]
    for turn in turns:
        turn.step(1)
    assert [turn.seconds[1] for turn in turns] == [[4.0], [3.0]]


def test_sides_that_need_a_gpu_are_left_out_without_one():
    sides = (steps.Side("a", "ibcd", {"device": "gpu"}), steps.Side("b", "ibcd", {"device": "cpu"}),
             steps.Side("c", "rapid"))
    assert [[side.name for side in steps.there(sides, gpu)] for gpu in (None, "There is none.", object())] == [
        ["b", "c"], ["b", "c"], ["a", "b", "c"]]


def test_the_renderer_that_is_named():
    card = SimpleNamespace(renderer="Card 9", library="VULKAN", software=False)
    assert drawn_by(card) == "Card 9, VULKAN" and drawn_by("There is no driver.") == "none (There is no driver)"
    card.software = True
    assert drawn_by(card) == "Card 9, VULKAN, software: the processor does its work"


def test_variation_of_time_by_hand():
    entry = {"sides": {"RAPID": {"placements": [0.001, 0.002, 0.003]}}}
    assert fan_ibcd.deviations(entry["sides"]["RAPID"]) == pytest.approx([-50.0, 0.0, 50.0])
    assert fan_ibcd.variation_rows(entry)[1:] == [("RAPID", "2.00", "41 %", "-50 %", "+50 %")]


def test_published_speed_ups_of_streams():
    """As the thesis prints them."""
    side = {"best": 0.5}
    row = fan_stream.speed_up_rows([{"scene": 1, "sides": {"SCD0, processor": {"best": 2.0}, "SCD2, GPU": side,
                                                           "SCD2, processor": {"best": 1.0}, "RAPID": side}}])[1]
    assert row == ("1", "139", "", "288", "4", "", "226", "", "", "6628", "4", "")


def test_sides_take_the_same_steps(monkeypatch):
    taken = []
    monkeypatch.setattr(steps.Turn, "step", lambda turn, step, warm_up=False: taken.append((turn.side.name, step)))
    monkeypatch.setattr(steps.Turn, "figures", lambda turn: {})
    sides = (steps.Side("one", "touchpoint"), steps.Side("other", "touchpoint"))
    assert list(steps.take_turns(moving_boxes(), sides, 1e-9)) == ["one", "other"]
    by_side = {name: [step for each, step in taken if each == name] for name in ("one", "other")}
    assert by_side["one"] == by_side["other"] == [0, 1, 2, 1, 2]


def test_deepest_grid_of_the_mine():
    """A block 120 m long and rocks of up to 1.67 m: cells of 120 / 2^6 = 1.88 m are the smallest that are larger."""
    asked = tsgo.question(50, False)
    edge = max(np.ptp(vertices, axis=0).max() for vertices, _ in asked.bodies[asked.fixed:])
    assert 120 / 2 ** (tsgo.deepest(asked) + 1) < edge < 120 / 2 ** tsgo.deepest(asked)


def test_published_ratios_are_those_of_the_paper():
    assert [f"{tsgo.TSGO_MS[n] / tsgo.RAPID_MS[n]:.2f}" for n in (50, 600)] == ["0.98", "0.69"]
    assert [f"{tsgo.TSGO_MS[n] / tsgo.HYBRID_MS[n]:.2f}" for n in (50, 600)] == ["0.98", "0.74"]


def test_a_table_is_replaced_between_its_marks(tmp_path):
    path = tmp_path / "page.md"
    module = SimpleNamespace(CASES=(), chapters=lambda results: [("Times", "All.", [("a", "b"), ("1", "2")])])
    made = {"made": {"machine": dict.fromkeys(("processor", "cores", "python", "numba"), "x"),
                     "versions": {"touchpoint": "0"}}, "cases": {}}
    first, last = page.marks("tsgo")
    path.write_text(f"By hand.\n{first}\nOld.\n{last}\n\nMore by hand.\n")
    for _ in range(2):
        page.write_markdown(path, "tsgo", module, made)
    text = path.read_text()
    assert text.startswith(f"By hand.\n{first}\n") and text.endswith(f"{last}\n\nMore by hand.\n")
    assert "Old." not in text and text.count("| 1 | 2 |") == 1
    page.write_markdown(path, "particle", module, made)
    assert path.read_text().startswith(text) and path.read_text().count("| 1 | 2 |") == 2


@pytest.mark.parametrize("arguments, reason", [(["--table", "tsgo", "--only", "W1"], "tsgo"),
                                               (["--table", "tsg"], "tsgo")])
def test_command_refuses(arguments, reason, capsys):
    assert main(["bench", "--quick", *arguments]) == 3
    assert reason in capsys.readouterr().err


def test_results_of_another_table_are_not_gone_on_with(tmp_path, capsys):
    path = tmp_path / "figures.json"
    path.write_text('{"made": {"table": "tsgo"}, "cases": {}}')
    assert main(["bench", "--quick", "--table", "particle", "--only", "particle-equal-50", "--json", str(path)]) == 3
    assert "figures.json" in capsys.readouterr().err
