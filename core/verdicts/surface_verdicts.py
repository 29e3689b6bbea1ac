# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → what surfaces are to each other: crossing, touching or apart, whatever the solids share."""
from collections.abc import Callable

import numpy as np

from ..arrays import starts_of
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
    # Surfaces that pass through each other do so along curves: contacts in points alone cannot.
    rows = np.flatnonzero(asked[contacts.pair] & (contacts.kind != POINT))
    if len(rows) == 0:
        return answer
    scene, pair = topology.scene, contacts.pair[rows]
    used = np.unique(np.concatenate([a[pair], b[pair]]))
    mesh_of = scene.layout.mesh[objects[used]]
    wanted, number = np.unique(mesh_of, return_inverse=True)
    meshes = [scene.meshes[i] for i in wanted]
    first_vertex, by_place = starts_of([len(mesh.vertices) for mesh in meshes]), topology.by_place(wanted)

    def corners(side: np.ndarray, triangle: np.ndarray) -> np.ndarray:
        """(rows,3) int64 vertices, numbered through all meshes, of one side's triangles."""
        found, mesh_number = np.empty((len(rows), 3), np.int64), number[np.searchsorted(used, side[pair])]
        for i in np.unique(mesh_number):
            mine = np.flatnonzero(mesh_number == i)
            found[mine] = by_place[i][0][triangle[rows[mine]]] + first_vertex[i]
        return found

    poses = np.ascontiguousarray(scene.poses[objects[used], :3])
    placed = PlacedEdges(np.concatenate([mesh.vertices for mesh in meshes]), poses,
                         (topology.closed(mesh_of) == ORIENTED).astype(np.uint8),
                         topology.joined_edges([edges for _, edges in by_place]))
    object_a, object_b = (np.searchsorted(used, side).astype(np.int32) for side in (a, b))
    corners_a, corners_b = corners(a, contacts.triangle_a), corners(b, contacts.triangle_b)
    P, triangle_rows, expansion = np.empty((9, 3)), np.empty(6, np.int64), np.empty(EXPANSION_SIZE)
    for start in range(0, len(rows), CONTACTS_PER_CALL):
        some = slice(start, start + CONTACTS_PER_CALL)
        edge_crossings(pair[some], corners_a[some], corners_b[some], object_a, object_b, placed, P, triangle_rows,
                       expansion, answer)
        tick()
    return answer
