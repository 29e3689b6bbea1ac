# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects are asked for. Only what is visible is tested; what the user hid is left out without a word."""
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy

from ...core import Refused
from ...core.codes import Skipped
from ...core.errors import NothingToTest
from ...core.shown import escaped
from ..names import is_made, name_of

IS_HIDDEN = "it is hidden"         # why an object that was asked for is left out
IS_BACKGROUND = "it is part of the scene that is shown as background"
ASKED_AT_ONCE = 50      # objects: for so many it is quicker to have Blender list all that is visible
SOLID_TYPES = {"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD"}
SCOPES = ("VISIBLE", "SELECTED", "OTHERS", "COLLECTIONS")
OF_SELECTION = ("SELECTED", "OTHERS")
# Groups "A" and "B", and "A+B" for what lies in both collections and so counts on both sides.
SIDES_MEET = [("A", "B"), ("A", "A+B"), ("B", "A+B"), ("A+B", "A+B")]


@dataclass(eq=False)
class Chosen:
    """The (original) Blender objects asked for; an instance is asked for when its instancer is."""

    objects: list
    words: str                          # how they were chosen, for sentences: "visible"
    sides: list[str] | None = None      # per object: "A", "B" or "A+B"
    collections: tuple[str, ...] = ()   # names of A and B
    selected: frozenset[int] = frozenset()      # session_uid of those that all others are tested against
    skipped: list[Skipped] = field(default_factory=list)
    groups: dict[int, str | None] = field(init=False)       # side of each, None where there are none, by session_uid

    def __post_init__(self):
        sides: list = self.sides or [None] * len(self.objects)
        self.groups = {each.session_uid: side for each, side in zip(self.objects, sides)}
        self._families = {metaball_family(each): side for each, side in zip(self.objects, sides)
                          if each.type == "META"}

    @property
    def rules(self) -> list[tuple[str, str]] | None:
        """For `core.detect`."""
        return SIDES_MEET if self.sides else None

    def __contains__(self, owner) -> bool:
        return owner.session_uid in self.groups or (owner.type == "META" and metaball_family(owner) in self._families)

    def group_of(self, owner: bpy.types.Object) -> str | None:
        """The side of an object that was asked for, None where there are no sides."""
        if owner.type == "META":
            return self._families[metaball_family(owner)]
        return self.groups[owner.session_uid]


def metaball_family(each: bpy.types.Object) -> str:
    """Metaballs whose names differ only in the number at the end melt into one surface, which one of them carries."""
    return re.sub(r"\.\d+$", "", name_of(each))


def choose(context: bpy.types.Context, scope: str, collections: tuple,
           objects: Iterable[bpy.types.Object] | None) -> Chosen:
    """The objects of a scope or, where objects are given, those. Raises Refused when that is none at all."""
    visible = visible_objects(context)
    if scope == "OTHERS":
        return _against_others(visible, _selected(visible, context.view_layer) if objects is None
                               else _given(objects, visible, context, "given"), _background(context, visible))
    if objects is not None:
        return _given(objects, visible, context, "selected" if scope == "SELECTED" else "given")
    if scope == "VISIBLE":
        return Chosen(visible, "visible", skipped=_background(context, visible))
    if scope == "SELECTED":
        return _selected(visible, context.view_layer)
    if scope == "COLLECTIONS":
        return _two_sides(visible, collections, context.scene)
    raise Refused(f'There is no scope "{scope}". It is one of {", ".join(SCOPES)}.')


def _viewport(context) -> bpy.types.SpaceView3D | None:
    """The 3D viewport that asks, if one does."""
    space = getattr(context, "space_data", None)
    return space if space is not None and space.type == "VIEW_3D" else None


def visible_objects(context: bpy.types.Context) -> list:
    """What the view layer shows (and the 3D viewport where one asks), without Touchpoint's own results."""
    viewport, layer = _viewport(context), context.view_layer
    return [each for each in layer.objects
            if each.visible_get(view_layer=layer, viewport=viewport) and not is_made(each)]


def hidden_of(objects: Iterable[bpy.types.Object], layer: bpy.types.ViewLayer, shown: bool) -> set[int]:
    """session_uid of those that a view layer hides; not those that only a local view does, which belongs to one 3D
    viewport. shown: at the frame that was tested; at others, what is animated may be hidden."""
    asked = list(objects)
    with bpy.context.temp_override(area=None, region=None):     # else the viewport under the mouse would be asked
        if not shown:
            return {each.session_uid for each in asked if each.hide_get(view_layer=layer)}
        if len(asked) >= ASKED_AT_ONCE and layer == bpy.context.view_layer:
            visible = {each.session_uid for each in bpy.context.visible_objects}
            return {each.session_uid for each in asked} - visible
        return {each.session_uid for each in asked if not each.visible_get(view_layer=layer)}


