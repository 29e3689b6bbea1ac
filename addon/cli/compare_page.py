# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as one HTML file with plots: everything is in it, so that it opens without a network.

Needs the extra `compare` (matplotlib and jinja2); never used inside a Blender window.
"""
import importlib.util
import io
from typing import IO, TYPE_CHECKING

from ...core.errors import TouchpointError
from ...core.export import encoded
from ...core.shown import shown
from ...core.version import version
from .. import compare_phrases, phrases
from .compare_table import TITLES, figures, stage_rows

if TYPE_CHECKING:
    from ...core.comparison import Comparison

PACKAGES = ("matplotlib", "jinja2")
# Okabe and Ito's palette: told apart by everybody, and in grey.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")

PAGE_TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Touchpoint: methods on {{ comparison.scene | shown }}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }
th, td { padding: .25em .7em; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
tr.missed td { background: #fdecea; } tr.differs td { background: #fff6dc; }
figure { margin: 1.5em 0; } svg { max-width: 100%; height: auto; } figcaption { color: #555; }
footer { color: #777; margin-top: 3em; }
</style>
</head>
<body>
<h1>Methods on {{ comparison.scene | shown }}</h1>
<p>{{ headline }}. {{ where | capitalize }}: {{ tested }}.</p>
{% if comparison.cancelled %}<p><strong>Partial: the comparison was cancelled.</strong></p>{% endif %}
{% for note in comparison.notes %}<p>{{ note | shown }}</p>
{% endfor %}
{% for line in left_out %}<p>{{ line | shown }}</p>
{% endfor %}
<table>
<tr>{% for title in titles %}<th>{{ title }}</th>{% endfor %}</tr>
{% for state, cells in rows %}
<tr class="{{ state }}">{% for cell in cells %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</table>
<p>“first” is a run with nothing prepared, “again” the best and “median” the middle of {{ comparison.repeats }} more
with what the method keeps of an unchanged scene. “broad phase”: pairs of objects that it leaves. “candidates”: pairs
of triangles that are tested. Missed, invented and otherwise: beside the exact answer of {{ reference }}. “memory”: the
most that a first run takes beyond the scene.</p>
{% for caption, svg in plots %}<figure>{{ svg | safe }}<figcaption>{{ caption }}</figcaption></figure>
{% endfor %}
<h2>Seconds by stage, best</h2>
<table>
<tr>{% for cell in stages[0] %}<th>{{ cell }}</th>{% endfor %}</tr>
{% for cells in stages[1:] %}<tr>{% for cell in cells %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</table>
<h2>Answers</h2>
{% for row in comparison.rows %}
<h3>{{ row.label }}</h3>
<p>{{ agreement(row) | shown }}</p>
{% for note in row.notes %}<p>{{ note | shown }}</p>{% endfor %}
{% for word, which in differences(row) if which %}
<table>
<tr><th>{{ word }}</th><th></th></tr>
{% for each in which %}
<tr><td>{{ (each.name_a ~ " × " ~ each.name_b) | shown }}</td><td>{{ both(each) }}</td></tr>
{% endfor %}
</table>
{% endfor %}
{% endfor %}
<footer>touchpoint {{ version }}</footer>
</body>
</html>
"""


def check_packages() -> None:
    """Raises TouchpointError, saying what to install, where a package of the extra is missing."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise TouchpointError(f"A page with plots needs {' and '.join(missing)}, which "
                              f"{'is' if len(missing) == 1 else 'are'} not installed here. Install with: "
                              f"pip install 'touchpoint[compare]'")


def dump_html(comparison: "Comparison", file: IO[bytes]) -> None:
    """Write the page into an open file."""
    file.write(encoded(page(comparison)))


def page(comparison: "Comparison") -> str:
    """The page as text."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["shown"] = shown
    template = environment.from_string(PAGE_TEMPLATE)
    possible = [row for row in comparison.rows if not row.reason]
    return template.render(
        comparison=comparison, titles=TITLES, rows=[(compare_phrases.state(row), figures(row)) for row in possible],
        stages=stage_rows(comparison), plots=_plots(possible), headline=compare_phrases.headline(comparison),
        tested=compare_phrases.tested(comparison), reference=comparison.reference, version=version(),
        left_out=list(phrases.left_out_lines(comparison.skipped)),
        agreement=compare_phrases.agreement, where=compare_phrases.where(comparison),
        differences=compare_phrases.differences, both=compare_phrases.both)


