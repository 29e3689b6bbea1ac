# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint why`: what decides about two objects of a scene."""
from argparse import Namespace

from ...core.errors import Refused
from ..opening import check_blender, open_scene, settings_of_scenes
from .detect_command import metres_per_unit_of_scene
from .output import say
from .rules import given_rules, rules_of_run


def run(arguments: Namespace) -> int:
    """Returns 0 where there is an answer. Raises TouchpointError or OSError for what ends in exit code 3."""
    check_blender()
    import bpy

    from .. import api
    from ..why import WhyRun

    if arguments.a is None or arguments.b is None:
        raise Refused("Name the two objects: --a X --b Y.")
    rules = given_rules(arguments)
    api.prepare()
    open_scene(arguments.scene)
    unit, tolerance = metres_per_unit_of_scene(), arguments.tolerance
    with settings_of_scenes():
        where = {"frame": arguments.frame, "rules": rules_of_run(rules, unit)}
        answer = WhyRun(bpy.context, where, (arguments.a, arguments.b), clearance=arguments.clearance / unit,
                        tolerance=tolerance if isinstance(tolerance, str) else tolerance / unit,
                        weld=arguments.weld / unit).complete()
    for sentence in answer:
        say(sentence)
    return 0
