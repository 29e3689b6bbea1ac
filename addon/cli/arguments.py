# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be asked on the command line."""
import argparse
import math
from functools import partial
from pathlib import Path

from ...core.grouping import GROUPINGS
from ...core.methods import DEFAULT
from ...core.tolerance import AUTOMATIC
from ..pictures.names import MOST_PICTURES
from .output import say_all

EPILOG = """exit code:
  0  no pair has a verdict of --fail-on
  1  some pair has
  2  none has, but something could not be judged, or depends on Python in the file that was not run
  3  an error, or a question that makes no sense (nothing to test, a single object)"""


COMPARE_EPILOG = """exit code:
  0  every method that promises an exact answer gave it
  1  one of them did not
  2  there was no exact answer to hold them against
  3  an error, or a question that makes no sense"""


class UsageError(Exception):
    """Arguments that make no sense; `usage` shows how to call the command."""

    def __init__(self, message: str, usage: str):
        super().__init__(message)
        self.usage = usage


class _Answered(Exception):
    """Nothing is left to do: the help was printed."""


class _Parser(argparse.ArgumentParser):
    """Raises instead of ending the process with code 2, which here means something else."""

    def error(self, message):
        raise UsageError(message, self.format_usage().rstrip())

    def exit(self, status=0, message=None):
        raise _Answered

    def _print_message(self, message, file=None):
        say_all(message)


