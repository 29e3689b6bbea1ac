# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the command line as a process of its own, with standard streams that are closed, full or read by nobody."""
import os
import subprocess
import sys

from checkout_path import import_path


def start(tmp_path, *arguments, **how) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": str(import_path(tmp_path))}
    return subprocess.Popen([sys.executable, "-m", "touchpoint", *map(str, arguments)], env=environment, **how)


def with_closed(*numbers):
    """For preexec_fn: these streams are closed when the program starts."""
    def close():
        for number in numbers:
            os.close(number)
    return close


def exit_code(tmp_path, streams: str, *arguments) -> int:
    """The exit code of a command. streams: what is wrong, a key of STREAMS."""
    how = STREAMS[streams]()
    process = start(tmp_path, *arguments, **how)
    for opened in how.values():
        if isinstance(opened, int) and opened > 2:
            os.close(opened)
    return process.wait(timeout=300)


def _nobody_reads():
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def _full():
    return os.open("/dev/full", os.O_WRONLY)


QUIET = subprocess.DEVNULL
STREAMS = {
    "stdout full": lambda: {"stdout": _full(), "stderr": QUIET},
    "stderr full": lambda: {"stdout": QUIET, "stderr": _full()},
    "nobody reads stdout": lambda: {"stdout": _nobody_reads(), "stderr": QUIET},
    "nobody reads stderr": lambda: {"stdout": QUIET, "stderr": _nobody_reads()},
    "stdout closed": lambda: {"stderr": QUIET, "preexec_fn": with_closed(1)},
    "stderr closed": lambda: {"stdout": QUIET, "preexec_fn": with_closed(2)},
    "all closed": lambda: {"preexec_fn": with_closed(0, 1, 2)},
}
EXPECTED = {name: 3 if name == "stdout full" else 0 for name in STREAMS}     # where the answer itself is 0
