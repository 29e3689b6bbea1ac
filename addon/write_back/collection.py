# SPDX-License-Identifier: GPL-3.0-or-later
"""The results collection of a scene."""
import bpy

from ..names import RESULTS_COLLECTION, RESULTS_MARKER, is_result


def find_results(scene):
    """The scene's results collection, wherever the user moved it, or None."""
    return next((each for each in scene.collection.children_recursive if is_result(each)), None)


def make_results(scene):
    """A results collection for a scene that has none: with a colour tag, and not rendered."""
    collection = bpy.data.collections.new(RESULTS_COLLECTION)
    collection[RESULTS_MARKER] = True
    collection.color_tag = "COLOR_01"
    collection.hide_render = True
    scene.collection.children.link(collection)
    return collection


def new_result(collection, name: str, data=None):
    """A new object in the results collection, with the marker of a result."""
    made = bpy.data.objects.new(name, data)
    made[RESULTS_MARKER] = True
    collection.objects.link(made)
    return made


def remove_results(scene) -> None:
    """Remove the scene's results collection with all that Touchpoint put into it; what else lies in it moves out."""
    collection = find_results(scene)
    if collection is None:
        return
    remove_objects([each for each in collection.objects if is_result(each)])
    for each in list(collection.objects):
        if len(each.users_collection) == 1:
            scene.collection.objects.link(each)
    for each in list(collection.children):
        collection.children.unlink(each)
        if each.users == 0 or each not in scene.collection.children_recursive:
            scene.collection.children.link(each)
    bpy.data.collections.remove(collection)


def remove_objects(objects: list) -> None:
    """Remove result objects, and their data with them."""
    data = {each.data for each in objects if each.data is not None}
    bpy.data.batch_remove(objects)
    for each in data:
        if each.users == 0:
            bpy.data.meshes.remove(each)
