# SPDX-License-Identifier: GPL-3.0-or-later
"""Text from strangers, such as the names in a scene file, as it may be shown. Only JSON holds it as it is."""
import re
from collections.abc import Sequence

# Control characters, line ends, zero width and turns of writing direction, halves of surrogate pairs, which stand for
# bytes that are no UTF-8, and what is no letter at all, which XML cannot hold either.
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb"
                     "\ufffe\uffff\ud800-\udfff]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
# Lines that build servers take for commands: ::error::, ##[error], ##vso[…], ##teamcity[…].
_COMMAND = re.compile(r"^(\s*):(?=:)|##(?=\w*\[)")


def escaped(text: str) -> str:
    r"""The text on one line of valid letters: `\n`, `\x1b`, `\u202e` stand for what is no visible one."""
    if text.isascii() and text.isprintable():       # as most names are: a tenth of the time
        return text
    return _OBEYED.sub(_escape, text)


def shown(text: str) -> str:
    """The same for terminals, logs and tables: build servers do not take it for a command of theirs either."""
    return _COMMAND.sub(_broken, escaped(text))


def first_few(names: Sequence[str], most: int = 3) -> str:
    """`Cube, Wall, Post and 12 more`: the first `most` names, as they are, and how many there are besides."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def pair_title(a: str, b: str, inner: str | None) -> str:
    """Names of the two objects, which differ unless it is one with itself; of a contained pair the inner one comes
    first."""
    if a == b:
        return f"{a} with itself"
    if inner is None:
        return f"{a} × {b}"
    return f"{inner} inside {b if inner == a else a}"


def _escape(match: re.Match) -> str:
    character = match[0]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:        # as Python keeps a byte that is no UTF-8
        code -= 0xDC00
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def _broken(match: re.Match) -> str:
    return r"#\x23" if match[0] == "##" else rf"{match[1]}\x3a"
