# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a scene's result: packed with the scene, unpacked once."""
import logging
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from .. import session
from ..pieces import finished
from .packing import packing, unpacked
from .table import Rows

RESULTS = 4         # whose rows are held: undo and redo go from one to another, and windows show several scenes

log = logging.getLogger(__name__)
Key = tuple[str, int, str]      # the file's token, the scene's session_uid, the run id


@dataclass
class _Held:
    """Rows, the text that they were read from, and `session.changes()` when somebody last looked whether the scene
    still has that text: to read megabytes out of a scene for each line of a list that is drawn would take too long."""

    rows: Rows
    text: str
    looked: int


_held: OrderedDict[Key, _Held] = OrderedDict()      # what was asked for last is the last one


def rows_of(result: Any) -> Rows:
    """Rows of a `TOUCHPOINT_PG_result`; none where they cannot be read, as those of earlier versions.

    The same object as before, unless Blender has told of a change since then and the text is another one.
    """
    key = _key(result)
    held, changes = _held.get(key), session.changes()
    if held is None or held.looked != changes:
        text = result.packed_rows
        if held is None or held.text != text:
            held = _hold(key, _read(text), text)
        held.looked = changes
    _held.move_to_end(key)
    return held.rows


def keep_rows(result: Any, rows: Rows) -> None:
    """Let the result have these rows."""
    finished(keeping_rows(result, rows))


def keeping_rows(result: Any, rows: Rows) -> Generator[None, None, None]:
    """The same in pieces."""
    result.packed_rows = text = yield from packing(rows)
    _hold(_key(result), rows, text)


def forget_rows() -> None:
    """Nothing is held any more."""
    _held.clear()


def _key(result: Any) -> Key:
    return session.file_token(), result.id_data.session_uid, result.run_id


def _hold(key: Key, rows: Rows, text: str) -> _Held:
    held = _held[key] = _Held(rows, text, session.changes())
    _held.move_to_end(key)
    while len(_held) > RESULTS:
        _held.popitem(last=False)
    return held


def _read(text: str) -> Rows:
    if not text:
        return Rows()
    try:
        return unpacked(text)
    except ValueError as error:
        log.warning("%s", error)
        return Rows()
