# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint detect`: open the scene, ask, say who collides, write the files that were asked for."""
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.codes import FAIL_ON
from ...core.errors import NothingToTest, Refused
from ...core.rules import Rule
from ..opening import check_blender, open_scene, settings_of_scenes
from .options import options_of
from .output import Counter, say
from .rules import given_rules, rules_of_run
from .saved_copy import save_copy

if TYPE_CHECKING:
    from ...core.files import Outputs
    from ...core.report import Report
    from ..reports.saving import Dump

WRITTEN = ("json", "csv", "html", "junit", "bcf", "timings", "save_as")     # arguments that name files to be written


def run(arguments: Namespace) -> int:
    """Returns the exit code. Raises TouchpointError or OSError for what ends in exit code 3."""
    if arguments.tests is not None:
        raise Refused("--tests goes with --test, which says which of them to run.")
    return report_of(arguments, _detect)


def report_of(arguments: Namespace, ask: Callable) -> int:
    """Open the scene, ask(arguments, options, rules) for a report of it, say and write what is in it. Returns and
    raises what `run` does."""
    check_blender()
    from ...core import methods
    from ...core.files import Outputs
    from .. import api
    from ..grouping import groups_of
    from ..pictures.names import names_of
    from ..pictures.saving import check_gpu
    from .summary import summary_lines
    from .unseen import shown_elsewhere

    check_collections(arguments)
    options = options_of(arguments.method, arguments.option)
    rules = given_rules(arguments)
    if arguments.pictures:
        check_gpu()
    api.prepare()
    methods.load(arguments.method).chosen(options)      # wrong ones are refused before a large file is opened
    source = open_scene(arguments.scene)
    check_written_files(arguments, source, WRITTEN)
    check_pictures(arguments.pictures)
    try:
        report = ask(arguments, options, rules)
    except NothingToTest as error:
        raise NothingToTest(" ".join([str(error), *shown_elsewhere()])) from None
    report.notes += shown_elsewhere()
    if arguments.group_by is not None:
        report.grouping = groups_of(report, arguments.group_by)
    for line in summary_lines(report):
        say(line)
    names = names_of(report, arguments.most_pictures) if arguments.pictures else {}
    with Outputs() as outputs:
        snapshots = draw_pictures(outputs, report, arguments.pictures, names) if names else {}
        for path, dump in dumps_of(arguments, names, snapshots):
            with outputs.file(path) as file:
                dump(report, file)
        if arguments.save_as:
            with outputs.place(arguments.save_as, _versions_kept()) as place:
                save_copy(report, place, arguments.save_as)
    say_written(*(getattr(arguments, name) for name in WRITTEN),
                *(arguments.pictures / name for name in names.values()))
    say_left_out(report, arguments)
    return report.exit_code(fail_on_of(arguments))


def fail_on_of(arguments: Namespace) -> tuple[str, ...]:
    """The verdicts that give exit code 1."""
    return FAIL_ON if arguments.fail_on is None else arguments.fail_on


def dumps_of(arguments: Namespace, pictures: dict[int, str],
             snapshots: dict[int, bytes]) -> Iterator[tuple[Path, "Dump"]]:
    """(file, what writes a report into it) of each that was asked for, but for the copy of the scene. pictures: {row:
    name of its file}; snapshots: {row: PNG}."""
    from ...core import export
    from ..reports.saving import dump_of

    by_argument: dict[str, Dump] = {
        "json": partial(export.dump_json, points=arguments.points, pictures=pictures),
        "timings": export.dump_timings,
        **{kind.lower(): dump_of(kind, snapshots, fail_on_of(arguments)) for kind in ("CSV", "HTML", "JUNIT", "BCF")}}
    for name, dump in by_argument.items():
        if getattr(arguments, name):
            yield getattr(arguments, name), dump


def say_written(*paths: Path | None) -> None:
    """Name the files that are there now."""
    for path in filter(None, paths):
        say(f"Wrote {path}")


