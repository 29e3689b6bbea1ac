# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages through pipes between a worker and the process that started it."""
import pickle
import struct
from typing import IO, Any

READY = b"\n<touchpoint worker>\n"       # before the first message: whatever came until then was printed by others
DONE, PART, REFUSED, FAILED = "done", "part", "refused", "failed"       # what a worker says; see `child.answer`
DIED = "died"           # what a `host.Host` says of one, and how it ended
_SIZE = struct.Struct("<Q")


class Gone(Exception):
    """There is nobody at the other end."""


def send(stream: IO[bytes], message: object) -> None:
    """Raises OSError or ValueError where nobody reads."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(text)))
    stream.write(text)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message. Raises Gone."""
    return pickle.loads(receive_bytes(stream))


def receive_bytes(stream: IO[bytes]) -> bytes:
    """The next message, as it was pickled. Raises Gone."""
    size, = _SIZE.unpack(_read(stream, _SIZE.size))
    return _read(stream, size)


def skip_to_ready(stream: IO[bytes]) -> None:
    """Read what others have printed, to READY. Raises Gone."""
    tail = b""
    while tail != READY:
        tail = (tail + _read(stream, 1))[-len(READY):]


def _read(stream: IO[bytes], size: int) -> bytes:
    text = stream.read(size)
    if len(text) < size:
        raise Gone
    return text
