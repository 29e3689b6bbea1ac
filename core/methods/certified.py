# SPDX-License-Identifier: GPL-3.0-or-later
"""First contacts of whole meshes, certified: what other methods that follow objects are held against.

Trees of moving boxes, opened where they begin to overlap first; pairs of triangles by steps that a direction proves
free (docs/moving-meshes.md).
"""
from ..continuous.interval import interval_stages
from ..method import Method


def warm_up(detect):
    """A box that falls onto another one."""
    from ..scene.tiny import falling_box

    detect(falling_box())


METHOD = Method(
    id="certified",
    title="Certified First Contacts",
    document="",
    summary="When meshes that move or deform first meet, never late and never missed, by trees of moving boxes",
    answer="exact",
    needs=("interval",),
    **interval_stages(),
    warm_up=warm_up,
)
