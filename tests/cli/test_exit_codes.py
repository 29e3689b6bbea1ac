# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit codes of the command line never lie: whatever the streams are and whenever it is stopped, no 1 and no 0 is said
that is not the answer."""
import os
import signal
import subprocess
import sys
import time

import pytest
from checkout_path import import_path
from command_process import EXPECTED, STREAMS, exit_code, start
from touchpoint.addon import cli
from touchpoint.addon.cli import output

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams and signals of POSIX")


@pytest.mark.parametrize("arguments", [("--help",), ("version",), ("methods",)], ids=" ".join)
@pytest.mark.parametrize("streams", STREAMS)
def test_streams_that_fail(streams, arguments, tmp_path):
    assert exit_code(tmp_path, streams, *arguments) == EXPECTED[streams]


@pytest.mark.parametrize("streams", STREAMS)
def test_an_error_stays_an_error(streams, tmp_path):
    assert exit_code(tmp_path, streams, "detect", "--bogus") == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_at_any_moment(number, tmp_path):
    """From when the command line has the signals; Python's own start, which may end with 1, comes before."""
    code = ("import sys; from touchpoint.addon.cli import end_at_interrupts, entry_point\n"
            "end_at_interrupts(); print('started', flush=True); sys.argv = ['touchpoint', 'methods']; entry_point()")
    for moment in range(12):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={"PYTHONPATH": str(import_path(tmp_path))})
        assert process.stdout.readline() == b"started\n"
        time.sleep(0.03 * moment)
        process.send_signal(number)
        answer, said = process.communicate(timeout=60)
        finished = process.returncode == 0 and answer.count(b"\n") > 5
        assert (process.returncode == -number or finished) and said == b""


def test_an_ignored_interrupt_stays_ignored(tmp_path):
    process = start(tmp_path, "methods", stdout=subprocess.PIPE,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert b"touchpoint" in process.communicate(timeout=60)[0] and process.returncode == 0


def test_nothing_is_imported_from_the_current_folder(tmp_path):
    """It may be a stranger's: beside the scene lies a numpy.py."""
    folder = tmp_path / "current"
    folder.mkdir()
    for name in ("numpy", "numba", "argparse", "bpy", "signal"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')")
    process = start(tmp_path, "methods", cwd=folder, stdout=subprocess.PIPE)
    assert b"touchpoint" in process.communicate(timeout=60)[0] and process.returncode == 0
    assert not (tmp_path / "planted").exists()
    process = start(tmp_path, "methods", cwd=folder, stdout=subprocess.PIPE,
                    preexec_fn=lambda: (os.mkdir("gone"), os.chdir("gone"), os.rmdir("../gone")))
    assert b"touchpoint" in process.communicate(timeout=60)[0] and process.returncode == 0


def test_what_cannot_be_imported_is_an_error(tmp_path):
    """Without numpy nothing works; 1 would be a collision."""
    code = ("import sys; sys.modules['numpy'] = None; sys.argv = ['touchpoint', 'version']\n"
            "from touchpoint.addon.cli import entry_point; entry_point()")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                           env={"PYTHONPATH": str(import_path(tmp_path))})
    assert ended.returncode == 3 and ended.stderr.startswith("touchpoint: error: ") and "numpy" in ended.stderr


@pytest.mark.parametrize("name, printed", [
    ("A\nB", r"A\nB"), ("\x1b]0;title\x07", r"\x1b]0;title\x07"), ("::error::x", r"\x3a:error::x"),
    ("  ::error::x", r"  \x3a:error::x"), ("a ##vso[task.complete]", r"a #\x23vso[task.complete]"),
    ("##[error]", r"#\x23[error]"), ("caf\udce9", r"caf\xe9"), ("\u202etxt", r"\u202etxt"), ("\x9b2J", r"\x9b2J"),
    ("Größe ▸ 椅子 #3: a::b", "Größe ▸ 椅子 #3: a::b"),
])
def test_names_are_shown_not_obeyed(name, printed, capsys):
    output.say(name)
    output.complain(name)
    captured = capsys.readouterr()
    assert captured.out == f"{printed}\n"
    assert captured.err.count("\n") == 1 and "\x1b" not in captured.err


def test_a_hostile_argument_is_shown_escaped(capsys):
    assert cli.main(["detect", "a\n::error::b\x1b[2J.blend", "--bogus"]) == 3
    said = capsys.readouterr().err
    assert "\x1b" not in said and "\n::error" not in said
