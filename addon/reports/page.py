# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one HTML file: everything is in it, so that it opens without a network. No Blender here."""
import base64
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, tostring

import numpy as np

from ...core.codes import FAIL_ON, VERDICTS
from ...core.shown import pair_title
from ...core.version import version
from .. import frame_phrases, phrases
from ..default_colours import VERDICT_COLOURS, as_screens_show
from .markup import element
from .pairs import Pair, pairs_of

if TYPE_CHECKING:
    from ...core.report import Report

MOST_LISTED = 10_000        # of each table; a browser is slow beyond that
STRIP_WIDTH = 160           # of the times of a pair, in pixels
EMPTY_TABLE = b"<table></table>"    # what texts on the page cannot hold: they are escaped
STATES = ("clean", "failed", "open")        # by exit code

STYLE = """
:root { color-scheme: light dark; --line: #8884; --dim: #888; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.answer { font-size: 1.15rem; padding: .6rem .9rem; border-left: .4rem solid; margin: 1rem 0; background: #8881; }
.clean { border-color: #2a9d5c; } .failed { border-color: #b00040; } .open { border-color: #e0a000; }
.asked, figcaption, small { color: var(--dim); }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { position: sticky; top: 0; background: Canvas; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.group th { position: static; padding-top: 1rem; } tr:target td { background: #fd04; }
.verdict, .whole { white-space: nowrap; } .names { min-width: 10rem; }
.verdict::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .45em;
  border-radius: .2em; border: 1px solid var(--line); background: var(--colour); }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figure { margin: 0; } img { width: 100%; height: auto; border-radius: .3rem; }
input { font: inherit; padding: .3rem .6rem; width: 20rem; max-width: 100%; margin: .5rem 0; }
footer { color: var(--dim); margin-top: 3rem; }
"""
# The table is whole without it: where a build server forbids scripts, nothing can be filtered.
SCRIPT = """
const field = document.getElementById("filter"), rows = document.querySelectorAll("tr.pair");
field.hidden = false;
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\\s+/);
  for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
"""


def html_pieces(report: "Report", pictures: dict[int, bytes], fail_on: Sequence[str] = FAIL_ON) -> Iterator[bytes]:
    """The page, row after row of its table. pictures: {row of `Report.pairs`: PNG}. fail_on: as in
    `Report.exit_code`."""
    before, table, after = _bytes(_page(report, pictures, fail_on)).partition(EMPTY_TABLE)
    yield b"<!DOCTYPE html>\n" + before
    if table:
        yield b"<table>"
        yield from map(_bytes, _rows(report))
        yield b"</table>"
    yield after + b"\n"


def _bytes(of: Element) -> bytes:
    return tostring(of, encoding="utf-8", method="html")


def _page(report: "Report", pictures: dict[int, bytes], fail_on: Sequence[str]) -> Element:
    """The page as an element, without the rows of its table of pairs."""
    title = f"Touchpoint: {report.scene}"
    body = element("body", element("h1", report.scene or "Scene"), element("p", _when_tested(report), class_="asked"),
                   element("p", f"{phrases.headline(report)}.", class_=f"answer {STATES[report.exit_code(fail_on)]}"),
                   *_figures(report, pictures), *_table(report), *_taken_away(report), *_left_out(report),
                   *_notes(report), element("footer", f"touchpoint {version()}"))
    if len(report.pairs):
        body.append(element("script"))
        body[-1].text = SCRIPT
    style = element("style")
    style.text = STYLE
    head = element("head", element("meta", charset="utf-8"), element("title", title),
                   element("meta", name="viewport", content="width=device-width"), style)
    return element("html", head, body, lang="en")


def _when_tested(report: "Report") -> str:
    """What was asked, in one line."""
    frames = getattr(report, "frames", ())
    parts = [phrases.question(report, lambda length: phrases.length(length * report.unit_scale))]
    if len(frames):
        parts.append(frame_phrases.tested(frames))
    triangles = sum(each.triangles for each in report.objects)
    parts.append(f"{phrases.count(len(report.objects), 'object')} with {phrases.count(triangles, 'triangle')}")
    parts.append(f"method {report.method}")
    said = f"{', '.join(parts)}."
    tolerance = phrases.tolerance(report, lambda length: phrases.length(length * report.unit_scale))
    return f"{said} {tolerance}." if tolerance else said


def _figures(report: "Report", pictures: dict[int, bytes]) -> Iterator[Element]:
    if not pictures:
        return
    rows = np.array(list(pictures))
    figures = [element("figure", element("img", src=_data(pictures[pair.row]), alt=pair.title, loading="lazy"),
                       element("figcaption", element("a", str(pair.number), href=f"#pair-{pair.number}"),
                               f" {pair.title}: {_first_words(pair)}")) for pair in pairs_of(report, rows)]
    yield element("h2", phrases.count(len(figures), "picture"))
    yield element("div", *figures, class_="pictures")


