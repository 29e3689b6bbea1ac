# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint detect SCENE.blend --test NAME|all`: the tests that are kept with the scene, one report per frame."""
from argparse import Namespace
from contextlib import ExitStack
from functools import partial
from typing import Any

from ...core.errors import Refused
from ...core.methods import DEFAULT
from ...core.tolerance import AUTOMATIC
from ..opening import check_blender, open_scene, settings_of_scenes
from .detect_command import check_written_files, fail_on_of, metres_per_unit_of_scene, say_written
from .output import say
from .rules import given_rules, rules_of_run

ALL_TESTS = "all"
# What a test brings itself, and what belongs to a single run: argument, and what it is where it is not given.
NOT_WITH_TESTS = {"a": None, "b": None, "method": DEFAULT, "option": [], "clearance": 0.0, "weld": 0.0, "frame": None,
                  "tolerance": AUTOMATIC, "self_collisions": False, "identify_by": "", "group_by": None, "points": None,
                  "save_as": None, "timings": None, "pictures": None, "regions": False,
                  "self_reference": None, "html": None, "bcf": None}


def run(arguments: Namespace) -> int:
    """Returns the worst exit code of the tests. Raises TouchpointError or OSError for what ends in exit code 3."""
    check_blender()
    from ...core.files import Outputs
    from .. import api
    from ..named_tests.files import read_tests
    from ..named_tests.run import worst
    from .test_files import CsvOfTests, JsonOfTests, JunitOfTests

    _refuse_what_tests_bring(arguments)
    given = given_rules(arguments)
    tests = None if arguments.tests is None else read_tests(arguments.tests)
    api.prepare()
    source = open_scene(arguments.scene)
    check_written_files(arguments, source, ("json", "csv", "junit"))
    fail_on = fail_on_of(arguments)
    with settings_of_scenes(), Outputs() as outputs, ExitStack() as files:
        written = [kind(files.enter_context(outputs.file(path)))
                   for kind, path in ((JsonOfTests, arguments.json),
                                      (partial(CsvOfTests, volumes=arguments.volume), arguments.csv),
                                      (partial(JunitOfTests, fail_on=fail_on), arguments.junit)) if path]
        rules = None if given is None else rules_of_run(given, metres_per_unit_of_scene())
        if tests is not None:
            _take_instead(tests)
        ended = _run(_chosen(arguments.test), rules, fail_on, arguments, written)
        for each in written:
            each.end(ended)
    for each in ended:
        say(f"{each.name}: exit code {each.code}. {each.line}")
    say_written(arguments.json, arguments.csv, arguments.junit)
    return worst(each.code for each in ended)


def _refuse_what_tests_bring(arguments: Namespace) -> None:
    for name, default in NOT_WITH_TESTS.items():
        if getattr(arguments, name) != default:
            raise Refused(f"--{name.replace('_', '-')} does not go with --test: a test has settings of its own.")


def _take_instead(tests: list) -> None:
    """Let the scene, which is not saved, have these tests and no others."""
    import bpy

    from ..named_tests.files import add_tests

    bpy.context.scene.touchpoint.tests.clear()
    add_tests(bpy.context.scene, tests)


def _chosen(name: str) -> list[str]:
    """The names of the tests to run. Raises Refused where there is none."""
    import bpy

    tests = bpy.context.scene.touchpoint.tests
    names = [each.name for each in tests]
    if not names:
        raise Refused("There are no tests: the panel Tests makes them, and --tests reads them from a file.")
    return names if name == ALL_TESTS else [kept_test(name).name]


def kept_test(name: str) -> Any:
    """The test of the open scene. Raises Refused where there is none of this name, or several."""
    import bpy

    from ..named_tests.run import refuse_one_name_for_several

    tests = bpy.context.scene.touchpoint.tests
    names = [each.name for each in tests]
    if name not in names:
        raise Refused(f'There is no test "{name}". The tests are: {", ".join(names) or "none"}.')
    refuse_one_name_for_several([each for each in names if each == name])
    return tests[name]


def _run(names: list[str], rules, fail_on, arguments: Namespace, written: list) -> list:
    import bpy

    from ..named_tests.run import TestsRun
    from ..scene_read.users_frame import come_to_shown_frame
    from .summary import summary_lines
    from .unseen import shown_elsewhere

    def found(name: str, report) -> None:
        report.notes += shown_elsewhere()
        say(f"Test {name}")
        for line in summary_lines(report):
            say(line)
        say()
        for each in written:
            each.add(name, report)

    come_to_shown_frame(bpy.context)
    return TestsRun(bpy.context, names, rules=rules, fail_on=fail_on, found=found, threads=arguments.threads,
                    volume=arguments.volume).complete()
