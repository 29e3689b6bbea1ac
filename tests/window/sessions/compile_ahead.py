# SPDX-License-Identifier: GPL-3.0-or-later
"""Wait until everything is compiled and loaded."""
import sys
import time

from harness import log, note, run, until


def kernels():
    return sys.modules["bl_ext.user_default.touchpoint.addon.kernels"]


def session():
    start = time.perf_counter()
    yield from until(lambda: kernels().state.stage in ("ready", "failed"), 900)     # minutes on a busy machine
    log(*kernels().state.log)
    assert kernels().state.stage == "ready"
    note("compiled and loaded", time.perf_counter() - start)
    yield from until(lambda: not kernels().state.others_wait, 900)
    assert kernels().state.stage == "ready"


run(session)
