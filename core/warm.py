# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny runs that call every kernel with the argument types of real use: what `jit.warm_up` compiles or loads.

A step imports what it calls, so that a session which only detects loads nothing else."""
import numpy as np

from .pipeline import detect
from .scene import Scene

BOX = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
BOX_TRIANGLES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                          [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
BIG_TOO = ("touchpoint", "parallel")        # methods with kernels that only big pairs need


def boxes_in_a_scene(method: str = "touchpoint", options: dict | None = None, clearance: float = 0.0,
                     progress=None) -> None:
    """Crossing, touching, flush and nested boxes, one open: broad phase, trees, filter, exact decisions, rays.
    clearance, progress: as in `detect`."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    scene.add_object(scene.add_mesh(BOX, BOX_TRIANGLES[1:]))
    two = np.concatenate([BOX, BOX + 4.0]), np.concatenate([BOX_TRIANGLES, BOX_TRIANGLES + len(BOX)])
    scene.add_object(scene.add_mesh(*two), np.array([[1, 0, 0, 0.25], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1.0]]))
    for place, size in (((0.0, 0.0, 0.0), 1.0), ((0.7, 0.6, 0.5), 1.0), ((1.0, 0.0, 0.0), 1.0),
                        ((0.5, 0.0, 3.0), 1.0), ((0.0, 0.0, 3.0), 1.0), ((0.1, 0.1, 3.1), 0.2),
                        ((0.1, 0.1, 0.2), 0.1)):
        pose = np.diag([size, size, size, 1.0])
        pose[:3, 3] = place
        scene.add_object(mesh, pose)
    detect(scene, method, clearance, options=options, progress=progress)
    scene.set_vertices(mesh, BOX)
    detect(scene, method, contacts=False, options=options, progress=progress)


