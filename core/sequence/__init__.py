# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a scene → intervals of contact. See docs/animation.md."""
