# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: one `main` behind `touchpoint …`, `python -m touchpoint …` and `blender -b -c touchpoint …`.

Exit code: 1 when a pair has a verdict of --fail-on, else 2 when something could not be judged, else 0; 3 for an error
or a refusal, and for anything else that kept the answer or a file of it from the user. Machine-readable output goes to
files, because Blender prints its own lines on stdout.
"""
import os
import signal
import sys

ERROR = 3


def main(argv: list[str]) -> int:
    """Run one command; argv is what follows the program's name. Never raises and never ends the process."""
    try:
        return _run(argv)
    except BaseException as error:      # not even what tells of errors could be imported
        _last_words(error)
        return ERROR


def _run(argv: list[str]) -> int:
    from ...core.errors import TouchpointError
    from . import output
    from .arguments import UsageError, parse

    debug = False
    output.begin()
    try:
        arguments = parse(argv)
        debug = arguments.debug
        code = arguments.command(arguments)
        output.check()
        return code
    except UsageError as error:
        output.complain(error, f"\n{error.usage}")
    except TouchpointError as error:
        output.complain(error)
    except KeyboardInterrupt:
        output.complain("stopped")
    except Exception as error:
        output.complain(f"{_description(error)}{'' if debug else ' (--debug shows where)'}",
                        _traceback() if debug else "")
    return ERROR


def entry_point() -> None:
    """The console script, and `python -m touchpoint`: ends the process with the code of `main`."""
    code = ERROR
    try:
        end_at_interrupts()
        _open_standard_streams()
        code = main(sys.argv[1:])
    finally:
        os._exit(code)  # the bpy module prints about its memory, or even crashes, when Python takes it down


def end_at_interrupts() -> None:
    """Let Ctrl-C end the process at once, by the signal itself.

    As a Python exception it would be raised anywhere, in imports and callbacks of C that swallow it, and not before a
    long call into Blender has returned. Files are replaced only when they are complete, so nothing is half written.
    Where whoever started the process has it ignored, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _open_standard_streams() -> None:
    """Give those that are closed to the null device: the next file to be opened would get their numbers, and what
    Blender prints would go into it."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _last_words(error: BaseException) -> None:
    try:
        os.write(2, f"touchpoint: error: {type(error).__name__}: {ascii(str(error))}\n".encode())
    except OSError:
        pass


def _traceback() -> str:
    import traceback

    return traceback.format_exc()


def _description(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    return f"{type(error).__name__}: {error}"
