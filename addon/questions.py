# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of the core about a Snapshot, and what has to be known before: below runs, which ask it in a thread."""
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import Cancelled, Scene
from ..core.errors import NothingToTest
from ..core.methods import DEFAULT
from ..core.tolerance import AUTOMATIC
from .rules.same import same_rules
from .scene_read import Follower, Snapshot

if TYPE_CHECKING:
    from ..core.comparison import Comparison
    from ..core.report import Report
    from ..core.self_collision.known import Known
    from ..core.sequence.film import Film
    from ..core.sequence.parts import Joined, PartSweep
    from ..core.sequence.report import SweepReport
    from ..core.sequence.resumed import Ledger, ResumedSweep
    from ..core.sequence.sweep import Sweep
    from .gpu_backend.backend import Backend
    from .scene_read.snapshot import Row
    from .scene_read.swept import Swept


class KnownPose(NamedTuple):
    """What collides with itself in another pose. title: of the pose, as sentences name it. known: by object, as
    `_identity` names it."""

    title: str
    known: "dict[tuple, Known]"


def takes_points(method: str) -> bool:
    """True where the method tests objects without faces, which `read_scene` reads only then. Raises Refused for an
    unknown method."""
    from ..core.declarations import declaration

    return declaration(method).takes_points


def any_takes_points(methods: Sequence[str | tuple[str, dict]] | None) -> bool:
    """The same of methods to be compared, each an id or (id, options); None: those that `compare` takes then."""
    from ..core.declarations import usually_compared

    chosen = usually_compared() if methods is None else methods
    return any(takes_points(each if isinstance(each, str) else each[0]) for each in chosen)


def gpu_for(entries: Iterable[tuple[str, dict | None]], main_thread: Callable | None = None) -> "Backend | str | None":
    """What `core.detect` takes as gpu: None where none of these methods needs one, else the GPU, or why there is none.

    entries: (id, options) each. main_thread: as in `core.detect`; not asked where this thread is the main one.
    """
    from ..core.declarations import declaration
    from ..core.method import needs_with

    if not any("gpu" in needs_with(declaration(method), options) for method, options in entries):
        return None
    from . import gpu_backend

    if main_thread is None or threading.current_thread() is threading.main_thread():
        return gpu_backend.obtain()
    return main_thread(gpu_backend.obtain)


def _entries(methods, options: dict | None) -> list:
    """(id, options) of each method to be compared, as in `api.compare`."""
    from ..core.declarations import usually_compared

    return [(each, (options or {}).get(each)) if isinstance(each, str) else each
            for each in (usually_compared() if methods is None else methods)]


def prepare() -> None:
    """Make the kernels ready to be imported; before the first `detect_in`, on the main thread. `detect` does it.

    Raises TouchpointError where they cannot run in this Blender, saying what is missing.
    """
    from . import kernels

    kernels.prepare()


def detect_in(snapshot: Snapshot, *, method: str = DEFAULT, options: dict | None = None, clearance: float = 0.0,
              tolerance: float | str = AUTOMATIC, contacts: bool = True, self_collisions: bool = False,
              weld: float = 0.0, volume: bool = False, regions: bool = False, self_reference: KnownPose | None = None,
              threads: int | None = None, progress: Callable[[str, float], object] | None = None,
              main_thread: Callable | None = None, follower: Follower | None = None) -> "Report":
    """Find out which objects of a Snapshot collide. Touches nothing of Blender. Arguments and errors as in `detect`;
    self_reference: what `known_in` has found; main_thread as in `core.detect`. follower: whose Scene the Snapshot has;
    pairs of which nothing is different since it was asked the same are not tested again."""
    from ..core import detect
    from ..core.run import StageRecord

    rules, whatever = snapshot.taking or snapshot.rules, {"progress": progress, "threads": threads,
                                                          "main_thread": main_thread}
    question = {"contacts": contacts, "clearance": clearance, "tolerance": tolerance,
                "self_collisions": self_collisions, "weld": weld}
    if follower is not None and method == DEFAULT and not (options or volume or regions or self_reference):
        report = _again(follower, snapshot.core, rules, **question, **whatever)
    else:
        report = detect(snapshot.core, method, rules=rules, options=options, volume=volume, regions=regions,
                        self_reference=_in_numbers_of(snapshot, self_reference),
                        gpu=gpu_for([(method, options)], main_thread), **question, **whatever)
    report.summary()        # counts places, here in the worker's thread
    objects = len(snapshot.core.objects)
    report.stages.insert(0, StageRecord("read", objects, objects, 0, snapshot.seconds))
    return _with_doubts(_with_source(report, snapshot), snapshot)


