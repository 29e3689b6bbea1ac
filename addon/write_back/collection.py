# SPDX-License-Identifier: GPL-3.0-or-later
"""The results collection of a scene, and the objects that Touchpoint made."""
import bpy

from ..names import (
    CONTACT_KEY,
    CONTACT_POINTS,
    OBJECT_NAMES,
    RESULTS_COLLECTION,
    RESULTS_MARKER,
    is_made,
    is_result,
)


def find_results(scene: bpy.types.Scene) -> bpy.types.Collection | None:
    """The scene's results collection, wherever the user moved it, or None."""
    return next(iter(_all_results(scene)), None)


def _all_results(scene) -> list:
    """Results collections of a scene that can be changed: more than one where the user copied it."""
    everywhere = dict.fromkeys(scene.collection.children_recursive)     # one that hangs in two places comes twice
    return [each for each in everywhere if is_result(each) and is_of_this_file(each)]


def is_of_this_file(data_block: bpy.types.ID) -> bool:
    """True for what can be changed here: neither linked from another file, nor an override of what is."""
    return data_block.library is None and data_block.override_library is None


def find_made(scene: bpy.types.Scene) -> list:
    """Objects of a scene that Touchpoint made, wherever the user moved them, and copies of them; without those that
    belong to the results of another scene."""
    here = _all_results(scene)
    others = {each for collection in bpy.data.collections if is_result(collection) and collection not in here
              for each in collection.objects}
    marked = [each for each in scene.objects if RESULTS_MARKER in each]     # of thousands of objects, a few are made
    return [each for each in marked if is_made(each) and is_of_this_file(each) and each not in others]


def make_results(scene: bpy.types.Scene) -> bpy.types.Collection:
    """A results collection for a scene that has none: with a colour tag, and not rendered."""
    collection = bpy.data.collections.new(RESULTS_COLLECTION)
    collection[RESULTS_MARKER] = True
    collection.color_tag = "COLOR_01"
    collection.hide_render = True
    scene.collection.children.link(collection)
    return collection


def new_result(collection: bpy.types.Collection, name: str, with_mesh: bool = False) -> bpy.types.Object:
    """A new object in the results collection, with the marker of a result on it and on its mesh, if any."""
    objects = collection.objects        # before anything is made: somebody may have deleted the collection
    mesh = bpy.data.meshes.new(name) if with_mesh else None
    made = bpy.data.objects.new(name, mesh)
    for each in filter(None, (made, mesh)):
        each[RESULTS_MARKER] = True
    objects.link(made)
    return made


def remove_results(scene: bpy.types.Scene) -> None:
    """Remove all that Touchpoint put into a scene, its results collection, too; what else lies in that moves out."""
    remove_objects(find_made(scene))
    for collection in _all_results(scene):
        _move_out(collection)
        bpy.data.collections.remove(collection)


def remove_copies(scene: bpy.types.Scene) -> None:
    """Remove results collections that the user made by copying the scene's own."""
    for copy in _all_results(scene)[1:]:
        remove_objects([each for each in copy.objects if is_made(each) and is_of_this_file(each)])
        _move_out(copy)
        bpy.data.collections.remove(copy)


def _move_out(collection) -> None:
    """Link what lies in a collection to wherever the collection is linked: what lies nowhere else, and what would be
    gone from a scene with it, as its other collections are in none, or in another one."""
    parents = _parents(collection)
    for each in collection.children:
        if len(_parents(each)) == 1:
            for parent in parents:
                parent.children.link(each)
    for each in collection.objects:
        if len(each.users_collection) == 1:
            for parent in parents:
                parent.objects.link(each)
    for scene in bpy.data.scenes:
        if collection in scene.collection.children_recursive:
            _move_out_in(scene, collection)
    for each in collection.objects:
        _hand_over(each)


def _move_out_in(scene, collection) -> None:
    """Keep in a scene what lies in a collection that is about to be removed."""
    stay = _without(scene.collection, collection)
    parents = [each for each in stay if collection in each.children.values()]
    for each in collection.children:
        if each not in stay:
            for parent in parents:
                parent.children.link(each)
    stay = _without(scene.collection, collection)
    for each in collection.objects:
        if stay.isdisjoint(each.users_collection):
            for parent in parents:
                parent.objects.link(each)


def _without(top, left_out) -> set:
    """A collection and all below it that can be reached without another one."""
    found, new = {top}, [top]
    while new:
        below = {each for parent in new for each in parent.children} - found - {left_out}
        found |= below
        new = list(below)
    return found


def _parents(collection) -> list:
    everywhere = [*(scene.collection for scene in bpy.data.scenes), *bpy.data.collections]
    return [each for each in everywhere if collection in each.children.values()]


def _hand_over(each) -> None:
    """What is left of a result is the user's own."""
    for data_block in (each, each.data):
        for key in (RESULTS_MARKER, CONTACT_POINTS, CONTACT_KEY, OBJECT_NAMES):
            if data_block is not None and is_of_this_file(data_block) and key in data_block:
                del data_block[key]


def remove_objects(objects: list) -> None:
    """Remove objects that Touchpoint made, their meshes and actions with them. What the user has parented to them stays
    where it is."""
    if not objects:
        return
    _let_children_stay(set(objects))
    meshes = {each.data for each in objects if each.type == "MESH"}
    actions = {each.animation_data.action for each in objects if each.animation_data} - {None}
    bpy.data.batch_remove(objects)
    for each in meshes:
        if each.users == 0:
            bpy.data.meshes.remove(each)
    for each in actions:
        if each.users == 0 and is_result(each):
            bpy.data.actions.remove(each)


def _let_children_stay(parents: set) -> None:
    children = [each for each in bpy.data.objects if each.parent in parents and each not in parents]
    if children:
        bpy.context.view_layer.update()     # or what was parented just now would not be in its place yet
    for each in children:
        place, own = each.matrix_world.copy(), each.matrix_basis.copy()
        each.parent = None
        if place.to_3x3() == own.to_3x3():      # as results are not turned: its own numbers stay, also where it is flat
            each.location += place.translation - own.translation
        else:
            each.matrix_world = place
