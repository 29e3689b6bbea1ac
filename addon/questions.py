# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of the core about a Snapshot, and what has to be known before: below runs, which ask it in a thread."""
from dataclasses import replace

from ..core.methods import DEFAULT
from ..core.tolerance import AUTOMATIC
from .scene_read import Snapshot


def takes_points(method: str) -> bool:
    """True where the method tests objects without faces, which `read_scene` reads only then. Raises Refused for an
    unknown method."""
    from ..core.declarations import declaration

    return declaration(method).takes_points


def any_takes_points(methods) -> bool:
    """The same of methods to be compared, each an id or (id, options); None: those that `compare` takes then."""
    from ..core.declarations import usually_compared

    chosen = usually_compared() if methods is None else methods
    return any(takes_points(each if isinstance(each, str) else each[0]) for each in chosen)


def prepare() -> None:
    """Make the kernels ready to be imported; before the first `detect_in`, on the main thread. `detect` does it.

    Raises TouchpointError where they cannot run in this Blender, saying what is missing.
    """
    from . import kernels

    kernels.prepare()


def detect_in(snapshot: Snapshot, *, method: str = DEFAULT, options: dict | None = None, clearance: float = 0.0,
              tolerance: float | str = AUTOMATIC, contacts: bool = True, self_collisions: bool = False,
              weld: float = 0.0, threads: int | None = None, progress=None, main_thread=None):
    """Find out which objects of a Snapshot collide. Touches nothing of Blender. Arguments and errors as in `detect`;
    main_thread as in `core.detect`."""
    from ..core import detect
    from ..core.run import StageRecord

    report = detect(snapshot.core, method, clearance, rules=snapshot.taking or snapshot.rules, contacts=contacts,
                    progress=progress, threads=threads, options=options, main_thread=main_thread, tolerance=tolerance,
                    self_collisions=self_collisions, weld=weld)
    objects = len(snapshot.core.objects)
    report.stages.insert(0, StageRecord("read", objects, objects, 0, snapshot.seconds))
    report.doubts, report.unsure = list(snapshot.doubts.sentences), snapshot.doubts.unsure
    if snapshot.identified_by:
        report.settings["identified_by"] = snapshot.identified_by
        report.objects = [replace(each, identifier=snapshot.rows[each.index].identifier) for each in report.objects]
    return _with_source(report, snapshot)


def compare_in(snapshot: Snapshot, methods=None, **how):
    """Compare methods on a Snapshot. Touches nothing of Blender. Arguments and errors as in `compare`."""
    from ..core.compare import compare

    return _with_source(compare(snapshot.core, methods, rules=snapshot.rules, **how), snapshot)


def _with_source(answer, snapshot: Snapshot):
    """The same report or comparison, which now says where it came from."""
    answer.scene = snapshot.file_name or snapshot.scene_name
    answer.frame = snapshot.frame
    answer.unit_scale = snapshot.unit_scale
    answer.source = snapshot
    answer.skipped = sorted(answer.skipped + snapshot.skipped, key=lambda each: each.name)
    answer.notes = [*snapshot.doubts.sentences, *answer.notes]
    return answer
