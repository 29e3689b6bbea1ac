# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker: a process that tests parts of an animation, which it is told of on its standard input."""
import os
import queue
import sys
import threading
from collections.abc import Callable

from ...core.errors import TouchpointError
from .job import Job, do_part
from .messages import DONE, FAILED, PART, READY, REFUSED, Gone, receive, send


def main() -> None:
    """Do what is asked for until nobody asks any more. Never returns.

    What Blender prints would come between the answers, so that they get a descriptor of their own, and standard output
    becomes the null device.
    """
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    asked: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(os.fdopen(os.dup(0), "rb"), asked), daemon=True).start()
    answers.write(READY)
    answers.flush()
    job, threads = asked.get()
    while True:
        first, last = asked.get()
        answer(job, first, last, threads, lambda message: send(answers, message))


def answer(job: Job, first: int, last: int, threads: int, say: Callable[[tuple[str, object]], None]) -> None:
    """Test some frames; say((kind, what)): DONE and the number of frames that are done, some times, and then PART and a
    SweptPart, REFUSED and a sentence for the user, or FAILED and what went wrong."""
    said = 0

    def done(count: int) -> None:
        nonlocal said
        if count > said:
            said = count
            say((DONE, count))

    try:
        say((PART, do_part(job, first, last, threads, done)))
    except TouchpointError as error:
        say((REFUSED, str(error)))
    except MemoryError:
        os._exit(1)             # another worker, or this one begun anew, may have what it takes
    except OSError as error:
        say((REFUSED, f"{error.strerror or error}: {error.filename}"))
    except Exception as error:
        say((FAILED, f"{type(error).__name__}: {error}"))


def _listen(stream, asked: queue.SimpleQueue) -> None:
    """Take what is asked for. Where whoever asks is gone, the process ends, whatever it is doing."""
    try:
        while True:
            asked.put(receive(stream))
    except Gone:
        os._exit(0)
    except BaseException as error:
        print(f"touchpoint: error: a worker cannot read what is asked of it: {error}", file=sys.stderr, flush=True)
        os._exit(1)
