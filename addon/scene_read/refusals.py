# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences for when there is nothing to test: too little is a refusal, never "clear"."""
from ...core import Scene
from ...core.codes import Skipped
from ...core.errors import NothingToTest
from ...core.shown import escaped
from .assemble import Assembly

NAMES_SHOWN = 5
WITH_SURFACE = "Meshes, curves, surfaces, text and metaballs have one, and instances of them."
WITH_POINTS = "Vertices of meshes and point clouds are points."


class OnlyOne(NothingToTest):
    """There is one object, which could be tested with itself."""


def refuse_too_few(core: Scene, assembly: Assembly, alone: bool = False) -> None:
    """Raise Refused unless two objects, and one on each side where there are sides, can be tested. alone: one object is
    enough, and is tested with itself."""
    left_out = _left_out(assembly.skipped)
    what, known = ("points", WITH_POINTS) if assembly.takes_points else ("a surface", WITH_SURFACE)
    for side, collection in zip("AB", assembly.collections):
        if not any(side in (each.group or "") for each in core.objects):
            raise NothingToTest(f'Nothing visible in collection {side}, "{escaped(collection)}", has {what} to test.'
                                f'{left_out}')
    for side, words in zip("AB", ("selected", "else") * assembly.is_against_others):
        if not any(each.group == side for each in core.objects):
            raise NothingToTest(f"Nothing {words} has {what} to test. {known}{left_out}")
    if not core.objects:
        raise NothingToTest(f"Nothing {assembly.words} has {what} to test. {known}{left_out}")
    if len(core.objects) == 1 and not alone:
        raise OnlyOne(f'There is only one object to test, "{escaped(core.objects[0].name)}": at least two are needed '
                      "to look for collisions. Detect tests one with itself where Self-Collisions is on "
                      f"(--self-collisions).{left_out}")


def _left_out(skipped: list[Skipped]) -> str:
    """` Left out: Wire (it has no faces).`, or nothing."""
    if not skipped:
        return ""
    named = [f"{escaped(each.name)} ({each.reason})" for each in skipped[:NAMES_SHOWN]]
    more = len(skipped) - len(named)
    return f" Left out: {', '.join(named)}{f' and {more} more' if more else ''}."
