# SPDX-License-Identifier: GPL-3.0-or-later
"""The same of every command with a scene: what a disturbed one says and writes is held against an undisturbed one.

Codes of the answer come with all files whole; where a file or the answer cannot be written, it is 3, and files are as
they were.
"""
import json
import signal
import subprocess
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import bpy
from command_process import STREAMS, start
from command_process import exit_code as code_with
from scene_building import add_cube

from . import Drill, picked

OLD = b'{"old": 1}\n'
TESTS = {"touchpoint_named_tests": 1, "tests": [{"name": "All"}, {"name": "Frames", "frames": "1:3"}]}
CROSSING = -1                       # as a code: 1 where the cubes cross, else 0
FAST = ["--repeats", "1", "--methods", "touchpoint,parallel"]
# name: what is asked, the code, and the files that are written
COMMANDS = {
    "detect": (["detect", "SCENE"], CROSSING, ("--json", "--csv", "--timings", "--save-as")),
    "reports": (["detect", "SCENE"], CROSSING, ("--html", "--junit", "--bcf")),
    "volume": (["detect", "SCENE", "--volume", "--tolerance", "0"], CROSSING, ("--json", "--csv")),
    "tests": (["detect", "SCENE", "--test", "all", "--tests", "TESTS"], CROSSING, ("--json", "--csv", "--junit")),
    "animation": (["animation", "SCENE", "--frames", "1:4"], CROSSING, ("--json", "--csv", "--html", "--bcf")),
    "continuous": (["animation", "SCENE", "--frames", "1:3", "--continuous"], CROSSING, ("--json",)),
    "workers": (["animation", "SCENE", "--frames", "1:6", "--workers", "2"], CROSSING, ("--json", "--csv")),
    "compare": (["compare", "SCENE", *FAST], 0, ("--json",)),
    "why": (["why", "SCENE", "--a", "A", "--b", "B"], 0, ()),
    "bench": (["bench", "--table", "no such table"], 3, ()),
    "self-test": (["self-test"], 0, ()),
    "refusal": (["detect", "no such file.blend"], 3, ("--json",)),
    "wrong": (["animation", "SCENE", "--step", "-1"], 3, ("--json", "--csv")),
}
ENDINGS = {"--json": "json", "--csv": "csv", "--timings": "timings.json", "--save-as": "blend", "--html": "html",
           "--junit": "xml", "--bcf": "bcf"}


@dataclass
class Command:
    """One command on a scene, and where it writes."""

    name: str
    arguments: list[str]
    code: int
    outputs: dict[str, Path]

    @classmethod
    def drawn(cls, random, folder: Path) -> "Command":
        name = picked(random, list(COMMANDS))
        arguments, code, outputs = COMMANDS[name]
        crossing = _saved(random, folder)
        places = {"SCENE": folder / "scene.blend", "TESTS": folder / "tests.json"}
        written = {option: folder / f"out.{ENDINGS[option]}" for option in outputs}
        for path in written.values():
            path.write_bytes(OLD)
        return cls(name, [str(places.get(each, each)) for each in arguments], crossing if code == CROSSING else code,
                   written)

    def given(self) -> list:
        return [*self.arguments, *(each for pair in self.outputs.items() for each in pair)]

    def untouched(self, but: Path | None = None) -> bool:
        """True where the files are those from before. but: one that is something else."""
        return all(path == but or path.read_bytes() == OLD for path in self.outputs.values())

    def whole(self, but: Path | None = None) -> bool:
        """True where all files are new and complete."""
        for option, path in self.outputs.items():
            if path != but and not _is_whole(option, path):
                return False
        return True


def _saved(random, folder: Path) -> int:
    """Save two cubes, of which one moves. Returns 1 where they cross in every frame, 0 where in none."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    crossing = bool(random.integers(2))
    cube = add_cube("A")
    add_cube("B", (0.5 if crossing else 50.0, 0.25, 0.125))
    for frame in (1, 10):
        cube.location.x = 0.01 * frame
        cube.keyframe_insert("location", frame=frame)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"))
    (folder / "tests.json").write_text(json.dumps(TESTS), encoding="utf-8")
    return int(crossing)


def _is_whole(option: str, path: Path) -> bool:
    data = path.read_bytes()
    if data == OLD:
        return False
    if option == "--save-as":
        return data[:4] == b"\x28\xb5\x2f\xfd" or data[:7] == b"BLENDER"
    if option == "--csv":
        return data.startswith(b"a,") or data.startswith(b"test,")
    if option == "--bcf":
        return zipfile.is_zipfile(path)
    if option == "--junit":
        return ElementTree.fromstring(data).tag == "testsuites"
    return data.endswith(b"</html>\n") if option == "--html" else isinstance(json.loads(data), dict)


def _left_over(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if each.name.startswith(".touchpoint-")]


def broken_streams(random, folder):
    """The code of the answer, with all files; 3 where the answer could not be printed."""
    command, streams = Command.drawn(random, folder), picked(random, list(STREAMS))
    expected = 3 if streams == "stdout full" else command.code
    found = code_with(folder, streams, *command.given())
    assert found == expected, (command, streams, found)
    # What is printed is printed before files are written, or after it; in part is not at all.
    assert command.whole() if expected != 3 else command.untouched() or command.whole(), (command, streams)
    assert not _left_over(folder)


def signals(random, folder):
    """Ended by the signal, with the old files or the new ones; or done already."""
    command = Command.drawn(random, folder)
    number = picked(random, (signal.SIGINT, signal.SIGTERM))
    process = start(folder, *command.given(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(float(random.uniform(0.2, 4.0)))
    process.send_signal(number)
    said = process.communicate(timeout=120)[1].decode(errors="replace")
    code = process.returncode
    assert code in (-number, command.code), (command, number, code, said)
    assert "Traceback" not in said, said
    if code == command.code and code != 3:
        assert command.whole(), (command, number)
    else:
        assert command.untouched() or command.whole(), (command, number)


def targets_in_the_way(random, folder):
    """One file of several that cannot be written: 3, and the others are as they were. A link is replaced."""
    command = Command.drawn(random, folder)
    if not command.outputs:
        return
    option = picked(random, list(command.outputs))
    path = command.outputs[option]
    kind = picked(random, ("folder", "full", "no folder", "below a file", "/proc", "link"))
    mine = folder / "mine.txt"
    mine.write_bytes(OLD)
    if kind in ("folder", "link"):
        path.unlink()
        path.mkdir() if kind == "folder" else path.symlink_to(mine)
    else:
        command.outputs[option] = {"full": Path("/dev/full"), "no folder": folder / "none" / "x.json",
                                   "below a file": mine / "x.json", "/proc": Path("/proc/x.json")}[kind]
    process = start(folder, *command.given(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = process.communicate(timeout=300)[1].decode(errors="replace")
    expected, but = (command.code, None) if kind == "link" else (3, command.outputs[option])
    assert process.returncode == expected, (command, option, kind, process.returncode, said)
    assert "Traceback" not in said and (expected != 3 or "error" in said), said
    assert mine.read_bytes() == OLD and not _left_over(folder)
    assert command.whole() if expected != 3 else command.untouched(but), (command, option, kind)
    assert kind != "link" or expected == 3 or not path.is_symlink()


DRILLS = [
    Drill("exit codes", "every command with a scene, whose streams are closed, full or read by nobody", broken_streams,
          2),
    Drill("exit codes", "SIGINT and SIGTERM at any moment of every command with a scene", signals, 2),
    Drill("exit codes, files", "every command, one of whose files cannot be written, or is a link", targets_in_the_way,
          2),
]
