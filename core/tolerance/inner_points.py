# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that are deep in a closed mesh, if it has any depth: where two solids that coincide are looked for."""
import math

import numpy as np

from ..arrays import unit_rows
from ..depth.point_triangle import to_triangle
from ..machine_code.jit import kernel
from ..records import MeshEdges
from ..scene import Scene
from ..scene.scene import Mesh
from ..verdicts.closedness import positions_of
from ..verdicts.components import components
from ..verdicts.edges import HIGH_END
from ..verdicts.mesh_topology import MeshTopology

CHORDS = 4              # per component, from its largest triangles
STEPS_TO_INSIDE = 3     # from the middle of the longest chord of either side to where the solid is thicker
NO_STEP = 1e-9          # of the component's size: a point nearer to a triangle than that is on it
MOST_COMPONENTS = 1 << 10
NO_TRIANGLE = -1


def inner_points(scene: Scene, topology: MeshTopology, index: int) -> np.ndarray | None:
    """(k,3) float64, local: points of which most are deep in a mesh, where it has a depth, kept with the scene; None
    for a mesh of very many components.

    A chord begins in the middle of a triangle and goes on, along the triangle's normal and the other way, to where it
    meets the component again, and to where it meets any triangle. The middle of a chord may be near a side of the
    solid, or on a face inside of it. So from the longest ones further chords are followed, each from the nearest
    triangle on.
    """
    kept = scene.cache.setdefault("inner points", {})
    version = int(scene.versions[index])
    if kept.get(index, (None,))[0] != version:
        mesh = scene.meshes[index]
        component = closed_components(mesh, topology.edges(index), topology.components(index)[1])
        count = 1 + int(component.max(initial=-1))
        kept[index] = version, (_Chords(mesh.vertices, mesh.triangles).of_components(component, count)
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
    of_vertex = np.zeros(len(mesh.vertices), np.int32)
    of_vertex[mesh.triangles.ravel()] = np.repeat(component, 3)
    rows = np.flatnonzero(np.isin(component, of_vertex[vertex[border]]))
    number, positions = positions_of(mesh.vertices)
    joined = component.astype(np.int64)
    joined[rows] = len(component) + components(number[mesh.triangles[rows]], positions)[1]
    return np.unique(joined, return_inverse=True)[1].reshape(-1)


class _Chords:
    """The chords of one mesh."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray):
        """vertices: (n,3) float64; triangles: (m,3) int32."""
        self.vertices, self.triangles = vertices, triangles
        corners = vertices[triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        self.area = np.linalg.norm(normals, axis=1)
        self.normals = unit_rows(normals)
        self.middles = corners.mean(axis=1)
        self.low, self.high = corners.min(axis=1), corners.max(axis=1)

    def of_components(self, component: np.ndarray, count: int) -> np.ndarray:
        """(k,3) float64: the points. component: (m,) of each triangle, from 0 to count - 1."""
        order = np.lexsort((-self.area, component))
        start = np.searchsorted(component[order], np.arange(count + 1))
        found = [np.zeros((0, 3))]
        for k in range(count):
            mine = order[start[k]:start[k + 1]]
            low, high = self.low[mine].min(axis=0), self.high[mine].max(axis=0)
            near = np.flatnonzero(((self.low <= high) & (self.high >= low)).all(axis=1))
            found += self._of_component(mine, near)
        return np.concatenate(found)

    def _of_component(self, mine: np.ndarray, near: np.ndarray) -> list[np.ndarray]:
        """Points (1,3) of one component. mine: its triangles, (k,) int64, the largest first; near: all triangles that
        reach into its box."""
        found = []
        for turn in (1.0, -1.0):
            longest, begin = 0.0, None
            for slot in mine[:CHORDS].tolist():
                origin, direction = self.middles[slot], turn * self.normals[slot]
                lengths = {first_hit(origin, direction, self.vertices, self.triangles, among, slot, -1.0)
                           for among in ((mine,) if len(near) == len(mine) else (mine, near))} - {math.inf}
                found += [(origin + 0.5 * length * direction)[None] for length in sorted(lengths)]
                shortest = min(lengths, default=0.0)
                if shortest > longest:
                    longest, begin = shortest, origin + 0.5 * shortest * direction
            if begin is not None:
                found += self._steps_inward(begin, near)
        return found

    def _steps_inward(self, point: np.ndarray, near: np.ndarray) -> list[np.ndarray]:
        """Up to STEPS_TO_INSIDE points (1,3), each the middle of the chord through the one before along the nearest
        triangle's normal, from that triangle to the next one."""
        found: list[np.ndarray] = []
        size = float((self.high[near].max(axis=0) - self.low[near].min(axis=0)).max())
        unit, rows = math.ldexp(1.0, -math.frexp(size)[1]), np.empty(3, np.int64)
        for _ in range(STEPS_TO_INSIDE):
            nearest = nearest_triangle(point, self.vertices, self.triangles, near, unit, rows)
            normal = self.normals[nearest]
            height = float(normal @ (point - self.vertices[self.triangles[nearest, 0]]))
            turns = (1.0, -1.0) if abs(height) <= NO_STEP * size else (math.copysign(1.0, height),)
            lengths = [first_hit(point, turn * normal, self.vertices, self.triangles, near, NO_TRIANGLE, NO_STEP * size)
                       for turn in turns]
            length, turn = max(((length, turn) for length, turn in zip(lengths, turns) if math.isfinite(length)),
                               default=(0.0, 0.0))
            if length <= abs(height):
                break
            point = point + 0.5 * (length - abs(height)) * turn * normal
            found.append(point[None])
        return found


@kernel
def first_hit(origin, direction, vertices, triangles, among, skipped, flat):
    """How far a ray goes before it meets one of some triangles; infinity where it meets none.

    origin, direction: (3,) float64, the direction a unit vector; among: (k,) int64 triangles; skipped: a triangle that
    does not count, NO_TRIANGLE: none; nor do those that are nowhere farther than `flat`, along the ray, from its
    origin.
    """
    best = math.inf
    dx = direction[0]
    dy = direction[1]
    dz = direction[2]
    for k in range(among.shape[0]):
        slot = among[k]
        if slot == skipped:
            continue
        i = triangles[slot, 0]
        j = triangles[slot, 1]
        m = triangles[slot, 2]
        px = vertices[i, 0] - origin[0]
        py = vertices[i, 1] - origin[1]
        pz = vertices[i, 2] - origin[2]
        qx = vertices[j, 0] - origin[0]
        qy = vertices[j, 1] - origin[1]
        qz = vertices[j, 2] - origin[2]
        rx = vertices[m, 0] - origin[0]
        ry = vertices[m, 1] - origin[1]
        rz = vertices[m, 2] - origin[2]
        if max(abs(px * dx + py * dy + pz * dz),
               max(abs(qx * dx + qy * dy + qz * dz), abs(rx * dx + ry * dy + rz * dz))) <= flat:
            continue
        # Corner p and the edges u, v; the ray meets p + s u + t v.
        ux = qx - px
        uy = qy - py
        uz = qz - pz
        vx = rx - px
        vy = ry - py
        vz = rz - pz
        ax = dy * vz - dz * vy
        ay = dz * vx - dx * vz
        az = dx * vy - dy * vx
        determinant = ux * ax + uy * ay + uz * az
        if determinant == 0.0:              # a flat triangle, or one along the ray, is not met
            continue
        s = -(px * ax + py * ay + pz * az) / determinant
        if not 0.0 <= s <= 1.0:
            continue
        bx = pz * uy - py * uz
        by = px * uz - pz * ux
        bz = py * ux - px * uy
        t = (bx * dx + by * dy + bz * dz) / determinant
        if t < 0.0 or s + t > 1.0:
            continue
        length = (vx * bx + vy * by + vz * bz) / determinant
        if 0.0 < length < best:
            best = length
    return best


@kernel
def nearest_triangle(point, vertices, triangles, among, unit, rows):
    """The one of some triangles that is nearest to a point (3,). among: (k,) int64 triangles, k ≥ 1; unit: a power of
    two, by which lengths are multiplied; rows: (3,) int64, memory."""
    square = math.inf
    best = among[0]
    for k in range(among.shape[0]):
        for c in range(3):
            rows[c] = triangles[among[k], c]
        other, _, _, _ = to_triangle(point, vertices, rows, unit, square)
        if other < square:
            square = other
            best = among[k]
    return best
