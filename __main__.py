# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m touchpoint …`"""
import os
import sys


def _leave_out_the_current_folder() -> None:
    """-m puts it first among the places of modules: a numpy.py beside a stranger's scene would be imported."""
    try:
        here = os.getcwd()
    except OSError:         # it was deleted
        here = ""
    if not sys.flags.safe_path and sys.path[:1] == [here]:
        del sys.path[0]


if __name__ == "__main__":
    _leave_out_the_current_folder()
    from .addon.cli import entry_point

    entry_point()
