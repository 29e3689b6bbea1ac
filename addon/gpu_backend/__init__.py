# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing and counting with Blender's own `gpu` module, behind ports of the core.

Nothing is touched before a method asks for it: `obtain` finds out once per process whether there is a GPU that gives
right numbers. All of it runs on the main thread. docs/gpu.md says what was learned of each version of Blender.
"""
from .probe import free, known_reason, obtain

__all__ = ["free", "known_reason", "obtain"]
