# SPDX-License-Identifier: GPL-3.0-or-later
"""The default: the fastest exact pipeline of the project.

Linear BVHs per mesh, shared by instances and refitted where objects stand; a tree over the objects as broad phase;
both trees of a pair descended with sixteen box tests at a time; triangle pairs through a float filter with derived
error bounds, exact expansions for the rest.
"""
import numpy as np

from ..broad_phase.in_frames import overlapping_in_frames
from ..broad_phase.object_tree import FEW_OBJECTS, WANTED_PER_OBJECT, overlapping_among, overlapping_pairs
from ..distance.gaps import near_pairs
from ..machine_code.jit import COMPILED
from ..method import Measure, Method
from ..mid_phase import bars, thin_objects
from ..run import Run
from ..scene.frames import Frames
from ..scene.tiny import two_wavy_sheets
from ..search.contact_search import count_pairs, take_up_to
from ..search.stream import stream_contacts
from ..trees.bvh.forest import Forest
from ..verdicts.judging import verdicts


def prepare(scene, selection, run: Run):
    quantization = None if selection.frames is None else selection.frames.quantization
    return Forest.of(scene, selection.objects, selection.bounds, run.tick, run.threads, quantization)


def broad_phase(forest, selection, run: Run):
    def tick(found):
        run.tick(0.5)

    def count(tests):
        run.count(broad_tests=tests)

    objects, wanted = len(selection.objects), selection.wanted
    if selection.frames is not None:
        a, b = overlapping_in_frames(selection.bounds, selection.frames, tick, count)
    elif wanted is not None and objects > FEW_OBJECTS and len(wanted) <= WANTED_PER_OBJECT * objects:
        a, b = overlapping_among(selection.bounds, forest.quantization, wanted, tick, count)
    else:
        a, b = overlapping_pairs(selection.bounds, forest.quantization, tick, count,
                                 None if selection.resting is None else ~selection.resting)
    if selection.allows_all:
        return a, b
    allowed = selection.allows(a, b)
    return (a, b) if allowed.all() else (a[allowed], b[allowed])


def depths(forest, table, run: Run):
    from ..depth.depths import measure_depths  # a session that measures no depths loads nothing of it

    return measure_depths(forest, table, run)


def regions(forest, table, run: Run):
    from ..depth.regions import measure_regions  # as above

    return measure_regions(forest, table, run)


def moves(forest, table, rows, run: Run):
    from ..tolerance import moves  # as above

    return moves.moves(forest, table, rows, run)


def shallow(forest, table, rows, run: Run):
    from ..tolerance import shallow  # as above

    return shallow.shallow(forest, table, rows, run)


def coincide(forest, table, rows, limits, run: Run):
    from ..tolerance import shallow  # as above

    return shallow.coincide(forest, table, rows, limits, run)


def within(forest, table, run: Run):
    from ..self_collision.search import contacts_within  # as above

    return contacts_within(forest, table, run)


def warm_up(detect):
    """So many objects that the broad phase makes a tree of them, hits of a cancelled run, a pair that threads share, an
    object that they place together."""
    boxes = np.tile(np.arange(FEW_OBJECTS + 1.0)[:, None], 6) + (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    overlapping_pairs(boxes, np.array([0.0, 0.0, 0.0, 1.0]), lambda found: None)
    overlapping_among(boxes, np.array([0.0, 0.0, 0.0, 1.0]), np.arange(1), lambda found: None, lambda tests: None)
    overlapping_pairs(boxes, np.array([0.0, 0.0, 0.0, 1.0]), lambda found: None, moves=np.arange(len(boxes)) == 0)
    both = np.arange(2, dtype=np.int64)[None]
    overlapping_in_frames(boxes, Frames(both, both < 0, np.array([0.0, 0.0, 0.0, 1.0])), lambda found: None,
                          lambda tests: None)
    thin_objects.compile_search()
    bars.compile_search()
    hits, count = np.zeros((2, 3), np.int32), np.zeros(1, np.int64)
    count_pairs(hits, count)
    take_up_to(hits, 1, np.zeros(1, np.int64), np.empty((1, 3), np.int32), 0)
    if COMPILED:        # plain Python would take minutes, for nothing
        sheets = two_wavy_sheets()
        detect(sheets)
        sheets.cache["forest"].place_in_chunks(0)


METHOD = Method(
    id="touchpoint",
    title="Touchpoint",
    document="",
    summary="Fast and exact: use this one. Triangle contacts by bounding volume hierarchies",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=stream_contacts,
    verdicts=verdicts,
    welds=True,
    clearances=near_pairs,
    depths=Measure("depths", depths),
    regions=regions,
    moves=moves,
    shallow=shallow,
    coincide=coincide,
    within=within,
    warm_up=warm_up,
)
