# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels made ready: tiny runs load or compile each of them with the argument types of real use.

A step imports what it calls, so that a session which only detects loads nothing else."""
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import methods
from .machine_code import kernel_folder, shipped_kernels
from .machine_code.jit import cache_folder
from .machine_code.source_stamp import CORE, stamp
from .method import needs_with, without
from .pipeline import detect
from .scene.tiny import BOX, BOX_TRIANGLES, boxes_of_all_kinds


def of_method(method: str, options: dict | None = None, clearance: float = 0.0, progress=None) -> None:
    """Load or compile all that a method calls. options, clearance, progress: as in `detect`."""
    recipe = methods.load(method)
    if "gpu" in needs_with(recipe, options):
        options = {**(options or {}), **without(recipe, "gpu")}
    if not recipe.follows:
        scene = boxes_of_all_kinds()
        detect(scene, method, clearance, options=options, progress=progress)
        scene.set_vertices(0, BOX)
        detect(scene, method, contacts=False, options=options, progress=progress)
    if recipe.warm_up is not None:
        recipe.warm_up(functools.partial(detect, method=method, progress=progress))


def triangles_in_a_batch() -> None:
    from .queries import triangles_intersect

    A = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], np.float64)
    triangles_intersect(A, A)


def hulls_in_a_batch() -> None:
    """Boxes that meet, and boxes apart at a corner, an edge and a face."""
    from .queries import boxes_overlap, convex_distance, convex_intersect, convex_penetration

    apart = np.stack([BOX + 0.5, BOX + 3.0, BOX + (2.5, 2.0, 0.3), BOX + (3.0, 0.2, 0.1)])
    warm = np.zeros((len(apart), 8), np.int32)
    convex_intersect(BOX, apart, warm=warm)
    convex_distance(BOX, apart, warm=warm)
    convex_penetration(BOX, np.stack([BOX + (0.9, 0.3, 0.2), BOX + 3.0]))
    axes = np.array([[[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]])
    side = np.full((1, 3), 0.5)
    boxes_overlap(side, axes, side, side + (0.0, 0.0, 1.0), axes, side)


def moving_points() -> None:
    """A vertex falls through a face, and one comes to lie on it: both kinds of query use the same kernels."""
    from .queries import vertex_face_toi

    X0 = np.array([[[0.2, 0.3, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]] * 2, np.float64)
    X1 = X0.copy()
    X1[:, 0, 2] = -1.0, 0.0
    vertex_face_toi(X0, X1)


def moving_meshes() -> None:
    """A box that turns and falls onto another one, which rests, or turns, and boxes that one is deformed into."""
    from .continuous.contacts_between import contacts_between
    from .continuous.instant import Instant
    from .continuous.motions import Movement
    from .continuous.staying import stay_on_their_sides
    from .queries import rigid_toi

    turned = np.array([[0.6, -0.8, 0, 0.1], [0.8, 0.6, 0, 0.2], [0, 0, 1, 0.5], [0, 0, 0, 1]], np.float64)
    above = np.eye(4)
    above[2, 3] = 1.5
    box = BOX, BOX_TRIANGLES
    rigid_toi(box, above, turned, box, np.eye(4), np.eye(4))
    rigid_toi(box, above, turned, box, np.eye(4), turned)
    scene = boxes_of_all_kinds()
    start = Instant.of(scene)
    scene.set_vertices(0, 1.5 * BOX)
    end = Instant.of(scene)
    contacts_between(start, end)
    stay_on_their_sides(Movement(start, end), np.zeros(1, np.int64), np.ones(1, np.int64), np.zeros(1))


def frames_in_turn() -> None:
    """A box that turns and falls onto another one, lies there, and is gone, from frame to frame."""
    from .scene import Scene
    from .sequence.sweep import Sweep

    scene, run = Scene(), Sweep(continuous=True)
    for _ in range(2):
        scene.add_object(scene.add_mesh(BOX, BOX_TRIANGLES))
    for frame, height in enumerate((3.0, 0.5, 0.5, 3.0)):
        pose = np.array([[0.6, -0.8, 0, 0], [0.8, 0.6, 0, 0], [0, 0, 1, height], [0, 0, 0, 1]]) if frame else np.eye(4)
        pose[2, 3] = height
        scene.set_poses([0], pose[None])
        run.add(frame, scene)
    run.report()


def whole_meshes() -> None:
    """Pairs of triangles of two boxes, points in one, a segment."""
    from .queries import mesh_triangle_pairs, points_in_mesh, segments_hit_triangles

    mesh_triangle_pairs(BOX, BOX_TRIANGLES, BOX + 0.5, BOX_TRIANGLES)
    points_in_mesh(BOX, BOX_TRIANGLES, BOX)
    segments_hit_triangles(np.zeros((1, 2, 3)), np.ones((1, 3, 3)))


def gaps_of_boxes() -> None:
    """Boxes that meet, and boxes apart by a little and by more: float64, double-double and rational arithmetic."""
    from .queries import mesh_distance, surface_distances

    for shift in (0.5, 1.0 + 1e-9, 2.0):
        mesh_distance(BOX, BOX_TRIANGLES, BOX + (shift, 0.1, 0.2), BOX_TRIANGLES)
    surface_distances(BOX, BOX_TRIANGLES, 0.5 * BOX)


def depths_of_boxes() -> None:
    """All of the depths' kernels come with the one that is called from Python, and so do those of regions and moves."""
    detect(boxes_of_all_kinds(), regions=True)
    detect(boxes_of_all_kinds(), tolerance=0.5)


