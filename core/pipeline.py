# SPDX-License-Identifier: GPL-3.0-or-later
"""Read this first: what a run does, from the question to the report.

`asked.py` says what is asked, or refuses it. The stages below fill in a `PairTable`, a row per pair of objects and a
column per number, and each is timed and counted. `reporting.py` makes a `Report` of the table. What does a stage, the
method says (`method.py`): no method is named here.
"""
from functools import partial
from typing import Any

import numpy as np

from . import methods
from .arrays import filled, pieces
from .asked import Asked, Question, checked
from .codes import CLEAR, CONTAINED, CROSSING, NEAR, OVERLAP, TOUCHING
from .errors import Cancelled, TooLarge
from .memory import give_back, let_go, refuse_beyond, refuse_with_little_left, refuse_without_room_for_code
from .method import Measure
from .pair_table import BYTES_PER_FOUND, BYTES_PER_PAIR, PairTable
from .report import Report
from .reporting import report_of
from .run import Run, Timed
from .scene import Scene
from .scene.turn import in_turn
from .scene.twins import some_have_one_place, twins
from .search.contact_budget import contacts_within_budget
from .self_collision.known import SelfReference
from .self_collision.stage import with_themselves
from .verdicts.copies import exact_copies

LONG_SECONDS = 0.1      # of a run, beside which it takes no time to ask a container what it leaves
LIGHT = "tolerance by depths"       # a late stage that takes little memory
NO_PAIRS = np.zeros(0, np.int32)


@in_turn
def detect(scene: Scene, method: str = methods.DEFAULT, clearance: float = 0.0, pairs=None, rules=None,
           contacts: bool = True, progress=None, threads: int | None = None, options: dict | None = None,
           main_thread=None, gpu=None, depth: bool = False, tolerance: float | str = 0.0,
           self_collisions: bool = False, weld: float = 0.0, resting=None, volume: bool = False,
           regions: bool = False, self_reference: SelfReference | None = None) -> Report:
    """Which objects of the scene collide, and where.

    What is tested:
    pairs: (k,2) object indices, the only pairs to test (None: all). rules: pairs of group names that are tested against
    each other (None: all), or a `rules.RuleSet`, which can also take pairs away, see docs/rules.md.
    self_collisions: test each object with itself, too, see docs/self-collision.md: such a row has b equal to a. One
    object is enough then. pairs: the rows (i, i) say which objects; static objects are not tested with themselves.
    self_reference: what collided in another pose, and is not listed again, a `self_collision.known.SelfReference`.
    resting: (objects,) bool. Two objects that rest are not tested against each other, and none with itself: the caller
    knows the answer from before, as nothing about them has changed. Unlike static objects, all may rest.

    What is found out:
    contacts=False: verdicts only, which is quicker: two objects are done where their first triangles surely cross.
    clearance: pairs that do not meet and whose gap is no more than this length are near; their gap and the two points
    where it is are then in the columns gap and gap_points, and the gap of touching pairs is 0. An object that has a
    larger clearance of its own (`Scene.add_object`) asks for that.
    tolerance: a length; pairs that reach into each other by no more, or are no farther apart, are touching, see
    docs/tolerance.md. 0: verdicts are exact. "auto": per pair as much as single precision, in which Blender keeps
    coordinates and matrices, may have made of objects that are flush. The verdict without it is in the column exact;
    depths are measured, too.
    weld: a length; a mesh whose borders are nowhere farther apart counts as closed where it is asked what is inside it,
    see docs/decisions/0016.
    depth: measure how deep the objects of each pair reach into each other, see docs/depth.md: the columns depth,
    depth_upper and depth_points.
    volume: measure how much space the objects of each pair share where both are closed, see docs/volume.md: the columns
    volume, volume_lower and volume_upper.
    regions: also measure depths of each region, a piece of what two objects share that hangs together, see
    docs/depth.md: `Report.regions`. Depths of pairs are measured then, too.

    How:
    method: an id of `methods.ids()`. options: of the method, by name (`Method.options`).
    threads: how many to use (None: all cores, which are also the most); the answer does not depend on it.
    progress: called as progress(stage, fraction done). Returning False cancels: the report is then partial. Raising
    Cancelled ends the run as soon as possible, without a report.
    main_thread: main_thread(work) runs work() on the one thread that may draw, and returns what it returns: for the
    stages of a method that need it (`Method.main_thread`). None: this thread is that one.
    gpu: what methods that need a GPU ask for pictures: an object with its name as `renderer` and a port per kind of
    work, see docs/gpu.md. None, or a sentence that says why: there is none.

    Raises Refused where the question makes no sense (fewer than two objects with faces, nothing to test, a clearance,
    weld distance or tolerance that is no length, threads that are no number, an unknown method or option), Unsupported
    for what the method cannot do, TooLarge, which is one of these, where it takes more memory than is free, ValueError
    for wrong arrays, and Cancelled where progress raised it. After TooLarge and MemoryError the scene keeps nothing. A
    scene takes one run at a time: another thread waits, and RuntimeError is raised where progress calls this with the
    same scene.
    """
    question = Question(scene, method, options, pairs, rules, resting, contacts, clearance, tolerance, weld, depth,
                        volume, self_collisions, self_reference, regions, gpu)
    asked, run = checked(question, progress, threads, main_thread)
    try:
        return report_of(asked, _find_out(asked, run), run)
    except (MemoryError, TooLarge) as error:
        _give_back(scene, error)
        raise


