# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny scenes that reach kernels: what loads or compiles them before the user's own scene does."""
import numpy as np

from .scene import Scene

BOX = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
BOX_TRIANGLES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                          [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


def one_box_at(*places) -> Scene:
    """The unit box, once per place (x, y, z)."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for place in places:
        pose = np.eye(4)
        pose[:3, 3] = place
        scene.add_object(mesh, pose)
    return scene


def boxes_of_all_kinds() -> Scene:
    """Crossing, touching, flush and nested boxes, one of them open, one in two parts. Mesh 0 is the box."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    scene.add_object(scene.add_mesh(BOX, BOX_TRIANGLES[1:]))
    two = np.concatenate([BOX, BOX + 4.0]), np.concatenate([BOX_TRIANGLES, BOX_TRIANGLES + len(BOX)])
    scene.add_object(scene.add_mesh(*two), np.array([[1, 0, 0, 0.25], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1.0]]))
    for place, size in (((0.0, 0.0, 0.0), 1.0), ((0.7, 0.6, 0.5), 1.0), ((1.0, 0.0, 0.0), 1.0),
                        ((0.5, 0.0, 3.0), 1.0), ((0.0, 0.0, 3.0), 1.0), ((0.1, 0.1, 3.1), 0.2),
                        ((0.1, 0.1, 0.1), 0.35)):
        pose = np.diag([size, size, size, 1.0])
        pose[:3, 3] = place
        scene.add_object(mesh, pose)
    return scene


def falling_box() -> Scene:
    """A box that turns and falls onto another one."""
    scene = one_box_at((0.0, 0.0, 0.0))
    above = np.eye(4)
    above[2, 3] = 1.5
    turned = np.array([[0.6, -0.8, 0, 0.1], [0.8, 0.6, 0, 0.2], [0, 0, 1, 0.5], [0, 0, 0, 1]], np.float64)
    scene.add_object(0, above, pose_end=turned)
    return scene


def two_wavy_sheets() -> Scene:
    """Two sheets that cross in many places: a pair large enough to be shared by threads."""
    scene = Scene()
    x, y, triangles = _sheet()
    for shift in (0.0, 1.0):
        z = np.sin(0.3 * x + shift) + np.cos(0.2 * y)
        scene.add_object(scene.add_mesh(np.stack([x.ravel(), y.ravel(), z.ravel()], 1), triangles))
    return scene


def folded_sheet() -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a wavy sheet whose halves lie on each other."""
    x, y, triangles = _sheet()
    x = np.abs(x - x.max() // 2)
    return np.stack([x.ravel(), y.ravel(), np.sin(0.3 * x + 0.1 * y).ravel()], 1), triangles


def _sheet() -> tuple[np.ndarray, ...]:
    """x and y (n,n) of a square grid, and its triangles."""
    n = 80
    x, y = np.meshgrid(np.arange(n, dtype=float), np.arange(n, dtype=float))
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    return x, y, np.concatenate([np.stack([corner, corner + 1, corner + n], 1),
                                 np.stack([corner + 1, corner + n + 1, corner + n], 1)])
