# SPDX-License-Identifier: GPL-3.0-or-later
"""`WhyRun`: what decides about two objects of a scene, with what is measured of them, in sentences."""
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import bpy

from ..core.codes import VERDICTS
from ..core.errors import Cancelled, Refused
from ..core.methods import DEFAULT
from ..core.shown import escaped
from . import phrases, questions
from .changes import INPUT_TYPES
from .named_tests.named_test import NamedTest
from .names import is_made, name_of
from .pumped_run import PumpedRun
from .scene_read import Snapshot

if TYPE_CHECKING:
    from ..core.why import Why

NOTHING_EXPLAINED = "Why was cancelled before there was an answer."
Wanted = str | int      # an object by its name or, as a report names it, one instance; or by its session_uid


class WhyRun(PumpedRun):
    """One question why; its answer is a list of sentences."""

    title = "Why"
    nothing_found = NOTHING_EXPLAINED

    def __init__(self, context, where: dict, wanted: tuple[Wanted, Wanted], rules_of: str = "", **how):
        """where: what is tested, as arguments of `scene_read.reading`. rules_of: the name of the test whose own rules
        these are. how: clearance and weld in Blender units, tolerance, threads."""
        super().__init__(context, where, takes_points=questions.takes_points(DEFAULT), needs_kernels=True, shown=False)
        self._wanted, self._rules_of, self._how = wanted, rules_of, how

    @classmethod
    def of_test(cls, context: bpy.types.Context, test: NamedTest, wanted: tuple[Wanted, Wanted],
                frame: float | None = None) -> "WhyRun":
        """What decides in a test, at one frame, by default the current one."""
        return cls(context, {**test.where, "frame": frame, "rules": test.rules}, wanted, test.rules_of,
                   **how_measured(test.how))

    def _steps(self):
        self._begun = True
        snapshot = yield from self._read()
        self._rows = [_rows_of(snapshot, each) for each in self._wanted]
        if not all(self._rows):
            self._let_go()
            self.answer = [_why_missing(self._context, snapshot, each)
                           for each, rows in zip(self._wanted, self._rows) if not rows]
            return
        self._hand_over(snapshot)
        self.answer = yield from self._wait()

    def _ask(self, snapshot, progress):
        from ..core.why import why

        found = why(snapshot.core, *self._rows, rules=snapshot.taking or snapshot.rules, progress=progress, **self._how)
        said = sentences(found, snapshot, self._how.get("clearance", 0.0), self._rules_of)
        return [*said, *snapshot.doubts.sentences]

    def _refuse_nothing(self, answer) -> None:
        """There is always something to say."""

    def _writing(self, answer, scene) -> Generator[float, None, None]:
        raise Cancelled(NOTHING_EXPLAINED)      # nothing of it is written into the scene


def _rows_of(snapshot: Snapshot, wanted: Wanted) -> list[int]:
    """The objects of the core Scene that are meant: an instance by its name, else all of an object."""
    rows = snapshot.rows
    if isinstance(wanted, int):
        return [number for number, row in enumerate(rows) if row.session_uid == wanted]
    exactly = [number for number, row in enumerate(rows) if row.name == wanted]
    return exactly or [number for number, row in enumerate(rows) if row.object_name == wanted]


def how_measured(how: dict) -> dict:
    """What of `question_properties.how_asked` decides about a pair, whatever the method."""
    return {name: how[name] for name in ("clearance", "tolerance", "weld")}


def _why_missing(context, snapshot: Snapshot, wanted: Wanted) -> str:
    """Why an object is not among what is tested. Raises Refused where there is none of this name."""
    found = next((each for each in bpy.data.objects
                  if (each.session_uid if isinstance(wanted, int) else name_of(each)) == wanted), None)
    name = wanted if isinstance(wanted, str) else name_of(found) if found is not None else "the object"
    told = next((each.reason for each in snapshot.skipped if each.name == name), "")
    if found is None and not told:
        raise Refused(f'There is no object "{escaped(name)}".')
    if not told and is_made(found):  # type: ignore[arg-type]
        told = "it is a result of Touchpoint"
    if not told and all(each != found for each in context.view_layer.objects):
        told = "it is not in the view layer"
    if not told and not found.visible_get(view_layer=context.view_layer):
        told = "it is hidden"
    if not told and found.type not in INPUT_TYPES and found.instance_type == "NONE":
        told = "it has no surface"
    return f"{escaped(name)} is not tested: {told or 'it is not in what is to be tested'}."


def sentences(found: "Why", snapshot: Snapshot, clearance: float, rules_of: str = "") -> Iterator[str]:
    """What decides, and what was measured. clearance: that was asked for, in Blender units. rules_of: the name of the
    test whose own rules were asked."""
    from ..core.why import BOXES, RULE, SURFACES

    unit = snapshot.unit_scale
    pair = " × ".join(escaped(snapshot.rows[each].name) for each in (found.a, found.b))
    if found.stage == SURFACES:
        yield f"{pair}: {_surfaces(found, unit)}."
    elif found.stage == BOXES:
        yield f"{pair}: clear. Their boxes are {phrases.length(found.box_gap * unit)} apart, so nothing else is asked."
    elif found.stage == RULE:
        yield f"{pair}: {_rule(found, unit, rules_of)}."
    else:
        yield f"{pair}: not tested, as {found.reason}."
    if found.stage == SURFACES and found.rule is not None and found.rule.allowed_depth is not None:
        allowed = phrases.length(found.rule.allowed_depth * unit)
        yield f"The {_rule_title(found, rules_of)} allows {allowed} only."
    if found.stage != SURFACES and found.report is not None:
        yield f"Tested by themselves: {_measured(found.report, unit)}."
    if found.verdict == "clear" and clearance > 0.0:
        yield f"The clearance that was asked for is {phrases.length(clearance * unit)}."


def _surfaces(found: "Why", unit: float) -> str:
    measured = _measured(found.report, unit)
    return f"{found.verdict}, {measured}" if found.verdict in ("clear", "near") else measured


def _rule(found: "Why", unit: float, rules_of: str) -> str:
    title = _rule_title(found, rules_of)
    if found.rule.allowed_depth is None:
        return f"not tested. The {title} takes the pair away"
    return f"taken away. The {title} allows a depth of {phrases.length(found.rule.allowed_depth * unit)}"


def _rule_title(found: "Why", rules_of: str) -> str:
    """The rule, and whose it is."""
    of_test = f' of the test "{escaped(rules_of)}"' if rules_of else ""
    return f'rule "{escaped(found.rule.title)}"{of_test}'


def _measured(report, unit: float) -> str:
    """What a report of one pair says of it, with the distance or the depth."""
    pair, verdict = report.pairs[0], report.verdict(0)
    if verdict == "cannot tell":
        return f"cannot tell, as {escaped(report.reason(0))}"
    if verdict == "near":
        return f"the surfaces are {phrases.length(float(pair['gap']) * unit)} apart"
    depth = float(pair["depth_upper"])
    deep = f"{phrases.length(depth * unit)} deep" if depth >= 0.0 else "and how deep is not measured"
    if verdict != "touching":
        return f"{verdict}, {deep}"
    if pair["exact"] == pair["verdict"]:
        return "touching"
    exact = VERDICTS[pair["exact"]]
    figure = f"{phrases.length(float(pair['gap']) * unit)} apart" if exact in ("near", "clear") else f"{exact}, {deep}"
    tolerance = phrases.length(float(pair["tolerance"]) * unit)
    return f"touching within the tolerance of {tolerance}; exactly {figure}"