def volumes_of_boxes() -> None:
    """A box that another one is pushed into."""
    from .queries import overlap_volume

    overlap_volume(BOX, BOX_TRIANGLES, BOX + 0.5, BOX_TRIANGLES)


def a_mesh_with_itself() -> None:
    """A folded sheet, large enough to be shared by threads, and how it unfolds."""
    from .continuous.instant import Instant
    from .queries import self_intersections
    from .run import Run
    from .scene import Scene
    from .scene.tiny import folded_sheet
    from .self_collision.first_contacts import first_self_contacts

    vertices, triangles = folded_sheet()
    self_intersections(vertices, triangles)
    scene = Scene()
    scene.add_object(scene.add_mesh(vertices, triangles))
    start, unknown = Instant.of(scene), np.zeros(1, bool)
    scene.set_vertices(0, vertices * (1.0, 1.0, 2.0))
    first_self_contacts(start, Instant.of(scene), np.zeros(1, np.int64), [None], unknown, Run.unwatched(False))


QUERIES = (triangles_in_a_batch, hulls_in_a_batch, moving_points, moving_meshes, frames_in_turn, whole_meshes,
           gaps_of_boxes, depths_of_boxes, volumes_of_boxes, a_mesh_with_itself)


def steps() -> dict[str, Callable[[], None]]:
    """By name, in the order of `warm_up`: all methods but the slow ones, which have no kernels of their own, and what
    is called without a method."""
    compiled = [method for method in methods.ids() if methods.load(method).compiled]
    return {**{method: functools.partial(of_method, method) for method in compiled},
            **{query.__name__: query for query in QUERIES}}


def all_sources() -> str:
    """A stamp that changes with any kernel, and with all else in core/: methods are found in their folder, and not by
    imports that could be followed."""
    stamps = sorted(f"{path.relative_to(CORE).as_posix()} {stamp(path)}" for path in CORE.rglob("*.py"))
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()[:16]


def completion_mark() -> Path:
    """The file that says that `warm_up` has once finished for exactly these sources."""
    return cache_folder() / f"complete-{all_sources()}"


def is_warm() -> bool:
    """True where every kernel can be loaded: shipped for this computer, or compiled by an earlier `warm_up`."""
    return _is_complete() or shipped_kernels.is_complete(all_sources())


def _is_complete() -> bool:
    try:
        kernel_folder.refuse_shared(cache_folder())
        return kernel_folder.read(completion_mark()) is not None
    except OSError:
        return False


def load_for_detect(join=lambda: None) -> None:
    """Load, or compile, what Detect calls: what a session in Blender wants ready. With a tolerance, as is usual there,
    it measures gaps and depths.

    join: called before these are; another process may compile `depths_alone` until then.
    """
    of_method(methods.DEFAULT)
    join()
    detect(boxes_of_all_kinds(), tolerance=0.5)


def depths_alone() -> None:
    """Load, or compile, the larger part of what depths call, and nothing else."""
    from .depth.depths import compile_search

    compile_search()


def warm_up() -> None:
    """Load or compile every kernel."""
    for step in steps().values():
        step()
    try:
        kernel_folder.refuse_shared(cache_folder())
        kernel_folder.write(completion_mark(), b"")
    except OSError:         # nothing can be kept there
        pass


def remove_unused(seconds: float) -> None:
    """Delete machine code of other sources and versions that no session has used for that long."""
    used = {stamp(path) for path in CORE.rglob("*.py")} | {completion_mark().name}
    kernel_folder.remove_unused(cache_folder(), used, seconds)
