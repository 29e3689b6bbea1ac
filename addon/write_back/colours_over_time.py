# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of the user's objects frame by frame: while they meet, and back afterwards.

An object of an animation's result carries the colour it had (colours.py), and the one that it was given last, which may
be its own. What is to be shown in a frame follows from the rows that are kept with the scene, so it is true after a
reload, too.
"""
from collections.abc import Generator
from dataclasses import dataclass

import bpy
import numpy as np

from .. import session
from ..listed import finder
from ..names import COLOUR_BEFORE, COLOUR_GIVEN
from ..style import COLOURED, style_of
from .colours import PLAIN, colour_in, may_be_coloured, tell_uncoloured

SLACK = 1e-3        # of a frame: Blender and the rows keep numbers in single precision


@dataclass(eq=False)
class Course:
    """What a result says about its objects over time. key: which result it is, and as of which undo."""

    key: tuple
    objects: list           # of Blender, each once
    object: np.ndarray      # (n,) int64, place in objects, one entry per object and spell
    start: np.ndarray       # (n,) float64
    end: np.ndarray
    rank: np.ndarray        # (n,) int64, place in COLOURED
    shown: np.ndarray       # (objects,) int64, rank that each has the colour of; -2: not known

    def ranks(self, frame: float) -> np.ndarray:
        """(objects,) int64: the worst verdict of each object in a frame, -1 for none."""
        now = (self.start - SLACK <= frame) & (frame <= self.end + SLACK)
        worst = np.full(len(self.objects), len(COLOURED))
        np.minimum.at(worst, self.object[now], self.rank[now])
        return np.where(worst == len(COLOURED), -1, worst)

    def changes(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """((k,) float64, (k,) int64): frames from which on the worst verdict of an object is another one, and which, -1
        for none. It is none before the first. What ends within a frame lasts until the next whole one."""
        mine = self.object == place
        whole = np.round(self.start[mine])
        start = np.where(np.abs(self.start[mine] - whole) <= SLACK, whole, self.start[mine])
        stop = np.floor(self.end[mine] + SLACK) + 1.0
        times = np.unique(np.concatenate([start, stop]))
        worst = np.full(len(times), -1)
        for rank in np.unique(self.rank[mine])[::-1].tolist():
            same = self.rank[mine] == rank
            begun, over = (np.searchsorted(np.sort(each[same]), times, side="right") for each in (start, stop))
            worst[begun > over] = rank
        new = np.diff(worst, prepend=-1) != 0
        return times[new], worst[new]


_course: Course | None = None      # the one that was asked last


def following(scene: bpy.types.Scene) -> Generator[None, None, None]:
    """Let the objects of a scene's result change their colours with the frame; a piece per object. Until then they
    have their own."""
    forget()
    tell_uncoloured(scene, [each for each in course_of(scene).objects if not may_be_coloured(each)])
    for each in course_of(scene).objects:
        if may_be_coloured(each):
            each[COLOUR_BEFORE] = each[COLOUR_GIVEN] = each.color[:]
        yield
    show_frame_colours(scene)


def show_frame_colours(scene: bpy.types.Scene) -> None:
    """Give the objects of an animation's result the colours of the scene's frame. Cheap where nothing changes."""
    try:
        _show(scene)
    except ReferenceError:      # one was deleted, and another one added
        forget()
        _show(scene)


def _show(scene) -> None:
    course = course_of(scene)
    ranks, colours = course.ranks(scene.frame_float), style_of(scene).colours
    for place in np.flatnonzero(ranks != course.shown).tolist():
        rank = int(ranks[place])
        _give(course.objects[place], None if rank < 0 else colours[COLOURED[rank]])
    course.shown = ranks


def is_followed(scene: bpy.types.Scene) -> bool:
    """True where the scene shows the result of an animation, in colours."""
    settings = getattr(scene, "touchpoint", None)
    return settings is not None and settings.result.animated and settings.colour_objects


def forget() -> None:
    """What was asked last is worth nothing any more."""
    global _course
    _course = None


def course_of(scene: bpy.types.Scene) -> Course:
    """What the result of a scene says about its objects over time."""
    global _course
    result = scene.touchpoint.result
    key = result.run_id, session.file_token(), session.replacements(), len(bpy.data.objects)
    if _course is None or _course.key != key:
        _course = _read(scene, key)
    return _course


def _read(scene, key: tuple) -> Course:
    result, style = scene.touchpoint.result, style_of(scene)
    find, here = finder(result), set(scene.objects)
    known: dict = {}
    entries = []
    for pair in result.pairs:
        spans = [(each.start, each.end, COLOURED.index(each.verdict)) for each in pair.spells
                 if style.is_shown(each.verdict)]
        for found in {find(pair, side) for side in "ab"} & here if spans else ():
            place = known.setdefault(found, len(known))
            entries += [(place, *span) for span in spans]
    table = np.array(entries, np.float64).reshape(-1, 4)
    return Course(key, list(known), table[:, 0].astype(np.int64), table[:, 1], table[:, 2],
                   table[:, 3].astype(np.int64), np.full(len(known), -2))


def _give(each, colour: tuple | None) -> None:
    """A colour, or its own for None; not where somebody coloured it since."""
    given = colour_in(each, COLOUR_GIVEN)
    if given is None or tuple(each.color) != given or not each.is_editable:
        return
    wanted = (colour_in(each, COLOUR_BEFORE) or PLAIN) if colour is None else (*colour[:3], 1.0)
    if not np.array_equal(np.array(wanted, np.float32), np.array(given, np.float32)):
        each.color = wanted
        each[COLOUR_GIVEN] = each.color[:]