def _background(context, visible: list) -> list[Skipped]:
    """What is seen of the scenes that this one has as its background, one behind the other: they are drawn, but for in
    a local view, and are in no view layer of this scene. Of each, the first view layer that is rendered is shown."""
    found, seen, tested = [], {context.scene}, {each.session_uid for each in visible}
    viewport = _viewport(context)
    scene = context.scene.background_set if viewport is None or viewport.local_view is None else None
    while scene is not None and scene not in seen:
        seen.add(scene)
        layer = next((each for each in scene.view_layers if each.use), scene.view_layers[0])
        found += [Skipped(None, name_of(each), IS_BACKGROUND, judged=False) for each in layer.objects
                  if (each.type in SOLID_TYPES or each.is_instancer) and each.visible_get(view_layer=layer)
                  and each.session_uid not in tested and not is_made(each)]
        scene = scene.background_set
    return found


def _selected(visible: list, layer) -> Chosen:
    selected = [each for each in visible if each.select_get(view_layer=layer)]
    if selected:
        return Chosen(selected, "selected")
    if any(each.select_get(view_layer=layer) for each in layer.objects):
        raise NothingToTest("Everything that is selected is hidden. Show it, or select something else.")
    raise Refused("Nothing is selected. Select something, or test all visible objects.")


def _against_others(visible: list, chosen: Chosen, background: list[Skipped]) -> Chosen:
    """What was chosen against all else that is visible."""
    sides = ["A" if each in chosen else "B" for each in visible]
    if "B" not in sides:
        raise NothingToTest("Nothing else is visible that could be tested against what is selected.")
    selected = frozenset(each.session_uid for each in chosen.objects)
    return Chosen(visible, "visible", sides, selected=selected, skipped=chosen.skipped + background)


def _given(objects, visible: list, context, words: str) -> Chosen:
    shown = {each.session_uid for each in visible}
    in_layer = {each.session_uid for each in context.view_layer.objects}
    wanted, skipped = {}, []
    for each in _originals(objects):
        if each.session_uid in shown:
            wanted[each.session_uid] = each
        elif is_made(each):
            skipped.append(Skipped(None, name_of(each), "it is a result of Touchpoint"))
        else:
            reason = IS_HIDDEN if each.session_uid in in_layer else "it is not in the view layer"
            skipped.append(Skipped(None, name_of(each), reason, judged=False))
    if not wanted:
        if skipped:
            raise NothingToTest("None of the given objects is visible in the view layer.")
        raise Refused("No objects were given.")
    return Chosen(list(wanted.values()), words, skipped=skipped)


def _originals(objects) -> list:
    objects = [objects] if isinstance(objects, (str, bytes)) else list(objects)
    for each in objects:
        if not isinstance(each, bpy.types.Object):
            raise Refused(f"What is given as objects must be Blender objects, not {type(each).__name__}.")
    try:
        return [each.original for each in objects]
    except ReferenceError:
        raise Refused("One of the given objects was deleted.") from None


def _two_sides(visible: list, collections: tuple, scene) -> Chosen:
    if None in collections:
        raise Refused("Choose two collections, A and B, to test against each other.")
    side_a, side_b = (_collection(each, scene) for each in collections)
    in_a, in_b = ({each.session_uid for each in side.all_objects} for side in (side_a, side_b))
    objects, sides = [], []
    for each in visible:
        side = "+".join(name for name, uids in (("A", in_a), ("B", in_b)) if each.session_uid in uids)
        if side:
            objects.append(each)
            sides.append(side)
    for name, side in (("A", side_a), ("B", side_b)):
        if not any(name in each for each in sides):
            raise NothingToTest(f'Nothing in collection {name}, "{escaped(name_of(side))}", is visible in this view '
                                'layer.')
    return Chosen(objects, "in the two collections", sides, (name_of(side_a), name_of(side_b)))


def collection_named(name: str, scene: bpy.types.Scene) -> bpy.types.Collection | None:
    """Those of this scene first; None where there is none."""
    here = [scene.collection, *scene.collection.children_recursive]
    return next((each for each in (*here, *bpy.data.collections) if name_of(each) == name), None)


def _collection(given, scene):
    """A collection by itself or by name, those of this scene first."""
    if not isinstance(given, str):
        return given
    found = collection_named(given, scene)
    if found is None:
        raise Refused(f'There is no collection "{escaped(given)}".')
    return found
