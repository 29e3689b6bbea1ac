# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs pumped as a window does it, tick after tick, and a stand-in for the kernels that waits."""
import threading
import time

import bpy
from report_building import report_of
from touchpoint.addon import session
from touchpoint.addon.run import DetectRun

LONG = 30.0


def result():
    return bpy.context.scene.touchpoint.result


def start():
    """A run that the worker has begun."""
    run = DetectRun.of_settings(bpy.context)
    session.set_run(run)
    while not run.is_handed_over:
        assert not run.pump(0.0)
    return run


def pump_until(run, condition):
    """Tick after tick, each as short as can be."""
    end = time.perf_counter() + LONG
    while not condition():
        assert time.perf_counter() < end and not run.pump(0.0)


def finish(run):
    """Tick after tick to the end; returns the report."""
    end = time.perf_counter() + LONG
    while not run.pump(0.01):
        assert time.perf_counter() < end
    session.set_run(None)
    return run.answer


class Held:
    """Stands in for the kernels: waits until `release`, then reports and asks whether it is cancelled."""

    def __init__(self, *pairs):
        self.pairs = pairs
        self.running = threading.Event()
        self.released = threading.Event()

    def __call__(self, snapshot, progress, **_):
        self.running.set()
        assert self.released.wait(LONG)
        cancelled = progress("contacts", 0.5) is False
        pairs = [(*pair[:2], "cannot tell", 0) if cancelled and row else pair for row, pair in enumerate(self.pairs)]
        return report_of(*pairs, snapshot=snapshot, cancelled=cancelled)


def started(held):
    run = start()
    assert held.running.wait(LONG) and not run.is_done and not run.pump(0.0)
    return run
