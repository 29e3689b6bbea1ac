# SPDX-License-Identifier: GPL-3.0-or-later
"""Read this first: the stages of a run in order, each timed and counted."""
import math
from dataclasses import replace
from functools import partial

import numpy as np

from . import methods
from .broad_phase.all_pairs import allowed_pairs
from .codes import CANCELLED, CANNOT_TELL, CLEAR, CONTAINED, CROSSING, NEAR, NEITHER, OVERLAP, TOUCHING
from .contacts import Contacts
from .distance.asked import Clearance
from .errors import Cancelled, NothingToTest, Refused, TooLarge, Unsupported
from .findings import BLANK, REGION_DTYPE, ObjectInfo
from .memory import let_go, refuse_beyond
from .method import Measure, Method
from .pair_table import BYTES_PER_PAIR, PairTable
from .report import Report
from .rules import RuleSet
from .rules.applied import Applied
from .run import Run
from .scene import Scene
from .scene.select import Selection, select
from .scene.turn import in_turn
from .scene.twins import twins
from .search.contact_budget import contacts_within_budget
from .self_collision.stage import with_themselves
from .tolerance import AUTOMATIC
from .tolerance.asked import Tolerance, checked
from .verdicts.copies import exact_copies

NO_PAIRS = np.zeros(0, np.int32)
MAX_CANCELLED_PAIRS = 1 << 17   # unfinished ones that a cancelled run lists


@in_turn
def detect(scene: Scene, method: str = methods.DEFAULT, clearance: float = 0.0, pairs=None, rules=None,
           contacts: bool = True, progress=None, threads: int | None = None, options: dict | None = None,
           main_thread=None, gpu=None, depth: bool = False, tolerance: float | str = 0.0,
           self_collisions: bool = False, weld: float = 0.0, resting=None, volume: bool = False,
           regions: bool = False) -> Report:
    """Which objects of the scene collide, and where.

    method: an id of `methods.ids()`. pairs: (k,2) object indices, the only pairs to test (None: all). rules: pairs of
    group names that are tested against each other (None: all), or a `rules.RuleSet`, which can also take pairs away,
    see docs/rules.md. contacts=False: verdicts only, which is quicker.
    progress: called as progress(stage, fraction done). Returning False cancels: the report is then partial. Raising
    Cancelled ends the run as soon as possible, without a report.
    threads: how many to use (None: all cores, which are also the most); the answer does not depend on it.
    clearance: pairs that do not meet and whose gap is no more than this length are near; their gap and the two points
    where it is are then in the columns gap and gap_points, and the gap of touching pairs is 0. An object that has a
    larger clearance of its own (`Scene.add_object`) asks for that.
    options: of the method, by name (`Method.options`).
    main_thread: main_thread(work) runs work() on the one thread that may draw, and returns what it returns: for the
    stages of a method that need it (`Method.main_thread`). None: this thread is that one.
    gpu: what methods that need a GPU ask for pictures: an object with its name as `renderer` and a port per kind of
    work, see docs/gpu.md. None, or a sentence that says why: there is none.
    depth: measure how deep the objects of each pair reach into each other, see docs/depth.md: the columns depth,
    depth_upper and depth_points.
    tolerance: a length; pairs that reach into each other by no more, or are no farther apart, are touching, see
    docs/tolerance.md. 0: verdicts are exact. "auto": per pair as much as single precision, in which Blender keeps
    coordinates and matrices, may have made of objects that are flush. The verdict without it is in the column exact;
    depths are measured, too.
    self_collisions: test each object with itself, too, see docs/self-collision.md: such a row has b equal to a. One
    object is enough then. pairs: the rows (i, i) say which objects; static objects are not tested with themselves.
    weld: a length; a mesh whose borders are nowhere farther apart counts as closed where it is asked what is inside it,
    see docs/decisions/0016.
    resting: (objects,) bool. Two objects that rest are not tested against each other, and none with itself: the caller
    knows the answer from before, as nothing about them has changed. Unlike static objects, all may rest.
    volume: measure how much space the objects of each pair share where both are closed, see docs/volume.md: the columns
    volume, volume_lower and volume_upper.
    regions: also measure depths of each region, a piece of what two objects share that hangs together, see
    docs/depth.md: `Report.regions`. Depths of pairs are measured then, too.

    Raises Refused where the question makes no sense (fewer than two objects with faces, nothing to test, a clearance,
    weld distance or tolerance that is no length, threads that are no number, an unknown method or option), Unsupported
    for what the method cannot do, TooLarge, which is one of these, where it takes more memory than is free, ValueError
    for wrong arrays, and Cancelled where progress raised it. After TooLarge and MemoryError the scene keeps nothing. A
    scene takes one run at a time: another thread waits, and RuntimeError is raised where progress calls this with the
    same scene.
    """
    recipe = methods.load(method)
    if not (math.isfinite(clearance) and clearance >= 0.0):
        raise Refused(f"The clearance must be a length of zero or more, not {clearance}.")
    if not (math.isfinite(weld) and weld >= 0.0):
        raise Refused(f"The weld distance must be a length of zero or more, not {weld}.")
    if weld > 0.0 and not recipe.welds:
        raise Unsupported(f"The method {recipe.title} cannot weld borders.")
    asked = RuleSet.of(rules)
    applied = asked.applied(scene.layout.names, scene.layout.group, scene.layout.groups)
    if regions and recipe.regions is None:
        raise Unsupported(f"The method {recipe.title} cannot measure depths of regions.")
    depth = depth or regions or (applied is not None and applied.needs_depths)
    if depth and recipe.depths is None:
        raise Unsupported(f"The method {recipe.title} cannot measure depths.")
    if self_collisions and recipe.within is None:
        raise Unsupported(f"The method {recipe.title} cannot look for self-collisions.")
    recipe.refuse_unless_met(scene, gpu, options)
    run = Run(progress, threads, contacts, recipe.chosen(options), main_thread, gpu)
    run.regions_wanted = regions
    run.self_collisions, run.weld = self_collisions, float(weld)
    selection = _with_rules(select(scene, pairs, asked.groups, recipe.takes_points, self_collisions), applied, run)
    if resting is not None:
        selection = replace(selection, resting=np.asarray(resting, bool)[selection.objects])
    near = Clearance.of(clearance, scene, selection.objects)
    if near.is_asked and recipe.clearances is None:
        raise Unsupported(f"The method {recipe.title} cannot measure clearances.")
    tolerated = _tolerated(tolerance, recipe, scene, selection, run)
    measured = {**(tolerated.settings if tolerated else {}), **({"depth": True} if depth or tolerated else {}),
                **({"regions": True} if regions else {}),
                **({"self_collisions": True} if self_collisions else {}), **({"volume": True} if volume else {})}
    run.contacts_wanted = contacts or "depth" in measured      # depths are measured by contacts
    measures = recipe.measures + ((recipe.depths,) if "depth" in measured and recipe.depths else ())
    if volume:
        from .volume.volumes import volumes  # a session that does not ask for it loads nothing of it
        measures += (Measure("volumes", partial(volumes, scene, selection)),)
    try:
        table = _run_stages(recipe, scene, selection, run, measures, near, tolerated)
        return _report(scene, recipe, selection, run, table, contacts, near, measured)
    except (MemoryError, TooLarge) as error:
        scene.cache.clear()
        let_go(error)
        raise


