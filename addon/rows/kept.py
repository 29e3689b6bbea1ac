# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a scene's result: packed with the scene, unpacked once."""
import logging
from collections import OrderedDict
from typing import Any

from .. import session
from .packing import packed, unpacked
from .table import Rows

RESULTS = 4         # whose rows are held: undo and redo go from one to another

log = logging.getLogger(__name__)
_held: OrderedDict[tuple[str, str], Rows] = OrderedDict()      # by the file's token and run id, the latest last


def rows_of(result: Any) -> Rows:
    """Rows of a `TOUCHPOINT_PG_result`; none where they cannot be read, as those of earlier versions."""
    key = session.file_token(), result.run_id
    rows = _held.get(key)
    if rows is None:
        rows = _read(result.packed_rows)
        _hold(key, rows)
    return rows


def keep_rows(result: Any, rows: Rows) -> None:
    """Let the result have these rows."""
    result.packed_rows = packed(rows)
    _hold((session.file_token(), result.run_id), rows)


def forget_rows() -> None:
    """Nothing is held any more."""
    _held.clear()


def _hold(key: tuple[str, str], rows: Rows) -> None:
    _held[key] = rows
    _held.move_to_end(key)
    while len(_held) > RESULTS:
        _held.popitem(last=False)


def _read(text: str) -> Rows:
    if not text:
        return Rows()
    try:
        return unpacked(text)
    except ValueError as error:
        log.warning("%s", error)
        return Rows()
