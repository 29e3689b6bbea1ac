# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint animation`: open the scene, test its frames, say who collides and when, write the files that were asked
for."""
from argparse import Namespace

from ...core.rules import Rule
from .detect_command import asked_of, report_of
from .output import Counter
from .rules import settings_of_scenes


def run(arguments: Namespace) -> int:
    """Returns the exit code. Raises TouchpointError or OSError for what ends in exit code 3."""
    return report_of(arguments, _check)


def _check(arguments: Namespace, options: dict, rules: list[Rule] | None):
    counter = Counter("Checking frames")
    try:
        with settings_of_scenes():
            return _ask(arguments, asked_of(arguments, options, rules), counter)
    finally:
        counter.end()


def _ask(arguments: Namespace, asked: dict, counter: Counter):
    from .. import api

    if arguments.workers > 1:
        from ..workers.check import check_by_workers

        return check_by_workers(arguments.workers, frames=arguments.frames, step=arguments.step,
                                continuous=arguments.continuous, asked=asked, progress=counter)
    return api.check_animation(arguments.frames, step=arguments.step, continuous=arguments.continuous,
                               progress=counter, **asked)
