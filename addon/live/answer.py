# SPDX-License-Identifier: GPL-3.0-or-later
"""What Live shows of a report: sentences for the panel, and what is drawn over the objects. Nothing here draws."""
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...core.codes import VERDICTS
from ...core.shown import escaped, pair_title
from .. import phrases
from ..lengths import length_text
from ..style import COLOURED, Style
from ..write_back.colours import worst_ranks

if TYPE_CHECKING:
    from ...core.report import Report
    from ...core.scene import Scene

ANSWER_ROWS = 5                    # pairs in the panel
MOST_COVERED_TRIANGLES = 2_000_000  # of objects that are drawn over, the worst first: more would slow the view down
MOST_LINES = 200_000        # contacts that are drawn


@dataclass(eq=False)
class Body:
    """An object that is drawn over."""

    vertices: np.ndarray    # (n,3) float64, of its mesh; another array once they have changed
    triangles: np.ndarray   # (m,3)
    pose: np.ndarray        # (4,4) float64
    colour: tuple           # linear red, green, blue


@dataclass(eq=False)
class Answer:
    """What is known of the scene as it was read last."""

    headline: str
    rows: list[tuple[str, str, str]] = field(default_factory=list)      # the worst pairs: names, verdict, a figure
    more: int = 0                                                       # pairs besides
    bodies: list[Body] = field(default_factory=list)
    lines: np.ndarray = field(default_factory=lambda: np.zeros((0, 2, 3), np.float32))      # where surfaces meet
    colliding: frozenset = frozenset()      # pairs of names

    @property
    def text(self) -> tuple:
        """All that the panel says of it."""
        return self.headline, self.rows, self.more


def answer_of(report: "Report", core: "Scene", style: Style) -> Answer:
    """What to show of the report of a frame. core: the Scene that it was asked of, unchanged since."""
    pairs, names = report.pairs, {each.index: each.name for each in report.objects}
    rows = []
    for row in report.worst_first()[:ANSWER_ROWS].tolist():
        a, b = (escaped(names[int(pairs[row][side])]) for side in "ab")
        rows.append((pair_title(a, b, None), report.verdict(row), _figure(report, row)))
    met = pairs[_has_verdict(report, phrases.COLLIDING_WORDS)]
    colliding = frozenset((names[a], names[b]) for a, b in zip(met["a"].tolist(), met["b"].tolist()))
    return Answer(phrases.headline(report), rows, len(pairs) - len(rows), _bodies(report, core, style),
                  _lines(report, style), colliding)


def _has_verdict(report, words) -> np.ndarray:
    """(pairs,) bool: the verdict of a pair is one of these words."""
    return np.isin(report.pairs["verdict"], [VERDICTS.index(word) for word in words])


def _figure(report, row: int) -> str:
    pair = report.pairs[row]
    if report.is_apart(row):
        return length_text(float(pair["gap"]), report.unit_scale)
    return length_text(float(pair["depth"]), report.unit_scale) if pair["depth"] > 0.0 else ""


def _lines(report, style: Style) -> np.ndarray:
    """(n,2,3) float32: where surfaces meet, of pairs whose objects are coloured."""
    shown = _has_verdict(report, filter(style.is_shown, VERDICTS))
    return report.contacts.point[shown[report.contacts.pair]][:MOST_LINES].astype(np.float32)


def _bodies(report, core, style: Style) -> list[Body]:
    found, left = [], MOST_COVERED_TRIANGLES
    ranks = worst_ranks(report, list(range(len(core.objects))), style)
    for index, rank in sorted(ranks.items(), key=lambda each: each[1]):
        mesh = core.meshes[core.layout.mesh[index]]
        left -= len(mesh.triangles)
        if left >= 0:
            found.append(Body(mesh.vertices, mesh.triangles, core.poses[index].copy(),
                              style.colours[COLOURED[rank]]))
    return found
