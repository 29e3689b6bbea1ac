# SPDX-License-Identifier: GPL-3.0-or-later
"""`Rows` as a text, to be kept with a scene, and back. Anybody may have written that text: it is looked at before it
is used."""
import base64
import binascii
import json
import math
import zlib
from collections.abc import Generator

import numpy as np

from ...core.codes import B_IN_A, STATUSES, VERDICTS
from ..pieces import finished
from .table import NOT_ASKED, ROW_DTYPE, SPAN_DTYPE, Rows, Side

FORM = 2                # of the text; another one cannot be read
ROW_NAMES = tuple(ROW_DTYPE.fields or ())
FAST = 1                # how zlib compresses, looking for repeated bytes only: half the time for a twelfth more
MOST_BYTES = 1 << 28    # of a text that is unpacked: far more than any result has


def packed(rows: Rows) -> str:
    """The rows as a text of ASCII letters."""
    return finished(packing(rows))


def packing(rows: Rows) -> Generator[None, None, str]:
    """The same in pieces."""
    head = json.dumps({"form": FORM, "rows": len(rows), "spans": len(rows.spans), "spells": len(rows.spells),
                       "unit_scale": rows.unit_scale, "sides": rows.sides}).encode()
    # Column by column: most of them are one number over and over, which takes neither time nor room.
    columns = (rows.table[name].tobytes() for name in ROW_NAMES)
    fast, compressed = zlib.compressobj(FAST, strategy=zlib.Z_RLE), []
    for raw in (len(head).to_bytes(8, "little") + head, *columns, rows.spans.tobytes(), rows.spells.tobytes()):
        compressed.append(fast.compress(raw))
        yield
    return base64.b64encode(b"".join(compressed) + fast.flush()).decode()


def unpacked(text: str) -> Rows:
    """Rows of a text. Raises ValueError where it is not one of `packed`."""
    try:
        opened = zlib.decompressobj()
        raw = opened.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        size = int.from_bytes(raw[:8], "little")
        head = json.loads(raw[8:8 + size])
        if head["form"] != FORM:
            raise ValueError(f"form {head['form']}")
        sides = [_side(*each) for each in head["sides"]]
        table = _table(raw, 8 + size, head["rows"])
        spans = np.frombuffer(raw, SPAN_DTYPE, head["spans"], 8 + size + table.nbytes)
        spells = np.frombuffer(raw, SPAN_DTYPE, head["spells"], 8 + size + table.nbytes + spans.nbytes)
        rows = Rows(sides, table, spans, spells, float(head["unit_scale"]))
    except (binascii.Error, zlib.error, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"What is kept of the rows of a result cannot be read: {error}") from error
    _check(rows)
    return rows


def _table(raw: bytes, start: int, count: int) -> np.ndarray:
    """(count,) of ROW_DTYPE, whose columns follow one another from a place of the bytes on."""
    if not 0 <= count * ROW_DTYPE.itemsize <= len(raw) - start:     # asked before room for them is made
        raise ValueError(f"{count} rows")
    table = np.empty(count, ROW_DTYPE)
    for name in ROW_NAMES:
        kind = ROW_DTYPE[name]
        table[name] = np.frombuffer(raw, kind.base, count * (kind.itemsize // kind.base.itemsize),
                                    start).reshape(count, *kind.shape)
        start += count * kind.itemsize
    return table


def _side(name, object_name, library, instance, uid) -> Side:
    texts = name, object_name, library, instance
    if not (all(isinstance(each, str) for each in texts) and isinstance(uid, int)):
        raise TypeError("an object is described otherwise")
    for each in texts:
        each.encode()       # what is no UTF-8 cannot be drawn; UnicodeEncodeError is a ValueError
    return Side(*texts, uid)


def _check(rows: Rows) -> None:
    """Raise ValueError where a number leads nowhere."""
    table, known = rows.table, len(VERDICTS)
    there = max(int(table[side].max(initial=0)) for side in "ab") < max(len(rows.sides), 1)
    words = all(((column < known) | (column == NOT_ASKED) & (name == "exact")).all()
                for name, column in (("verdict", table["verdict"]), ("exact", table["exact"]),
                                     ("verdict", rows.spans["verdict"]), ("verdict", rows.spells["verdict"])))
    reasons = int(table["status"].max(initial=0)) < len(STATUSES) and int(table["inner"].max(initial=0)) <= B_IN_A
    spans = all(int(table[name].sum(dtype=np.int64)) == len(array)
                for name, array in (("spans", rows.spans), ("spells", rows.spells)))
    finite = all(np.isfinite(rows.table[name]).all()
                 for name in ("gap", "depth", "volume", "centre", "radius", "worst_frame", "first_contact"))
    finite = finite and all(np.isfinite(array[name]).all() for array in (rows.spans, rows.spells)
                            for name in ("start", "end"))
    finite = finite and math.isfinite(rows.unit_scale) and rows.unit_scale > 0.0
    if not (there and words and reasons and spans and finite and (rows.sides or not len(table))):
        raise ValueError("The rows of a result do not fit together")
