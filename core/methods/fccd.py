# SPDX-License-Identifier: GPL-3.0-or-later
"""When convex bodies first meet, by GJK of swept hulls and of a ray. docs/methods/fccd.md."""
from ..continuous.hulls.search import FCCD
from ..continuous.hulls.times import hull_times, warm_up
from ..continuous.interval import interval_stages
from ..method import Method, Option

METHOD = Method(
    id="fccd",
    title="GJK of Swept Hulls",
    document="Liu: Research on Fast Continuous Collision Detection of Convex Bodies Based on GJK (2014)",
    summary="When convex bodies first meet: GJK of their swept hulls, then GJK ray casting",
    answer="exact",
    needs=("interval",),
    **interval_stages(hull_times(FCCD)),
    warm_up=warm_up,
    options=(
        Option("hulls", "Hulls", "Take objects that are not convex as their convex hulls: fast, may report contacts "
               "that are none.", False, may_invent=(True,)),
    ),
)
