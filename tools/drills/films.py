# SPDX-License-Identifier: GPL-3.0-or-later
"""Animations that are cancelled and gone on with, divided among processes and clusters that die: the bytes are those of
one undisturbed run in one process."""
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import bpy
from animation_building import curves_of, parade
from checkout_path import import_path
from command_process import start
from run_pumping import LONG, finish

from . import Drill, picked

FRAMES = 40


def film(random) -> None:
    """A scene in which everything moves or deforms, so many frames long, in the open file."""
    import touchpoint

    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Scene, "touchpoint"):
        touchpoint.register()
    parade()
    scene = bpy.context.scene
    scene.frame_end = FRAMES
    scene.touchpoint.animation.continuous = bool(random.integers(2))


def edit(random) -> None:
    """Change something that is tested from some frame on, or everywhere, or nothing."""
    kind, scene = int(random.integers(5)), bpy.context.scene
    if kind == 0:
        frame = int(random.integers(2, FRAMES))
        curve = curves_of(bpy.data.objects["Parent"])[int(random.integers(3))]
        curve.keyframe_points.insert(frame, float(random.uniform(-6, 6)))
    elif kind == 1:
        bpy.data.objects["Post"].scale.x = float(random.uniform(0.5, 2.0))
    elif kind == 2:
        scene.frame_end = int(random.integers(5, FRAMES + 10))
    elif kind == 3:
        scene.touchpoint.clearance = float(picked(random, (0.0, 0.25)))


def bytes_of(report) -> bytes:
    from touchpoint.core import export

    file = BytesIO()
    export.dump_json(report, file)
    return file.getvalue()


def resumed(random, folder):
    """Cancelled at any moment, the scene edited or not, and asked again, a few times over: then what a fresh run says.
    """
    from touchpoint.addon import api, session
    from touchpoint.addon.animation import run as animation_run
    from touchpoint.addon.animation.resumed_run import ResumedRun
    from touchpoint.core import Cancelled
    from touchpoint.core.sequence import resumed as core_resumed
    from touchpoint.core.sequence import sweep

    anew = [(module, module.ANEW) for module in (core_resumed, sweep, animation_run)]
    for module, _ in anew:
        module.ANEW = 8         # as long films have it after more frames
    film(random)
    try:
        for _ in range(int(random.integers(1, 5))):
            run = ResumedRun.of_settings(bpy.context)
            session.set_run(run)
            ticks, end = int(random.integers(1, 400)), time.perf_counter() + LONG
            try:
                while ticks and not run.pump(0.0):
                    ticks -= 1
                    assert time.perf_counter() < end
                run.cancel()
                finish(run)
            except Cancelled:
                session.set_run(None)
            edit(random)
            bpy.context.view_layer.update()
        run = ResumedRun.of_settings(bpy.context)
        session.set_run(run)
        report = finish(run)
        settings = bpy.context.scene.touchpoint
        fresh = api.check_animation(continuous=settings.animation.continuous, clearance=settings.clearance)
    finally:
        for module, before in anew:
            module.ANEW = before
    assert not report.cancelled and bytes_of(report) == bytes_of(fresh)
    assert len(fresh.pairs)


def saved(random, folder: Path) -> Path:
    film(random)
    path = folder / "film.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def children(parents: set[int]) -> list[int]:
    """Processes that these have begun and that have not ended."""
    found = []
    for each in Path("/proc").iterdir():
        try:
            state, parent = (each / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if each.name.isdigit() and int(parent) in parents and state != "Z":
            found.append(int(each.name))
    return found


def ended(folder: Path, path: Path, name: str, *arguments, disturb=lambda process: None) -> tuple[int, bytes | None]:
    """(exit code, the bytes of the JSON or None) of `touchpoint animation`. disturb(process): called once it runs."""
    report = folder / f"{name}.json"
    process = start(folder, "animation", path, "--frames", f"1:{FRAMES}", "--continuous", "--json", report, *arguments,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    disturb(process)
    code = process.wait(timeout=300)
    return code, report.read_bytes() if report.exists() else None


def workers_killed(random, folder):
    """Of --workers, one or two are killed at any moment: the same bytes, or 3 and no file."""
    path = saved(random, folder)
    whole = ended(folder, path, "one")
    assert whole[0] in (0, 1) and whole[1]

    def disturb(process):
        for _ in range(int(random.integers(1, 3))):
            time.sleep(float(random.uniform(0.5, 4.0)))
            there = children({process.pid})
            if there:
                os.kill(picked(random, there), signal.SIGKILL)

    found = ended(folder, path, "two", "--workers", "2", disturb=disturb)
    assert found in (whole, (3, None)), (whole[0], found[0])


def cluster_dies(random, folder):
    """Of a Dask cluster on loopback, a worker, a process of its or the scheduler is killed: the same bytes, or 3."""
    if importlib.util.find_spec("distributed") is None:
        return
    path, begun = saved(random, folder), []

    def begin(module, *arguments, path=""):
        begun.append(subprocess.Popen([sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments],
                                      env={**os.environ, "PYTHONPATH": path}, cwd=folder, stderr=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL))

    def disturb(process):
        time.sleep(float(random.uniform(1.0, 8.0)))
        kind = int(random.integers(3))
        if kind == 0:
            begun[0].kill()
        elif kind == 1:
            begun[1].kill()
        for each in children({each.pid for each in begun[1:]}) if kind == 2 else ():
            os.kill(each, signal.SIGKILL)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    try:
        begin("dask_scheduler", "--host", address)
        for _ in range(2):
            begin("dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny",
                  path=str(import_path(folder)))
        whole = ended(folder, path, "one")
        assert whole[0] in (0, 1) and whole[1]
        found = ended(folder, path, "two", "--dask", address, disturb=disturb)
        assert found in (whole, (3, None)), (whole[0], found[0])
    finally:
        for each in begun:
            each.kill()
            each.wait()


DRILLS = [
    Drill("F5, F9", "animations cancelled, edited and gone on with, held against fresh ones", resumed, 2),
] + ([] if not sys.platform.startswith("linux") else [
    Drill("F15", "animations whose worker processes are killed", workers_killed, 1),
    Drill("F15", "animations on a Dask cluster, parts of which are killed", cluster_dies, 1),
])
