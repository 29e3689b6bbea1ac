# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation by workers: its answer is, to the last byte of its files, the one of `api.check_animation`."""
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import NothingToTest, Refused
from ...core.sequence.ranges import ranges
from .. import questions
from ..animation.frames import frames_asked
from ..scene_read.swept import Swept
from . import pool
from .job import Job, build, digest_of
from .simulations import simulation_that_is_not_baked

if TYPE_CHECKING:
    from ...core.sequence.report import SweepReport
    from .cluster import Cluster

Progress = Callable[[str, float], object]


def check_by_workers(workers: int, *, progress: Progress, **question: Any) -> "SweepReport":
    """By so many processes on this machine. question: as in `job_of`. Raises TouchpointError."""
    job, threads = job_of(**question), max(1, (os.cpu_count() or 1) // workers)
    return _checked(job, workers, partial(pool.LocalWorker, job, threads), progress)


def check_by_cluster(cluster: "Cluster", *, progress: Progress, **question: Any) -> "SweepReport":
    """By the workers of a Dask cluster. question: as in `job_of`. Raises TouchpointError."""
    if bpy.app.binary_path:
        raise Refused("A Dask cluster needs Blender as a Python module (pip install bpy), here and there.")
    job = job_of(**question)
    return _checked(job, cluster.workers, partial(cluster.new_worker, job), progress)


def _checked(job: Job, workers: int, new_worker, progress: Progress):
    begun = pool.Pool(job.frames, ranges(len(job.frames), workers), workers, new_worker)
    try:
        return joined(job, begun.parts(lambda done: progress("checking", done / len(job.frames))))
    finally:
        begun.end()


def job_of(path: Path | None, frames: Iterable[float] | None, step: float, continuous: bool, asked: dict) -> Job:
    """The job that is asked of the open file. path: that leads to it, here and from workers; None for Blender's own.
    frames, step, continuous, asked: arguments of `api.check_animation`. Raises Refused where workers could not do
    it."""
    scene = bpy.context.scene
    simulation = simulation_that_is_not_baked(bpy.context)
    if simulation:
        raise Refused(f'The simulation of "{simulation}" is not baked. It is right only where one process visits every '
                      "frame: bake it, or leave out --workers and --dask.")
    path = (path or Path(bpy.data.filepath)).absolute()
    return Job(str(path), digest_of(path), build(), frames_asked(frames, scene, step), continuous, asked)


def joined(job: Job, parts: Iterable) -> "SweepReport":
    """The report of all parts, in order. Raises TouchpointError."""
    how = {name: value for name, value in job.how.items() if name != "self_reference"}     # workers have asked for it
    whole, swept, refusal = questions.new_joined(**how), Swept(), ""
    for each in parts:
        whole.add(each.part)
        swept.join(each.swept)
        refusal = refusal or each.refusal
    if not swept.frames:
        raise NothingToTest(refusal)
    swept.find_again(bpy.context.scene)
    return questions.swept(whole.report(), swept, cancelled=False)
