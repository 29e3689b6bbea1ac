# SPDX-License-Identifier: GPL-3.0-or-later
"""`Job`: a Check Animation that others do a part of, and what such a worker does."""
import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from platform import node
from typing import TYPE_CHECKING

from ...core.errors import TouchpointError
from ..opening import check_blender, open_scene, settings_of_scenes
from ..root import ROOT_FOLDER

if TYPE_CHECKING:
    from ..animation.part_run import SweptPart

WHERE = ("scope", "collection_a", "collection_b", "rules", "identify_by")   # of what is asked: not how it is tested

_lock = threading.Lock()            # Blender has one scene per process
_open: tuple[str, str] | None = None    # path and digest of the file that is open in this worker


@dataclass(frozen=True)
class Job:
    """It can be pickled. Workers open the file themselves, so its path has to lead there from where they are."""

    scene: str                      # path of the .blend file
    digest: str                     # of its bytes: each worker must find the same file
    build: str                      # each worker must be the same, too
    frames: tuple[float, ...]       # all of them
    continuous: bool
    asked: dict                     # arguments of `api.check_animation`, lengths in Blender units

    @property
    def how(self) -> dict:
        """Arguments of `questions.new_sweep`."""
        return {"continuous": self.continuous, **{name: value for name, value in self.asked.items()
                                                  if name not in WHERE}}


def digest_of(path: Path) -> str:
    """Tells a file from what it was before."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build() -> str:
    """Which Touchpoint this is, to the last byte of its sources, and which Blender."""
    import bpy

    from ...core.version import version

    digest = hashlib.sha256()
    for file in sorted(each for part in ("core", "addon") for each in ROOT_FOLDER.joinpath(part).rglob("*.py")):
        digest.update(file.relative_to(ROOT_FOLDER).as_posix().encode() + file.read_bytes())
    return f"Touchpoint {version()} ({digest.hexdigest()[:8]}) with Blender {bpy.app.version_string}"


def do_part(job: Job, first: int, last: int, threads: int | None = None,
            done: Callable[[int], object] | None = None) -> "SweptPart":
    """Test the frames from number `first` to `last` - 1, and return a SweptPart.

    threads: how many, where the job says nothing. done: told how many are done. Raises TouchpointError where the file
    is not the one that is meant, or where the question cannot be answered.
    """
    with _lock:
        _open_file(job)
        with settings_of_scenes():
            run = _run(job, first, last, threads)
            return run.complete(None if done is None else lambda _stage, _fraction: done(run.done))


def _open_file(job: Job) -> None:
    global _open
    from .. import api, session

    if _open == (job.scene, job.digest):
        return
    check_blender()
    if build() != job.build:
        raise TouchpointError(f"A worker on {node()} has {build()}, which is not {job.build}.")
    api.prepare()
    _open = None
    path = Path(job.scene)
    session.reset()
    try:
        open_scene(path)
    except TouchpointError as error:
        raise TouchpointError(f"A worker on {node()} cannot open the scene. {error}") from None
    if digest_of(path) != job.digest:
        raise TouchpointError(f"{path} is another file where a worker on {node()} opened it, or was changed meanwhile.")
    _open = job.scene, job.digest


def _run(job: Job, first: int, last: int, threads: int | None):
    from ..animation.part_run import PartRun

    how = job.how
    how["threads"] = how["threads"] or threads
    where = {"objects": None, **{name: job.asked[name] for name in WHERE}}
    return PartRun(None, where, job.frames, first, last, **how)
