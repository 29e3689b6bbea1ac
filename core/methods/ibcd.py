# SPDX-License-Identifier: GPL-3.0-or-later
"""Image-based detection: surfaces in convex pieces, trees of boxes over them, and pictures of pieces that may meet.

After chapter 2 of the thesis of 2003; docs/methods/ibcd.md. The exact test has the last word unless it is turned off.
"""
from functools import partial

from ..image_space.hulls.pieces import convex_pieces
from ..image_space.stages import broad_phase, contacts, prepare, verdicts
from ..method import DEVICE, Method, Option
from ..verdicts.of_placed import clearances

CONFIRM = Option("confirm", "Exact Test", "Test all pairs whose boxes overlap exactly; off, the pictures alone decide.",
                 True, may_lose=(False,), may_invent=(False,))
RESOLUTION = Option("resolution", "Resolution", "Pixels along a side of each picture.", 64, minimum=8, maximum=512)

METHOD = Method(
    id="ibcd",
    title="IBCD",
    document="Fan: Research on Real Time Collision Detection (2003), chapter 2",
    summary="Convex pieces of surfaces in pictures drawn by the GPU, two in each; the exact test confirms",
    answer="exact",
    prepare=partial(prepare, "convex pieces", convex_pieces),
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    options=(DEVICE, RESOLUTION, CONFIRM),
    needs=("gpu",),
    welds=True,
)
