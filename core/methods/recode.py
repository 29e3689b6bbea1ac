# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of whole objects as their convex hulls: the baseline of the image-based method, for convex objects.

After RECODE (Baciu and Wong, 1998), as chapter 2 of the thesis of 2003 uses it; docs/methods/recode.md.
"""
from functools import partial

from ..image_space.hulls.pieces import whole_hull
from ..image_space.stages import broad_phase, contacts, prepare, verdicts
from ..method import DEVICE, Method
from ..verdicts.of_placed import clearances
from .ibcd import CONFIRM, RESOLUTION

METHOD = Method(
    id="recode",
    title="RECODE",
    document="Fan: Research on Real Time Collision Detection (2003), chapter 2",
    summary="Convex hulls of whole objects in pictures drawn by the GPU; the exact test confirms",
    answer="exact",
    prepare=partial(prepare, "whole hulls", whole_hull),
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    options=(DEVICE, RESOLUTION, CONFIRM),
    needs=("gpu",),
    welds=True,
)