def _tolerated(asked, recipe: Method, scene: Scene, selection: Selection, run: Run) -> Tolerance | None:
    """What is tolerated of each pair; None where verdicts are exact, which a note says where it was not asked for."""
    asked = checked(asked)
    if recipe.shallow is None and asked == AUTOMATIC:
        run.note(f"Verdicts are exact, without a tolerance: the method {recipe.title} measures no depths.")
    elif recipe.shallow is None and asked:
        raise Unsupported(f"The method {recipe.title} cannot judge with a tolerance: it measures no depths.")
    elif asked:
        return Tolerance.of(asked, scene, selection)
    return None


def _with_rules(selection: Selection, applied: Applied | None, run: Run) -> Selection:
    """The selection without what the rules take away. Raises Refused where they leave nothing to test."""
    if applied is None:
        return selection
    selection = replace(selection, rules=applied)
    alone = run.self_collisions and len(selection.alone())
    if len(selection.objects) >= 2 and not alone and not any(len(a) for a, _ in allowed_pairs(selection)):
        raise NothingToTest("There is no pair of objects to test: the rules take all of them away.")
    applied.forget()        # else pairs that the line above asked about would be counted twice
    return selection


def _run_stages(recipe: Method, scene: Scene, selection: Selection, run: Run,
                measures: tuple[Measure, ...], near: Clearance, tolerance: Tolerance | None) -> PairTable:
    """The pairs that the broad phase kept, with what all stages after it found. Raises Cancelled where the progress
    callback did."""
    table = PairTable(NO_PAIRS, NO_PAIRS)
    shares = near.shares if tolerance is None else np.maximum(near.shares, tolerance.shares)
    if len(selection.objects) < (1 if run.self_collisions else 2):
        return table
    if tolerance is not None:
        from .tolerance import judging  # a session without a tolerance loads nothing of it
    objects = None
    try:
        with run.stage("prepare", len(scene.objects)) as record:
            objects = run.call(recipe, "prepare", scene, selection)
            record.items_out = len(selection.objects)
        with run.stage("broad phase", len(selection.objects)) as record:
            table = PairTable(*run.call(recipe, "broad_phase", objects, selection.grown(shares)))
            table.twins = partial(twins, scene, selection.objects)
            record.items_out = run.counts.setdefault("pairs", len(table))
            refuse_beyond(BYTES_PER_PAIR * len(table), "The pairs of these objects")
        with run.stage("contacts", len(table)) as record:
            table.contacts = contacts_within_budget(partial(run.call, recipe, "contacts", objects), table, run)
            record.items_out = len(table.contacts) if table.cut is None else int(table.cut.found.sum())
        with run.stage("verdicts", len(table)) as record:
            table.put(run.call(recipe, "verdicts", objects, table))
            table.mark_unfinished()
            record.items_out = int(np.count_nonzero(table.verdict != CLEAR))    # numpy 2 gives an np.int64
        if tolerance is not None:
            table.reach = np.maximum(near.of_pairs(table.a, table.b), tolerance.of_pairs(table.a, table.b))
        elif near.is_asked:
            table.reach = near.of_pairs(table.a, table.b)
        if near.is_asked or tolerance is not None:
            _measure_clearances(recipe, objects, table, run)
        if tolerance is not None:
            with run.stage("tolerance", len(table)) as record:
                judging.judge_gaps_and_moves(recipe, objects, table, near, tolerance, run)
                record.items_out = int(np.count_nonzero(table.verdict != table.exact))
        for measure in measures:
            with run.stage(measure.name, len(table)):
                table.put(run.call(measure, "columns", objects, table))
        if tolerance is not None:
            judging.judge_depths(recipe, objects, table, run)
        if run.regions_wanted:
            _measure_regions(recipe, objects, table, run)
        if not run.cancelled:
            table.put(exact_copies(scene, selection, table))
    except Cancelled:
        run.cancelled = True
        table.drop()
    if run.self_collisions and not run.dropped:
        table = with_themselves(recipe, objects, selection, table, run)
    if run.dropped:
        raise Cancelled
    return table


