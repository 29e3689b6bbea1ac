# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows that a run gives of a Model, and what of them tolerance and rules leave."""
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CROSSING, OVERLAP, TOUCHING
from touchpoint.core.errors import NothingToTest
from touchpoint.core.rules import Ref, Relations, Rule, RuleSet

from .parts import Clash, Model, Part

THIN = 1e-5             # metres: what nobody calls a clash
PAGE = 50               # rows of a terminal's or a list's first page


@dataclass(frozen=True)
class Row:
    """exact: rows without tolerance and rules. deep: those of them whose depth was measured, thin: the ones below THIN.
    automatic, joints, learned: rows that are more than a touch with the automatic tolerance, and rules that take away
    links that follow one another, then what met in reference poses. last: the row at which the last planted cube comes
    first, by the default's order and with the rules; found: how many cubes have a row."""

    name: str
    parts: int
    triangles: int
    exact: int
    deep: int
    thin: int
    automatic: int
    joints: int | None
    learned: int
    found: tuple[int, int]
    last: tuple[int, int]


def measured(model: Model, cubes: list[Part], reference: Iterable[Model]) -> Row:
    """cubes: planted; they are not among the rows that are counted. reference: poses in which all is as it should be.
    """
    exact, automatic = _report(model, depth=True), _report(model, tolerance="auto")
    solid = np.isin(exact.pairs["verdict"], (CROSSING, OVERLAP)) & ~np.isnan(exact.pairs["depth"])
    thin = int((exact.pairs["depth"][solid] < THIN).sum())
    joints = [Rule("joints", "neighbours")] if model.next_links else []
    learned = joints + _learned(reference)
    first, second = (_report(model, cubes, rules, tolerance="auto") for rules in ([], learned))
    return Row(model.name, len(model.parts), sum(len(part.triangles) for part in model.parts), len(exact.pairs),
               int(solid.sum()), thin, _more_than_touch(automatic),
               _left(model, joints) if joints else None, _left(model, learned),
               *zip(*(_planted_rows(report, len(cubes)) for report in (first, second))))


def designed(model: Model, clashes: list[Clash]) -> list[tuple[Clash, int, float]]:
    """(clash, the row where it stands, from 1, or 0 where it has none that is more than a touch, its depth)."""
    report, found = _report(model, tolerance="auto"), {}
    for place, row in enumerate(report.worst_first().tolist(), 1):
        pair = report.pairs[row]
        if pair["verdict"] != TOUCHING:
            found[frozenset(report.name(int(pair[side])) for side in "ab")] = place, float(pair["depth"])
    return [(clash, *found.get(frozenset((clash.a, clash.b)), (0, 0.0))) for clash in clashes]


def _learned(reference: Iterable[Model]) -> list[Rule]:
    """A rule with all pairs that meet in one of these."""
    pairs = {tuple(report.name(int(pair[side])) for side in "ab")
             for report in (_report(model, tolerance="auto") for model in reference) for pair in report.pairs}
    return [Rule("pairs", "meets in the reference", pairs=tuple((Ref(a), Ref(b)) for a, b in sorted(pairs)))
            ] if pairs else []


def _report(model: Model, cubes: Iterable[Part] = (), rules: Iterable[Rule] = (), **how):
    scene, parts = Scene(), [*model.parts, *cubes]
    for part in parts:
        scene.add_object(scene.add_mesh(part.vertices, part.triangles), part.pose, name=part.name)
    names = [part.name for part in parts]
    relations = Relations(names, [Ref(name) for name in names], np.arange(len(names)), [None] * len(names))
    relations.link = np.array([part.link for part in parts], np.int64)
    relations.next_links = np.array(model.next_links, np.int64).reshape(-1, 2)
    return detect(scene, rules=RuleSet(list(rules), relations), **how)


def _left(model: Model, rules: list[Rule]) -> int:
    """How many rows are more than a touch with these rules; rules may take all pairs of a small robot away."""
    try:
        return _more_than_touch(_report(model, (), rules, tolerance="auto"))
    except NothingToTest:
        return 0


def _more_than_touch(report) -> int:
    return int((report.pairs["verdict"] != TOUCHING).sum())


def _planted_rows(report, cubes: int) -> tuple[int, int]:
    """(how many cubes have a row that is more than a touch, the last of the rows at which each comes first, from 1)."""
    first: dict[str, int] = {}
    for place, row in enumerate(report.worst_first().tolist(), 1):
        names = [report.name(int(report.pairs[side][row])) for side in "ab"]
        if report.pairs["verdict"][row] != TOUCHING:
            for name in names:
                if name.startswith("planted"):
                    first.setdefault(name, place)
    return len(first), max(first.values(), default=0)