def parse(argv: list[str]) -> argparse.Namespace:
    """The arguments; `command` is the function to call with them. Raises UsageError."""
    from . import (
        animation_command,
        bench_command,
        compare_command,
        detect_command,
        learn_command,
        other_commands,
        test_command,
        why_command,
    )

    parser = _Parser(prog="touchpoint", description="Finds where meshes collide.", epilog=EPILOG, allow_abbrev=False,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debug", action="store_true", help="show where an unexpected error came from")
    commands = parser.add_subparsers(dest="name", metavar="COMMAND", required=True, parser_class=_Parser)
    detect = commands.add_parser("detect", help="find the collisions in a scene", epilog=EPILOG, allow_abbrev=False,
                                 description="Finds the collisions among the visible objects of a scene.",
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_detect_arguments(detect)
    detect.set_defaults(command=lambda given: (detect_command if given.test is None else test_command).run(given))
    animation = commands.add_parser("animation", help="find the collisions in the frames of a scene", epilog=EPILOG,
                                    description="Finds the collisions among the visible objects of a scene in all of "
                                                "its frames: when each pair meets, and where that is worst.",
                                    allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_animation_arguments(animation)
    animation.set_defaults(command=animation_command.run, pictures=None)
    why = commands.add_parser("why", help="say what decides about two objects", allow_abbrev=False,
                              description="Says of two objects what decides whether they are in a report: a rule, "
                                          "their boxes or their surfaces, and what is measured of them.")
    _add_why_arguments(why)
    why.set_defaults(command=why_command.run)
    learn = commands.add_parser("learn", help="make a rule of what meets while all is as it should be",
                                allow_abbrev=False, description="Makes a rule of the pairs that meet while all is as "
                                "it should be, and writes it beside the rules that there are.")
    _add_learn_arguments(learn)
    learn.set_defaults(command=learn_command.run)
    compare = commands.add_parser("compare", help="run several methods on a scene", epilog=COMPARE_EPILOG,
                                  description="Runs several methods on a scene and shows what each took, found and "
                                              "missed.", allow_abbrev=False,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_compare_arguments(compare)
    compare.set_defaults(command=compare_command.run)
    bench = commands.add_parser("bench", help="compare speed and answers with other libraries, or of our methods",
                                allow_abbrev=False, description="Asks other libraries and Touchpoint, or several of "
                                "its methods, the same questions, side by side.")
    _add_bench_arguments(bench)
    bench.set_defaults(command=bench_command.run)
    for name, command, text in (
            ("methods", other_commands.methods, "list the methods"),
            ("version", other_commands.version, "print the version, and what it runs in"),
            ("self-test", other_commands.self_test, "check this installation by questions with known answers")):
        commands.add_parser(name, help=text, description=text.capitalize() + ".",
                            allow_abbrev=False).set_defaults(command=command)
    try:
        return parser.parse_args(argv)
    except _Answered:
        return argparse.Namespace(debug=False, command=lambda _arguments: 0)


def _add_scene_arguments(parser) -> None:
    """Which scene, and what of it."""
    _add_place_arguments(parser)
    parser.add_argument("--clearance", type=_number, default=0.0, metavar="METRES",
                        help="report pairs up to this gap as near")


def _add_place_arguments(parser) -> None:
    parser.add_argument("scene", nargs="?", type=Path, metavar="SCENE.blend",
                        help="the scene file; without it the file that Blender has open")
    parser.add_argument("--a", metavar="COLLECTION", help="test this collection …")
    parser.add_argument("--b", metavar="COLLECTION", help="… against this one, instead of all visible objects")


def _add_frame_argument(parser) -> None:
    parser.add_argument("--frame", type=_number, metavar="N",
                        help="the frame to test, by default the file's current one")


def _add_animation_arguments(parser) -> None:
    _add_scene_arguments(parser)
    parser.add_argument("--frames", type=_frames, metavar="FIRST:LAST",
                        help="which frames to test, by default those of the scene's range")
    parser.add_argument("--step", type=_number, default=1.0, metavar="N",
                        help="from one tested frame to the next, 1 by default; 0.25 tests three times between frames")
    parser.add_argument("--continuous", action="store_true",
                        help="also find what meets between two tested frames, or comes within its clearance, and when; "
                             "not when pairs part there and meet in both")
    elsewhere = parser.add_mutually_exclusive_group()
    elsewhere.add_argument("--workers", type=_worker_count, default=1, metavar="N",
                           help="test in so many processes, each of which opens the scene; the files are the same")
    elsewhere.add_argument("--dask", metavar="ADDRESS",
                           help="test on the Dask cluster with this scheduler, such as 10.0.0.2:8786, whose workers "
                                "open the scene by the same path; the files are the same; needs the extra distributed")
    _add_question_arguments(parser)


def _add_detect_arguments(parser) -> None:
    _add_scene_arguments(parser)
    _add_frame_argument(parser)
    parser.add_argument("--test", metavar="NAME",
                        help="run a test that is kept with the scene, or all of them, with their own settings; the "
                             "exit code is the worst of all: 3, 1, 2, 0")
    parser.add_argument("--tests", type=Path, metavar="FILE",
                        help="tests that --test runs (docs/named-tests.schema.json), instead of those that are kept "
                             "with the scene")
    _add_question_arguments(parser)
    parser.add_argument("--volume", action="store_true",
                        help="measure how much space the objects of each pair share, where both are closed")
    parser.add_argument("--regions", action="store_true",
                        help="measure how deep the objects of each pair reach into each other at each of the places "
                             "where they do")
    parser.add_argument("--pictures", type=_folder, metavar="FOLDER",
                        help="draw the worst pairs as PNG files into this folder, which is made where there is none; "
                             "needs a graphics driver")
    parser.add_argument("--most-pictures", type=partial(_count, what="a number of pictures"), default=MOST_PICTURES,
                        metavar="N", help=f"draw at most so many; {MOST_PICTURES} by default")


def _add_question_arguments(parser) -> None:
    """How to test, and what to write."""
    parser.add_argument("--self-collisions", action="store_true",
                        help="test each object with itself, too; one object is enough then")
    parser.add_argument("--self-reference", type=_reference, metavar="rest|FRAME",
                        help="with --self-collisions: do not list those that are there in the rest pose of all "
                             "armatures, or at that frame")
    parser.add_argument("--method", default=DEFAULT, metavar="ID", help="see `touchpoint methods`")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="an option of the method, see `touchpoint methods`; may be given several times")
    parser.add_argument("--tolerance", type=_tolerance, default=AUTOMATIC, metavar="auto|METRES|0",
                        help="objects that reach into each other by no more, or are no farther apart, touch; auto, the "
                             "default: what the numbers in the file resolve; 0: exact verdicts")
    parser.add_argument("--weld", type=_number, default=0.0, metavar="METRES",
                        help="meshes whose borders are nowhere farther apart count as closed")
    parser.add_argument("--rules", type=Path, metavar="FILE",
                        help="rules that take pairs away (docs/rules.schema.json), instead of those that are kept with "
                             "the scene; none for no rules")
    parser.add_argument("--threads", type=_thread_count, metavar="N", help="by default as many as there are cores")
    parser.add_argument("--fail-on", type=_verdicts, metavar="VERDICTS", default=None,
                        help="verdicts that give exit code 1, such as crossing,touching; none for never. "
                             "By default crossing,overlap,contained,near")
    parser.add_argument("--identify-by", default="", metavar="PROPERTY",
                        help="a custom property of objects, such as GlobalId, that the files have beside names")
    parser.add_argument("--group-by", choices=GROUPINGS, metavar="|".join(GROUPINGS),
                        help="list pairs in groups: by the object that most of them share, by the assemblies of the "
                             "two (top parent, armature, or what makes the instances), by places in space, or what one "
                             "object contains")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report (docs/report.schema.json)")
    parser.add_argument("--points", type=_whole, metavar="N",
                        help="list at most so many points of each pair in the JSON; 0 for none")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write one line per pair")
    parser.add_argument("--html", type=Path, metavar="FILE",
                        help="write a page for browsers; with --pictures it shows them")
    parser.add_argument("--junit", type=Path, metavar="FILE",
                        help="write JUnit XML, which build servers show as tests: a case per pair")
    parser.add_argument("--bcf", type=Path, metavar="FILE",
                        help="write BCF 2.1, for programs that check building models: an issue per pair; with "
                             "--pictures it has them, with --identify-by GlobalId it names IFC elements")
    parser.add_argument("--save-as", type=Path, metavar="OUT.blend",
                        help="save a copy of the scene with the results in it")
    parser.add_argument("--timings", type=Path, metavar="FILE", help="write the seconds of each stage, as JSON")


def _add_why_arguments(parser) -> None:
    parser.add_argument("scene", nargs="?", type=Path, metavar="SCENE.blend",
                        help="the scene file; without it the file that Blender has open")
    parser.add_argument("--a", metavar="OBJECT", help="one object, or an instance as reports name it")
    parser.add_argument("--b", metavar="OBJECT", help="the other one")
    parser.add_argument("--frame", type=_number, metavar="N", help="by default the file's current one")
    parser.add_argument("--clearance", type=_number, default=0.0, metavar="METRES", help="as for detect")
    parser.add_argument("--tolerance", type=_tolerance, default=AUTOMATIC, metavar="auto|METRES|0",
                        help="as for detect")
    parser.add_argument("--weld", type=_number, default=0.0, metavar="METRES", help="as for detect")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="as for detect")
    parser.add_argument("--test", metavar="NAME",
                        help="what decides in a test that is kept with the scene, with its settings and rules")


def _add_learn_arguments(parser) -> None:
    _add_place_arguments(parser)
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--frames", type=_frames, metavar="FIRST:LAST",
                      help="what meets in any of these frames is learned, by default in the file's current one")
    when.add_argument("--rest-pose", action="store_true", help="with all armatures in their rest pose")
    parser.add_argument("--step", type=_number, default=1.0, metavar="N", help="from one of the frames to the next")
    parser.add_argument("--tolerance", type=_tolerance, default=AUTOMATIC, metavar="auto|METRES|0",
                        help="as for detect")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="as for detect; what they take away is not learned")
    parser.add_argument("--out", type=Path, metavar="RULES.json",
                        help="write these rules and the learned one (docs/rules.schema.json)")


