# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: one `main` behind `touchpoint …`, `python -m touchpoint …` and `blender -b -c touchpoint …`.

Exit code: 1 when a pair has a verdict of --fail-on, else 2 when something could not be judged, else 0; 3 for an error
or a refusal. Machine-readable output goes to files, because Blender prints its own lines on stdout.
"""
import os
import sys
import traceback

ERROR = 3


def main(argv: list[str]) -> int:
    """Run one command; argv is what follows the program's name. Never raises and never ends the process."""
    from ...core.errors import TouchpointError
    from .arguments import UsageError, parse
    from .output import complain

    debug = False
    try:
        arguments = parse(argv)
        debug = arguments.debug
        return arguments.command(arguments)
    except SystemExit as leaving:       # --help and --version have printed what they were asked for
        return ERROR if leaving.code else 0
    except UsageError as error:
        complain(f"{error}\n\n{error.usage}")
    except TouchpointError as error:
        complain(error)
    except KeyboardInterrupt:
        complain("stopped")
    except Exception as error:
        if debug:
            traceback.print_exc()
        complain(f"{_description(error)}{'' if debug else ' (--debug shows where)'}")
    return ERROR


def entry_point() -> None:
    """The console script, and `python -m touchpoint`."""
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)      # the bpy module prints about its memory, or even crashes, when Python takes it down


def _description(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    return f"{type(error).__name__}: {error}"
