# SPDX-License-Identifier: GPL-3.0-or-later
"""What Live shows of a report: sentences for the panel, and what is drawn over the objects. Nothing here draws."""
from dataclasses import dataclass, field

import numpy as np

from ...core.shown import escaped
from .. import phrases
from ..style import WORST_FIRST, Style
from ..write_back.colours import worst_ranks
from ..write_back.listing import length_text

ROWS = 5                    # pairs in the panel
MOST_TRIANGLES = 2_000_000  # of objects that are drawn over, the worst first: more of them would slow the view down
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


def answer_of(report, core, style: Style) -> Answer:
    """What to show of the report of a frame. core: the Scene that it was asked of, unchanged since."""
    order = report.worst_first().tolist()
    pairs, names = report.pairs, {each.index: escaped(each.name) for each in report.objects}
    rows = []
    for row in order[:ROWS]:
        a, b = (names[int(pairs[row][side])] for side in "ab")
        rows.append((phrases.pair_title(a, b, None), report.verdict(row), _figure(report, row)))
    colliding = frozenset((names[int(pairs[row]["a"])], names[int(pairs[row]["b"])]) for row in order
                          if report.verdict(row) in phrases.COLLIDING)
    return Answer(phrases.headline(report), rows, len(order) - len(rows), _bodies(report, core, style),
                  _lines(report, style), colliding)


def _figure(report, row: int) -> str:
    pair = report.pairs[row]
    if report.is_apart(row):
        return length_text(float(pair["gap"]), report)
    return length_text(float(pair["depth"]), report) if pair["depth"] > 0.0 else ""


def _lines(report, style: Style) -> np.ndarray:
    """(n,2,3) float32: where surfaces meet, of pairs whose objects are coloured."""
    shown = np.array([style.is_coloured(report.verdict(row)) for row in range(len(report.pairs))], bool)
    return report.contacts.point[shown[report.contacts.pair]][:MOST_LINES].astype(np.float32)


def _bodies(report, core, style: Style) -> list[Body]:
    found, left = [], MOST_TRIANGLES
    ranks = worst_ranks(report, list(range(len(core.objects))), style)
    for index, rank in sorted(ranks.items(), key=lambda each: each[1]):
        mesh = core.meshes[core.layout.mesh[index]]
        left -= len(mesh.triangles)
        if left >= 0:
            found.append(Body(mesh.vertices, mesh.triangles, core.poses[index].copy(),
                              style.colours[WORST_FIRST[rank]]))
    return found
