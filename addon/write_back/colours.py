# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of the user's objects by verdict, and their way back.

Each coloured object carries the colour it had, so that Clear finds it after a reload or in another session. An object
whose colour is no longer the one given here was coloured by somebody else since and keeps that colour.
"""
import struct
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from idprop.types import IDPropertyArray

from ...core.codes import TOUCHING, VERDICTS
from ...core.shown import escaped
from .. import phrases
from ..names import COLOUR_BAKED, COLOUR_BEFORE, COLOUR_GIVEN, is_coloured, name_of
from ..scene_read.simulations import is_simulated
from ..style import COLOURED, Style, style_of

if TYPE_CHECKING:
    from ...core.report import Report

COLOURED_AT_ONCE = 32       # objects, which takes some tenths of a millisecond
PLAIN = (1.0, 1.0, 1.0, 1.0)        # the colour of an object that nobody has coloured


def coloured_objects(scene: bpy.types.Scene) -> list:
    """Coloured objects that belong to a scene's results: its own, and those in no scene at all."""
    coloured = [each for each in bpy.data.objects if is_coloured(each)]
    others = [other for other in bpy.data.scenes if other != scene]
    if not (coloured and others):
        return coloured
    elsewhere = {each for other in others for each in other.objects} - set(scene.objects)
    return [each for each in coloured if each not in elsewhere]


def of_scene(scene: bpy.types.Scene, objects: Iterable) -> list:
    """Objects, with None in the place of those that are not in a scene, any more: of another one, they may have their
    colour from its result, and `coloured_objects` would not find them."""
    here = set(scene.objects)
    return [each if each in here else None for each in objects]


def colours_wanted(report: "Report", objects: list, style: Style) -> dict:
    """Blender object -> the colour of its worst verdict, (r, g, b), of those that are to be coloured.

    objects: per object of the Scene its Blender object or None; an instancer stands there once per instance.
    """
    return {each: style.colours[COLOURED[rank]] for each, rank in worst_ranks(report, objects, style).items()}


def colouring(wanted: dict) -> Generator[None, None, list]:
    """Give each object its colour, and keep its own; a piece for COLOURED_AT_ONCE of them. wanted: as of
    `colours_wanted`. Returns those that cannot be coloured."""
    left = []
    for number, (each, colour) in enumerate(wanted.items(), 1):
        if not may_be_coloured(each):
            left.append(each)
        elif not _is_given(each, colour):
            each[COLOUR_BEFORE] = each.color[:]
            each.color = (*colour[:3], 1.0)
            each[COLOUR_GIVEN] = each.color[:]      # as Blender rounded it
        if number % COLOURED_AT_ONCE == 0:
            yield
    return left


def restoring(objects: Iterable[bpy.types.Object], wanted: dict | None = None) -> Generator[None, None, None]:
    """Put the colours back as they were before Touchpoint changed them, to the last bit; a piece for COLOURED_AT_ONCE
    objects. Those with keys (baked_colours.py) keep them.

    wanted: colours to be given afterwards, as of `colours_wanted`. What has its one already keeps it: Blender evaluates
    and draws anew each object that anything is written to.
    """
    wanted = wanted or {}
    for number, each in enumerate(objects):
        if number % COLOURED_AT_ONCE == 0:
            yield
        if not (is_coloured(each) and each.is_editable) or COLOUR_BAKED in each:
            continue
        if each in wanted and _is_given(each, wanted[each]):
            continue
        if _has_given_colour(each):
            each.color = colour_in(each, COLOUR_BEFORE) or PLAIN
        for key in (COLOUR_BEFORE, COLOUR_GIVEN):
            if key in each:
                del each[key]


def _has_given_colour(each) -> bool:
    """True where an object still has the colour that it was given, or, where that is not known any more, the colour of
    a verdict."""
    given = colour_in(each, COLOUR_GIVEN)
    if given is not None:
        return tuple(each.color) == given
    styles = [style_of(scene).colours.values() for scene in bpy.data.scenes]
    return any(np.array_equal(np.array(each.color[:3], np.float32), np.array(colour, np.float32))
               for some in styles for colour in some)


def colour_in(each: bpy.types.Object, key: str) -> tuple | None:
    """The four numbers of a custom property; None where it is not there, or something else by now."""
    value = each.get(key)
    if not isinstance(value, IDPropertyArray) or value.typecode not in "fd":
        return None
    numbers: Any = value.to_list()
    return tuple(numbers) if len(numbers) == 4 else None


def worst_ranks(report: "Report", objects: list, style: Style) -> dict:
    """Blender object -> place of its worst verdict in COLOURED; objects that are not to be coloured are not in
    it."""
    unlisted = len(COLOURED)
    rank_of_code = np.array([COLOURED.index(word) if word in COLOURED else unlisted for word in VERDICTS])
    if not style.show_touching:
        rank_of_code[TOUCHING] = unlisted
    rank = np.full(len(objects), unlisted)
    pair_rank = rank_of_code[report.pairs["verdict"]]
    np.minimum.at(rank, report.pairs["a"], pair_rank)
    np.minimum.at(rank, report.pairs["b"], pair_rank)
    worst: dict = {}
    listed = np.flatnonzero(rank < unlisted)
    for index, its_rank in zip(listed.tolist(), rank[listed].tolist()):
        each = objects[index]
        if each is not None:
            worst[each] = min(worst.get(each, unlisted), its_rank)
    return worst


def may_be_coloured(each: bpy.types.Object) -> bool:
    """False for what cannot be changed, what has a colour with keys, and what would be simulated anew."""
    return each.is_editable and COLOUR_BAKED not in each and not is_simulated(each)


def tell_uncoloured(scene: bpy.types.Scene, left: Iterable[bpy.types.Object]) -> None:
    """Say in the panel which of the objects that were to be coloured cannot be, and why."""
    settings = getattr(scene, "touchpoint", None)
    if settings is None:
        return
    simulated, linked = list[str](), list[str]()
    for each in left:
        if not each.is_editable:
            linked.append(escaped(name_of(each)))
        elif COLOUR_BAKED not in each:
            simulated.append(escaped(name_of(each)))
    settings.result.uncoloured = phrases.uncoloured(simulated, linked)


def _is_given(each, colour: tuple) -> bool:
    """True where an object has this colour from here, and it is known which one it had before."""
    given = colour_in(each, COLOUR_GIVEN)
    return (given is not None and given == tuple(each.color) == struct.unpack("4f", struct.pack("4f", *colour[:3], 1.0))
            and colour_in(each, COLOUR_BEFORE) is not None)
