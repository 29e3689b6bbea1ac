# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision detection on arrays. No Blender below this line.

    from touchpoint.core import Scene, detect
    scene = Scene()
    mesh = scene.add_mesh(vertices, triangles)
    scene.add_object(mesh, pose_a, name="A")
    scene.add_object(mesh, pose_b, name="B")
    report = detect(scene)
"""
from .errors import Cancelled, Refused, TouchpointError, Unsupported
from .report import Report
from .scene import Scene

__all__ = ["Cancelled", "Refused", "Report", "Scene", "Sweep", "SweepReport", "TouchpointError", "Unsupported",
           "detect", "sweep"]


def __getattr__(name):
    """`detect` and `sweep` come with numba and every kernel: only when they are asked for, not when Blender enables the
    add-on."""
    if name == "detect":
        from .pipeline import detect

        return detect
    if name in ("Sweep", "sweep"):
        from .sequence import sweep

        return getattr(sweep, name)
    if name == "SweepReport":
        from .sequence.report import SweepReport

        return SweepReport
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
