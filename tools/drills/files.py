# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a run: all new or all old, whatever is in their place and whatever fails, and nothing else is touched."""
import os
import signal
import subprocess
import sys
import threading
import time

from checkout_path import import_path
from touchpoint.core.files import Outputs, replaced

from . import Drill, picked

NAMES = ("a.json", "b.csv", "c.blend", "ä ö.json", "-x", ".hidden", "x.json.part")
KINDS = ("nothing", "file", "link", "dangling link", "read only")


class Failure(Exception):
    pass


def prepare(random, folder) -> dict[str, str]:
    """Files as they may be there before a run; {name: what is in it}, "" for nothing."""
    there = {}
    (folder / "elsewhere").write_text("precious")
    for name in NAMES:
        kind = picked(random, KINDS)
        path = folder / name
        if kind in ("file", "read only"):
            path.write_text(f"old {name}")
            path.chmod(0o400 if kind == "read only" else 0o640)
        elif kind == "link":
            path.symlink_to("elsewhere")
        elif kind == "dangling link":
            path.symlink_to("nowhere")
        there[name] = _content(path)
    return there


def _content(path) -> str:
    if path.is_symlink():
        return f"-> {os.readlink(path)}"
    return path.read_text() if path.exists() else ""


def failures(random, folder):
    """A run that ends well replaces all of its files, one that fails at any place none; no file of anybody else's is
    touched, and none is left behind."""
    before = prepare(random, folder)
    wanted = [name for name in NAMES if random.random() < 0.5]
    failing = int(random.integers(-1, 2 * len(wanted) + 1))
    try:
        with Outputs() as outputs:
            for number, name in enumerate(wanted):
                with outputs.file(folder / name) as file:
                    file.write(b"new")
                    if failing == 2 * number:
                        raise picked(random, (Failure(), OSError(28, "No space left on device"), KeyboardInterrupt()))
                    file.write(f" {name}".encode())
                if failing == 2 * number + 1:
                    (folder / wanted[0]).unlink(missing_ok=True)
                    (folder / wanted[0]).mkdir()        # meanwhile
        done = True
    except (Failure, OSError, KeyboardInterrupt) as error:
        assert not isinstance(error, OSError) or error.filename, "the message names no file"
        done = False
    after = {name: "" if (folder / name).is_dir() else _content(folder / name) for name in NAMES}
    for name in NAMES:
        if not (folder / name).is_dir():
            expected = f"new {name}" if done and name in wanted else before[name]
            assert after[name] == expected, (name, after[name], expected)
    assert (folder / "elsewhere").read_text() == "precious"
    assert not list(folder.glob(".touchpoint-*")), list(folder.iterdir())


def several_writers(random, folder):
    """Of writers that write the same files at once, one is the last, and all of its files are whole."""
    sizes = random.integers(1, 1 << 16, 4)

    def write(number):
        for _ in range(3):
            with replaced(folder / "x.json") as file:
                file.write(bytes([number]) * int(sizes[number]))

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    data = (folder / "x.json").read_bytes()
    assert data == bytes([data[0]]) * int(sizes[data[0]])
    assert [path.name for path in folder.iterdir()] == ["x.json"]


WRITER = """
from touchpoint.core.files import replaced
print("started", flush=True)
while True:
    with replaced("x.json") as file:
        for _ in range(50):
            file.write(b"new" * 1000)
"""


def killed(random, folder):
    """A writer that is killed leaves the old file or a whole new one; the next writer removes what else it left."""
    (folder / "w").mkdir()
    (folder / "w" / "x.json").write_bytes(b"old")
    process = subprocess.Popen([sys.executable, "-c", WRITER], cwd=folder / "w", stdout=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(import_path(folder))})
    assert process.stdout.readline() == b"started\n"
    time.sleep(float(random.uniform(0.0, 0.05)))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert (folder / "w" / "x.json").read_bytes() in (b"old", b"new" * 50_000)
    with replaced(folder / "w" / "y.json") as file:
        file.write(b"y")
    assert sorted(path.name for path in (folder / "w").iterdir()) == ["x.json", "y.json"]


DRILLS = [
    Drill("files", "links, read-only files and part files in the way; a failure at any step", failures, 100),
    Drill("files", "four writers of one file at once", several_writers, 4),
] + ([] if sys.platform == "win32" else [Drill("files", "a writer that is killed at any moment", killed, 4)])
