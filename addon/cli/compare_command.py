# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint compare`: several methods on one scene, one table; files with the figures and with plots."""
from argparse import Namespace

from ...core.declarations import declaration
from ...core.errors import Refused
from ..opening import check_blender, open_scene
from .compare_table import lines
from .detect_command import (
    check_collections,
    check_written_files,
    metres_per_unit_of_scene,
    say_written,
    scope_of,
)
from .options import entries_of
from .output import say


def run(arguments: Namespace) -> int:
    """Returns 0 where all methods that promise an exact answer gave it, 1 where one did not, 2 where there was no
    exact answer to hold them against. Raises TouchpointError or OSError for what ends in exit code 3."""
    check_blender()
    import bpy

    from ...core.comparison_export import dump_json
    from ...core.files import Outputs
    from .. import api
    from ..scene_read.users_frame import come_to_shown_frame
    from .unseen import shown_elsewhere

    check_collections(arguments)
    entries = entries_of(arguments.methods, arguments.option)
    declaration(arguments.reference)        # an unknown one is refused before a large file is opened
    if arguments.html:
        from .compare_page import check_packages, dump_html

        check_packages()        # before the work, not after it
    api.prepare()
    source = open_scene(arguments.scene)
    check_written_files(arguments, source, ("json", "html"))
    if arguments.frames is None:
        come_to_shown_frame(bpy.context)
    comparison = api.compare(entries, repeats=arguments.repeats, reference=arguments.reference,
                             clearance=arguments.clearance / metres_per_unit_of_scene(), frame=arguments.frame,
                             frames=arguments.frames, step=arguments.step, **scope_of(arguments))
    comparison.notes += shown_elsewhere()
    if all(row.reason for row in comparison.rows):
        raise Refused("; ".join(f"{row.label}: {row.reason}" for row in comparison.rows))
    for line in lines(comparison):
        say(line)
    with Outputs() as outputs:
        if arguments.json:
            with outputs.file(arguments.json) as file:
                dump_json(comparison, file)
        if arguments.html:
            with outputs.file(arguments.html) as file:
                dump_html(comparison, file)
    say_written(arguments.json, arguments.html)
    return comparison.exit_code()
