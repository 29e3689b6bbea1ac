# SPDX-License-Identifier: GPL-3.0-or-later
"""Names under which Touchpoint keeps things in a .blend file.

Results are known by a marker, never by their name: the user may rename them, and a second scene has results of its
own, which Blender then calls "Touchpoint.001". Anybody can write into custom properties, and copy them with the object:
what is read from them is looked at before it is used.
"""
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import bpy
RESULTS_MARKER = "touchpoint_results"       # custom property of the results collection, its objects and their meshes
RESULTS_COLLECTION = "Touchpoint"           # its name in a file with results in one scene
CONTACT_POINTS = "Touchpoint Contacts"      # the mesh object with contacts
OBJECT_NAMES = "touchpoint_objects"         # custom property of that mesh: what object_a and object_b count in
CONTACT_KEY = "touchpoint_contact"          # custom property of an empty: the name it was made under
CURVE_KEY = "touchpoint_curve"              # custom property of an empty with a curve: of which pair
COLOUR_BEFORE = "touchpoint_colour_before"  # custom properties of a coloured object: its colour until then …
COLOUR_GIVEN = "touchpoint_colour_given"    # … and ours, to notice that somebody changed it since
COLOUR_BAKED = "touchpoint_colour_baked"    # … and of one whose colour has keys from a result: which ones
SHADING_BEFORE = "touchpoint_shading_before"    # custom property of a screen: colour types of its 3D viewports

WITH_ITSELF = " with itself"
NAME_BYTES = 63     # longest name of a data-block before Blender 5.0, in bytes of UTF-8


def name_of(data_block: "bpy.types.ID") -> str:
    """Its name. Bytes that are no UTF-8, as other programs write them, are kept as Python keeps those of file names."""
    return text_in(data_block, "name")


def text_in(thing: Any, attribute: str) -> str:
    """A text that names something, kept like that. thing: a data-block, or what belongs to one."""
    try:
        return getattr(thing, attribute)
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "surrogateescape")


def is_utf8(name: str) -> bool:
    """True for names that Blender takes from Python."""
    return name.isascii() or name.encode("utf-8", "replace").decode() == name


def identifier_of(thing: Any, name: str) -> str | None:
    """A custom property of a data-block as text; None where there is none, or it is neither text nor a number. name:
    of the property."""
    value = thing.get(name)
    return str(value) if isinstance(value, (str, int, float)) else None


def is_result(data_block: "bpy.types.ID") -> bool:
    """True for what has the marker of a result: the results collection of any scene, its objects, their meshes, and
    copies of these."""
    return RESULTS_MARKER in data_block


def can_be_tested(_chooser: object, collection: "bpy.types.Collection") -> bool:
    """True for collections that can be chosen in lists; those of results cannot."""
    return not is_result(collection)


def is_made(each: "bpy.types.Object") -> bool:
    """True for an object as Touchpoint makes it: an empty, or points without edges and faces. What a user turned it
    into, by faces, instances or another mesh, is the user's."""
    if not is_result(each) or each.instance_type != "NONE":
        return False
    if each.type == "EMPTY":
        return True
    return each.type == "MESH" and is_result(each.data) and not (len(each.data.edges) or len(each.data.polygons))


def is_coloured(each: "bpy.types.Object") -> bool:
    """True for an object that has its colour from a result."""
    return COLOUR_BEFORE in each or COLOUR_GIVEN in each or COLOUR_BAKED in each    # asked of all objects at each undo


def shorten(name: str, size: int) -> str:
    """The name in at most `size` bytes of UTF-8, cut at the end of a character, with an ellipsis where it was cut."""
    raw = name.encode()
    if len(raw) <= size:
        return name
    return raw[:max(size - 3, 0)].decode(errors="ignore").rstrip() + "…"


def pair_label(name_a: str, name_b: str, size: int) -> str:
    """`A × B`, or `A with itself` where both names are one, in at most `size` bytes: the longer name is cut first, both
    down to half of the room if need be."""
    if name_a == name_b:
        return f"{shorten(name_a, size - len(WITH_ITSELF))}{WITH_ITSELF}"
    room = size - len(" × ".encode())
    length_a, length_b = len(name_a.encode()), len(name_b.encode())
    if length_a + length_b > room:
        keep_a = max(room - length_b, room // 2)
        name_a = shorten(name_a, keep_a)
        name_b = shorten(name_b, room - len(name_a.encode()))
    return f"{name_a} × {name_b}"