def _first_words(pair: Pair) -> str:
    return ", ".join(each for each in (phrases.VERDICT_TITLES[pair.verdict].lower(), pair.length) if each)


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _table(report: "Report") -> Iterator[Element]:
    """The table of pairs, still empty, with what stands above it."""
    if not len(report.pairs):
        return
    yield element("h2", phrases.count(len(report.pairs), "pair"))
    if len(report.pairs) > MOST_LISTED:
        yield element("p", f"The worst {MOST_LISTED:,} are listed here, all of them in the JSON and the CSV.")
    field = element("input", id="filter", type="search", placeholder="Show rows with …")
    field.set("hidden", "hidden")
    yield field
    yield element("div", element("table"), class_="wide")


def _rows(report: "Report") -> Iterator[Element]:
    """The rows of the table of pairs, one after the other."""
    swept, shown = hasattr(report, "intervals"), report.worst_first()[:MOST_LISTED]
    titles = ["", "Verdict", "Pair", "Depth or gap", *(["Frames", ""] if swept else []), "Contacts", "Remarks",
              "At, metres"]
    yield element("tr", *(element("th", title) for title in titles))
    groups, group = report.grouping, None
    if groups is not None:
        number = groups.number[shown]
        order = np.argsort(number, kind="stable")
        shown, number = shown[order], number[order].tolist()
    for place, pair in enumerate(pairs_of(report, shown)):
        if groups is not None and number[place] != group:
            group = number[place]
            size = phrases.count(int(groups.start[group + 1] - groups.start[group]), "pair")
            yield element("tr", element("th", f"{groups.title(group)}: {size}", colspan=len(titles)), class_="group")
        yield _row(report, pair, swept)


def _row(report: "Report", pair: Pair, swept: bool) -> Element:
    known = bool(np.isfinite(pair.place).all())
    named = element("td", pair.title, class_="names")
    for name, identifier in zip(pair.names, pair.identifiers):
        if identifier:
            named.append(element("small", f"{name}: {identifier}"))
            named[-1].tail = " "
            named.insert(len(named) - 1, element("br"))
    verdict = element("td", phrases.VERDICT_TITLES[pair.verdict], class_="verdict",
                      style=f"--colour: {_css(VERDICT_COLOURS[pair.verdict])}")
    cells = [element("td", str(pair.number), class_="number"), verdict, named,
             element("td", pair.length, class_="whole")]
    if swept:
        cells += [element("td", pair.when), element("td", _strip(report, pair.row))]
    place = ", ".join(f"{x:.4f}" for x in pair.place.tolist()) if known else ""
    cells += [element("td", pair.contacts), element("td", pair.remarks), element("td", place, class_="whole")]
    return element("tr", *cells, class_="pair", id=f"pair-{pair.number}")


def _strip(report, row: int) -> Element:
    """The times in which a pair is not clear, along those of all frames, in the colours of what it is then."""
    first, last = (float(report.frames[end]) for end in (0, -1))
    scale = STRIP_WIDTH / max(last - first, 1e-9)
    bars = [element("rect", x=f"{min((start - first) * scale, STRIP_WIDTH - 2):.2f}", y=1, height=8,
                    width=f"{max((end - start) * scale, 2.0):.2f}", fill=_css(VERDICT_COLOURS[VERDICTS[verdict]]))
            for (start, end), verdict in zip(report.spells[row].tolist(), report.spell_verdicts[row].tolist())]
    frame = element("rect", x=0, y=0, width=STRIP_WIDTH, height=10, fill="#8883")
    return element("svg", frame, *bars, width=STRIP_WIDTH, height=10, role="img",
                   aria_label=frame_phrases.intervals(report.intervals[row].tolist()))


def _taken_away(report: "Report") -> Iterator[Element]:
    if report.rules is None:
        return
    outcome, names = report.rules, {each.index: each.name for each in report.objects}
    yield element("h2", phrases.taken_away(report) or "No pair was taken away by a rule")
    yield element("ul", *(element("li", f"{title}: {said}") for title, said in phrases.rule_outcomes(report)))
    rows = [element("tr", element("td", pair_title(names[a], names[b], None)),
                    element("td", f"{VERDICTS[verdict]}, allowed" if tested else "not tested"),
                    element("td", outcome.rules[rule].title))
            for a, b, rule, tested, verdict, *_ in outcome.taken[:MOST_LISTED].tolist()]
    if rows:
        left = len(outcome.taken) - len(rows)
        yield element("details", element("summary", "Which pairs"), element("table", *rows),
                      *([element("p", f"… and {phrases.count(left, 'more pair')}.")] if left else []))


def _left_out(report: "Report") -> Iterator[Element]:
    if report.skipped:
        yield element("h2", phrases.left_out(len(report.skipped)))
        yield element("ul", *(element("li", f"{each.name}: {each.reason}") for each in report.skipped[:MOST_LISTED]))
        if len(report.skipped) > MOST_LISTED:
            left = phrases.count(len(report.skipped) - MOST_LISTED, "more object")
            yield element("p", f"… and {left}, which the JSON lists.")


def _notes(report: "Report") -> Iterator[Element]:
    sentences = list(dict.fromkeys([*report.left_open, *report.notes]))
    if sentences:
        yield element("h2", "Notes")
        yield element("ul", *(element("li", each) for each in sentences))


def _css(colour: tuple[float, float, float]) -> str:
    """A linear colour as `#rrggbb`."""
    return "#" + "".join(f"{round(255 * x):02x}" for x in as_screens_show(colour).tolist())
