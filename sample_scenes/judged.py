# SPDX-License-Identifier: GPL-3.0-or-later
"""What meets in the open scene, by rational arithmetic: for scenes whose objects lie at random, or bend."""
import bpy
import numpy as np

from ..addon.scene_read import read_scene, show_frame
from ..core import detect
from .expectation import Expected

FINEST = 2.0 ** -12     # of a frame: how well a first contact is known


def by_reference() -> Expected:
    """Asks the method `exact`, which shares no code with the fast ones: seconds to minutes. Of the current frame."""
    report = detect(read_scene(bpy.context).core, method="exact")
    found = Expected()
    for row, pair in enumerate(report.pairs):
        names, verdict = [report.name(pair["a"]), report.name(pair["b"])], report.verdict(row)
        if verdict == "crossing":
            found.crosses(*names)
        elif verdict == "contained":
            inner = names.pop(0 if report.inner(row) == pair["a"] else 1)
            found.contains(*names, inner)
        else:
            raise ValueError(f"{' and '.join(names)}: {verdict}, which a file of expectations has no list for")
    return found


def over_time(steps: int) -> Expected:
    """The same of an animation, `steps` times per frame: what crosses in which whole frames, and when for the first
    time. Minutes. Between keys everything is where Blender shows it."""
    scene = bpy.context.scene
    met = {}
    for number in range((scene.frame_end - scene.frame_start) * steps + 1):
        frame = scene.frame_start + number / steps
        for pair in crossing_at(frame):
            met.setdefault(pair, []).append(frame)
    whole = {pair: runs([frame for frame in frames if frame.is_integer()]) for pair, frames in met.items()}
    first = {pair: first_between(pair, frames[0] - 1 / steps, frames[0]) for pair, frames in met.items()
             if frames[0] > scene.frame_start}
    found = Expected(crossing=[pair for pair in met if pair not in first],
                     frames=[(*pair, spans) for pair, spans in sorted(whole.items()) if spans])
    found.first_contacts = sorted(((*pair, frame) for pair, frame in first.items()), key=lambda each: each[2])
    return found


def crossing_at(frame: float, only=None) -> list[tuple[str, str]]:
    """Pairs of names, in alphabetical order. only: one such pair, the others are not asked."""
    show_frame(bpy.context.scene, frame)
    core = read_scene(bpy.context).core
    names = [each.name for each in core.objects]
    pairs = None if only is None else [tuple(map(names.index, only))]
    report = detect(core, method="exact", pairs=pairs, contacts=False)
    if any(report.verdict(row) != "crossing" for row in range(len(report.pairs))):
        raise ValueError(f"frame {frame:g}: something meets without crossing")
    return [tuple(sorted((report.name(pair["a"]), report.name(pair["b"])))) for pair in report.pairs]


def first_between(pair: tuple[str, str], apart: float, meets: float) -> float:
    """When a pair begins to cross: one frame in which it is apart, one in which it crosses, halved again and again."""
    while meets - apart > FINEST:
        middle = 0.5 * (apart + meets)
        apart, meets = (apart, middle) if crossing_at(middle, pair) else (middle, meets)
    return meets


def runs(frames: list[float]) -> list[list[int]]:
    """First and last of each run of whole frames, one after the other."""
    whole = np.array(frames, int)
    return [[int(each[0]), int(each[-1])] for each in np.split(whole, np.flatnonzero(np.diff(whole) > 1) + 1)
            if len(each)]
