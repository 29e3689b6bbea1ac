# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file asks for and Blender did not find: data-blocks of libraries, and files; or does not know.

Objects are then missing, or stand elsewhere, without a word of Blender's that a run without a window would show.
"""
import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import bpy

from ...core.shown import escaped, first_few
from ..names import name_of, text_in
from .baked_files import lost_bakes

# No surface depends on these. On what is in HELPERS only that depends which uses it.
LOOKS = {"CAMERA", "LIGHT", "LIGHT_PROBE", "LINESTYLE", "MATERIAL", "SOUND", "SPEAKER", "WORLD"}
LOOKS_OF_NODES = {"SHADER", "COMPOSITING"}
HELPERS = {"IMAGE", "TEXTURE", "NODETREE", "MOVIECLIP", "MASK"}
LISTS = {"COLLECTION", "SCENE", "SCREEN", "WINDOWMANAGER", "WORKSPACE"}     # that have an object and do not use it
SHOWN_ONLY = {"SCENE", "SCREEN", "WORKSPACE", "WINDOWMANAGER", "BRUSH", "PALETTE", "PAINTCURVE"}    # as users of these
IN_FILES = {"FILE", "MOVIE", "SEQUENCE"}        # images; of a sequence, the file that was chosen
BUILT_IN = "<builtin>"      # the path of Blender's own font


def is_looks(each: bpy.types.ID) -> bool:
    """True where nothing that is tested depends on a data-block, unless a driver reads it."""
    return each.id_type in LOOKS or (each.id_type == "NODETREE" and each.type in LOOKS_OF_NODES)  # type: ignore[attr-defined]


def missing_parts() -> Iterator[tuple[str, bool]]:
    """(sentence, whether it may concern what is tested)."""
    saved, here = bpy.data.version[:2], _here()[:2]
    if bpy.data.filepath and saved > here:
        yield (f"A newer Blender ({saved[0]}.{saved[1]}) has saved this file. What Blender {here[0]}.{here[1]} does "
               "not know of it is left out, or looks different.", True)
    missing = _not_found() if bpy.data.libraries else []
    if missing:
        unsure = _could_matter(missing)
        what = ("objects that come from there or depend on it are missing, or may stand elsewhere" if unsure
                else "materials, lights or cameras may look different, though nothing that is tested depends on them")
        yield f"Libraries of this file, or data in them, are missing ({_told(map(_title, missing))}): {what}.", unsure
    lost = [*dict.fromkeys([*_lost_caches(), *lost_bakes()])]
    if lost:
        yield (f"Files of baked motion are missing ({_told(lost)}): objects that depend on them may stand elsewhere.",
               True)
    lost = [*_lost_fonts(), *_lost_pictures(), *_lost_volumes()]
    if lost:
        yield f"Files that give objects their shape are missing ({_told(lost)}): they may look different.", True
    errors = list(_errors_of_nodes())
    if errors:
        yield f"Geometry nodes report errors ({_told(errors)}): what they make may be missing.", True


def _here() -> tuple[int, int, int]:
    return bpy.app.version


def _told(names: Iterable[str]) -> str:
    return first_few([escaped(each) for each in names])


def _title(each: bpy.types.ID) -> str:
    return name_of(each) if each.library is None else f"{name_of(each)} of {name_of(each.library)}"


def _not_found() -> list[bpy.types.ID]:
    """The data-blocks that Blender has an empty place for only."""
    return [each for name in _collections_of_data() for each in getattr(bpy.data, name) if each.is_missing]


@cache
def _collections_of_data() -> tuple[str, ...]:
    """Names of the collections in `bpy.data`, but for that of the libraries themselves, and of all data-blocks, which
    newer Blenders have, too."""
    return tuple(name for name, kind in bpy.types.BlendData.bl_rna.properties.items()
                 if isinstance(kind, bpy.types.CollectionProperty)
                 and kind.fixed_type.identifier not in ("ID", "Library"))


def _could_matter(missing: list[bpy.types.ID]) -> bool:
    """False where looks alone use what is missing."""
    if any(each.id_type not in HELPERS and not is_looks(each) for each in missing):
        return True
    users = bpy.data.user_map()  # type: ignore[call-arg]
    seen, waiting = set(), [each for each in missing if not is_looks(each)]
    while waiting:
        each = waiting.pop()
        for user in users.get(each, ()):
            if user in seen or is_looks(user) or user.id_type in SHOWN_ONLY:
                continue
            if user.id_type not in HELPERS:
                return True
            seen.add(user)
            waiting.append(user)
    return False


def _lost_caches() -> Iterator[str]:
    """Paths of Alembic and USD files that objects of this file take, and that are not there."""
    for each in bpy.data.cache_files:
        if each.users and not is_there(each, each):
            yield text_in(each, "filepath")


def _lost_fonts() -> Iterator[str]:
    """Paths of fonts that texts of this file take: others are shown instead."""
    for each in bpy.data.fonts:
        if each.users and not each.packed_file and each.filepath != BUILT_IN and not is_there(each, each):
            yield text_in(each, "filepath")


def _lost_pictures() -> Iterator[str]:
    """Paths of images that textures have or geometry nodes, which displace surfaces: without them nothing is."""
    holders: list[bpy.types.ID] = [each for each in bpy.data.textures if each.type == "IMAGE"]
    holders += [each for each in bpy.data.node_groups if each.type == "GEOMETRY"]
    lost = {each for each in bpy.data.images if each.source in IN_FILES and each.filepath and each.packed_file is None
            and not is_there(each, each)} if holders else set()
    if lost:
        taken = [(each, image) for each in holders for image in _images_of(each) if image in lost]
        for image in dict.fromkeys(image for each, image in taken if _could_matter([each])):
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


def _lost_volumes() -> Iterator[str]:
    """Paths of volumes of which something makes a surface, or that have modifiers, which may: shown as they are, they
    have none."""
    for each in bpy.data.volumes:
        if each.users and each.filepath and not each.packed_file and not is_there(each, each):
            holders = {user for user in bpy.data.user_map(subset={each})[each]  # type: ignore[call-arg]
                       if user.id_type == "OBJECT"}
            users = bpy.data.user_map(subset=holders)  # type: ignore[call-arg]
            if any(holder.modifiers or any(user.id_type not in LISTS for user in users[holder])
                   for holder in holders):
                yield text_in(each, "filepath")


def _errors_of_nodes() -> Iterator[str]:
    """What nodes say that have failed, since Blender 4.3: files that they import are missing or damaged, say."""
    if not any(each.type == "GEOMETRY" for each in bpy.data.node_groups):
        return
    for each in bpy.data.objects:
        for modifier in each.modifiers:
            if modifier.type == "NODES" and modifier.show_viewport:
                for warning in getattr(modifier, "node_warnings", ()):
                    if warning.type == "ERROR":
                        yield f"{name_of(each)}: {text_in(warning, 'message')}"


def is_there(holder: Any, owner: bpy.types.ID) -> bool:
    """True where the file is there that a modifier or data-block names. owner: the data-block that it is, or is of."""
    return os.path.exists(bpy.path.abspath(text_in(holder, "filepath"), library=owner.library))
