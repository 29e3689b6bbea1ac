# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint why`: what decides about two objects of a scene."""
from argparse import Namespace

from ...core.errors import Refused
from ...core.tolerance import AUTOMATIC
from ..opening import check_blender, open_scene, settings_of_scenes
from .detect_command import metres_per_unit_of_scene
from .output import say
from .rules import given_rules, rules_of_run

OF_TEST = {"clearance": 0.0, "tolerance": AUTOMATIC, "weld": 0.0}      # argument, and what it is where it is not given


def run(arguments: Namespace) -> int:
    """Returns 0 where there is an answer. Raises TouchpointError or OSError for what ends in exit code 3."""
    check_blender()
    import bpy

    from .. import api
    from ..named_tests.named_test import NamedTest
    from ..scene_read.users_frame import come_to_shown_frame
    from ..why import WhyRun
    from .test_command import kept_test
    from .unseen import shown_elsewhere

    if arguments.a is None or arguments.b is None:
        raise Refused("Name the two objects: --a X --b Y.")
    if arguments.test is not None and any(getattr(arguments, name) != default for name, default in OF_TEST.items()):
        raise Refused("--clearance, --tolerance or --weld does not go with --test: a test has settings of its own.")
    rules = given_rules(arguments)
    api.prepare()
    open_scene(arguments.scene)
    come_to_shown_frame(bpy.context)
    unit, tolerance = metres_per_unit_of_scene(), arguments.tolerance
    with settings_of_scenes():
        asked, wanted = rules_of_run(rules, unit), (arguments.a, arguments.b)
        if arguments.test is not None:
            test = NamedTest.of(kept_test(arguments.test), asked)
            run = WhyRun.of_test(bpy.context, test, wanted, arguments.frame)
        else:
            run = WhyRun(bpy.context, {"frame": arguments.frame, "rules": asked}, wanted,
                         clearance=arguments.clearance / unit, weld=arguments.weld / unit,
                         tolerance=tolerance if isinstance(tolerance, str) else tolerance / unit)
        answer = run.complete()
    for sentence in answer:
        say(sentence)
    for note in shown_elsewhere():
        say(f"Note: {note}")
    return 0
