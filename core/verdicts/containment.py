# SPDX-License-Identifier: GPL-3.0-or-later
"""Does an object lie inside another one whose surface it does not meet?

A component of a surface that does not meet the other surface lies wholly inside or wholly outside it. Where the other
mesh is closed, one vertex of each component decides.
"""
from collections.abc import Callable

import numpy as np

from ..arrays import starts_of
from ..codes import A_IN_B, B_IN_A, CANNOT_TELL, CONTAINED, NEITHER, NOT_CLOSED, OK, OVERLAP
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import Lids
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from .closedness import OPEN
from .mesh_topology import MeshTopology
from .openings import exit_width, lids
from .parts_inside import box_search, rays_of_components
from .rays import ENCLOSED, INSIDE_BITS, WITHIN, WITHOUT, enclosed_by_rays, ray_scratch
from .welding import inside_when_welded

BOXES_APART, BOXES_MEET, BOX_HOLDS = 0, 1, 2        # what a box is to another one


def containment(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray, rows: np.ndarray,
                verdict: np.ndarray, status: np.ndarray, inner: np.ndarray, undecided: np.ndarray,
                tick: Callable[[float], None]) -> None:
    """Set the verdicts of pairs whose surfaces do not meet.

    verdict[rows] becomes CONTAINED, and `inner` says how, where one object of the pair lies inside the other. It
    becomes OVERLAP where only some components of it do. It becomes CANNOT_TELL, with a status and `inner`, where a mesh
    that is not closed seems to enclose the other object: its box holds the other's box, the other is too large for its
    openings, and rays in all six directions from a vertex of the other cross it; or the weld distance closes the mesh,
    and the other is too near its rim. undecided[rows] becomes True where numbers span too much for exact signs.

    a, b: (pairs,) int32, positions in the forest; verdict, status, inner, undecided: (pairs,); tick: called with the
    fraction done, may raise Cancelled.
    """
    if len(rows) == 0:
        return
    how = np.empty(len(rows), np.uint8)
    compare_boxes(forest.bounds, a[rows], b[rows], how)     # within a clearance objects can be far from each other
    rows = rows[how != BOXES_APART]
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        i, j = a[here], b[here]
        both = _within(forest, topology, forest.tight_bounds(i, j), np.concatenate([i, j]), np.concatenate([j, i]))
        if not (both & (WITHIN | ENCLOSED | UNDECIDED)).any():
            continue
        a_in_b, b_in_a = both[:len(here)], both[len(here):]
        found = a_in_b | b_in_a
        shares = found & WITHIN > 0
        for this, code in ((b_in_a, B_IN_A), (a_in_b, A_IN_B)):
            leaky = here[this & ENCLOSED > 0]
            verdict[leaky], status[leaky], inner[leaky] = CANNOT_TELL, NOT_CLOSED, code
        verdict[here[shares]], inner[here[shares]] = OVERLAP, NEITHER
        for this, other, code in ((a_in_b, b_in_a, A_IN_B), (b_in_a, a_in_b, B_IN_A)):
            whole = here[(this & (WITHIN | WITHOUT) == WITHIN) & (other & WITHIN == 0)]
            verdict[whole], inner[whole] = CONTAINED, code
        status[here[shares]] = OK
        undecided[here[found & UNDECIDED > 0]] = True


