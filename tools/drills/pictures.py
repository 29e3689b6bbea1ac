# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect --pictures`, as a process: streams that are broken, disks that are full, folders that are none, links that
somebody planted, names of all kinds, signals. The exit code is the answer's where all files are there, and else 3 with
all files as they were."""
import json
import os
import resource
import signal
import subprocess
import time
import zlib

import bpy
from checkout_path import import_path
from command_process import STREAMS, exit_code
from command_process import start as started
from scene_building import add_cube

from . import Drill, picked

OLD = b"old"
FIRST = "0001_A_C.png"     # of the deepest pair
NAMES = ("..", "../../up", "a/b", "nul\x07", "x" * 60, "Ä", "-rf", "%s", "con", " ", "a\nb", "$(id)")
MARGIN = 4096           # of a file, in bytes, at least: less than any picture has


def saved(random, folder):
    """(path of a scene with cubes that cross, its folder for pictures)."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    add_cube("A"), add_cube("B", (0.5, 0.25, 0.125)), add_cube("C", (0.3, 0.35, 0.6))
    path, pictures = folder / "scene.blend", folder / "pictures"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    import_path(folder)
    if random.integers(2):
        pictures.mkdir()
        (pictures / FIRST).write_bytes(OLD)
        (pictures / "mine.png").write_bytes(OLD)
    return path, pictures


def everything(folder) -> dict:
    """{path: what is in it} of all files in a folder, links as where they lead."""
    return {str(each.relative_to(folder)): os.readlink(each) if each.is_symlink() else each.read_bytes()
            for each in sorted(folder.rglob("*")) if each.is_symlink() or each.is_file()}


def is_png(data: bytes) -> bool:
    """True for a whole PNG: its chunks follow one another to the last, each with the right sum."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    at, kind = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if zlib.crc32(data[at + 4:at + 8 + size]) != int.from_bytes(data[at + 8 + size:at + 12 + size], "big"):
            return False
        at += 12 + size
    return kind == b"IEND" and at == len(data)


def assert_drawn(pictures, count: int) -> None:
    drawn = [each for each in pictures.iterdir() if each.name[:4].isdigit()]
    assert len(drawn) == count and all(is_png(each.read_bytes()) for each in drawn), drawn
    mine = pictures / "mine.png"
    assert not mine.exists() or mine.read_bytes() == OLD


def broken_streams(random, folder):
    """The answer's code and all pictures; 3 where the answer could not be printed."""
    path, pictures = saved(random, folder)
    streams = picked(random, list(STREAMS))
    found = exit_code(folder, streams, "detect", path, "--pictures", pictures)
    assert found == (3 if streams == "stdout full" else 1), (streams, found)
    if found == 1:
        assert_drawn(pictures, 3)


def full_disk(random, folder):
    """No file may grow beyond some bytes: 3, a sentence that names a file, and everything as it was."""
    path, pictures = saved(random, folder)
    before, most = everything(folder), int(random.integers(MARGIN))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    process = started(folder, "detect", path, "--pictures", pictures, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                      preexec_fn=limit)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 3 and b".png" in said and b"Traceback" not in said, (process.returncode, said)
    assert everything(folder) == before


def no_place(random, folder):
    """A file where the folder should be, no folder above it, a link that leads nowhere, a name that a report has: 3 and
    everything as it was."""
    path, pictures = saved(random, folder)
    (folder / "file").write_bytes(OLD)
    (folder / "nowhere").symlink_to(folder / "none" / "such")
    asked = picked(random, ([folder / "file"], [folder / "none" / "folder"], [folder / "nowhere"],
                            [pictures, "--json", pictures / FIRST], [pictures, "--csv", pictures / FIRST]))
    before = everything(folder)
    process = started(folder, "detect", path, "--pictures", *asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=300)
    lines = [line for line in said.splitlines() if not line.startswith(b"EGL")]     # the driver's own
    assert process.returncode == 3 and len(lines) == 1 and b"Traceback" not in said, (process.returncode, lines)
    assert everything(folder) == before, (asked, everything(folder).keys() ^ before.keys())


def planted_links(random, folder):
    """A link of the name of a picture is replaced, and what it led to is as it was; one to a folder is refused."""
    path, pictures = saved(random, folder)
    pictures.mkdir(exist_ok=True)
    target = folder / "target"
    target.write_bytes(OLD)
    (pictures / FIRST).unlink(missing_ok=True)
    to = picked(random, (target, folder / "none", pictures))
    (pictures / FIRST).symlink_to(to)
    before = everything(folder)
    process = started(folder, "detect", path, "--pictures", pictures, stdout=subprocess.DEVNULL,
                      stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=300)
    assert target.read_bytes() == OLD and not (folder / "none").exists()
    if to == pictures:
        assert process.returncode == 3 and b"Traceback" not in said and everything(folder) == before, said
    else:
        assert process.returncode == 1 and not (pictures / FIRST).is_symlink(), said
        assert_drawn(pictures, 3)


def names_of_objects(random, folder):
    """Whatever objects are called, pictures land in their folder, one per pair, and the JSON says which."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for number in range(3):
        add_cube(picked(random, NAMES), (0.3 * number, 0.2 * number, 0.1))
    path, pictures = folder / "scene.blend", folder / "inner" / "pictures"
    pictures.parent.mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    process = started(folder, "detect", path, "--pictures", pictures, "--json", folder / "report.json",
                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1, said
    assert_drawn(pictures, 3)
    told = [pair["picture"] for pair in json.loads((folder / "report.json").read_text())["pairs"]]
    assert sorted(told) == sorted(each.name for each in pictures.iterdir())
    assert {each.name for each in folder.iterdir()} == {"inner", "packages", "report.json", "scene.blend"}
    assert [each.name for each in pictures.parent.iterdir()] == ["pictures"]


def signals(random, folder):
    """SIGINT, SIGTERM or SIGKILL at any moment: all pictures or those from before, and a later run leaves no others."""
    path, pictures = saved(random, folder)
    number = picked(random, (signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
    before = everything(pictures) if pictures.exists() else {}
    process = started(folder, "detect", path, "--pictures", pictures, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(float(random.uniform(0.5, 4.0)))
    process.send_signal(number)
    asked = time.monotonic()
    process.communicate(timeout=60)
    assert number == signal.SIGKILL or time.monotonic() - asked < 5.0
    after = everything(pictures) if pictures.exists() else {}
    shown = {name: data for name, data in after.items() if name.endswith(".png")}
    if process.returncode == 1:
        assert_drawn(pictures, 3)
    else:
        assert process.returncode == -number, process.returncode
        assert number == signal.SIGKILL or after == before, after.keys()
        assert all(is_png(data) or data == OLD for data in shown.values())
    again = started(folder, "detect", path, "--pictures", pictures, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, said = again.communicate(timeout=300)
    assert again.returncode == 1, said
    assert_drawn(pictures, 3)
    assert {each.name for each in pictures.iterdir() if not each.name[:4].isdigit()} <= {"mine.png"}


DRILLS = [
    Drill("pictures", "`--pictures` with streams that are closed, full or read by nobody", broken_streams, 2),
    Drill("pictures", "`--pictures` on a full disk: no file may grow beyond some bytes", full_disk, 2),
    Drill("pictures", "`--pictures` into what is no folder, or with the name of another file", no_place, 3),
    Drill("pictures", "links planted at the names of pictures", planted_links, 1),
    Drill("pictures", "`--pictures` of objects with names of all kinds", names_of_objects, 1),
    Drill("pictures", "SIGINT, SIGTERM and SIGKILL at any moment of `--pictures`", signals, 2),
]
