# SPDX-License-Identifier: GPL-3.0-or-later
"""The sentences that the panel says about a result. No Blender here."""
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..core.codes import CANCELLED, CANNOT_TELL, UNFINISHED_PAIRS, VERDICTS, cut_of_contacts
from ..core.declarations import declaration
from ..core.grouping import ASSEMBLY, CONTAINER, OBJECT, SPACE
from ..core.methods import DEFAULT
from ..core.shown import escaped, first_few
from ..core.tolerance import NO_TOLERANCE

if TYPE_CHECKING:
    from ..core.report import Report

GROUPED_BY = {OBJECT: "shared object", ASSEMBLY: "assembly", CONTAINER: "container"}
RULES_OF = "rules_of"   # key of a report's settings: the name of the test whose own rules were asked
LEFT_OUT_SHOWN = 20     # on the command line
MOST_DEPTHS = 5         # of the regions of a pair that are said
COLLIDING_WORDS = ("crossing", "overlap", "contained")
ALL = "ALL"     # verdicts, where one of them can be chosen
COPIES, COPLANAR = "COPIES", "COPLANAR"     # findings of their own, there as well
VERDICT_TITLES = {
    "crossing": "Crossing",
    "overlap": "Overlap",
    "contained": "Contained",
    "cannot tell": "Cannot Tell",
    "touching": "Touching",
    "near": "Near",
}
SHORT_TITLES = {        # where there is little room
    "crossing": "Cross",
    "overlap": "Overl",
    "contained": "Cont",
    "cannot tell": "Can't",
    "touching": "Touch",
    "near": "Near",
}

SCOPE_WORDS = {"VISIBLE": "All visible objects", "SELECTED": "Selected objects",
               "OTHERS": "Selected objects against all others"}
MEANINGS = {
    "crossing": "the surfaces pass through each other",
    "overlap": "the surfaces are flush, and the solids share volume",
    "contained": "one is inside the other",
    "cannot tell": "the reason is given with the pair",
    "touching": "they meet, or are within the tolerance, and neither is inside the other",
    "near": "they do not meet, and the gap is within the clearance",
}
FIGURES = ("Depth: how far one reaches into the other, at the deepest place",
           "Gap: the shortest distance between the two",
           "Contacts: pairs of triangles that meet; a finer mesh has more of them")


# The core's names of its stages, for people.
_STAGES = {
    "preparing": "Preparing the methods",
    "prepare": "Building trees",
    "broad phase": "Finding neighbours",
    "contacts": "Testing triangles",
    "verdicts": "Judging pairs",
    "clearances": "Measuring gaps",
    "depths": "Measuring depths",
    "regions": "Measuring regions",
    "volumes": "Measuring volumes",
    "coincidences": "Comparing solids",
    "tolerance by depths": "Comparing solids",
    "tolerance": "Judging with the tolerance",
    "self-collisions": "Testing objects with themselves",
    "learning": "Learning what is normal",
    "testing": "Running tests",
    "checking": "Checking frames",
}


def stage(name: str) -> str:
    """What a stage of a run is called in the panel and the status bar."""
    return _STAGES.get(name, name[:1].upper() + name[1:])


