# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → what surfaces are to each other: crossing, touching or apart, whatever the solids share."""
from collections.abc import Callable

import numpy as np

from ..codes import CROSSING, TOUCHING
from ..contacts import POINT, Contacts
from ..geometry.orientation import EXPANSION_SIZE
from ..machine_code.jit import kernel
from ..pair_table import PairTable
from ..records import PlacedEdges
from .closedness import ORIENTED
from .edge_crossing import edge_crossings
from .mesh_topology import MeshTopology

CONTACTS_PER_CALL = 1 << 14     # of the kernel: some hundredths of a second


def first_verdicts(table: PairTable) -> np.ndarray:
    """(pairs,) int8 verdicts: crossing where triangles pass through each other, touching where some meet, else clear.
    """
    verdict, contacts = np.zeros(len(table), np.int8), table.contacts           # CLEAR
    assert contacts is not None
    if table.cut is not None:
        verdict[table.cut.found > 0] = TOUCHING
    if len(contacts):
        judge_by_contacts(contacts.pair, contacts.proper, verdict)
    verdict[table.crossing] = CROSSING
    return verdict


@kernel
def judge_by_contacts(pair, proper, verdict):
    """Raise verdict[i], (pairs,) int8, to what the contacts of pair i say. pair: (n,) int32; proper: (n,) bool."""
    for k in range(pair.shape[0]):
        if proper[k]:
            verdict[pair[k]] = CROSSING
        elif verdict[pair[k]] != CROSSING:
            verdict[pair[k]] = TOUCHING


def crossings_at_edges(topology: MeshTopology, objects: np.ndarray, a: np.ndarray, b: np.ndarray, contacts: Contacts,
                       asked: np.ndarray, tick: Callable[[], None]) -> np.ndarray:
    """(pairs,) uint8 answers of edge_crossing.py: do the surfaces pass through each other along edges? NO for pairs
    that are not asked, (pairs,) bool.

    objects: (n,) indices into the scene's objects; a, b: (pairs,) int32, rows of `objects`; contacts: all of these
    pairs. tick: called now and then, may raise Cancelled.
    """
    answer = np.zeros(len(a), np.uint8)                 # NO
    along = np.zeros(len(a), bool)
    find_along(contacts.columns, asked, along)
    if not along.any():
        return answer
    scene = topology.scene
    used = np.unique(np.concatenate([a[along], b[along]]))
    mesh_of = scene.layout.mesh[objects[used]]
    wanted, number = np.unique(mesh_of, return_inverse=True)
    joined = topology.joined(wanted)
    poses = np.ascontiguousarray(scene.poses[objects[used], :3])
    placed = PlacedEdges(joined.vertices, joined.triangles, joined.triangle_start[number.reshape(-1)], poses,
                         (topology.closed(mesh_of) == ORIENTED).astype(np.uint8), joined.edges)
    object_a, object_b = (np.searchsorted(used, side).astype(np.int32) for side in (a, b))
    P, triangle_rows, expansion = np.empty((9, 3)), np.empty(6, np.int64), np.empty(EXPANSION_SIZE)
    for start in range(0, len(contacts), CONTACTS_PER_CALL):
        edge_crossings(start, min(len(contacts), start + CONTACTS_PER_CALL), contacts.columns, asked, object_a,
                       object_b, placed, P, triangle_rows, expansion, answer)
        tick()
    return answer


@kernel
def find_along(found, asked, along):
    """along[i] = True for pairs i that are asked and have contacts in more than points. found: ContactColumns; asked,
    along: (pairs,) bool."""
    for k in range(found.pair.shape[0]):
        if found.kind[k] != POINT and asked[found.pair[k]]:
            along[found.pair[k]] = True
