# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on the main thread in pieces: generators that end a piece at each `yield`, so that Blender can be used, and
the work be cancelled, in between. No Blender here."""
from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")


def finished(pieces: Generator[Any, None, Result]) -> Result:
    """What a generator returns, all of its pieces done one after the other."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            return end.value
