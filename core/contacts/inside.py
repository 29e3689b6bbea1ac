# SPDX-License-Identifier: GPL-3.0-or-later
"""Is an object inside another one whose surface it does not meet?

A part of a surface that does not meet the other surface lies wholly inside or wholly outside it, so that where the
other mesh is closed one vertex decides for each connected part.
"""
import numpy as np

from ..report import CANNOT_TELL, CONTAINED, NOT_CLOSED, OK
from ..trees.forest import Forest
from .closed import EVEN, OPEN, ORIENTED, closedness, parts
from .rays import ODD, UNKNOWN, WOUND, cast_rays, enclosed_by_rays, scratch

DECIDES = {ORIENTED: WOUND, EVEN: ODD, OPEN: 0}


def containment(forest: Forest, a: np.ndarray, b: np.ndarray, rows: np.ndarray, verdict: np.ndarray,
                status: np.ndarray, unsure: np.ndarray, tick) -> None:
    """Set verdict[rows] to CONTAINED where a part of one object of the pair lies inside the other, and to CANNOT_TELL,
    with a status, where a mesh that is not closed seems to enclose the other: its box holds the other's box, and rays
    in all six directions from a vertex of the other cross it.

    a, b: (pairs,) int32, positions in the forest; rows: pairs whose surfaces do not meet; verdict, status,
    unsure: (pairs,), the last set where numbers span too much for exact signs.
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        bounds = forest.tight_bounds(np.unique(np.concatenate([a[here], b[here]])))
        for inner, outer in ((a[here], b[here]), (b[here], a[here])):
            fits = ((bounds[inner, :3] >= bounds[outer, :3]) & (bounds[inner, 3:] <= bounds[outer, 3:])).all(axis=1)
            asked = np.flatnonzero(fits | ~single_part(forest, inner))
            closed = np.array([closedness_of(forest, obj) for obj in outer[asked]], np.int8)
            answer = _rays_of_parts(forest, inner[asked], outer[asked])
            inside = answer & np.array([DECIDES[kind] for kind in closed.tolist()], np.uint8) > 0
            leaky = asked[(closed == OPEN) & fits[asked]]
            leaky = leaky[_enclosed(forest, inner[leaky], outer[leaky])]
            contained = here[asked[inside]]
            verdict[contained], status[contained] = CONTAINED, OK
            leaky = here[leaky][verdict[here[leaky]] != CONTAINED]
            verdict[leaky], status[leaky] = CANNOT_TELL, NOT_CLOSED
            unsure[here[asked[answer & UNKNOWN > 0]]] = True


def _rays_of_parts(forest: Forest, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """(pairs,) uint8: bits of rays from a vertex of each part of inner[i] through outer[i]."""
    meshes = forest.mesh_of(inner)
    wanted, place = np.unique(meshes, return_inverse=True)
    starts = [forest.scene.meshes[mesh].triangles[parts_of(forest, mesh)[0], 0] for mesh in wanted]
    first = np.concatenate([[0], np.cumsum([len(each) for each in starts], dtype=np.int64)])
    answer = np.zeros(len(outer), np.uint8)
    if len(outer):
        cast_rays(inner, outer, first[place], first[place + 1], np.concatenate(starts), *forest.placed_trees,
                  *scratch(), answer)
    return answer


def _enclosed(forest: Forest, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """(pairs,) bool: rays in all six directions from one and the same vertex of inner[i] cross outer[i]."""
    answer = np.zeros(len(outer), np.uint8)
    enclosed_by_rays(inner, outer, forest.triangle_count, *forest.placed_trees, *scratch(), answer)
    return answer > 0


def single_part(forest: Forest, objects: np.ndarray) -> np.ndarray:
    """(n,) bool: the mesh of the object is of one connected part."""
    wanted, place = np.unique(forest.mesh_of(objects), return_inverse=True)
    return np.array([len(parts_of(forest, mesh)[0]) == 1 for mesh in wanted], bool)[place]


def parts_of(forest: Forest, index: int) -> tuple[np.ndarray, np.ndarray]:
    """`closed.parts` of a mesh of the scene; kept with the scene."""
    kept = forest.scene.cache.setdefault("parts", {})
    if index not in kept:
        mesh = forest.scene.meshes[index]
        kept[index] = parts(mesh.triangles, len(mesh.vertices))
    return kept[index]


def closedness_of(forest: Forest, obj: int) -> int:
    """Of the mesh of a position in the forest; kept with the scene."""
    index = int(forest.mesh_of(obj))
    mesh = forest.scene.meshes[index]
    kept = forest.scene.cache.setdefault("closedness", {})
    if kept.get(index, (None, 0))[0] != mesh.version:       # moved vertices may fall together
        kept[index] = mesh.version, closedness(mesh.vertices, mesh.triangles)
    return kept[index][1]
