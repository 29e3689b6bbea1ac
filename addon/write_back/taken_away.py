# SPDX-License-Identifier: GPL-3.0-or-later
"""What rules took away, as it stands in the panel."""
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...core.shown import escaped, pair_title
from .. import phrases

if TYPE_CHECKING:
    from ...core.report import Report

TAKEN_ROWS = 200


def write_taken_away(result: Any, report: "Report") -> None:
    """Fill in what the panel says of the rules of a report; nothing where there were none."""
    if report.rules is None:
        return
    result.taken_away = phrases.taken_away(report) or "No pair was taken away by a rule"
    result.taken_found = len(report.rules.taken)
    for title, outcome in phrases.rule_outcomes(report):
        line = result.rule_lines.add()
        line.name, line.reason = escaped(title), outcome
    names = {each.index: each.name for each in report.objects}
    for pair in islice(report.rules.listed_pairs(names, report.unit_scale), TAKEN_ROWS):
        line = result.taken.add()
        line.name = escaped(pair_title(pair["a"], pair["b"], None))
        line.reason = escaped(f"{pair['verdict'] or 'not tested'}, {pair['reason']}")
