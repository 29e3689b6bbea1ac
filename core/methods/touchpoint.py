# SPDX-License-Identifier: GPL-3.0-or-later
"""The default: the fastest exact pipeline of the project.

Linear BVHs per mesh, shared by instances and refitted where objects stand; a tree over the objects as broad phase;
both trees of a pair descended with sixteen box tests at a time; triangle pairs through a float filter with derived
error bounds, exact expansions for the rest.
"""
import numpy as np

from ..broad_phase.object_tree import overlapping_pairs
from ..contacts.flush import shared_volume
from ..contacts.inside import containment, side_by_side
from ..contacts.verdicts import first_verdicts, passing_verdicts
from ..distance.gaps import near_pairs
from ..errors import Cancelled
from ..method import Method
from ..narrow_phase.stream import stream_contacts
from ..reference import Surface, judge
from ..report import CLEAR, TOUCHING
from ..trees.forest import Forest


def prepare(scene, selection, run):
    return Forest(scene, selection.objects, selection.bounds, run.tick, run.threads)


def broad_phase(forest, selection, run):
    a, b = overlapping_pairs(selection.bounds, forest.frame, lambda found: run.tick(0.5))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def verdicts(forest, a, b, contacts, run):
    verdict = first_verdicts(len(a), contacts)
    status, inner = np.zeros(len(a), np.uint8), np.zeros(len(a), np.int8)
    unsure = np.zeros(len(a), bool)
    apart, touching = ((verdict == code) & run.finished for code in (CLEAR, TOUCHING))
    try:
        deep = touching & ~side_by_side(forest, a, b, touching)
        passing_verdicts(forest.scene, forest.objects, a, b, contacts, deep, verdict)
        containment(forest, a, b, np.flatnonzero(apart), verdict, status, inner, unsure, run.tick)
        shared_volume(forest, a, b, contacts, np.flatnonzero(deep & (verdict == TOUCHING)), verdict, inner, unsure,
                      run.tick)
    except Cancelled:
        run.finished[apart | touching] = False
    for row in np.flatnonzero(unsure):      # coordinates made to span hundreds of orders of magnitude
        one, other = (Surface.of(forest.scene, forest.objects[side[row]]) for side in (a, b))
        verdict[row], status[row], inner[row] = judge(one, other, contacts.take(contacts.pair == row))
    return verdict, status, inner


METHOD = Method(
    id="touchpoint",
    title="Touchpoint",
    document="",
    summary="Exact triangle contacts by bounding volume hierarchies: the fastest method here, and the default",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=stream_contacts,
    verdicts=verdicts,
    clearances=near_pairs,
)
