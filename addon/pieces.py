# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on the main thread in pieces: generators that end a piece at each `yield`, so that Blender can be used, and
the work be cancelled, in between. No Blender here."""
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

Result = TypeVar("Result")
Item = TypeVar("Item")
ITEMS_AT_ONCE = 1 << 14     # that Python does something with in some hundredths of a second
MADE_AT_ONCE = 1 << 12      # of which it makes something of its own: that takes several times as long


def finished(pieces: Generator[Any, None, Result]) -> Result:
    """What a generator returns, all of its pieces done one after the other."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            return end.value


def mapped(work: Callable[[Item], Result], items: Sequence[Item]) -> Generator[None, None, list[Result]]:
    """What work gives for each of many items, in pieces."""
    made: list[Result] = []
    for begin in range(0, len(items), ITEMS_AT_ONCE):
        if begin:
            yield
        made += map(work, items[begin:begin + ITEMS_AT_ONCE])
    return made
