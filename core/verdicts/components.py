# SPDX-License-Identifier: GPL-3.0-or-later
"""The components of a mesh: triangles that are connected by shared vertices, by union and find."""
import numpy as np

from ..machine_code.jit import kernel


def components(triangles: np.ndarray, vertex_count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first triangle of each component (components,) and the component of each triangle (m,), int32.

    triangles: (m,3) int32, of vertices 0 … vertex_count-1.
    """
    first, component = np.empty(len(triangles), np.int32), np.empty(len(triangles), np.int32)
    count = number_components(triangles, np.arange(vertex_count, dtype=np.int32),
                              np.full(vertex_count, -1, np.int32), first, component)
    return first[:count].copy(), component


@kernel
def number_components(triangles, parent, number, first, component):
    """Write `first` and `component`; returns the number of components. parent: (n,) int32, each vertex its own; number:
    (n,) int32 of -1; both are scratch."""
    join_components(triangles, parent)
    count = 0
    for t in range(triangles.shape[0]):
        root = root_of(parent, np.int64(triangles[t, 0]))
        if number[root] < 0:
            number[root] = count
            first[count] = t
            count += 1
        component[t] = number[root]
    return count


@kernel
def vertex_per_component(rows, vertex_count, triangle_start, triangle_count, triangles, parent, start, count, found):
    """found[start[k]:start[k]+count[k]] = a vertex of each component of the mesh in row rows[k]. Returns how many these
    vertices are.

    vertex_count … triangles: of `MeshTrees`, all of whose vertices are in use; parent: (v,) int32 for the largest of
    the meshes, scratch; start, count: (meshes,) int64; found: (all vertices,) int64.
    """
    end = 0
    for k in range(rows.shape[0]):
        i = rows[k]
        for vertex in range(vertex_count[i]):
            parent[vertex] = vertex
        join_components(triangles[triangle_start[i]:triangle_start[i] + triangle_count[i]], parent)
        start[k] = end
        for vertex in range(vertex_count[i]):
            if parent[vertex] == vertex:
                found[end] = vertex
                end += 1
        count[k] = end - start[k]
    return end


@kernel
def join_components(triangles, parent):
    """Let one vertex of each component be its own parent, and the root of all others."""
    for t in range(triangles.shape[0]):
        root = root_of(parent, np.int64(triangles[t, 0]))
        for i in range(1, 3):
            other = root_of(parent, np.int64(triangles[t, i]))
            if other != root:
                parent[max(root, other)] = min(root, other)
                root = min(root, other)


@kernel
def root_of(parent, vertex):
    """The vertex at the end of the chain of parents, which is shortened on the way. parent: (n,) int32; vertex: int64,
    as each further type of either is compiled again."""
    while parent[vertex] != vertex:
        parent[vertex] = parent[parent[vertex]]
        vertex = np.int64(parent[vertex])
    return vertex
