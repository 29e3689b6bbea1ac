# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint animation --workers`: the serial run's bytes, whatever becomes of the workers."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import bpy
import pytest
from animation_building import parade, passing
from command_line import refused, run
from command_process import start
from scene_building import add_cube
from touchpoint.addon.workers import pool
from touchpoint.addon.workers.pool import LocalWorker
from touchpoint.core.sequence import ranges

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def film(save):
    """A saved file of three ranges of frames, in which everything moves, deforms, comes and goes."""
    parade()
    bpy.context.scene.frame_end = 70
    return save()


def files(film, tmp_path, name, *arguments):
    """The exit code, and the bytes of JSON and CSV."""
    paths = [tmp_path / f"{name}.json", tmp_path / f"{name}.csv"]
    code = run("animation", film, "--json", paths[0], "--csv", paths[1], *arguments)
    return code, *(path.read_bytes() for path in paths)


def test_the_bytes_of_the_serial_run(film, tmp_path, monkeypatch):
    """Also when a worker is killed in the middle: what it did is done again."""
    how = ("--continuous", "--clearance", "0.3", "--self-collisions")
    expected = files(film, tmp_path, "one", *how)
    assert expected[0] == 1
    killed = []

    class Doomed(LocalWorker):
        def do(self, wanted):
            for said in super().do(wanted):
                yield said
                if not killed and said == ("done", 5):
                    killed.append(wanted)
                    os.kill(self._process.pid, signal.SIGKILL)

    monkeypatch.setattr(pool, "LocalWorker", Doomed)
    assert files(film, tmp_path, "two", *how, "--workers", 2) == expected
    assert len(killed) == 1


def test_a_copy_with_the_results(save, tmp_path, registered):
    passing()
    bpy.context.scene.frame_end = 40
    film, copy = save(), tmp_path / "copy.blend"
    assert run("animation", film, "--workers", 2, "--save-as", copy) == 1
    bpy.ops.wm.open_mainfile(filepath=str(copy))
    scene = bpy.context.scene
    assert scene.frame_current == 3 and scene.touchpoint.result.pairs[0].when.startswith("5-15")
    scene.frame_set(10)
    assert bpy.data.objects["A"].color[1] < 0.5


def test_workers_that_keep_dying(film, monkeypatch, capsys):
    class Doomed(LocalWorker):
        def do(self, wanted):
            os.kill(self._process.pid, signal.SIGKILL)
            return super().do(wanted)

    monkeypatch.setattr(pool, "LocalWorker", Doomed)
    said = refused(capsys, "animation", film, "--workers", 2)
    assert said.startswith("Frames ") and said.endswith("cannot be tested: 3 workers ended over them, the last one by "
                                                        "SIGKILL.")


def test_what_is_refused(save, monkeypatch, capsys, tmp_path):
    add_cube("A")
    lonely = save("lonely.blend")
    alone = refused(capsys, "animation", lonely, "--frames", "1:3")
    assert refused(capsys, "animation", lonely, "--frames", "1:3", "--workers", 2) == alone
    assert "a number of processes" in refused(capsys, "animation", lonely, "--workers", "none")
    cloth = add_cube("Cloth")
    cloth.modifiers.new("Cloth", "CLOTH")
    add_cube("A")
    assert '"Cloth" is not baked' in refused(capsys, "animation", save("cloth.blend"), "--workers", 2)


def parent_and_state(number):
    """(parent, state) of a process, (0, "Z") where there is none."""
    try:
        state, parent = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return 0, "Z"
    return int(parent), state


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_who_started_them(save, tmp_path, number):
    parade()
    bpy.context.scene.frame_end = 100_000       # so long that it does not end by itself
    film = save()
    process = start(tmp_path, "animation", film, "--workers", 2, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    workers = []
    while len(workers) < 2:
        assert process.poll() is None
        workers = [int(each.name) for each in Path("/proc").iterdir()
                   if each.name.isdigit() and parent_and_state(each.name)[0] == process.pid]
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number
    end = time.monotonic() + 30
    while any(parent_and_state(worker)[1] != "Z" for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_how_frames_are_shared_out():
    assert ranges.ranges(250, 4) == [(0, 32), (32, 64), (64, 96), (96, 128), (128, 160), (160, 192), (192, 224),
                                     (224, 250)]
    assert ranges.ranges(10_000, 2)[:2] == [(0, 1248), (1248, 2496)] and ranges.ranges(10_000, 2)[-1][1] == 10_000
    assert ranges.ranges(1, 8) == [(0, 1)]


def test_a_cluster_that_cannot_be_asked(save, monkeypatch, capsys):
    add_cube("A")
    path = save()
    assert "not allowed with argument" in refused(capsys, "animation", path, "--workers", 2, "--dask", "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert refused(capsys, "animation", path, "--dask", "127.0.0.1:1").endswith("pip install 'touchpoint[distributed]'")
