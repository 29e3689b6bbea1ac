# SPDX-License-Identifier: GPL-3.0-or-later
"""What panel and command line say about frames. No Blender here."""
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LISTED = 4      # intervals of a pair, in its line
TO = " to "     # where a hyphen would look like a minus


def frame(number: float) -> str:
    """`41`, `10.43`."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def interval(start: float, end: float) -> str:
    """`41-58`, or `41` where it is one frame; `-10 to -3`."""
    first, last = frame(start), frame(end)
    return first if first == last else f"{first}{TO if start < 0.0 or end < 0.0 else '-'}{last}"


def intervals(found: Sequence[Sequence[float]]) -> str:
    """`41-58, 70-72 and 3 more`."""
    text = ", ".join(interval(*each) for each in found[:LISTED])
    more = len(found) - LISTED
    return f"{text} and {more} more" if more > 0 else text


def first_frames(found: Sequence[Sequence[float]]) -> str:
    """`41-58 +3`: the first interval, and how many more there are."""
    more = len(found) - 1
    return f"{interval(*found[0])} +{more}" if more else interval(*found[0])


def meeting(found: Sequence[Sequence[float]], first: float, worst: float, depth: str) -> str:
    """`41-58, first 41, worst 52, 3.2 mm`. first: the first contact, which a pair that is near before has after
    its first interval begins; depth: of the worst frame, as a text, "" where it was not measured."""
    parts = [intervals(found)]
    if found[0][0] != found[-1][1]:
        parts += [f"first {frame(first)}", f"worst {frame(worst)}"]
    return ", ".join(parts + ([depth] if depth else []))


def tested(frames: "Sequence[float] | np.ndarray") -> str:
    """`frames 1-250`, `501 frames from 1 to 250`: the latter where not each whole frame was tested."""
    first, last = frame(frames[0]), frame(frames[-1])
    if len(frames) == 1:
        return f"frame {first}"
    if len(frames) == frames[-1] - frames[0] + 1.0:
        return f"frames {interval(frames[0], frames[-1])}"
    return f"{len(frames):,} frames from {first} to {last}"
