# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals and full disks in the middle of writing: files of thousands of pairs, which take seconds. Each file is the
older one or the new one, byte by byte; the code is the answer's or 3, or the signal's; and the next run that writes
into the folder leaves no part files behind."""
import functools
import os
import resource
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from unittest import mock

import bpy
import numpy as np
from command_process import start
from scene_building import cube_mesh

from . import Drill, picked

OLD = b"old\n"
CUBES = 60              # all of which meet: 1,770 pairs
FORMATS = ("json", "csv", "html", "xml", "bcf")
OPTION = {"json": "--json", "csv": "--csv", "html": "--html", "xml": "--junit", "bcf": "--bcf"}
OF_TESTS = ("json", "csv", "xml")
TESTS = '{"touchpoint_named_tests": 1, "tests": [{"name": "First"}, {"name": "Second"}]}'
POLL_SECONDS = 0.002
ENDS_WITHIN = 30.0      # seconds after a signal: at once, but for who waits for a busy disk
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1800000000"}      # BCF says when it was written
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def saved(folder: Path) -> None:
    """Cubes that all meet, and two tests."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    random, mesh = np.random.default_rng(1), cube_mesh("Cube")
    for number in range(CUBES):
        each = bpy.data.objects.new(f"C{number}", mesh)
        each.location = random.uniform(0.0, 0.4, 3)
        bpy.context.scene.collection.objects.link(each)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
    (folder / "tests.json").write_text(TESTS, encoding="utf-8")


def asked(folder: Path, of_tests: bool) -> tuple[list, dict[str, Path]]:
    """(the command, {its files by ending})."""
    files = {ending: folder / f"out.{ending}" for ending in (OF_TESTS if of_tests else FORMATS)}
    tests = ["--test", "all", "--tests", folder / "tests.json"] if of_tests else []
    written = [word for ending, path in files.items() for word in (OPTION[ending], path)]
    return ["detect", folder / "scene.blend", *tests, *written], files


def begun(folder: Path, command: list, **how) -> subprocess.Popen:
    with mock.patch.dict(os.environ, ENVIRONMENT):
        return start(folder, *command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **how)


@functools.cache
def undisturbed(of_tests: bool) -> dict[str, bytes]:
    """What the command writes into its files, by ending."""
    with tempfile.TemporaryDirectory() as folder:
        saved(Path(folder))
        command, files = asked(Path(folder), of_tests)
        process = begun(Path(folder), command)
        said = process.communicate(timeout=300)[1]
        assert process.returncode == 1, said
        return {ending: path.read_bytes() for ending, path in files.items()}


def left_over(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".touchpoint-")]


def set_up(random, folder: Path) -> tuple[list, dict[str, Path], dict[str, bytes]]:
    """(a command, its files, what they are to be), with older files in their places."""
    of_tests = bool(random.random() < 0.3)
    whole = undisturbed(of_tests)
    saved(folder)
    command, files = asked(folder, of_tests)
    for path in files.values():
        path.write_bytes(OLD)
        path.chmod(0o640)
    return command, files, whole


def states(files: dict[str, Path], whole: dict[str, bytes]) -> set[str]:
    """What the files are: "old", "new", or "broken"."""
    return {{OLD: "old", whole[ending]: "new"}.get(path.read_bytes(), f"broken {ending}")
            for ending, path in files.items()}


def wait_for_part(process: subprocess.Popen, folder: Path, size: int) -> None:
    """Until so many bytes of the new files are written, or the process has ended."""
    while process.poll() is None:
        written = 0
        for name in left_over(folder):
            with suppress(FileNotFoundError):       # it has just got its own name
                written += (folder / name).stat().st_size
        if written > size:
            return
        time.sleep(POLL_SECONDS)


def hear_signals() -> None:
    """Shells have what they start in the background ignore SIGINT, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def signals(random, folder):
    """Ended by the signal with old files, or done with new ones; killed between two renames, each is one of them."""
    command, files, whole = set_up(random, folder)
    number = picked(random, SIGNALS)
    process = begun(folder, command, preexec_fn=hear_signals)
    wait_for_part(process, folder, int(random.uniform(0.0, sum(map(len, whole.values())))))
    process.send_signal(number)
    sent = time.monotonic()
    said = process.communicate(timeout=60)[1].decode(errors="replace")
    found, code = states(files, whole), process.returncode
    seconds = time.monotonic() - sent
    assert "Traceback" not in said, said
    assert seconds < ENDS_WITHIN or code == 1, (number, code, seconds, said)
    assert code in (-number, 1) and found <= {"old", "new"}, (number, code, found, said)
    assert found == {"new"} or code == -number, (number, code, found)
    assert all(path.stat().st_mode & 0o777 == 0o640 for path in files.values())
    again = begun(folder, ["detect", folder / "scene.blend", "--csv", files["csv"]])
    assert again.wait(timeout=300) == 1 and not left_over(folder), left_over(folder)


def full_disk(random, folder):
    """No file may grow beyond some bytes: 3 with a sentence that names one of them, and all of them are as they were.
    """
    command, files, whole = set_up(random, folder)
    most = int(random.uniform(0.0, max(map(len, whole.values()))))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    process = begun(folder, command, preexec_fn=limit)
    said = process.communicate(timeout=300)[1].decode(errors="replace")
    assert process.returncode == 3 and "Traceback" not in said, (process.returncode, said)
    assert any(str(path) in said for path in files.values()), said
    assert states(files, whole) == {"old"} and not left_over(folder)


DRILLS = [
    Drill("exit codes, files", "SIGINT, SIGTERM and SIGKILL while files of thousands of pairs are written", signals, 2),
    Drill("files", "a disk that gets full while files of thousands of pairs are written", full_disk, 2),
]