def _again(follower: Follower, core: Scene, rules: Any, **how: Any) -> "Report":
    """The report, which asks only what is different since the last time. how: as in `core.sequence.again`."""
    from ..core.sequence.again import Again

    again = follower.again = follower.again or Again()
    return again.detect(core, again.rules if same_rules(rules, again.rules) else rules, **how)


def known_in(snapshot: Snapshot, title: str, *, method: str = DEFAULT, options: dict | None = None,
             threads: int | None = None, progress: Callable[[str, float], object] | None = None,
             main_thread: Callable | None = None, **_: Any) -> KnownPose:
    """Find out what collides with itself in a Snapshot of another pose. title: of the pose. The rest as in `detect_in`,
    whose other arguments make no difference. Raises Cancelled where it was cancelled."""
    from ..core import detect
    from ..core.declarations import declaration
    from ..core.self_collision.known import known_pairs

    core = snapshot.core
    if declaration(method).follows:     # between frames, which the default method tests
        method, options = DEFAULT, None
    try:
        report = detect(core, method, pairs=[(number, number) for number in range(len(core.objects))],
                        self_collisions=True, progress=progress, threads=threads, options=options,
                        main_thread=main_thread, gpu=gpu_for([(method, options)], main_thread))
    except NothingToTest:
        return KnownPose(title, {})
    if report.cancelled:
        raise Cancelled
    return KnownPose(title, {_identity(snapshot.rows[number]): known
                             for number, known in known_pairs(core, report).items()})


def _in_numbers_of(snapshot: Snapshot, pose: KnownPose | None):
    """The same for the objects of a Snapshot, as `core.detect` takes it."""
    if pose is None:
        return None
    from ..core.self_collision.known import SelfReference

    numbers = {_identity(row): number for number, row in enumerate(snapshot.rows)}
    return SelfReference(pose.title, {numbers[each]: known for each, known in pose.known.items() if each in numbers})


def _identity(row: "Row") -> tuple:
    """What stays the same of an object from one reading to the next."""
    return row.session_uid, row.persistent_id, row.source_uid


def new_sweep(*, method: str = DEFAULT, tolerance: float | str = AUTOMATIC, **how: Any) -> "Sweep":
    """A `core.sequence.Sweep`, to which frames are given one after the other. Arguments as in `api.check_animation`;
    main_thread as in `core.detect`."""
    from ..core import Sweep

    return Sweep(method, tolerance=tolerance, gpu=_gpu_of(method, how), **how)


def new_resumed_sweep(earlier: "Ledger | None", *, method: str = DEFAULT, tolerance: float | str = AUTOMATIC,
                      **how: Any) -> "ResumedSweep":
    """A `core.sequence.resumed.ResumedSweep`. earlier: the Ledger of the sweep to go on from, or None. The rest as in
    `new_sweep`."""
    from ..core.sequence.resumed import ResumedSweep

    return ResumedSweep(earlier, method, tolerance=tolerance, **how)


def new_part_sweep(first: int, *, method: str = DEFAULT, tolerance: float | str = AUTOMATIC, **how: Any) -> "PartSweep":
    """A `core.sequence.parts.PartSweep`, of frames before which there are `first`. The rest as in `new_sweep`."""
    from ..core.sequence.parts import PartSweep

    return PartSweep(first, method, tolerance=tolerance, gpu=_gpu_of(method, how), **how)


def _gpu_of(method: str, how: dict):
    """As `gpu_for`, of one method and the other arguments of a Sweep."""
    return gpu_for([(method, how.get("options"))], how.get("main_thread"))


def new_joined(*, method: str = DEFAULT, tolerance: float | str = AUTOMATIC, **how: Any) -> "Joined":
    """A `core.sequence.parts.Joined`. Arguments as in `new_sweep`."""
    from ..core.sequence.parts import Joined

    return Joined(method, tolerance=tolerance, **how)


