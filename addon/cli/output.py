# SPDX-License-Identifier: GPL-3.0-or-later
"""Printing that never fails for a name that the terminal's encoding has no letters for."""
import sys


def say(text: str = "") -> None:
    """A line on stdout."""
    _print(text, sys.stdout)


def complain(reason) -> None:
    """Why there is no answer, on stderr."""
    _print(f"touchpoint: error: {reason}", sys.stderr)


def _print(text: str, stream) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