def _measure_clearances(recipe: Method, objects, table: PairTable, run: Run) -> None:
    """Call clear pairs near where they are, with the columns gap and gap_points. A pair that touches has the gap 0.
    Pairs up to `table.reach` are called near as well, until they are judged with the tolerance."""
    rows = np.flatnonzero(table.verdict == CLEAR)
    gap, points = np.full(len(table), np.nan), np.full((len(table), 2, 3), np.nan)
    with run.stage("clearances", len(rows)) as record:
        if run.cancelled:
            table.finished[rows] = False
        else:
            near, gap[rows], points[rows] = run.call(recipe, "clearances", objects, table, rows)
            table.verdict[rows[near]] = NEAR
        table.mark_unfinished()
        gap[table.verdict == TOUCHING] = 0.0
        table.put({"gap": gap, "gap_points": points})
        record.items_out = int((table.verdict == NEAR).sum())


def _measure_regions(recipe: Method, objects, table: PairTable, run: Run) -> None:
    """Divide pairs into regions, and say of how many that was not done."""
    table.regions = np.zeros(0, REGION_DTYPE)
    with run.stage("regions", len(table)) as record:
        table.regions, known = run.call(recipe, "regions", objects, table)
        record.items_out = len(table.regions)
    left = int(np.count_nonzero(~known & np.isin(table.verdict, (CONTAINED, OVERLAP, CROSSING))
                                & ~np.isnan(table.measured["depth"])))
    if left and not run.cancelled:
        run.note(f"{left:,} {'pair was' if left == 1 else 'pairs were'} not divided into regions: too many contacts or "
                 "regions.")


