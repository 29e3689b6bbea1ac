# SPDX-License-Identifier: GPL-3.0-or-later
"""R2: meshes of real things. Which faces meet, against libigl's exact predicates and rational arithmetic.

The meshes come with packages from PyPI (pip install --no-deps pybullet example-robot-data robosuite dm_control) or lie
in the folders that TOUCHPOINT_MESHES names; trimesh reads them. Each is set against another one, or itself, in four
poses, in float64 and with coordinates rounded to float32. Where libigl (not needed) and Touchpoint differ, rational
arithmetic decides; and it judges faces beside those that meet, drawn by chance, whatever libigl says.
"""
import hashlib
import importlib.util
import os
from functools import cache
from pathlib import Path

import numpy as np
from touchpoint.core import Scene, detect
from touchpoint.core.reference.triangle_pair import shared_part

from .outcome import Outcome, Proof

PACKAGES = ("pybullet_data", "cmeel.prefix/share/example-robot-data", "robosuite", "dm_control")     # in site-packages
FEWEST_FACES, MOST_FACES = 12, 20_000
MOST_MESHES = 300
JUDGED = 30             # pairs of faces per question that are judged in any case
POSES = ("turned at random", "turned by right angles", "moved along an axis", "not moved")


def folders() -> list[Path]:
    """Where meshes may be."""
    named = [Path(name) for name in os.environ.get("TOUCHPOINT_MESHES", "").split(os.pathsep) if name]
    numpy = importlib.util.find_spec("numpy")
    beside = Path(str(numpy.origin)).parents[1] if numpy else Path()
    return [folder for folder in [*named, *(beside / name for name in PACKAGES)] if folder.is_dir()]


def reason_to_skip() -> str:
    """Why there is nothing to ask, or ""."""
    if not importlib.util.find_spec("trimesh"):
        return "trimesh, which reads the meshes, is not installed"
    if not folders():
        return "no package with meshes is installed, and TOUCHPOINT_MESHES names no folder"
    return ""


@cache
def meshes() -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(name, vertices, triangles) of up to MOST_MESHES different ones, spread evenly over all files."""
    files = (file for folder in folders() for file in folder.rglob("*") if file.suffix.lower() in (".stl", ".obj"))
    by_content = {hashlib.sha256(file.read_bytes()).digest(): file for file in sorted(files)}
    files = sorted(by_content.values())
    chosen = [files[int(i)] for i in np.linspace(0, len(files) - 1, min(len(files), 2 * MOST_MESHES))] if files else []
    found = []
    for file in chosen:
        mesh = read(file)
        if mesh is not None and len(found) < MOST_MESHES:
            found.append((file.name, *mesh))
    return found


def read(file: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """Vertices (n,3) float64, around the origin and about 1 in size, and triangles; None for what serves no purpose."""
    import trimesh

    try:
        mesh = trimesh.load(file, force="mesh", process=False)
        vertices, triangles = np.array(mesh.vertices, float), np.array(mesh.faces, np.int32)
    except Exception:       # half of a file, a format of its own
        return None
    if not FEWEST_FACES <= len(triangles) <= MOST_FACES or not np.isfinite(vertices).all():
        return None
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size = 2.0 ** np.round(np.log2((high - low).max() or 1.0))      # keeps every bit of the file's numbers
    return vertices / size, triangles


def placed(vertices: np.ndarray, other: np.ndarray, pose: str, rng) -> np.ndarray:
    """The vertices, turned as the pose says, where their box overlaps the other's."""
    if pose == "not moved":
        return vertices
    axes = np.eye(3)
    if pose == "turned at random":
        axes, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    elif pose == "turned by right angles":
        axes = axes[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    turned = vertices @ axes
    low, high, other_low, other_high = turned.min(axis=0), turned.max(axis=0), other.min(axis=0), other.max(axis=0)
    if pose == "moved along an axis":
        shift = np.zeros(3)
        shift[rng.integers(3)] = np.round(0.3 * (rng.random() - 0.5) * 64) / 64
    else:
        start = other_low - high + 0.25 * (high - low)
        shift = start + rng.random(3) * (other_high - low - 0.25 * (high - low) - start)
    return turned + shift


def faces_that_meet(first, second) -> set[tuple[int, int]]:
    scene = Scene()
    for mesh in (first, second):
        scene.add_object(scene.add_mesh(*mesh))
    found = detect(scene).contacts
    return set(zip(found.triangle_a.tolist(), found.triangle_b.tolist()))


def faces_by_libigl(first, second) -> set[tuple[int, int]] | None:
    try:
        from igl.predicates import find_intersections
    except ImportError:
        return None
    (V, F), (W, G) = first, second
    _, pairs, _ = find_intersections(V, F.astype(np.int64), W, G.astype(np.int64), False)
    return {(int(i), int(j)) for i, j in np.reshape(pairs, (-1, 2))}


def meet(first, second, pair: tuple[int, int]) -> bool:
    """By rational arithmetic."""
    return shared_part(first[0][first[1][pair[0]]], second[0][second[1][pair[1]]]).kind != 0


def neighbours(first, second, pairs: set, rng) -> set[tuple[int, int]]:
    """Some of the pairs, and pairs of faces beside them, which share a vertex with one of theirs."""
    chosen = sorted(pairs)
    chosen = [chosen[int(i)] for i in rng.integers(0, len(chosen), JUDGED)] if chosen else []
    found = set(chosen)
    for i, j in chosen:
        corners = first[0][first[1][i]]
        beside = np.flatnonzero((first[0][first[1]][:, :, None] == corners).all(axis=3).any(axis=(1, 2)))
        found.add((int(rng.choice(beside)), j))
    return found


def ask(outcome: Outcome, number: int, seed: int) -> None:
    """One question: two meshes in a pose, in float64 and in float32 coordinates."""
    known = meshes()
    rng = np.random.default_rng([seed, number, 22])
    name, vertices, triangles = known[number % len(known)]
    pose = POSES[number // len(known) % len(POSES)]
    itself = pose in POSES[2:]
    other_name, other, other_triangles = known[number % len(known) if itself else int(rng.integers(len(known)))]
    moved = placed(other, vertices, pose, rng)
    for single in (False, True):
        first, second = ((np.ascontiguousarray(side.astype(np.float32) if single else side, float), faces)
                         for side, faces in ((vertices, triangles), (moved, other_triangles)))
        ours, libigl = faces_that_meet(first, second), faces_by_libigl(first, second)
        outcome.asked += 1
        outcome.count("face pairs", len(ours))
        doubtful = set() if libigl is None else ours ^ libigl
        for pair in sorted(doubtful | neighbours(first, second, ours, rng)):
            truth = meet(first, second, pair)
            outcome.count("judged by rational arithmetic")
            if libigl is not None and (pair in libigl) != truth:
                outcome.count("libigl: missed" if truth else "libigl: invented")
            if (pair in ours) != truth:
                outcome.fail(f"{name} and {other_name}, {pose}, number {number}, seed {seed}, "
                             f"{'float32' if single else 'float64'}: faces {pair} {'missed' if truth else 'invented'}")


def run(count: int, seed: int) -> Outcome:
    """count: pairs of meshes in a pose; a whole round is four times as many as there are meshes."""
    outcome = Outcome()
    if reason_to_skip():
        outcome.count(f"nothing asked: {reason_to_skip()}")
        return outcome
    start = seed * count
    for number in range(start, start + count):
        ask(outcome, number, seed)
    outcome.measure("meshes", len(meshes()))
    return outcome


PROOF = Proof("R2", "faces of real meshes", 12_000, 100, run)
