# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint in Blender: reads scenes, runs the core, shows and writes back what it found.

Importing this module imports nothing of it, so that `touchpoint.addon.api` and the command line need no more than
they use. Registering needs bpy only: numba and the core's kernels are imported by the first run, or ahead of it by a
thread (kernels.py).
"""
import sys

COMMAND = "touchpoint"      # of `blender -c touchpoint`
_command_line = None        # Blender's handle of it


def register() -> None:
    """Called by Blender when the extension is enabled."""
    global _command_line
    import bpy

    if bpy.app.background and is_command(sys.argv):
        from .cli import end_at_interrupts

        end_at_interrupts()     # sooner than the command begins: Blender may open a large file before
    from . import greeting, handlers, kernels, keymap, operators, panels, preferences, properties
    from .animation import strip_drawing
    from .overlay import drawing as overlay_drawing

    preferences.register()
    properties.register()
    operators.register()
    panels.register()
    keymap.register()
    handlers.register()
    strip_drawing.register()
    overlay_drawing.register()
    _command_line = bpy.utils.register_cli_command(COMMAND, _run_command_line)
    kernels.make_ready()
    greeting.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled, and when Blender ends. A run that is going on is stopped."""
    global _command_line
    import bpy

    from ..core.parallel import close_pools
    from . import gpu_backend, greeting, handlers, kernels, keymap, operators, panels, preferences, properties
    from .animation import strip_drawing
    from .live import engine
    from .overlay import drawing as overlay_drawing
    from .views import before, gliding

    greeting.unregister()
    engine.unregister()
    gliding.stop()
    before.forget()
    operators.stop_run()
    kernels.stop()
    close_pools()
    gpu_backend.free()
    bpy.utils.unregister_cli_command(_command_line)
    _command_line = None
    overlay_drawing.unregister()
    strip_drawing.unregister()
    handlers.unregister()
    keymap.unregister()
    panels.unregister()
    operators.unregister()
    properties.unregister()
    preferences.unregister()


def is_command(argv: list[str]) -> bool:
    """True where Blender was started for our command, and for nothing else. argv: all of Blender's arguments."""
    asked = argv[:argv.index("--")] if "--" in argv else argv
    return any(one in ("-c", "--command") and name == COMMAND for one, name in zip(asked, asked[1:]))


def _run_command_line(argv: list[str]) -> int:
    from .cli import end_at_interrupts, main

    end_at_interrupts()
    return main(argv)