def _add_compare_arguments(parser) -> None:
    _add_scene_arguments(parser)
    when = parser.add_mutually_exclusive_group()
    _add_frame_argument(when)
    when.add_argument("--frames", type=_frames, metavar="FIRST:LAST",
                      help="compare over these frames; methods that need an interval are asked between them")
    parser.add_argument("--step", type=_number, default=1.0, metavar="N", help="from one of them to the next")
    parser.add_argument("--methods", metavar="A,B,C",
                        help="which ones, by default all that promise the exact answer, but for the slow one itself; "
                             "tsgo:depth=3 sets an option for this entry alone, so that a method can be listed several "
                             "times")
    parser.add_argument("--option", action="append", default=[], metavar="METHOD.NAME=VALUE",
                        help="an option of a method; may be given several times")
    parser.add_argument("--repeats", type=_count, default=3, metavar="N", help="runs after the first; 3 by default")
    parser.add_argument("--reference", default=DEFAULT, metavar="ID",
                        help="whose answer the others are held against: touchpoint, or exact for small scenes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures (docs/comparison.schema.json)")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots; needs the extra compare")


def _add_bench_arguments(parser) -> None:
    parser.add_argument("--table", default="peers", metavar="NAME",
                        help="peers (the default): other libraries beside Touchpoint; tsgo, fan-parallel, particle, "
                             "pcs, fccd, fan-ibcd, fan-stream: its methods in the experiments of their documents")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], metavar="W1,W2-knot",
                        help="only these workloads or cases")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: shows that all parts work, says nothing "
                                                             "about speed")
    parser.add_argument("--json", type=Path, metavar="FILE",
                        help="write the figures after each case; cases that the file holds are not measured again")
    parser.add_argument("--markdown", type=Path, metavar="FILE",
                        help="write the tables as Markdown; in a file that has the line <!-- tables -->, below it, "
                             "and those of documents between <!-- tsgo --> and <!-- end of tsgo -->")
    parser.add_argument("--plots", type=Path, metavar="FOLDER",
                        help="draw the curves of such a table as SVG files; needs the extra compare")


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text} is not a number")
    return number


def _frames(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f'"{text}" is not FIRST:LAST, such as 1:250')
    return _number(first), _number(last)


def _tolerance(text: str) -> float | str:
    return text if text == AUTOMATIC else _number(text)


def _reference(text: str) -> float | str:
    return "REST" if text == "rest" else _number(text)


def _thread_count(text: str) -> int:
    return _count(text, "a number of threads")


def _worker_count(text: str) -> int:
    return _count(text, "a number of processes")


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a number of points")
    return int(text)


def _folder(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a folder needs a name")
    return Path(text)


def _count(text: str, what: str = "a number of runs") -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is not {what}")
    return int(text)


def _verdicts(text: str) -> tuple[str, ...]:
    """`crossing,cannot-tell` → ("crossing", "cannot tell")."""
    from ...core.codes import VERDICTS

    words = [word.strip().replace("-", " ") for word in text.split(",")]
    if words == ["none"]:
        return ()
    for word in words:
        if word not in VERDICTS[1:]:
            known = ", ".join(verdict.replace(" ", "-") for verdict in VERDICTS[1:])
            raise argparse.ArgumentTypeError(f'"{word}" is not one of {known} or none')
    return tuple(words)
