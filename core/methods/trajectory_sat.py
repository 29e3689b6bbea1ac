# SPDX-License-Identifier: GPL-3.0-or-later
"""When convex bodies first meet, by separating axes over an interval. docs/methods/trajectory_sat.md."""
from ..continuous.hulls.search import SAT_AXES
from ..continuous.hulls.times import hull_times, warm_up
from ..continuous.interval import interval_stages
from ..method import Method, Option

METHOD = Method(
    id="trajectory_sat",
    title="Separating Axes of Trajectories",
    document="Liu: Research on Fast Continuous Collision Detection of Convex Bodies Based on GJK (2014), related work",
    summary="When convex bodies first meet: the times at which their projections on separating axes meet and part",
    answer="exact",
    needs=("interval",),
    **interval_stages(hull_times(SAT_AXES)),
    warm_up=warm_up,
    options=(
        Option("hulls", "Hulls", "Take objects that are not convex as their convex hulls: fast, may report contacts "
               "that are none.", False, may_invent=(True,)),
    ),
)
