# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of mypy: what it cannot read off the stubs of Blender's modules.

The add-on's properties are there once it is registered, and data-blocks have custom properties. The stubs say of much
that it may be None; what NEVER_NONE names is, where the add-on asks for it. What is of one class or another, depending
on what the user sees, has the type of none.
"""
from mypy.nodes import ARG_POS, Argument, Var
from mypy.plugin import Plugin
from mypy.plugins.common import add_attribute_to_class, add_method_to_class
from mypy.types import AnyType, TypeOfAny
from mypy.types_utils import remove_optional

PROPERTY = "touchpoint"
WITH_PROPERTY = ("Collection", "Object", "Scene", "WindowManager")      # subclasses of ID
NEVER_NONE = {"Context": ("preferences", "region_data", "scene", "screen", "view_layer", "window", "window_manager"),
              "DepsgraphObjectInstance": ("instance_object", "object", "parent"), "ID": ("original",),
              "Menu": ("layout",), "Panel": ("layout",)}
OF_MANY_CLASSES = {"AreaSpaces": ("active",), "Context": ("space_data",), "DepsgraphUpdate": ("id",),
                   "Object": ("data",)}


class OfBlender(Plugin):
    def get_base_class_hook(self, fullname: str):
        return {"bpy.types.ID": _add_property, "bpy.types.bpy_struct": _add_contains}.get(fullname)

    def get_attribute_hook(self, fullname: str):
        owner, _, name = fullname.removeprefix("bpy.types.").rpartition(".")
        if name in NEVER_NONE.get(owner, ()):
            return lambda context: remove_optional(context.default_attr_type)
        if name in OF_MANY_CLASSES.get(owner, ()):
            return lambda context: AnyType(TypeOfAny.special_form)
        return None


def _add_property(context) -> None:
    if context.cls.name in WITH_PROPERTY:
        add_attribute_to_class(context.api, context.cls, PROPERTY, AnyType(TypeOfAny.special_form))


def _add_contains(context) -> None:
    if context.cls.name == "ID":
        text = context.api.named_type("builtins.str")
        given = [Argument(Var("name", text), text, None, ARG_POS)]
        add_method_to_class(context.api, context.cls, "__contains__", given, context.api.named_type("builtins.bool"))


def plugin(_version: str):
    return OfBlender
