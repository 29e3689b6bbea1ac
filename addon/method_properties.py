# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the methods, as properties of a scene. They follow the methods' own declarations: a method that is added
brings its entry in the list and its options with it."""
import zlib
from typing import Any

import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup

from ..core.declarations import Declaration, declaration, declarations, usually_compared
from ..core.method import Option, needs_with
from ..core.methods import DEFAULT
from . import gpu_backend
from .classes import register_all, unregister_all

INT_LIMIT = 2 ** 31 - 1
FLOAT_LIMIT = 3.0e38


def lasting_number(word: str) -> int:
    """Files keep the number of an entry, not its word: it must not change when entries are added or sorted.

    24 bits, because Blender's buttons pass numbers on in single precision."""
    return zlib.crc32(word.encode()) & 0xFFFFFF


def method_items() -> tuple:
    """Entries of the list of methods."""
    return tuple((each.id, each.title, each.summary, "NONE", lasting_number(each.id)) for each in declarations())


def property_of(option: Option) -> Any:
    """An option as a Blender property."""
    words: dict[str, Any] = {"name": option.title, "description": option.text.rstrip(".")}
    if option.choices:
        items = tuple((value, value.replace("_", " ").capitalize() if value.islower() else value, text.rstrip("."),
                       "NONE", lasting_number(value)) for value, text in option.choices)
        return EnumProperty(items=items, default=str(option.default), **words)
    if isinstance(option.default, bool):
        return BoolProperty(default=option.default, **words)
    if isinstance(option.default, int):
        return IntProperty(default=option.default, min=int(max(option.minimum, -INT_LIMIT)),
                           max=int(min(option.maximum, INT_LIMIT)), **words)
    return FloatProperty(default=option.default, min=max(option.minimum, -FLOAT_LIMIT),
                         max=min(option.maximum, FLOAT_LIMIT), precision=6, **words)


def _group(name: str, text: str, annotations: dict) -> type:
    """A property group with these properties. Set afterwards: Python 3.14 has no __annotations__ in a class body."""
    group = type(name, (PropertyGroup,), {"__doc__": text, "__module__": __name__})
    group.__annotations__ = annotations
    return group


def _options_group(each: Declaration) -> type:
    return _group(f"TOUCHPOINT_PG_options_{each.id}", f"Options of the method {each.title}.",
                  {option.name: property_of(option) for option in each.options})


OPTIONS = {each.id: _options_group(each) for each in declarations() if each.options}
TOUCHPOINT_PG_options = _group(
    "TOUCHPOINT_PG_options", "Options of all methods, under their ids.",
    {method: PointerProperty(type=group) for method, group in OPTIONS.items()})
TOUCHPOINT_PG_compared_methods = _group(
    "TOUCHPOINT_PG_compared_methods", "Which methods are compared, under their ids.",
    {each.id: BoolProperty(name=each.title, description=each.summary, default=each.id in usually_compared())
     for each in declarations()})
CLASSES = (*OPTIONS.values(), TOUCHPOINT_PG_options, TOUCHPOINT_PG_compared_methods)


def method_property() -> Any:
    return EnumProperty(name="Method", description="How collisions are looked for", items=method_items(),
                        default=DEFAULT)


def options_of(settings: Any, method: str) -> dict:
    """The options of a method as the settings have them."""
    group = getattr(settings.options, method, None)
    found = {}
    for option in next((each.options for each in declarations() if each.id == method), ()):
        value = getattr(group, option.name)
        found[option.name] = as_typed(value) if isinstance(value, float) else value
    return found


def as_typed(number: float) -> float:
    """What somebody has typed: single precision gives 0.1 back as 0.10000000149011612."""
    return float(str(np.float32(number)))


def follower_of(settings: Any) -> str:
    """The title of the chosen method where it follows objects during an interval, else ""."""
    return next((each.title for each in declarations() if each.id == settings.method and each.follows), "")


def no_gpu_for(settings: Any) -> str:
    """Why the chosen method cannot be used: it needs a GPU, and there is known to be none. "" where it can, and before
    anybody has looked for a GPU, which its first run does."""
    reason = gpu_backend.known_reason()
    return reason if reason and "gpu" in needs_with(*_declared(settings)) else ""


def _declared(settings) -> tuple[Declaration, dict]:
    """The chosen method and its options."""
    return declaration(settings.method), options_of(settings, settings.method)


def chosen_method(settings: Any) -> dict:
    """The method and its options, as arguments of `api.detect`."""
    return {"method": settings.method, "options": options_of(settings, settings.method)}


def compared_methods(settings: Any) -> list[tuple[str, dict]]:
    """[(id, options)] of the methods to be compared, in the order of the list."""
    return [(each.id, options_of(settings, each.id)) for each in declarations()
            if getattr(settings.compared_methods, each.id)]


def register() -> None:
    register_all(CLASSES)


def unregister() -> None:
    unregister_all(CLASSES)