def sweep_frame(sweep: "Sweep", frame: float, snapshot: Snapshot | None,
                progress: Callable[[str, float], object] | None, self_reference: KnownPose | None = None) -> "Report":
    """Test one more frame; returns its Report. snapshot: None where there is nothing to test. self_reference: as in
    `detect_in`. Touches nothing of Blender."""
    return sweep.add(frame, _shown_to(sweep, snapshot, self_reference), progress)


def take_frame(sweep: "Sweep", frame: float, snapshot: Snapshot | None,
               progress: Callable[[str, float], object] | None, self_reference: KnownPose | None = None) -> bool:
    """As `sweep_frame`, where nobody reads the Report: `Sweep.take`. Returns False where it was cancelled."""
    return sweep.take(frame, _shown_to(sweep, snapshot, self_reference), progress)


def _shown_to(sweep: "Sweep", snapshot: Snapshot | None, self_reference: KnownPose | None) -> Scene:
    """The Scene of a frame, of whose rules and reference the Sweep is told. Arguments as in `sweep_frame`."""
    if snapshot is None:
        sweep.rules = sweep.self_reference = None       # which know the objects of another frame
        return Scene()
    rules = snapshot.taking or snapshot.rules
    if not same_rules(rules, sweep.rules):      # else the same object, by which the Sweep knows that nothing changed
        sweep.rules = rules
    reference = _in_numbers_of(snapshot, self_reference)
    if reference is None or not reference.is_same_as(sweep.self_reference):
        sweep.self_reference = reference
    return snapshot.core


def swept(report: "SweepReport", source: "Swept", cancelled: bool) -> "SweepReport":
    """The report of all frames that were tested, which now says where its objects came from. source:
    `scene_read.swept.Swept`, what was read of them."""
    from ..core.run import StageRecord

    report.cancelled |= cancelled
    source.order_like(report.objects)
    objects = len(report.objects)
    report.stages.insert(0, StageRecord("read", objects, objects, 0, source.seconds))
    return _with_doubts(_with_source(report, source), source)


def compare_in(snapshot: Snapshot, methods: Sequence[str | tuple[str, dict]] | None = None, **how: Any) -> "Comparison":
    """Compare methods on a Snapshot. Touches nothing of Blender. Arguments and errors as in `compare`."""
    from ..core.compare import compare

    gpu = gpu_for(_entries(methods, how.get("options")), how.get("main_thread"))
    return _with_source(compare(snapshot.core, methods, rules=snapshot.rules, gpu=gpu, **how), snapshot)


def compare_frames_in(film: "Film", source: "Swept", methods: Sequence[str | tuple[str, dict]] | None = None,
                      **how: Any) -> "Comparison":
    """Compare methods on the frames of a `core.sequence.film.Film`. source: `scene_read.swept.Swept`, what was read of
    them. Touches nothing of Blender. Arguments and errors as in `compare`."""
    from ..core.compare import compare_frames

    gpu = gpu_for(_entries(methods, how.get("options")), how.get("main_thread"))
    comparison = compare_frames(film, methods, rules=source.rules, gpu=gpu, **how)
    source.order_like(comparison.tested)
    return _with_source(comparison, source)


def _with_doubts(report, source):
    """The same report, which now says why the scene may not be the one that is meant, and by what objects are
    identified. source: a Snapshot, or a Swept."""
    report.doubts, report.unsure = list(source.doubts.sentences), source.doubts.unsure
    if source.identified_by:
        report.settings["identified_by"] = source.identified_by
        report.objects = [replace(each, identifier=source.rows[each.index].identifier) for each in report.objects]
    return report


def _with_source(answer, snapshot):
    """The same report or comparison, which now says where it came from: a Snapshot, or a Swept."""
    answer.scene = snapshot.file_name or snapshot.scene_name
    answer.frame = snapshot.frame
    answer.unit_scale = snapshot.unit_scale
    answer.source = snapshot
    answer.skipped = sorted(answer.skipped + snapshot.skipped, key=lambda each: each.name)
    answer.notes = [*snapshot.doubts.sentences, *answer.notes]
    return answer
