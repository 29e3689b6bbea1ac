# SPDX-License-Identifier: GPL-3.0-or-later
"""The first run of a session, started at once; then a rerun, which replaces the result instead of adding to it."""
import time

from harness import log, note, run, until
from touchpoint_panel import check_result_is_there, has_result, made_by_touchpoint, result, start_detect


def session():
    start = time.perf_counter()
    start_detect()
    yield from until(has_result, 400, step=0.02)      # may compile everything
    note("first run of a session, at once", time.perf_counter() - start)
    log(result().headline, "|", result().tested)
    check_result_is_there()
    first, made = result().run_id, sorted(each.name for each in made_by_touchpoint())
    yield 1.0
    start = time.perf_counter()
    start_detect()
    yield from until(lambda: has_result() and result().run_id != first, 60, step=0.02)
    note("run of a warm session", time.perf_counter() - start)
    assert sorted(each.name for each in made_by_touchpoint()) == made


run(session)
