# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → one verdict per pair of objects."""
import numpy as np

from ..arrays import PlacedEdges, starts_of
from ..codes import CROSSING, TOUCHING
from ..contacts import POINT, Contacts
from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.undecided import UNDECIDED
from ..reference import Surface, crosses
from ..scene import Scene
from .closedness import ORIENTED
from .edge_crossing import YES, edge_crossings
from .mesh_topology import MeshTopology


def first_verdicts(crossing: np.ndarray, contacts: Contacts) -> np.ndarray:
    """(pairs,) int8 codes: crossing where triangles pass through each other, touching where some meet, else clear.
    crossing: (pairs,) bool, those of which that is known without a contact."""
    verdict = np.zeros(len(crossing), np.int8)          # CLEAR
    if len(contacts):
        verdict[contacts.pair] = TOUCHING
        verdict[contacts.pair[contacts.proper]] = CROSSING
    verdict[crossing] = CROSSING
    return verdict


def edge_crossing_verdicts(scene: Scene, objects: np.ndarray, a: np.ndarray, b: np.ndarray, contacts: Contacts,
                     open_question: np.ndarray, verdict: np.ndarray) -> None:
    """Set verdict to CROSSING where surfaces pass through each other along edges.

    objects: indices into scene.objects that a and b count in; contacts: all of these pairs; open_question: (pairs,)
    bool, the pairs to look at.
    """
    # Surfaces that pass through each other do so along curves: contacts in points alone cannot.
    rows = np.flatnonzero(open_question[contacts.pair] & (contacts.kind != POINT))
    if len(rows):
        answer = _passing(scene, objects, a, b, contacts, rows)
        for pair in np.flatnonzero(answer == UNDECIDED):
            found = contacts.take(contacts.pair == pair)
            one, other = (Surface.of(scene, objects[side[pair]]) for side in (a, b))
            answer[pair] = YES if crosses(one, other, found) else 0
        verdict[answer == YES] = CROSSING


def _passing(scene: Scene, objects, a, b, contacts: Contacts, rows: np.ndarray) -> np.ndarray:
    """Answers of passing.py per pair, from the given contacts."""
    facts = MeshTopology(scene)
    used = np.unique(np.concatenate([a[contacts.pair[rows]], b[contacts.pair[rows]]]))
    mesh_of = np.array([scene.objects[objects[i]].mesh for i in used])
    wanted, place = np.unique(mesh_of, return_inverse=True)
    meshes = [scene.meshes[i] for i in wanted]
    first = starts_of([len(mesh.vertices) for mesh in meshes])
    corners_a = _corners(scene, objects, a, contacts.pair, contacts.triangle_a, rows, used, place, first)
    corners_b = _corners(scene, objects, b, contacts.pair, contacts.triangle_b, rows, used, place, first)
    poses = np.array([scene.objects[objects[i]].pose[:3] for i in used])
    answer = np.zeros(len(a), np.uint8)
    local = np.searchsorted(used, a).astype(np.int32), np.searchsorted(used, b).astype(np.int32)
    placed = PlacedEdges(np.concatenate([mesh.vertices for mesh in meshes]), poses,
                         (facts.closed(mesh_of) == ORIENTED).astype(np.uint8), facts.joined_edges(wanted.tolist()))
    edge_crossings(contacts.pair[rows], corners_a, corners_b, *local, placed, np.empty((9, 3)),
                   np.empty(EXPANSION_SIZE), answer)
    return answer


def _corners(scene: Scene, objects, side, pair, triangle, rows, used, place, first) -> np.ndarray:
    """(rows,3) int64: vertices, numbered through all meshes, of one side's triangles."""
    corners = np.empty((len(rows), 3), np.int64)
    number = place[np.searchsorted(used, side[pair[rows]])]
    for mesh in np.unique(number):
        mine = np.flatnonzero(number == mesh)
        obj = objects[side[pair[rows[mine[0]]]]]
        corners[mine] = scene.meshes[scene.objects[obj].mesh].triangles[triangle[rows[mine]]] + first[mesh]
    return corners
