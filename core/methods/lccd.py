# SPDX-License-Identifier: GPL-3.0-or-later
"""When convex bodies first meet, by a ray clipped by the faces of the set of differences. docs/methods/lccd.md."""
from ..continuous.hulls.search import LCCD
from ..continuous.hulls.times import hull_times, warm_up
from ..continuous.interval import interval_stages
from ..method import Method, Option

METHOD = Method(
    id="lccd",
    title="Ray Clipped by Differences",
    document="Liu: Research on Fast Continuous Collision Detection of Convex Bodies Based on GJK (2014), beside it",
    summary="When convex bodies first meet: the ray of the origin, clipped by the faces of the set of differences",
    answer="exact",
    needs=("interval",),
    **interval_stages(hull_times(LCCD)),
    warm_up=warm_up,
    options=(
        Option("hulls", "Hulls", "Take objects that are not convex as their convex hulls: fast, may report contacts "
               "that are none.", False, may_invent=(True,)),
    ),
)