def _report(scene: Scene, recipe: Method, selection: Selection, run: Run, table: PairTable, contacts: bool,
            near: Clearance, measured: dict) -> Report:
    """The Report: pairs that are not clear, by the scene's own numbers of objects. contacts: whether they are listed;
    measured: settings that say what was measured."""
    listed = _listed(table, run, selection)
    pairs = np.repeat(BLANK, len(listed))
    pairs["a"], pairs["b"] = selection.objects[table.a[listed]], selection.objects[table.b[listed]]
    pairs["verdict"], pairs["status"] = table.verdict[listed], table.status[listed]
    pairs["exact"] = pairs["verdict"] if table.exact is None else table.exact[listed]
    if table.inner.any():
        tells = (pairs["verdict"] == CONTAINED) | (pairs["verdict"] == CANNOT_TELL)
        pairs["inner"] = np.where(tells, table.inner[listed], NEITHER)
    for name, column in table.measured.items():
        pairs[name] = column[listed]
    regions = np.zeros(0, REGION_DTYPE) if run.regions_wanted else None
    if table.regions is not None:
        regions = table.regions
        regions = regions[np.isin(regions["pair"], listed)]
        regions["pair"] = np.searchsorted(listed, regions["pair"])
    found = table.contacts
    if found is None or (len(found) and not contacts):
        found = Contacts.empty()
    if len(found):
        count = np.bincount(found.pair, minlength=len(table))[listed]
        pairs["contacts"] = count
        pairs["contact_start"] = np.cumsum(count) - count
        if len(listed) < len(table):
            row = np.zeros(len(table), np.int32)
            row[listed] = np.arange(len(listed))
            found.pair = row[found.pair]
    if table.cut is not None and contacts:
        pairs["unlisted"] = table.cut.found[listed] - pairs["contacts"]
        total = int(table.cut.found[listed].sum())
        if total > len(found):
            run.note(f"The first {len(found):,} of {total:,} contacts are listed. Verdicts rest on all of them.")
    n = len(selection.objects)
    shells = [scene.layout.names[i] for i in selection.objects[scene.layout.shell[selection.objects]].tolist()]
    if shells:
        run.note("1 object is a shell: what is inside it is clear." if len(shells) == 1 else
                 f"{len(shells):,} objects are shells: what is inside them is clear.")
    settings = {"contacts": contacts, **({"clearance": near.of_all} if near.of_all else {}),
                **({"weld": run.weld} if run.weld else {}),
                **({"shells": shells} if shells else {}), **measured,
                **({"options": run.options} if run.options else {})}
    return Report(recipe.id, settings, _tested(scene, selection.objects), selection.skipped, pairs, found, run.stages,
                  {"possible_pairs": n * (n - 1) // 2, "pairs": len(table), **run.counts}, run.cancelled, run.notes,
                  rules=None if selection.rules is None else selection.rules.outcome(), regions=regions)


def _listed(table: PairTable, run: Run, selection: Selection) -> np.ndarray:
    """(k,) int64, ascending: the rows of the table that the report lists, all that are not clear, nor tolerated by a
    rule. Of the unfinished ones of a cancelled run it lists the first MAX_CANCELLED_PAIRS."""
    told = table.verdict != CLEAR
    if selection.rules is not None:
        told &= ~selection.rules.tolerated(selection.objects, table.a, table.b, table.verdict, table.measured)
        if table.contacts is not None:
            table.contacts = table.contacts.take(told[table.contacts.pair])
    if run.cancelled:
        unfinished = np.flatnonzero(told & (table.status == CANCELLED) & (table.verdict == CANNOT_TELL))
        if len(unfinished) > MAX_CANCELLED_PAIRS:
            told[unfinished[MAX_CANCELLED_PAIRS:]] = False
            run.note(f"{len(unfinished):,} pairs were not finished; the first {MAX_CANCELLED_PAIRS:,} of them are "
                     "listed.")
            if table.contacts is not None:
                table.contacts = table.contacts.take(told[table.contacts.pair])
    return told.nonzero()[0]


def _tested(scene: Scene, objects: np.ndarray) -> list[ObjectInfo]:
    """What a report says of the objects (n,) int32. Each report has a list of its own, as its reader may change it."""
    kept = scene.cache.get("tested")
    if kept is None or kept[0] is not scene.layout or kept[1] is not objects:
        names, mesh, clearance = scene.layout.names, scene.layout.mesh, scene.layout.clearance.tolist()
        infos = [ObjectInfo(i, names[i], len(scene.meshes[mesh[i]].triangles), clearance=clearance[i])
                 for i in objects.tolist()]
        kept = scene.cache["tested"] = scene.layout, objects, infos
    return list(kept[2])
