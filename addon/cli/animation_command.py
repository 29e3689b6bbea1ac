# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint animation`: open the scene, test its frames, say who collides and when, write the files that were asked
for."""
from argparse import Namespace
from functools import partial

from ...core.rules import Rule
from ..opening import settings_of_scenes
from .detect_command import asked_of, report_of
from .output import Counter


def run(arguments: Namespace) -> int:
    """Returns the exit code. Raises TouchpointError or OSError for what ends in exit code 3."""
    if arguments.dask is None:
        return report_of(arguments, _check)
    from ..workers.cluster import Cluster

    with Cluster(arguments.dask) as cluster:
        return report_of(arguments, partial(_check, cluster=cluster))


def _check(arguments: Namespace, options: dict, rules: list[Rule] | None, cluster=None):
    counter = Counter("Checking frames")
    try:
        with settings_of_scenes():
            return _ask(arguments, asked_of(arguments, options, rules), counter, cluster)
    finally:
        counter.end()


def _ask(arguments: Namespace, asked: dict, counter: Counter, cluster):
    from .. import api

    if cluster is None and arguments.workers == 1:
        return api.check_animation(arguments.frames, step=arguments.step, continuous=arguments.continuous,
                                   progress=counter, **asked)
    from ..workers import check

    by = partial(check.check_by_workers, arguments.workers) if cluster is None else partial(
        check.check_by_cluster, cluster)
    return by(path=arguments.scene, frames=arguments.frames, step=arguments.step, continuous=arguments.continuous,
              asked=asked, progress=counter)
