# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage `volumes`: how much space the objects of each pair share. Threads, cancelling."""
import numpy as np

from ..codes import CONTAINED, CROSSING, OVERLAP, TOUCHING
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..run import Run
from ..scene import Scene
from ..scene.select import Selection
from ..verdicts.closedness import OPEN
from ..verdicts.mesh_topology import MeshTopology
from .overlap import Solid, overlap

KEPT = 4        # objects in the world that a thread keeps: pairs are ordered by their first object


def volumes(scene: Scene, selection: Selection, _objects, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """The columns volume, volume_lower and volume_upper (pairs,) of a table, float64, world units cubed.

    The true volume is from volume_lower to volume_upper; volume lies between them and is mostly much nearer to it.
    Pairs whose exact verdict is touching have 0. NaN: not measured, as one of the two is open or a shell, nothing is
    known of the pair, or the run was cancelled.
    """
    found = np.full((len(table), 3), np.nan)
    verdict = table.verdict if table.exact is None else table.exact
    a, b = selection.objects[table.a], selection.objects[table.b]
    topology = MeshTopology(scene)
    known = np.flatnonzero(np.isin(verdict, (CONTAINED, OVERLAP, CROSSING, TOUCHING)) & table.finished)
    kinds = dict(zip(*(each.tolist() for each in _kinds(topology, np.concatenate((a[known], b[known]))))))
    solid = [kinds[i] != OPEN and kinds[j] != OPEN for i, j in zip(a[known].tolist(), b[known].tolist())]
    rows = known[np.array(solid, bool)]
    found[rows[verdict[rows] == TOUCHING]] = 0.0
    rows = rows[verdict[rows] != TOUCHING]
    count = min(len(rows), run.threads * CHUNKS_PER_THREAD)
    ends = np.linspace(0, len(rows), count + 1).astype(np.int64)

    def work(chunk):
        placed: dict[int, Solid] = {}
        for row in rows[ends[chunk]:ends[chunk + 1]].tolist():
            if run.stopped():
                return
            found[row] = overlap(_placed(scene, int(a[row]), kinds, placed), _placed(scene, int(b[row]), kinds, placed),
                                 run.stopped)

    if count and not run.cancelled:
        run_chunks(work, count, run.threads, lambda done: run.tick(done / count))
    return dict(zip(("volume", "volume_lower", "volume_upper"), found.T.copy()))


def _kinds(topology: MeshTopology, objects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Objects, each once, and their closedness."""
    each = np.unique(objects)
    return each, topology.solid(each)


def _placed(scene: Scene, index: int, kinds: dict[int, int], placed: dict[int, Solid]) -> Solid:
    """An object in the world. placed: what is kept."""
    if index not in placed:
        while len(placed) >= KEPT:
            del placed[next(iter(placed))]
        mesh = scene.meshes[scene.layout.mesh[index]]
        placed[index] = solid_of(mesh.vertices, mesh.triangles, scene.poses[index], kinds[index])
    placed[index] = placed.pop(index)
    return placed[index]


def solid_of(vertices: np.ndarray, triangles: np.ndarray, pose: np.ndarray, kind: int) -> Solid:
    """A mesh at a pose, by the numbers that are its vertices in the world (docs/ARCHITECTURE.md). Vertices that no
    triangle has are not in it."""
    x, y, z = vertices.T
    world = np.stack([((row[0] * x + row[1] * y) + row[2] * z) + row[3] for row in pose[:3]], axis=1)
    used = np.zeros(len(world), bool)
    used[triangles] = True
    if not used.all():
        return Solid(world[used], (np.cumsum(used) - 1).astype(np.int32)[triangles], kind)
    return Solid(world, triangles, kind)
