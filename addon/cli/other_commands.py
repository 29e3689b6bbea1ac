# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that need no scene."""
import importlib.metadata
import math
import platform
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from .output import say

if TYPE_CHECKING:
    from ...core.method import Option


def methods(_arguments: Namespace) -> int:
    """`touchpoint methods`"""
    from ...core.declarations import declarations
    from ...core.method import NEEDS, without

    for each in declarations():
        say(f"{each.id}: {each.title} ({each.answer})")
        say(f"    {each.summary}.")
        for need in each.needs:
            spared = "".join(f", unless {name}={value}" for name, value in without(each, need).items())
            say(f"    Needs {NEEDS[need]}{spared}.")
        if each.document:
            say(f"    Document: {each.document}")
        for option in each.options:
            say(f"    --option {option.name}=…    {option.text.rstrip('.')}. {values_of(option)}")
            for value, text in option.choices:
                say(f"        {value}: {text}")
    return 0


def values_of(option: "Option") -> str:
    """What an option may be, and what it is where nothing is said."""
    if isinstance(option.default, bool):
        return f"On or off, by default {'on' if option.default else 'off'}"
    if option.choices:
        return f"By default {option.default}, one of:"
    kind = "whole numbers" if isinstance(option.default, int) else "numbers"
    low, high = (f" {word} {bound:g}" if math.isfinite(bound) else ""
                 for word, bound in (("from", option.minimum), ("to", option.maximum)))
    return f"{kind.capitalize()}{low}{high}, by default {option.default:g}"


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
