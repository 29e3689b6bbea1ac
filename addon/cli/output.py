# SPDX-License-Identifier: GPL-3.0-or-later
"""Printing that never raises: not for a name that the terminal has no letters for, not for a stream that is closed,
full or read by nobody. Names come from files of strangers, so what a terminal would obey is shown escaped."""
import sys

from ...core.errors import TouchpointError
from ...core.shown import shown

_lost: OSError | None = None        # why something of this command could not be printed


def begin() -> None:
    """A new command: nothing of it is lost yet."""
    global _lost
    _lost = None


def say(text: str = "") -> None:
    """Print one line on stdout. A reader that has gone wants no more, and a closed stream has no reader."""
    global _lost
    try:
        _print(text, sys.stdout)
    except BrokenPipeError:
        pass
    except OSError as error:
        _lost = _lost or error


def say_all(text: str) -> None:
    """Print several lines on stdout."""
    for line in text.splitlines():
        say(line)


def check() -> None:
    """Raises TouchpointError where a line of this command is lost, as on a full disk: no exit code may hide that."""
    if _lost is not None:
        raise TouchpointError(f"The output cannot be written: {_lost.strerror or _lost}.")


def complain(reason: object, more: str = "") -> None:
    """Print on stderr why there is no answer. more: further lines, such as how to call the command."""
    try:
        for line in (f"touchpoint: error: {reason}", *more.splitlines()):
            _print(line, sys.stderr)
    except OSError:
        pass        # the exit code still tells


class Counter:
    """Says on stderr how far a command is, where that is a terminal; takes what is said of progress."""

    def __init__(self, what: str):
        self._what, self._said = what, ""

    def __call__(self, _stage: str, fraction: float) -> None:
        self._say(f"{self._what} {fraction:.0%}")

    def end(self) -> None:
        """Take it away."""
        self._say("", "\r")

    def _say(self, text: str, then: str = "") -> None:
        if text == self._said or sys.stderr is None or sys.stderr.closed or not sys.stderr.isatty():
            return
        try:
            print(f"\r{text:<{len(self._said)}}", end=then, file=sys.stderr, flush=True)
        except OSError:
            pass        # it matters to nobody
        self._said = text


def _print(text: str, stream) -> None:
    if stream is None or stream.closed:
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(shown(text).encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
