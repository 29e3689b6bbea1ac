# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that are deep in a closed mesh, if it has any depth: where two solids that coincide are looked for."""
import numpy as np

from ..records import MeshEdges
from ..scene import Scene
from ..scene.scene import Mesh
from ..verdicts.closedness import positions_of
from ..verdicts.components import components
from ..verdicts.edges import HIGH_END
from ..verdicts.mesh_topology import MeshTopology
from .chords import middles_of_chords

MOST_COMPONENTS = 1 << 10


def inner_points(scene: Scene, topology: MeshTopology, index: int) -> np.ndarray | None:
    """(k,3) float64, local: points of which most are deep in a mesh, where it has a depth, kept with the scene; None
    for a mesh of very many components."""
    kept = scene.cache.setdefault("inner points", {})
    version = int(scene.versions[index])
    if kept.get(index, (None,))[0] != version:
        mesh = scene.meshes[index]
        component = closed_components(mesh, topology.edges(index), topology.components(index)[1])
        count = 1 + int(component.max(initial=-1))
        kept[index] = version, (middles_of_chords(mesh.vertices, mesh.triangles, component, count)
                                if count <= MOST_COMPONENTS else None)
    return kept[index][1]


def closed_components(mesh: Mesh, edges: MeshEdges, component: np.ndarray) -> np.ndarray:
    """(m,) int64: the component of each triangle of a closed mesh, where those that have a border are one component if
    they have a position in common: files are imported with a vertex per corner, so that a box is twelve pieces. What is
    closed by itself stays apart from what it touches, and has points of its own.

    component: (m,) int32, by the numbers of vertices.
    """
    vertex = np.repeat(np.arange(len(edges.start) - 1), np.diff(edges.start))
    high = edges.wings[:, HIGH_END]
    begin = np.flatnonzero(np.append(True, (vertex[1:] != vertex[:-1]) | (high[1:] != high[:-1])))
    border = begin[np.diff(np.append(begin, len(high))) & 1 > 0]
    if not len(border):
        return component.astype(np.int64)
    of_vertex = np.zeros(len(mesh.vertices), np.int32)
    of_vertex[mesh.triangles.ravel()] = np.repeat(component, 3)
    rows = np.flatnonzero(np.isin(component, of_vertex[vertex[border]]))
    number, positions = positions_of(mesh.vertices)
    joined = component.astype(np.int64)
    joined[rows] = len(component) + components(number[mesh.triangles[rows]], positions)[1]
    return np.unique(joined, return_inverse=True)[1].reshape(-1)
