# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods, one file each: the folder is the list."""
import functools
import pkgutil
from importlib import import_module

from ..errors import Refused
from ..method import Method

DEFAULT = "touchpoint"
FOLLOWER = "certified"      # what looks between frames where nobody names another method


@functools.cache
def ids() -> tuple[str, ...]:
    """Names of all methods, the default first."""
    found = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(found, key=lambda name: name != DEFAULT))


def load(method: str) -> Method:
    """The method with this id. Raises Refused for an unknown one."""
    if method not in ids():
        raise Refused(f"There is no method {method!r}. The methods are: {', '.join(ids())}.")
    return _load(method)


@functools.cache        # asking what is imported takes as long as some stages
def _load(method: str) -> Method:
    return import_module(f".{method}", __name__).METHOD
