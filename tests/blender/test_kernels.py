# SPDX-License-Identifier: GPL-3.0-or-later
"""numba missing, machine code's place, and the process that compiles ahead of the first click."""
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from scene_building import add_cube
from touchpoint.addon import api, kernels
from touchpoint.core import TouchpointError


@pytest.fixture(autouse=True)
def at_rest():
    """Every test finds and leaves the module as it is when the add-on is disabled."""
    kernels.stop()
    yield
    kernels.stop()


def test_all_is_well_here():
    assert kernels.problem() is None


@pytest.mark.parametrize("name", ["numba", "llvmlite"])
def test_missing_package_is_named_with_the_way_to_mend_it(monkeypatch, name):
    find_spec = kernels.importlib.util.find_spec
    monkeypatch.setattr(kernels.importlib.util, "find_spec", lambda asked: None if asked == name else find_spec(asked))
    assert f"package {name} is missing" in kernels.problem() and "Install Touchpoint again" in kernels.problem()
    with pytest.raises(TouchpointError, match=f"package {name} is missing"):
        kernels.prepare()
    monkeypatch.undo()
    assert kernels.problem() is None    # mended while Blender runs


def test_the_exact_method_needs_nothing_compiled(monkeypatch):
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    monkeypatch.setattr(kernels, "problem", lambda: "numba is missing")
    with pytest.raises(TouchpointError, match="numba is missing"):
        api.detect()
    assert len(api.detect(method="exact").pairs) == 1


@pytest.mark.parametrize(("version", "accepted"), [("0.62.1", False), ("0.68.0", False), ("0.68.1", True),
                                                   ("0.69.0rc1", True), ("1.0", True)])
def test_older_numba_of_another_extension(monkeypatch, version, accepted):
    monkeypatch.setattr(kernels.importlib.metadata, "version", lambda _: version)
    reason = kernels.problem()
    assert (reason is None) if accepted else (f"numba {version}" in reason)