def say_left_out(report: "Report", arguments: Namespace) -> None:
    """Say how many pairs are in none of the files for people, where there are too many."""
    from ..reports.saving import WITH_PICTURES, said_of_rest

    for kind in WITH_PICTURES:
        said = said_of_rest(report, kind) if getattr(arguments, kind.lower()) else ""
        if said:
            say(said)


def check_pictures(folder: Path | None) -> None:
    """Raises Refused where the pictures have no place."""
    if folder is not None and folder.exists() and not folder.is_dir():
        raise Refused(f"--pictures: {folder} is not a folder.")
    if folder is not None and not folder.absolute().parent.is_dir():
        raise Refused(f"--pictures: there is no folder {folder.absolute().parent}.")


def draw_pictures(outputs: "Outputs", report: "Report", folder: Path, names: dict[int, str]) -> dict[int, bytes]:
    """Draw those with names into a folder, and say how far that is. Returns {row: PNG}."""
    from ..pictures.saving import drawn_into

    counter, found = Counter("Drawing pictures"), {}
    try:
        for row, png in drawn_into(outputs, report, folder, names):
            found[row] = png
            counter("drawing", len(found) / len(names))
    finally:
        counter.end()
    return found


def check_collections(arguments: Namespace) -> None:
    """Raises Refused for --a without --b."""
    if (arguments.a is None) != (arguments.b is None):
        raise Refused("--a and --b belong together: one collection is tested against the other.")


def check_written_files(arguments: Namespace, source: Path, names: tuple[str, ...]) -> None:
    """Refuse what could not be written, or would destroy the scene or another output, before any work is done."""
    taken = {source.resolve(): "the scene itself"}
    for name in names:
        path, option = getattr(arguments, name), f"--{name.replace('_', '-')}"
        if path is None:
            continue
        if not path.parent.is_dir():
            raise Refused(f"{option}: there is no folder {path.parent}.")
        if path.is_dir():
            raise Refused(f"{option}: {path} is a folder.")
        if path.resolve() in taken:
            raise Refused(f"{option}: {path} is {taken[path.resolve()]}; choose another file.")
        taken[path.resolve()] = f"also the file of {option}"
        if name == "save_as" and path.suffix != ".blend":
            raise Refused(f"--save-as: the name of a Blender file ends in .blend, unlike {path}.")


def _detect(arguments: Namespace, options: dict, rules: list[Rule] | None):
    import bpy

    from .. import api
    from ..scene_read.users_frame import come_to_frame, come_to_shown_frame

    if arguments.frame is None:
        come_to_shown_frame(bpy.context)
    else:
        come_to_frame(bpy.context, arguments.frame)     # and stay there, so that --save-as shows what was tested
    with settings_of_scenes():
        return api.detect(**asked_of(arguments, options, rules), volume=arguments.volume, regions=arguments.regions)


def asked_of(arguments: Namespace, options: dict, rules: list[Rule] | None) -> dict:
    """What is asked of the open scene, as arguments of `api.detect` and `api.check_animation`."""
    metres, tolerance = metres_per_unit_of_scene(), arguments.tolerance
    return {"method": arguments.method, "options": options, "threads": arguments.threads,
            "clearance": arguments.clearance / metres, "weld": arguments.weld / metres,
            "tolerance": tolerance if isinstance(tolerance, str) else tolerance / metres,
            "rules": rules_of_run(rules, metres), "self_collisions": arguments.self_collisions,
            "self_reference": arguments.self_reference,
            "identify_by": arguments.identify_by, **scope_of(arguments)}


def scope_of(arguments: Namespace) -> dict:
    """What is to be tested, as arguments of `api.detect`."""
    return {"scope": "VISIBLE" if arguments.a is None else "COLLECTIONS", "collection_a": arguments.a,
            "collection_b": arguments.b}


def metres_per_unit_of_scene() -> float:
    """Of the scene that is open."""
    import bpy

    from ..scene_read import metres_per_unit

    return metres_per_unit(bpy.context.scene)


def _versions_kept() -> int:
    """How many older versions of a file the user wants Blender to keep; the module has no user's preferences."""
    import bpy

    if not bpy.app.binary_path or bpy.app.factory_startup:
        return 0
    return bpy.context.preferences.filepaths.save_version