def count(number: int, noun: str) -> str:
    """`1 pair`, `1,204 pairs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def headline(report: "Report") -> str:
    """How many pairs collide, touch and could not be judged, and whether that is all there is to be known."""
    summary = report.verdicts()
    with_itself = _with_itself(report)
    for verdict, number in with_itself.items():
        summary[verdict] -= number
    colliding = sum(summary[verdict] for verdict in COLLIDING_WORDS)
    parts = [f"{count(colliding, 'pair')} {'collides' if colliding == 1 else 'collide'}"] if colliding else []
    for verdict, one, many in (("crossing", "crosses itself", "cross themselves"),
                               ("touching", "touches itself", "touch themselves")):
        if with_itself[verdict]:
            parts.append(f"{count(with_itself[verdict], 'object')} {one if with_itself[verdict] == 1 else many}")
    of_pairs = bool(parts) and "pair" in parts[-1]      # what is counted is said once
    unfinished = int(((report.pairs["status"] == CANCELLED) & (report.pairs["verdict"] == CANNOT_TELL)).sum())
    unchecked = max(unfinished, report.counts.get(UNFINISHED_PAIRS, 0))
    for number, one, many in ((summary["touching"], "touches", "touch"), (summary["near"], "is near", "are near"),
                              (unchecked, "not checked yet (cancelled)", "not checked yet (cancelled)"),
                              (summary["cannot tell"] - unfinished, "could not be judged", "could not be judged")):
        if number:
            parts.append(f"{f'{number:,}' if of_pairs else count(number, 'pair')} {one if number == 1 else many}")
            of_pairs = True
    if not (colliding or with_itself["crossing"]):
        if summary["cannot tell"] and not report.cancelled:         # what is not known comes first
            parts = [f"{count(summary['cannot tell'], 'pair')} could not be judged", "no other collides", *parts[:-1]]
        else:
            parts.insert(0, "No collisions so far" if report.cancelled else "No collisions")
    return "; ".join([*parts, *_left_open(report)])


def _left_open(report) -> Iterator[str]:
    """Why objects that were tested are not all that matters."""
    left_out = sum(not each.judged for each in report.skipped)
    if left_out:
        yield f"{count(left_out, 'object')} could not be tested"
    if report.unsure:
        yield "objects may stand elsewhere"
    if getattr(report, "unfollowed", ""):       # of many frames
        yield "not all objects were followed between frames"


def _with_itself(report) -> dict[str, int]:
    """How many objects cross themselves, and how many touch themselves."""
    own = report.pairs["verdict"][report.pairs["a"] == report.pairs["b"]].tolist()
    return {verdict: own.count(VERDICTS.index(verdict)) for verdict in ("crossing", "touching")}


def tested(report: "Report", frames: str = "") -> str:
    """What was tested, and in what time: reading and all stages, without waiting for the compiler. frames: which ones,
    in words, where there are several."""
    seconds = sum(stage.seconds for stage in report.stages)
    by = "" if report.method == DEFAULT else f" by {declaration(report.method).title}"
    when = f" in {frames}," if frames else ""
    return f"{count(len(report.objects), 'object')} tested{when} in {duration(seconds)}{by}"


def question(report: "Report", text_of: Callable[[float], str]) -> str:
    """What was asked, beside what `tested` and `tolerance` say. text_of: a length of the scene as text."""
    source, settings = report.source, report.settings
    parts = [" against ".join(source.collections) if source.collections
             else SCOPE_WORDS.get(source.scope, "Chosen objects")]
    if report.frame is not None:
        parts.append(f"frame {report.frame:g}")
    for name, title in (("clearance", "clearance"), ("weld", "welded by")):
        if settings.get(name):
            parts.append(f"{title} {text_of(settings[name])}")
    if settings.get("self_collisions"):
        parts.append("with themselves, too")
    return ", ".join(parts)


def contacts(report: "Report", empties: int, points: int) -> str:
    """How many contacts there are, at how many places, how many of them are listed where no note says so, how many
    places have an empty, and how many contacts are points, 0 where that need not be said; "" where there is none."""
    summary = report.summary()
    total, listed, places = summary["contacts"], summary["contacts_listed"], summary.get("places", 0)
    if total == 0:
        return ""
    if listed == total:
        said = with_places(total, places)
    elif any(note.startswith(cut_of_contacts(listed, total)) for note in report.notes):
        said = f"{rounded(total)} contacts"
    else:
        said = f"first {listed:,} of {rounded(total)} contacts listed"
    if empties not in (0, places):
        said += f", {empties:,} marked" if places else f", {count(empties, 'place')} marked"
    return f"{said}, {points:,} as points" if 0 < points < listed else said


def with_places(contacts: int, places: int) -> str:
    """`1,200 contacts at 9 places`. places: 0 where they are not counted. One contact is at one
    place."""
    return count(contacts, "contact") + (f" at {count(places, 'place')}" if places and contacts > 1 else "")


def in_regions(depths: Sequence[str]) -> str:
    """` in 3 regions (12 mm, 8 mm, 3 mm)`, "" where there are not several. depths: as texts, the deepest first."""
    if len(depths) < 2:
        return ""
    shown = [*depths[:MOST_DEPTHS], *(["…"] if len(depths) > MOST_DEPTHS else [])]
    return f" in {count(len(depths), 'region')} ({', '.join(shown)})"


def rounded(number: int) -> str:
    """`1,204,500`, `486 million`."""
    return f"{number:,}" if number < 10_000_000 else f"{round(1e-6 * number):,} million"


def findings_beside(summary: dict[str, int]) -> str:
    """What is a finding of its own, whatever the verdict; "" where there is none. summary: of a report."""
    copies, coplanar = summary.get("copies", 0), summary.get("coplanar", 0)
    found = [f"{count(copies, 'pair')} of exact copies"] * bool(copies)
    found += [f"{count(coplanar, 'pair')} with faces in one plane"] * bool(coplanar)
    return f"Among them {', '.join(found)}" if found else ""


def grouping(report: "Report") -> str:
    """What the groups of a report are made by, and how many they are: `849 pairs are 12 groups by shared object`."""
    groups: Any = report.grouping     # asked where there is one
    said = f"{count(len(report.pairs), 'pair')} {'is' if len(report.pairs) == 1 else 'are'} "
    if groups.by == SPACE:
        return (f"{said}{count(len(groups), 'place')}, each up to {length(groups.distance * report.unit_scale)} around "
                "its worst pair")
    return f"{said}{count(len(groups), 'group')} by {GROUPED_BY[groups.by]}"


def uncoloured(simulated: list[str], linked: list[str]) -> str:
    """Which objects keep their own colours, and why; "" for none. Both are names."""
    reasons = (simulated, "another one would begin the simulation anew"), (linked, "linked objects cannot be changed")
    return ". ".join(f"Not coloured: {first_few(names)} ({why})" for names, why in reasons if names)


def left_out(number: int) -> str:
    """Title of the list of objects that were left out."""
    return f"{count(number, 'object')} left out"


def left_out_lines(skipped: list) -> Iterator[str]:
    """Objects that were not tested, and why."""
    for each in skipped[:LEFT_OUT_SHOWN]:
        yield f"Left out: {each.name}: {each.reason}."
    if len(skipped) > LEFT_OUT_SHOWN:
        yield f"Left out: {len(skipped) - LEFT_OUT_SHOWN:,} more."


def taken_away(report: "Report") -> str:
    """How many pairs rules took away; "" where none."""
    if report.rules is None or len(report.rules.taken) == 0:
        return ""
    rules, test = int((report.rules.counts > 0).sum()), report.settings.get(RULES_OF)
    return (f"{count(len(report.rules.taken), 'pair')} taken away by {count(rules, 'rule')}"
            f"{f' of the test {escaped(test)}' if test else ''}")


def taken_away_lines(report: "Report") -> Iterator[str]:
    """What each rule took away, and that the others took nothing."""
    if report.rules is None:
        return
    yield f"{taken_away(report) or 'No pair was taken away by a rule'}."
    for title, outcome in rule_outcomes(report):
        yield f"  {title}: {outcome}"


def rule_outcomes(report: "Report") -> Iterator[tuple[str, str]]:
    """(title, what it did) of the rules that concerned any pair: `3 pairs not tested`, `2 pairs up to 0.004 m deep, 1
    stays`."""
    for rule, taken, kept in zip(report.rules.rules, report.rules.counts.tolist(), report.rules.kept.tolist()):
        if rule.allowed_depth is None:
            outcome = f"{count(taken, 'pair')} not tested"
        else:
            stay = f", {kept:,} {'stays' if kept == 1 else 'stay'}" if kept else ""
            outcome = f"{count(taken, 'pair')} up to {length(rule.allowed_depth * report.unit_scale)} deep{stay}"
        if taken or kept:
            yield rule.title, outcome


def duration(seconds: float) -> str:
    """Short, with two figures where they mean something."""
    if seconds < 0.0995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.2g} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def length(metres: float) -> str:
    """With four figures, which is as much as a person can use."""
    for unit, size in (("m", 1.0), ("mm", 1e-3)):
        if metres >= 1e-3 * size or metres == 0.0:
            return f"{metres / size:.4g} {unit}"
    return f"{metres / 1e-6:.4g} µm"


def shared(cubic_metres: float) -> str:
    """How much space two objects share, with three figures: it is known about so well."""
    for unit, size in (("m³", 1.0), ("cm³", 1e-6)):
        if cubic_metres >= 1e-3 * size:
            return f"{cubic_metres / size:.3g} {unit} shared"
    return f"{cubic_metres / 1e-9:.3g} mm³ shared"


def tolerance(report: "Report", text_of: Callable[[float], str]) -> str:
    """From which depth on objects collide, "" where a note says it. text_of: a length of the scene as text."""
    asked = report.settings.get("tolerance")
    if asked is None:
        told = any(note.startswith(NO_TOLERANCE) for note in report.notes)
        return "" if told else "Exact verdicts, without a tolerance"
    if isinstance(asked, str):
        most = text_of(report.settings["tolerance_at_most"])
        return f"Automatic tolerance up to {most}"
    return f"Tolerance: {text_of(asked)}"


def pair_line(verdict: str, contact_count: int, reason: str, inside: str = "", gap: str = "", depth: str = "",
              exact: str = "", coplanar: int = 0, copy: bool = False, places: int = 0, shared: str = "") -> str:
    """What is known of one pair, below the list. inside: `pair_title` of a contained pair; gap, depth: as texts, where
    there is one; exact: the verdict without a tolerance, "" where it is the same; coplanar: contacts of triangles that
    lie on each other; copy: both objects have the same triangles; places: as in `with_places`; shared: how
    much space they share, as a text, where that was measured."""
    line = f"{VERDICT_TITLES[verdict]}: {inside}" if inside else VERDICT_TITLES[verdict]
    if contact_count:
        line += f", {with_places(contact_count, places)}"
    line += "".join(f", {each}" for each in beside(coplanar, copy))
    if depth:
        line += f", {depth} deep"
    if shared:
        line += f", {shared}"
    if gap:
        line += f", {gap} apart"
    if exact:
        line += f"; {without_tolerance(exact)}"
    return f"{line}: {reason}" if reason else line


def beside(coplanar: int, copy: bool) -> list[str]:
    """What is to be said of the surfaces of a pair, as in `pair_line`."""
    return [f"{coplanar:,} of triangles in one plane"] * bool(coplanar) + ["exact copies"] * copy


def without_tolerance(exact: str) -> str:
    """exact: the verdict that is another one with the tolerance."""
    return f"{exact} without the tolerance"
