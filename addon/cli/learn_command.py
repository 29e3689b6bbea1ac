# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint learn`: a rule about what meets while all is as it should be, written beside the other rules."""
from argparse import Namespace

from ...core.errors import Refused
from ...core.rules import write_rules
from ..opening import check_blender, open_scene, settings_of_scenes
from .detect_command import check_collections, check_written_files, metres_per_unit_of_scene, say_written, scope_of
from .output import Counter, say
from .rules import given_rules, rules_of_run


def run(arguments: Namespace) -> int:
    """Returns 0 once the rules are written. Raises TouchpointError or OSError for what ends in exit code 3."""
    check_blender()
    import bpy

    from .. import api, phrases
    from ..animation.frames import frames_asked
    from ..scene_read.cycles import told_of_cycles
    from ..scene_read.users_frame import come_to_shown_frame
    from .unseen import shown_elsewhere

    if arguments.out is None:
        raise Refused("Say where the rules are to be written: --out RULES.json.")
    check_collections(arguments)
    rules = given_rules(arguments)
    api.prepare()
    source = open_scene(arguments.scene)
    check_written_files(arguments, source, ("out",))
    unit, tolerance, counter = metres_per_unit_of_scene(), arguments.tolerance, Counter("Learning")
    known = rules_of_run(rules, unit)
    frames = None if arguments.frames is None else frames_asked(arguments.frames, bpy.context.scene, arguments.step)
    if frames is None:
        come_to_shown_frame(bpy.context)
    try:
        with settings_of_scenes():
            learned = api.learn(frames, rest_pose=arguments.rest_pose, rules=known, progress=counter,
                                tolerance=tolerance if isinstance(tolerance, str) else tolerance / unit,
                                **scope_of(arguments))
    finally:
        counter.end()
    if learned is None:
        say("Nothing meets that rules do not take away already.")
    else:
        say(f"{learned.reason}: {phrases.count(len(learned.pairs), 'pair')}.")
    in_circles = [sentence for sentence, _ in told_of_cycles(bpy.context.evaluated_depsgraph_get())]
    for note in in_circles + shown_elsewhere():
        say(f"Note: {note}")
    written = dict.fromkeys([*known, *([] if learned is None else [learned])])     # a file has each rule once
    write_rules(written, arguments.out, unit)
    say_written(arguments.out)
    return 0