def _give_back(scene: Scene, error: BaseException) -> None:
    """Keep nothing of a run that has ended for want of memory."""
    scene.cache.clear()
    let_go(error)
    give_back()


def _find_out(asked: Asked, run: Run) -> PairTable:
    """The pairs that the broad phase kept, with what all stages after it found. Raises Cancelled where the progress
    callback did."""
    objects: Any = None
    table: PairTable | None = None
    if len(asked.selection.objects) < (1 if asked.self_collisions else 2):
        return PairTable(NO_PAIRS, NO_PAIRS)
    try:
        objects = _prepare(asked, run)
        table = _broad_phase(asked, objects, run)
        _contacts(asked, objects, table, run)
        _verdicts(asked, objects, table, run)
        if not run.cancelled:
            _copies(asked, table, run)
        if asked.gaps:
            _clearances(asked, objects, table, run)
        if asked.tolerance is not None:
            _tolerance(asked, objects, table, run)
        for measure in asked.measures:
            _measure(measure, objects, table, run)
        if asked.tolerance is not None:
            _tolerance_by_depths(asked, objects, table, run)
        if asked.regions:
            _regions(asked, objects, table, run)
        if asked.selection.rules is not None and asked.selection.rules.needs_depths:
            _coincidences(asked, objects, table, run)
    except Cancelled:
        run.cancelled = True
        table = table if table is not None else PairTable(NO_PAIRS, NO_PAIRS)
        table.drop()
    if asked.self_collisions and not run.dropped:
        table = with_themselves(asked.recipe, objects, asked.scene, asked.selection, table, run, asked.self_reference)
    if run.dropped:
        raise Cancelled
    return table


def _stage(run: Run, name: str, items_in: int) -> Timed:
    """`run.stage`, where there is room for the machine code that it will need, and for what is made without asking."""
    refuse_without_room_for_code()
    if name != LIGHT and sum(each.seconds for each in run.stages) > LONG_SECONDS:
        refuse_with_little_left()
    return run.stage(name, items_in)


def _prepare(asked: Asked, run: Run):
    """What the method's other stages need of the tested objects, such as their trees."""
    with _stage(run, "prepare", len(asked.scene.objects)) as record:
        objects = run.call(asked.recipe, "prepare", asked.scene, asked.selection)
        record.items_out = len(asked.selection.objects)
    return objects


def _broad_phase(asked: Asked, objects, run: Run) -> PairTable:
    """The pairs of objects that may meet, or be near."""
    with _stage(run, "broad phase", len(asked.selection.objects)) as record:
        table = PairTable(*run.call(asked.recipe, "broad_phase", objects, asked.selection.grown(asked.shares)))
        record.items_out = run.counts.setdefault("pairs", len(table))
        if len(table) == 0:
            return table
        if some_have_one_place(asked.selection.bounds, table.a, table.b):
            table.twins = partial(twins, asked.scene, asked.selection.objects, asked.selection.bounds)
        mesh_of = asked.scene.layout.mesh
        table.triangle_count = lambda position: len(
            asked.scene.meshes[mesh_of[asked.selection.objects[position]]].triangles)
        refuse_beyond(BYTES_PER_PAIR * len(table), "The pairs of these objects")
    return table


