# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench --plots`: which curves are drawn. tests/blender/test_drawn_plots.py looks at the pictures."""
import importlib.util

import pytest
from touchpoint.addon.cli import main
from touchpoint.benchmarks import documents
from touchpoint.benchmarks.documents import fan_ibcd, fan_stream, fccd, pcs, tsgo


def test_checks_per_second_around_each_moment():
    """A hundred steps of 0.01 s with one check each, but for one of 26: it is spread over a quarter of a second."""
    assert set(pcs.around_each([0] * 30)) == {0.0} and pcs.around_each([2] * 5)[2] == 200.0
    rates = pcs.around_each([1] * 50 + [26] + [1] * 49)
    assert rates[50] == pytest.approx(200.0) == rates[40] and rates[30] == pytest.approx(100.0)
    side = {"checks": [1] * 40, "pairs": [3] * 40}
    plot, = pcs.plots({"cases": {"pcs-dominoes": {"first": 100, "steps": 40, "sides": {pcs.PCS: side},
                                                  "events": [("the last one is hit", 1.25)]}}})
    assert plot.name == "pcs-dominoes" and "3b" in plot.title and list(plot.events) == [("the last one is hit", 1.25)]
    assert plot.curves["checks"][0][:2] == pytest.approx([1.005, 1.015])
    assert plot.curves["pairs that share a tile"][1][20] == pytest.approx(300.0)


def test_times_over_the_number_of_cubes():
    sides = {name: {"seconds": [0.001 * number, 0.003 * number]} for number, name in enumerate(fccd.NAMES, 1)}
    cases = {f"fccd-{word}-{n}": {"cubes": n, "turn": word == "turning", "sides": sides}
             for word in ("gliding", "turning") for n in (50, 500)}
    glide, turn = fccd.plots({"cases": cases})
    assert glide.published == {"FCCD published": ([50, 500], [0.5, 4.9])} and not turn.published
    for plot in (glide, turn):
        assert list(plot.curves) == list(fccd.NAMES)
        assert plot.curves["LCCD"][0] == [50, 500] and plot.curves["LCCD"][1] == pytest.approx([4.0, 4.0])
    assert fccd.plots({"cases": {}}) == []


def test_times_over_the_depth_of_the_grid():
    sides = {f"k={depth}, {rule}": {"best": 0.001 * (1 + depth)} for depth in (0, 2) for rule in
             ("all cells", "diagonals")}
    plot, = tsgo.plots({"cases": {"tsgo-depth-100": {"fragments": 100, "depths": [0, 2], "sides": sides}}})
    assert plot.curves == {f"100 rocks, {rule}": ([0, 2], [1.0, 3.0]) for rule in ("all cells", "diagonals")}
    assert tsgo.plots({"cases": {}}) == []


def test_times_over_that_of_rapid():
    sides = {side.name: {"best": 0.002} for side in tsgo.SIDES} | {"RAPID": {"best": 0.004}, "hybrid": {"best": 0.003}}
    plot, = tsgo.plots({"cases": {f"tsgo-{n}": {"fragments": n, "sides": sides} for n in (50, 600)}})
    assert plot.curves == {"hybrid": ([50, 600], [0.75, 0.75]), "TSGO, k=2, all cells": ([50, 600], [0.5, 0.5]),
                           "TSGO, automatic, all cells": ([50, 600], [0.5, 0.5])}
    assert [round(ratio, 2) for ratio in plot.published["TSGO published"][1]] == [0.98, 0.69]


def test_errors_of_pictures_and_variation_over_the_steps():
    sides = {"16": {"missed": 4, "shallow missed": 3, "invented": 0}, "32": {"missed": 1, "shallow missed": 1,
                                                                            "invented": 0}}
    errors = {"resolutions": [16, 32], "pairs": 60, "meeting": 40, "shallow": 4, "sides": sides}
    times = {"sides": {name: {"placements": [1.0, 3.0]} for name in ("touchpoint", "RAPID", "IBCD, GPU")}}
    variation, plot = fan_ibcd.plots({"cases": {"fan-ibcd-variation": times, "fan-ibcd-errors": errors}})
    assert variation.signed and {name: list(y) for name, (_, y) in variation.curves.items()} == {
        "RAPID": [-50.0, 50.0], "IBCD, GPU": [-50.0, 50.0]}
    assert list(plot.curves.values()) == [([16, 32], [75.0, 25.0]), ([16, 32], [10.0, 2.5]), ([16, 32], [0.0, 0.0])]
    assert fan_ibcd.plots({"cases": {}}) == []


def test_times_on_both_devices():
    sides = {name: {"best": 0.002} for name in ("touchpoint", "RAPID", "SCD0, GPU", "walk, GPU")}
    plot, = fan_stream.plots({"cases": {"fan-stream-balls-512": {"balls": 512, "sides": sides}}})
    assert plot.curves == {"SCD0, GPU": ([512], [2.0]), "walk, GPU": ([512], [2.0])}
    assert fan_stream.plots({"cases": {}}) == []


def test_plots_are_refused_before_the_work(tmp_path, capsys, monkeypatch):
    def refused(table):
        assert main(["bench", "--quick", "--table", table, "--plots", str(tmp_path / "plots")]) == 3
        return capsys.readouterr().err

    with_plots = {name for name in documents.TABLES if hasattr(documents.load(name), "plots")}
    assert with_plots == {"tsgo", "pcs", "fccd", "fan-ibcd", "fan-stream"}
    assert "peers has no plots" in refused("peers") and "particle has no plots" in refused("particle")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    assert "touchpoint[compare]" in refused("fccd")
    assert not (tmp_path / "plots").exists()
