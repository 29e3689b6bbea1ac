# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes and poses: what a caller hands to the pipeline."""
from .scene import Mesh, Object, Scene

__all__ = ["Mesh", "Object", "Scene"]
