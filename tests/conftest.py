# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives this checkout the name `touchpoint`, leaves out tests that cannot run here, pins a run to one core, and says
how examples of hypothesis are drawn."""
import importlib.util
import os
import sys
import zlib
from pathlib import Path

from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]


def _import_checkout():
    """Import the repository root as `touchpoint`; another installed copy must not be tested by accident."""
    spec = importlib.util.spec_from_file_location(
        "touchpoint", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)])
    module = importlib.util.module_from_spec(spec)
    sys.modules["touchpoint"] = module
    spec.loader.exec_module(module)


if "touchpoint" not in sys.modules:
    _import_checkout()

# Tests of the add-on need the bpy module; it stands in an environment of its own for each version of Blender.
collect_ignore = [] if importlib.util.find_spec("bpy") else ["blender"]

# No test judges how fast a machine is, nor how fast examples are drawn. Others are drawn only where many are.
settings.register_profile("touchpoint", deadline=None, suppress_health_check=[HealthCheck.too_slow],
                          derandomize=not os.environ.get("TOUCHPOINT_LONG"))
settings.load_profile("touchpoint")


def pytest_configure(config):
    """TOUCHPOINT_TEST_ONE_CORE=1: each process of the test run has one core, and the next one another."""
    if os.environ.get("TOUCHPOINT_TEST_ONE_CORE"):
        cores = sorted(os.sched_getaffinity(0))
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        os.sched_setaffinity(0, {cores[worker % len(cores)]})


def pytest_collection_modifyitems(config, items):
    """Mark what asks the method `exact` alone: it calls no kernel and no thread, so it does the same however a run
    compiles and however many cores there are. Leave out what --one-case-in leaves out."""
    for item in items:
        if getattr(item, "callspec", None) and item.callspec.params.get("method") == "exact":
            item.add_marker("rational")
    if config.getoption("--one-case-in"):
        kept = some_cases(items, config.getoption("--one-case-in"))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def some_cases(items, one_in: int) -> set:
    """Of each test the first case, and of its others about one in so many, the same ones in every run."""
    kept, known = set(), set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test not in known or zlib.crc32(item.nodeid.encode()) % one_in == 0:
            kept.add(item)
        known.add(test)
    return kept


def pytest_addoption(parser):
    parser.addoption("--window", choices=["smoke", "full", "vulkan"],
                     help="run the tests in tests/window in real Blender windows (see tools/check.py window)")
    parser.addoption("--one-case-in", type=int, metavar="N",
                     help="of a test with several cases, run the first one and about one in N of the others")


def pytest_ignore_collect(collection_path, config):
    """A window test takes a chroot with a Blender and a built extension: only when asked for."""
    if collection_path == ROOT / "tests" / "window" and not config.getoption("--window"):
        return True
    return None
