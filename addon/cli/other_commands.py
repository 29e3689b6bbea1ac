# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that need no scene."""
import importlib.metadata
import platform
import sys
from argparse import Namespace

from .output import say


def methods(_arguments: Namespace) -> int:
    """`touchpoint methods`"""
    from ...core import methods

    prepare_kernels()
    recipes = [methods.load(each) for each in methods.ids()]
    width = max(len(each.id) for each in recipes)
    for each in recipes:
        say(f"{each.id:<{width}}  {each.answer}: {each.summary}")
    return 0


def version(_arguments: Namespace) -> int:
    """`touchpoint version`"""
    from ...core.version import version

    say(f"touchpoint {version()}")
    say(f"Blender {_blender_version()}, Python {platform.python_version()}, "
        + ", ".join(f"{name} {_installed(name)}" for name in ("numpy", "numba", "llvmlite")))
    return 0


def self_test(_arguments: Namespace) -> int:
    """`touchpoint self-test`: 0 when every answer is right, else 3."""
    prepare_kernels()
    from .self_test import CHECKS

    failed = 0
    for check in CHECKS:
        try:
            right = check()
        except Exception as error:      # a kernel that cannot be compiled is what this command is there to find
            right = False
            say(f"        {type(error).__name__}: {error}")
        failed += not right
        say(f"{'ok    ' if right else 'FAILED'}  {check.__doc__}")
    say("All answers are right." if not failed else f"{failed} of {len(CHECKS)} answers are wrong.")
    return 3 if failed else 0


def prepare_kernels() -> None:
    """As for a detection, also where there is no Blender."""
    try:
        import bpy  # noqa: F401
    except ImportError:
        return
    from .. import api

    api.prepare()


def _blender_version() -> str:
    if sys.modules.get("bpy"):
        return sys.modules["bpy"].app.version_string
    return _installed("bpy")


def _installed(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "missing"
