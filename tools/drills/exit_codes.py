# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit codes never lie: streams that are closed, full or read by nobody, and signals at any moment."""
import os
import signal
import subprocess
import sys
import time

from checkout_path import import_path
from command_process import EXPECTED, STREAMS, exit_code

from . import Drill, picked

CODES = {("version",): 0, ("methods",): 0, ("--help",): 0, ("detect", "--bogus"): 3, ("no such command",): 3}
STARTED = ("import sys; from touchpoint.addon.cli import end_at_interrupts, entry_point\n"
           "end_at_interrupts(); print('started', flush=True); sys.argv = ['touchpoint', 'methods']; entry_point()")


def broken_streams(random, folder):
    """The code of the answer, or 3 where the answer itself could not be printed."""
    arguments, streams = picked(random, list(CODES)), picked(random, list(STREAMS))
    expected = CODES[arguments] or EXPECTED[streams]
    found = exit_code(folder, streams, *arguments)
    assert found == expected, (arguments, streams, found)


def signals(random, folder):
    """The process ends by the signal itself, at once and without a word; or it was done already."""
    number = picked(random, (signal.SIGINT, signal.SIGTERM))
    process = subprocess.Popen([sys.executable, "-c", STARTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(import_path(folder))})
    assert process.stdout.readline() == b"started\n"
    time.sleep(float(random.uniform(0.0, 0.4)))
    asked = time.monotonic()
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode in (-number, 0) and said == b"", (process.returncode, said)
    assert time.monotonic() - asked < 2.0


DRILLS = [] if sys.platform == "win32" else [
    Drill("exit codes", "commands whose streams are closed, full or read by nobody", broken_streams, 5),
    Drill("exit codes", "SIGINT and SIGTERM at any moment of a command", signals, 5),
]