def two_wavy_sheets() -> Scene:
    """Large enough to be spread over threads."""
    scene = Scene()
    n = 80
    x, y = np.meshgrid(np.arange(n, dtype=float), np.arange(n, dtype=float))
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.concatenate([np.stack([corner, corner + 1, corner + n], 1),
                                np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    for shift in (0.0, 1.0):
        z = np.sin(0.3 * x + shift) + np.cos(0.2 * y)
        scene.add_object(scene.add_mesh(np.stack([x.ravel(), y.ravel(), z.ravel()], 1), triangles))
    return scene


def a_big_pair() -> None:
    detect(two_wavy_sheets())


def small_scenes(method: str, options: dict, with_clearance: bool, progress) -> None:
    """All that a method calls in scenes of any size. progress: as in `detect`."""
    boxes_in_a_scene(method, options, 0.5 if with_clearance else 0.0, progress)
    if method in BIG_TOO:
        from .jit import COMPILED

        if COMPILED:        # as plain Python it would take minutes, for nothing
            detect(two_wavy_sheets(), method, options=options, progress=progress)
        many_boxes()


def many_boxes() -> None:
    """So many objects that the broad phase makes a tree of them."""
    from .broad_phase.object_tree import FEW, overlapping_pairs

    places = np.tile(np.arange(FEW + 1.0)[:, None], 6)
    overlapping_pairs(places + (0.0, 0.0, 0.0, 1.0, 1.0, 1.0), np.array([0.0, 0.0, 0.0, 1.0]), lambda found: None)


def hits_of_a_cancelled_run() -> None:
    """More of them than a cancelled run is worth."""
    from .narrow_phase.sift import count_pairs, take_up_to

    hits, count = np.zeros((2, 3), np.int32), np.zeros(1, np.int64)
    count_pairs(hits, count)
    take_up_to(hits, 1, np.zeros(1, np.int64), np.empty((1, 3), np.int32), 0)


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
    """A vertex falls through a face: both kinds of query use the same kernels."""
    from .queries import vertex_face_toi

    X0 = np.array([[[0.2, 0.3, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]], np.float64)
    X1 = X0.copy()
    X1[0, 0, 2] = -1.0
    vertex_face_toi(X0, X1)


def whole_meshes() -> None:
    """Pairs of triangles of two boxes, points in one, a segment."""
    from .queries import mesh_triangle_pairs, points_in_mesh, segments_hit_triangles

    mesh_triangle_pairs(BOX, BOX_TRIANGLES, BOX + 0.5, BOX_TRIANGLES)
    points_in_mesh(BOX, BOX_TRIANGLES, BOX)
    segments_hit_triangles(np.zeros((1, 2, 3)), np.ones((1, 3, 3)))


def gaps_of_boxes() -> None:
    """Boxes that meet, and boxes apart by a little and by more: float64, double-double and rational arithmetic."""
    from .queries import mesh_distance

    for shift in (0.5, 1.0 + 1e-9, 2.0):
        mesh_distance(BOX, BOX_TRIANGLES, BOX + (shift, 0.1, 0.2), BOX_TRIANGLES)


def placed_meshes() -> None:
    """What methods with trees of their own begin with."""
    from .pipeline import Run
    from .scene.placed import PlacedMeshes
    from .scene.select import select

    scene = Scene()
    for shift in (0.0, 0.5):
        scene.add_object(scene.add_mesh(BOX + shift, BOX_TRIANGLES))
    PlacedMeshes(scene, select(scene), Run(None, 1, True, {}))


def oriented_boxes() -> None:
    """Two boxes, one of them stretched, in trees of oriented boxes; boxes that meet and boxes apart."""
    from .mid_phase.obb_overlap import boxes_meet

    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for stretch in (1.0, 0.5):
        scene.add_object(mesh, np.diag([1.0, stretch, 1.0, 1.0]))
    detect(scene, method="rapid")
    box = np.zeros((1, 3)), np.eye(3)[None], np.ones((1, 3))
    boxes_meet(*box, *box)


def clouds_of_points() -> None:
    """Two clouds of points whose hulls overlap."""
    from .convex.extremes import Extremes
    from .convex.points_in_hull import ManyCorners

    scene = Scene()
    steps = np.linspace(0.0, 1.0, 5)
    cloud = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    for shift in (0.0, 0.5):
        scene.add_object(scene.add_mesh(cloud + shift, np.zeros((0, 3), np.int32)))
    detect(scene, "hull_points")
    many = ManyCorners(Extremes(cloud), cloud)
    many.holds(cloud[:9] + 1e-3, 1, lambda: None)
    many.tree.above(cloud[0], 0.0)


def grids_of_cells() -> None:
    """Boxes in the cells of a grid, large ones in parts, by overlap and by diagonals; and whole in a plain grid."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for place, size, static in ((0.0, 9.0, True), (1.0, 1.0, False), (1.5, 1.0, False)):
        pose = np.diag([size, size, size, 1.0])
        pose[:3, 3] = place
        scene.add_object(mesh, pose, static=static)
    for cells in ("exact", "diagonals"):
        detect(scene, method="tsgo", options={"depth": 2, "cells": cells})
    detect(scene, method="tsgo")            # which chooses the depth
    detect(scene, method="hybrid")


def balanced_trees() -> None:
    """A tree of tasks shared by threads, by nodes of both trees and by edges of one and nodes of the other."""
    scene = two_wavy_sheets()
    for form in ("SPCD", "EPCD"):
        detect(scene, method="parallel", threads=2, options={"form": form})


def annealed_distances() -> None:
    """Boxes that overlap and boxes apart, by simulated annealing."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for shift in (0.0, 0.5, 1.25):
        scene.add_object(mesh, np.array([[1, 0, 0, shift], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]))
    detect(scene, "saga", clearance=0.5)


DETECT = (boxes_in_a_scene, a_big_pair, many_boxes, hits_of_a_cancelled_run)
STEPS = (*DETECT, triangles_in_a_batch, hulls_in_a_batch, moving_points, whole_meshes, gaps_of_boxes,
         placed_meshes, oriented_boxes, clouds_of_points, annealed_distances, grids_of_cells,
         balanced_trees)
