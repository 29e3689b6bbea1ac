# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation by workers: its answer is, to the last byte of its files, the one of `api.check_animation`."""
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import bpy

from ...core.errors import NothingToTest, Refused
from ...core.sequence.ranges import ranges
from .. import questions
from ..animation.frames import frames_asked
from ..animation.swept import Swept
from .job import Job, digest_of
from .simulations import simulation_that_is_not_baked


def check_by_workers(workers: int, *, progress: Callable[[str, float], object], **question):
    """By so many processes on this machine. question: as in `job_of`. Raises TouchpointError."""
    from .pool import Pool

    job = job_of(**question)
    pool = Pool(job, ranges(len(job.frames), workers), workers, max(1, (os.cpu_count() or 1) // workers))
    try:
        return joined(job, pool.parts(lambda done: progress("checking", done / len(job.frames))))
    finally:
        pool.end()


def job_of(frames, step: float, continuous: bool, asked: dict) -> Job:
    """The job that is asked of the open file. frames, step, continuous, asked: arguments of `api.check_animation`.
    Raises Refused where workers could not do it."""
    if bpy.app.binary_path:
        raise Refused("Workers need Blender as a Python module (pip install bpy): Blender itself tests in one process.")
    scene = bpy.context.scene
    simulation = simulation_that_is_not_baked(scene)
    if simulation:
        raise Refused(f'The simulation of "{simulation}" is not baked. It is right only where one process visits every '
                      "frame: bake it, or leave out --workers.")
    path = Path(bpy.data.filepath).resolve()
    return Job(str(path), digest_of(path), frames_asked(frames, scene, step), continuous, asked)


def joined(job: Job, parts: Iterable):
    """The report of all parts, in order. Raises TouchpointError."""
    whole, swept, refusal = questions.new_joined(**job.how), Swept(), ""
    for each in parts:
        whole.add(each.part)
        swept.join(each.swept)
        refusal = refusal or each.refusal
    if not swept.frames:
        raise NothingToTest(refusal)
    swept.find_again(bpy.context.scene)
    return questions.swept(whole, swept, cancelled=False)
