# SPDX-License-Identifier: GPL-3.0-or-later
"""Enabling and disabling leave nothing behind, and enabling is quick."""
import gc
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import bpy
import pytest
import touchpoint
from scene_building import add_cube
from touchpoint.addon import api, is_command, session, write_back

CYCLES = 50
TESTS = Path(__file__).resolve().parents[1]


def traces():
    """Everything of ours that Blender knows about."""
    classes = [name for name in dir(bpy.types) if name.startswith("TOUCHPOINT_")]
    events = [event for event in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, event), list)]
    handlers = [each for event in events for each in getattr(bpy.app.handlers, event)
                if each.__module__.startswith("touchpoint")]
    properties = [kind for kind in (bpy.types.Scene, bpy.types.WindowManager) if hasattr(kind, "touchpoint")]
    operators = [name for name in dir(bpy.ops) if name == "touchpoint"]
    return classes + handlers + properties + operators


def test_nothing_is_left_behind():
    assert traces() == []
    touchpoint.register()
    first = len(traces())
    touchpoint.unregister()
    assert first > 0 and traces() == []
    for _ in range(CYCLES):
        touchpoint.register()
        assert len(traces()) == first
        touchpoint.unregister()
    assert traces() == []


def test_no_memory_is_left_behind():
    def cycle():
        touchpoint.register()
        touchpoint.unregister()
        gc.collect()
        return len(gc.get_objects())

    for _ in range(5):
        cycle()
    before = cycle()
    for _ in range(CYCLES):
        after = cycle()
    assert after - before < CYCLES      # not one object per cycle


def test_a_run_between_two_registrations():
    add_cube("A"), add_cube("B", (1.3, 1.2, 1.1))
    for _ in range(3):
        touchpoint.register()
        assert bpy.ops.touchpoint.detect() == {"FINISHED"}
        assert len(bpy.context.scene.touchpoint.result.pairs) == 1
        touchpoint.unregister()
        assert session.run() is None
    write_back.clear()
    assert len(bpy.data.objects) == 2


def test_results_are_written_and_cleared_without_registration():
    """As in a script that only imports the package: everything but the list in the panel."""
    a, b = add_cube("A"), add_cube("B", (1.3, 1.2, 1.1))
    api.write_back(api.detect())
    assert len(bpy.data.objects) > 2 and tuple(a.color) != (1.0, 1.0, 1.0, 1.0)
    api.clear()
    assert len(bpy.data.objects) == 2 and tuple(a.color) == tuple(b.color) == (1.0, 1.0, 1.0, 1.0)


def fresh_python(code):
    """Run code in a new process, as Blender starts; what it prints."""
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); import conftest\n{textwrap.dedent(code)}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_enabling_imports_neither_numba_nor_kernels():
    printed = fresh_python("""
        import bpy, touchpoint
        touchpoint.register()
        print("loaded:", [name for name in sys.modules
                          if name.split(".")[0] in ("numba", "llvmlite") or name == "touchpoint.core.pipeline"])
        """)
    assert "loaded: []" in printed


def test_importing_the_add_on_imports_nothing_of_it():
    printed = fresh_python("""
        import touchpoint.addon
        print("loaded:", [name for name in sys.modules if name.startswith("touchpoint.addon.") or name == "bpy"])
        """)
    assert "loaded: []" in printed


def test_the_command_line_is_there_while_enabled(monkeypatch):
    commands = {}

    def register_command(name, function):
        commands[name] = function
        return name

    monkeypatch.setattr(bpy.utils, "register_cli_command", register_command)
    monkeypatch.setattr(bpy.utils, "unregister_cli_command", commands.pop)
    touchpoint.register()
    assert commands["touchpoint"](["version"]) == 0
    touchpoint.unregister()
    assert commands == {}


def test_two_registrations_say_so_and_one_stays_whole(registered):
    with pytest.raises(ValueError):
        touchpoint.register()
    add_cube("A"), add_cube("B", (1.3, 1.2, 1.1))
    assert bpy.ops.touchpoint.detect() == {"FINISHED"}


@pytest.mark.parametrize("arguments, ends", [("-b a.blend -c touchpoint detect", True),
                                             ("-b --command touchpoint", True), ("-b", False),
                                             ("-b -c extension list touchpoint", False),
                                             ("-b -P a.py -- -c touchpoint", False), ("-b touchpoint -c", False)])
def test_a_command_ends_by_signals_before_blender_opens_its_file(arguments, ends, monkeypatch):
    """Blender's own handler swallowed the first SIGINT until the command began."""
    monkeypatch.setattr(sys, "argv", ["blender", *arguments.split()])
    assert is_command(sys.argv) == ends
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        touchpoint.register()
        touchpoint.unregister()
        assert (signal.getsignal(signal.SIGINT) == signal.SIG_DFL) == ends
    finally:
        signal.signal(signal.SIGINT, before)