def _contacts(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Find what the triangles of each pair share."""
    with _stage(run, "contacts", len(table)) as record:
        stage = partial(run.call, asked.recipe, "contacts", objects)
        table.contacts = stage(table) if asked.recipe.keeps_findings else contacts_within_budget(stage, table, run)
        record.items_out = len(table.contacts) if table.cut is None else int(table.cut.found.sum())


def _verdicts(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Say of each pair what it is: the columns verdict, status and inner."""
    with _stage(run, "verdicts", len(table)) as record:
        table.put(run.call(asked.recipe, "verdicts", objects, table))
        table.mark_unfinished()
        record.items_out = int(np.count_nonzero(table.verdict != CLEAR))    # numpy 2 gives an np.int64
        if not run.cancelled:       # else only some are listed
            refuse_beyond(BYTES_PER_FOUND * record.items_out, "The findings of these objects")


def _clearances(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Call clear pairs near where they are, with the columns gap and gap_points. A pair that touches has the gap 0,
    where one was asked of it: what others ask for tells nothing of two that rest (`sequence/again.py`).
    Pairs up to `table.reach` are called near as well, until they are judged with the tolerance."""
    table.reach = asked.reach(table.a, table.b)
    rows = np.flatnonzero(table.verdict == CLEAR)
    with _stage(run, "clearances", len(rows)) as record:
        gap, points = np.full(len(table), np.nan), filled((len(table), 2, 3), np.nan, run.stopped)
        if run.cancelled:
            table.finished[rows] = False
        else:
            near, gaps, ends = run.call(asked.recipe, "clearances", objects, table, rows)
            gap[rows] = gaps
            for some in pieces(len(rows), run.stopped):
                points[rows[some]] = ends[some]
            table.verdict[rows[near]] = NEAR
        table.mark_unfinished()
        gap[(table.verdict == TOUCHING) & ((table.reach > 0.0) | (asked.tolerance is not None))] = 0.0
        table.put({"gap": gap, "gap_points": points})
        record.items_out = int((table.verdict == NEAR).sum())


def _tolerance(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Call touching what is near enough, or what a short move frees. Exact verdicts stay in `table.exact`."""
    from .tolerance.judging import judge_gaps_and_moves  # a session without a tolerance loads nothing of it

    assert asked.tolerance is not None
    with _stage(run, "tolerance", len(table)) as record:
        judge_gaps_and_moves(asked.recipe, objects, table, asked.near, asked.tolerance, run)
        if asked.selection.rules is not None and table.enough is not None:
            table.enough = np.minimum(table.enough, asked.selection.rules.least_allowed)
        record.items_out = int(np.count_nonzero(table.verdict != table.exact))


def _measure(measure: Measure, objects, table: PairTable, run: Run) -> None:
    """Put in the columns of a measure: depths, volumes, or what a method adds."""
    with _stage(run, measure.name, len(table)):
        table.put(run.call(measure, "columns", objects, table))


def _tolerance_by_depths(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Call touching what is not deep. Needs the columns of the depths."""
    from .tolerance.coarse import note_of_coarse
    from .tolerance.judging import judge_depths

    assert asked.tolerance is not None and table.exact is not None
    with _stage(run, "tolerance by depths", len(table)) as record:
        judge_depths(asked.recipe, objects, table, run)
        record.items_out = int(np.count_nonzero(table.verdict != table.exact))
    note = None if asked.tolerance.is_length else note_of_coarse(asked.tolerance, asked.scene.layout, asked.selection,
                                                                 table)
    if note is not None:
        run.note(note)


def _copies(asked: Asked, table: PairTable, run: Run) -> None:
    """Say of pairs that they are copies of each other; of none where that is cancelled, as all else is known."""
    try:
        table.put(exact_copies(asked.scene, asked.selection, table, run.tick))
    except Cancelled:
        if run.dropped:
            raise


def _coincidences(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Find out which pairs a rule would allow by their depth although one solid fills the other. Needs the columns of
    the depths."""
    assert asked.selection.rules is not None
    rows, limits = asked.selection.rules.allowed_by_depth(asked.selection.objects, table.a, table.b, table.verdict,
                                                          table.measured)
    if len(rows):
        with _stage(run, "coincidences", len(rows)) as record:
            table.coincide[rows] = run.call(asked.recipe, "coincide", objects, table, rows, limits)
            record.items_out = int(np.count_nonzero(table.coincide))


def _regions(asked: Asked, objects, table: PairTable, run: Run) -> None:
    """Divide pairs into regions, and say of how many that was not done. Needs the columns of the depths."""
    with _stage(run, "regions", len(table)) as record:
        table.regions, known = run.call(asked.recipe, "regions", objects, table)
        record.items_out = len(table.regions)
    left = int(np.count_nonzero(~known & np.isin(table.verdict, (CONTAINED, OVERLAP, CROSSING))
                                & ~np.isnan(table.measured["depth"])))
    if left and not run.cancelled:
        run.note(f"{left:,} {'pair was' if left == 1 else 'pairs were'} not divided into regions: too many contacts or "
                 "regions.")
