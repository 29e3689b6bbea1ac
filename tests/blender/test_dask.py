# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint animation --dask`: the serial run's bytes, whatever becomes of the cluster's workers."""
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import bpy
import pytest
from animation_building import parade, passing
from checkout_path import import_path
from command_line import refused, run
from command_process import start
from touchpoint.addon.workers import check, cluster
from touchpoint.addon.workers.cluster import RemoteWorker

pytest.importorskip("distributed", reason="the extra distributed is not installed")
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """(address, processes) of a scheduler on loopback, which has no Touchpoint, and its two workers."""
    folder, begun = tmp_path_factory.mktemp("dask"), []

    def begin(module, *arguments, path=""):
        call = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments]
        begun.append(subprocess.Popen(call, env={**os.environ, "PYTHONPATH": path}, cwd=folder,
                                      stderr=subprocess.DEVNULL))

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    begin("dask_scheduler", "--host", address)
    for _ in range(2):
        begin("dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
              path=str(import_path(folder)))
    yield address, begun[1:]
    for each in begun:
        each.kill()
        each.wait()


def children(processes) -> list[int]:
    """Numbers of the processes that these have begun, and that have not ended."""
    parents, found = {each.pid for each in processes}, []
    for each in Path("/proc").iterdir():
        try:
            state, parent = (each / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if each.name.isdigit() and int(parent) in parents and state != "Z":
            found.append(int(each.name))
    return found


def wait_until(true):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def film(save, frames):
    parade()
    bpy.context.scene.frame_end = frames
    return save()


def files(path, tmp_path, name, *arguments):
    """The exit code, and the bytes of JSON and CSV."""
    paths = [tmp_path / f"{name}.json", tmp_path / f"{name}.csv"]
    code = run("animation", path, "--continuous", "--json", paths[0], "--csv", paths[1], *arguments)
    return code, *(each.read_bytes() for each in paths)


def test_workers_that_cannot_do_it(dask, save, monkeypatch, capsys):
    """They die over it, or have not what the command has."""
    address, workers = dask
    passing()
    path = save()
    asked = check.job_of

    class Doomed(RemoteWorker):
        def do(self, wanted):
            self._host = self._reached()
            for each in children(workers):
                os.kill(each, signal.SIGKILL)
            return super().do(wanted)

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "RemoteWorker", Doomed)
        assert refused(capsys, "animation", path, "--dask", address) == (
            "Frames 1 to 20 cannot be tested: 3 workers ended over them, the last one by SIGKILL.")

    def with_another(**what):
        monkeypatch.setattr(check, "job_of", lambda **question: replace(asked(**question), **what))
        return refused(capsys, "animation", path, "--dask", address)

    assert "cannot open the scene. There is no file /nowhere/film.blend." in with_another(scene="/nowhere/film.blend")
    assert "is another file where a worker on" in with_another(digest="0")
    assert with_another(build="Touchpoint 0").endswith(", which is not Touchpoint 0.")


def test_processes_end_with_the_command(dask, save, tmp_path):
    address, workers = dask
    path = film(save, 100_000)      # so long that it does not end by itself
    process = start(tmp_path, "animation", path, "--dask", address, stdout=subprocess.DEVNULL)
    wait_until(lambda: len(children(workers)) == 2 or process.poll() is not None)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == -signal.SIGTERM
    wait_until(lambda: not children(workers))
    assert all(each.poll() is None for each in workers)


def test_a_cluster_that_is_not_there(save, capsys):
    passing()
    path = save()
    before = time.monotonic()
    said = refused(capsys, "animation", path, "--dask", "127.0.0.1:1")
    assert said.startswith("The Dask scheduler 127.0.0.1:1 cannot be reached: ") and "\n" not in said
    assert time.monotonic() - before < 20


def test_the_bytes_of_the_serial_run(dask, save, tmp_path, monkeypatch):
    """Also when a worker of the cluster is killed in the middle: what it did is done again. The last test, as the
    worker is gone then."""
    asked = []

    class Doomed(RemoteWorker):
        def do(self, wanted):
            asked.append(wanted)
            for said in super().do(wanted):
                yield said
                if asked.count((0, 32)) == 1 and wanted == (0, 32) and said == ("done", 5):
                    client = self._cluster._client
                    (where,), = client.who_has(self._begun).values()
                    os.kill(client.run(os.getpid)[where], signal.SIGKILL)

    path = film(save, 40)
    expected = files(path, tmp_path, "one")
    assert expected[0] == 1
    monkeypatch.setattr(cluster, "RemoteWorker", Doomed)
    assert files(path, tmp_path, "two", "--dask", dask[0]) == expected
    assert asked.count((0, 32)) == 2 and (32, 40) in asked
