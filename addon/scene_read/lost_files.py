# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that give objects their shape or place and are missing, or cannot be read: frames of simulations have a module
of their own."""
import os
import re
from collections.abc import Iterator
from typing import Any

import bpy

from ..names import text_in
from .looks import LISTS, could_matter
from .readable import absolute, is_readable, is_there

IN_FILES = {"FILE", "MOVIE", "SEQUENCE"}        # images; of a sequence, the file that was chosen
NUMBER = r"\d+(?=\.[^./\\]*$)"     # at the end of the name of a file
BUILT_IN = "<builtin>"      # the path of Blender's own font


def lost_shapes(depsgraph: bpy.types.Depsgraph) -> Iterator[str]:
    """Paths of those that give objects their shape, at the frame that a graph shows."""
    yield from _lost_fonts()
    yield from _lost_pictures(depsgraph)
    yield from _lost_multires()
    yield from _lost_volumes(depsgraph)
    yield from _lost_imports()


def lost_caches(scene: bpy.types.Scene) -> Iterator[str]:
    """Paths of Alembic and USD files that objects of this file take, and that cannot be read. A sequence has a file for
    each frame, whose number stands at the end of the name."""
    for each in bpy.data.cache_files:
        if each.users:
            path = text_in(each, "filepath")
            if each.is_sequence:
                frame = each.frame if each.override_frame else scene.frame_current + scene.frame_subframe
                path = _numbered(path, int(frame))
            if not is_readable(absolute(path, each)):
                yield path


def _numbered(path: str, frame: int) -> str:
    """With another number at the end of its name, in as many digits; the same where it has none there."""
    return re.sub(NUMBER, lambda digits: f"{frame:0{len(digits[0])}d}", path)


def _lost_fonts() -> Iterator[str]:
    """Paths of fonts that texts of this file take: others are shown instead."""
    for each in bpy.data.fonts:
        if each.users and not each.packed_file and each.filepath != BUILT_IN and not is_there(each, each):
            yield text_in(each, "filepath")


def _lost_pictures(depsgraph: bpy.types.Depsgraph) -> Iterator[str]:
    """Paths of images that textures have or geometry nodes, which displace surfaces: without them nothing is."""
    holders: list[bpy.types.ID] = [each for each in bpy.data.textures if each.type == "IMAGE"]
    holders += [each for each in bpy.data.node_groups if each.type == "GEOMETRY"]
    taken = [(each, image) for each in holders for image in _images_of(each)
             if image is not None and image.source in IN_FILES and image.filepath and image.packed_file is None]
    paths = [_path_of(image, each, depsgraph) for each, image in taken]
    # Blender keeps the pixels of what it could read.
    lost = [(each, image, path) for (each, image), path in zip(taken, paths)
            if not is_readable(path) or not image.has_data]
    found = [(image, path) for each, image, path in lost if could_matter([each])]
    for image, path in dict.fromkeys(found):
        if not is_readable(path):
            yield os.path.join(os.path.dirname(text_in(image, "filepath")), os.path.basename(path))
        elif image.source == "FILE" and image.size[0] == 0:
            yield text_in(image, "filepath")


def _images_of(holder: Any) -> Iterator[bpy.types.Image]:
    """The images of a texture, or of nodes."""
    if holder.id_type == "TEXTURE":
        yield holder.image
        return
    for node in holder.nodes:
        for socket in node.inputs:
            if socket.type == "IMAGE" and socket.default_value is not None:
                yield socket.default_value


def _path_of(image: bpy.types.Image, holder: Any, depsgraph: bpy.types.Depsgraph) -> str:
    """The file of an image, of sequences that a texture has the one of the frame. Which one nodes take, they say
    themselves."""
    if image.source != "SEQUENCE" or holder.id_type != "TEXTURE":
        return absolute(text_in(image, "filepath"), image)
    try:
        return image.filepath_from_user(image_user=holder.evaluated_get(depsgraph).image_user)
    except UnicodeDecodeError as error:
        return error.object.decode("utf-8", "surrogateescape")


def _lost_multires() -> Iterator[str]:
    """Paths of files with what was sculpted: without them there is a smooth surface."""
    for each in bpy.data.objects:
        for modifier in each.modifiers:
            if modifier.type == "MULTIRES" and modifier.show_viewport and not _has_details(modifier, each):
                yield text_in(modifier, "filepath")


def _has_details(modifier: Any, each: bpy.types.Object) -> bool:
    return not modifier.is_external or is_there(modifier, each)


def _lost_volumes(depsgraph: bpy.types.Depsgraph) -> Iterator[str]:
    """Paths of volumes of which something makes a surface, or that have modifiers, which may: shown as they are, they
    have none."""
    for each in bpy.data.volumes:
        if each.users and each.filepath and not each.packed_file and _is_lost_volume(each, depsgraph):
            holders = {user for user in bpy.data.user_map(subset={each})[each]  # type: ignore[call-arg]
                       if user.id_type == "OBJECT"}
            users = bpy.data.user_map(subset=holders)  # type: ignore[call-arg]
            if any(holder.modifiers or any(user.id_type not in LISTS for user in users[holder])
                   for holder in holders):
                yield text_in(each, "filepath")


def _is_lost_volume(each: bpy.types.Volume, depsgraph: bpy.types.Depsgraph) -> bool:
    """Of a sequence, which Blender counts as it is told to, it says whether there is a file for the frame."""
    return not is_there(each, each) or each.is_sequence and not each.evaluated_get(depsgraph).grids.load()


def _lost_imports() -> Iterator[str]:
    """Paths of files that nodes import and that have another content. Of missing ones the nodes report errors."""
    for tree in bpy.data.node_groups:
        for node in tree.nodes if tree.type == "GEOMETRY" else ():
            if node.bl_idname.startswith("GeometryNodeImport") and not node.mute and not node.inputs[0].is_linked:
                path = absolute(text_in(node.inputs[0], "default_value"), tree)
                if os.path.isfile(path) and not is_readable(path) and could_matter([tree]):
                    yield text_in(node.inputs[0], "default_value")