def test_enabling_imports_neither_numba_nor_kernels():
    """Blender's start must not wait for it, and the panel must be able to say that it is missing."""
    code = ("import sys, bpy, touchpoint; touchpoint.register(); touchpoint.unregister(); "
            "print('LOADED', *(m for m in sys.modules if m.split('.')[0] in ('numba', 'llvmlite')))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "LOADED\n" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]


def test_folder_of_the_session_where_the_users_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(kernels.bpy.utils, "extension_path_user", lambda *_, **__: str(tmp_path / "file" / "kernels"))
    kernels.cache_base.cache_clear()
    folder = kernels.cache_base()
    assert folder.is_dir() and tmp_path not in folder.parents
    kernels.stop()
    assert not folder.exists()


def test_nothing_is_compiled_ahead_in_background_mode(registered):
    assert kernels.state.stage == "off"


@pytest.fixture
def in_a_window(monkeypatch, tmp_path):
    """As in an extension, in a Blender with a window; the bpy module has neither."""
    monkeypatch.setattr(kernels, "_in_background", lambda: False)
    monkeypatch.setattr(kernels, "cache_base", lambda: tmp_path)
    return tmp_path


def wait_for(stage, seconds):
    """Wait for a stage of the state; returns the fractions seen until then."""
    fractions = []
    end = time.perf_counter() + seconds
    while kernels.state.stage != stage:
        assert time.perf_counter() < end, kernels.state
        fractions.append(kernels.state.fraction)
        time.sleep(0.02)
    return [*fractions, kernels.state.fraction]


@pytest.fixture
def cold(monkeypatch):
    """As in a session that finds no machine code at first."""
    from touchpoint.core import warm_up
    from touchpoint.core.machine_code import jit

    monkeypatch.setattr(warm_up, "is_warm", lambda: False)
    monkeypatch.setattr(jit, "set_cache_folder", lambda _: None)    # the kernels of these tests stay where they are


def test_progress_only_grows(monkeypatch):
    seen = []

    def said():
        for line in ("0.500\n", "0.250\n", "a warning\n", "0.750\n"):
            yield line
            seen.append(kernels.state.fraction)

    monkeypatch.setattr(kernels, "state", kernels.State())
    assert not kernels._follow(SimpleNamespace(stdout=said(), wait=lambda: 0))
    assert seen == [0.5, 0.5, 0.5, 0.75] and kernels.state.log == ["a warning"]


def copy_most_machine_code(base):
    """What this session has compiled, but for a stage of Detect and what follows it."""
    from touchpoint.core.machine_code.jit import cache_folder

    def left_out(folder, names):
        return [name for name in names if name.startswith("complete-") or Path(folder).name == "whole"
                and name.partition(".")[0] in ("triangle_contacts", "moving_triangles", "sweep")]

    if cache_folder().exists():
        shutil.copytree(cache_folder(), base / cache_folder().name, ignore=left_out)


@pytest.mark.parametrize("there", ["most", pytest.param("nothing", marks=pytest.mark.slow)])
def test_compiling_ahead_then_loading(there, in_a_window, cold):
    """`tools/check.py all` asks the first case only: the other one compiles all, which takes minutes."""
    if there == "most":
        copy_most_machine_code(in_a_window)
    kernels.make_ready()
    wait_for("compiling", seconds=60)
    fractions = set(wait_for("ready", seconds=600))
    assert len(fractions) > 1 and max(fractions) == 1.0
    # Other methods follow, while Detect can already be used.
    assert kernels.state.others_wait and not list(in_a_window.glob("*/complete-*"))
    end = time.perf_counter() + 600
    while kernels.state.others_wait:
        assert time.perf_counter() < end, kernels.state
        time.sleep(0.05)
    assert kernels.state.stage == "ready" and len(list(in_a_window.glob("*/complete-*"))) == 1


def test_no_process_where_all_is_there(in_a_window, monkeypatch):
    from touchpoint.core import warm_up
    from touchpoint.core.machine_code import jit

    monkeypatch.setattr(warm_up, "is_warm", lambda: True)
    monkeypatch.setattr(jit, "set_cache_folder", lambda _: None)
    monkeypatch.setattr(kernels.subprocess, "Popen", None)
    kernels.make_ready()
    wait_for("ready", seconds=600)
    assert kernels._process is None


def test_disabling_ends_the_process(in_a_window, cold):
    kernels.make_ready()
    wait_for("compiling", seconds=60)
    while kernels._process is None:
        time.sleep(0.01)
    process = kernels._process
    kernels.stop()
    assert process.wait(timeout=10) != 0
    assert kernels.state.stage == "off"


def test_disabling_before_there_is_a_process(in_a_window, monkeypatch):
    from touchpoint.core import warm_up
    from touchpoint.core.machine_code import jit

    asked, answer = threading.Event(), threading.Event()
    monkeypatch.setattr(jit, "set_cache_folder", lambda _: None)
    monkeypatch.setattr(warm_up, "is_warm", lambda: asked.set() or not answer.wait(10))
    monkeypatch.setattr(kernels.subprocess, "Popen", None)
    kernels.make_ready()
    thread = kernels._thread
    assert asked.wait(20)
    threading.Timer(0.2, answer.set).start()
    kernels.stop()
    thread.join(10)
    assert not thread.is_alive() and kernels.state.stage == "off" and kernels.state.log == []


def test_a_killed_process_is_named(in_a_window, cold):
    kernels.make_ready()
    wait_for("compiling", seconds=60)
    while kernels._process is None:
        time.sleep(0.01)
    kernels._process.kill()
    wait_for("failed", seconds=60)
    assert "ended with" in "\n".join(kernels.state.log)


def test_failure_keeps_the_reason(in_a_window, cold, monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "ROOT_FOLDER", tmp_path / "nowhere")
    kernels.make_ready()
    wait_for("failed", seconds=60)
    assert "nowhere" in "\n".join(kernels.state.log)