def _plots(rows) -> list[tuple[str, str]]:
    """[(caption, svg)]"""
    if not rows:
        return []
    plots = [("Milliseconds of a run (logarithmic): with nothing prepared, and the best with what the method keeps.",
              _svg(_draw_times, rows)),
             ("Which stages the best run spends its time in.", _svg(_draw_shares, rows)),
             ("How much was tested and found (logarithmic).", _svg(_draw_counts, rows))]
    if any(row.memory is not None for row in rows):
        plots.append(("Megabytes that a first run takes at its peak.", _svg(_draw_memory, rows)))
    return plots


def _svg(draw, rows) -> str:
    """One plot as an <svg> element. The same numbers give the same text: no date, no random ids."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {"svg.fonttype": "none", "svg.hashsalt": draw.__name__, "font.size": 10, "axes.spines.top": False,
                "axes.spines.right": False, "axes.axisbelow": True, "legend.columnspacing": 1.5}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(10.0, 1.4 + 0.42 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        draw(axes, rows)
        axes.set_yticks(range(len(rows)), [row.label for row in rows])
        axes.invert_yaxis()
        axes.grid(axis="x", color="#dddddd")
        text = io.StringIO()
        FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None, "Creator": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]


def _draw_times(axes, rows) -> None:
    places = range(len(rows))
    first, best = ([1e3 * getattr(row, which) for row in rows] for which in ("first", "best"))
    axes.hlines(places, best, first, color="#bbbbbb", linewidth=3)
    axes.plot(first, places, "o", color=COLOURS[1], label="First run")
    axes.plot(best, places, "o", color=COLOURS[0], label="Best repeat")
    axes.set_xscale("log")
    axes.set_xlabel("ms")
    axes.margins(y=0.6 / len(rows))
    _legend(axes)


def _draw_shares(axes, rows) -> None:
    names = list(dict.fromkeys(stage.name for row in rows for stage in row.stages))
    left = [0.0] * len(rows)
    for number, name in enumerate(names):
        widths = [100 * sum(stage.best for stage in row.stages if stage.name == name)
                  / sum(stage.best for stage in row.stages) for row in rows]
        axes.barh(range(len(rows)), widths, left=left, height=0.6, label=phrases.stage(name),
                  color=COLOURS[number % len(COLOURS)])
        left = [start + width for start, width in zip(left, widths)]
    axes.set_xlabel("%")
    axes.set_xlim(0.0, 100.0)
    _legend(axes)


def _draw_counts(axes, rows) -> None:
    kinds = (("Broad-phase tests", lambda row: row.counts["broad_tests"]),
             ("Pairs after broad phase", lambda row: row.counts["pairs"]),
             ("Box tests", lambda row: row.counts["box_pairs"]),
             ("Triangle pairs tested", lambda row: row.counts["triangle_pairs"]),
             ("Contacts", lambda row: row.contacts))
    height = 0.8 / len(kinds)
    for number, (name, count) in enumerate(kinds):
        places = [place - 0.4 + (number + 0.5) * height for place in range(len(rows))]
        axes.barh(places, [count(row) for row in rows], height=height, label=name, color=COLOURS[number])
    axes.set_xscale("symlog", linthresh=1.0)
    axes.set_xlim(left=0.0)
    _legend(axes)


def _draw_memory(axes, rows) -> None:
    axes.barh(range(len(rows)), [(row.memory or 0) / 1e6 for row in rows], height=0.6, color=COLOURS[0])
    axes.set_xlabel("MB")


def _legend(axes) -> None:
    axes.figure.legend(loc="outside upper left", ncols=4, frameon=False)