def side_by_side(forest: Forest, a: np.ndarray, b: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """(pairs,) bool: a plane across an axis has all of one object on one side and all of the other on the other side,
    so that at most they touch, in that plane. False for pairs that are not asked, (pairs,) bool."""
    answer = np.zeros(len(a), bool)
    rows = np.flatnonzero(asked)
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        i, j = a[rows[batch]], b[rows[batch]]
        bounds = forest.tight_bounds(i, j)
        beside = (bounds[i, HIGH:] <= bounds[j, :HIGH]) | (bounds[j, HIGH:] <= bounds[i, :HIGH])
        answer[rows[batch]] = beside.any(axis=1)
    return answer


def _within(forest: Forest, topology: MeshTopology, bounds: np.ndarray, inner: np.ndarray,
            outer: np.ndarray) -> np.ndarray:
    """(pairs,) uint8 bits: WITHIN and WITHOUT for components of inner[i] that are inside outer[i], or are not; ENCLOSED
    where it seems so, but outer[i] is not closed; UNDECIDED. 0 where it is plain that no component is inside.

    bounds: (objects,6) float64, tight boxes.
    """
    answer = np.zeros(len(inner), np.uint8)
    near, fits = np.empty(len(inner), np.int64), np.empty(len(inner), bool)
    pairs = bounds, inner, outer, forest.mesh_index
    count = find_insides(*pairs, *topology.known_components(), near, fits)
    if count < 0:
        topology.single(forest.mesh_of(inner))
        count = find_insides(*pairs, *topology.known_components(), near, fits)
    if count == 0:
        return answer
    near, fits = near[:count], fits[:count]
    i, o = inner[near], outer[near]
    closed, shell = topology.solid(forest.objects[o]), forest.scene.layout.shell[forest.objects[o]]
    sure, leaky = (closed != OPEN).nonzero()[0], ((closed == OPEN) & fits & ~shell).nonzero()[0]
    welded = leaky[:0]
    if topology.weld:
        welded = leaky[topology.welds(forest.objects[o[leaky]]) & topology.single(forest.mesh_of(i[leaky]))]
    if len(welded):
        inside, told = inside_when_welded(forest, topology, bounds, i[welded], o[welded])
        answer[near[welded]] = np.where(told, np.where(inside, WITHIN, WITHOUT), ENCLOSED)
        topology.welded.update(forest.objects[o[welded]].tolist())
        leaky = np.setdiff1d(leaky, welded)
    if len(sure):
        found = np.zeros(len(sure), np.uint8)
        rays_of_components(i[sure], o[sure], INSIDE_BITS[closed[sure]], fits[sure],
                           *topology.vertices_of_components(forest.mesh_of(i[sure])), forest.placed_trees,
                           ray_scratch(), box_search(), found)
        answer[near[sure]] = found
    if len(leaky):
        _ask_leaky(forest, topology, bounds, near[leaky], i[leaky], o[leaky], answer)
    return answer


def _ask_leaky(forest: Forest, topology: MeshTopology, bounds: np.ndarray, rows: np.ndarray, inner: np.ndarray,
               outer: np.ndarray, answer: np.ndarray) -> None:
    """Set answer[rows[k]] to ENCLOSED or UNDECIDED where outer[k], which is not closed, encloses inner[k], or may do
    so: rays say so of what is too large for its openings, as a ball around it. What could leave is not inside: a
    tunnel, a room without a ceiling, a dome are surfaces."""
    x, y, z = (bounds[inner, HIGH:] - bounds[inner, :HIGH]).T
    diameters = np.hypot(np.hypot(x, y), z)
    shells, row = np.unique(outer, return_inverse=True)
    sheets = [topology.sheets(int(forest.mesh_of(shell))) for shell in shells.tolist()]
    poses = [forest.poses[shell] for shell in shells.tolist()]
    widths = np.array([exit_width(each, pose[:, :3]) for each, pose in zip(sheets, poses)])
    shut_in = (diameters > widths[row]).nonzero()[0]
    if len(shut_in) == 0:
        return
    boxes = [lids(each, pose) for each, pose in zip(sheets, poses)]
    shut = Lids(row[shut_in], starts_of([len(each) for each in boxes]), np.concatenate(boxes))
    found = np.zeros(len(shut_in), np.uint8)
    enclosed_by_rays(inner[shut_in], outer[shut_in], bounds, forest.vertex_count, shut, forest.placed_trees,
                     ray_scratch(), found)
    answer[rows[shut_in]] = found


@kernel
def compare_boxes(bounds, inner, outer, how):
    """how[k] = what box outer[k] is to box inner[k]. bounds: (n,6) float64, lo x y z hi x y z."""
    for k in range(inner.shape[0]):
        how[k] = what_box_is(bounds, inner[k], outer[k])


@kernel
def what_box_is(bounds, inner, outer):
    """BOX_HOLDS where box `outer` holds box `inner`, BOXES_MEET where they have a point in common, else BOXES_APART."""
    one = bounds[inner]
    other = bounds[outer]
    holds = True
    meets = True
    for x in range(3):
        holds &= other[x] <= one[x] and one[HIGH + x] <= other[HIGH + x]
        meets &= other[x] <= one[HIGH + x] and one[x] <= other[HIGH + x]
    return BOX_HOLDS if holds else BOXES_MEET if meets else BOXES_APART


@kernel
def find_insides(bounds, inner, outer, mesh, of_tree, built, components, near, fits):
    """near[:n] = the pairs k of which a component of inner[k] may be inside outer[k]: the box of outer[k] holds its
    box, as fits[:n] says, or meets it, and inner[k] has several components. Returns n, or -1 where it is not known how
    many it has.

    bounds: (n,6) float64, tight boxes; inner, outer: (k,) int32, objects; mesh: (objects,) int64; of_tree, built,
    components: (meshes,) int64, how many components there are, which is known where the first two agree.
    """
    count = 0
    for k in range(inner.shape[0]):
        how = what_box_is(bounds, inner[k], outer[k])
        if how == BOXES_APART:
            continue
        if how != BOX_HOLDS:
            index = mesh[inner[k]]
            if of_tree[index] != built[index]:
                return -1
            if components[index] == 1:
                continue
        near[count] = k
        fits[count] = how == BOX_HOLDS
        count += 1
    return count
