# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file asks for and Blender did not find: data-blocks of libraries, and files; or does not know.

Objects are then missing, or stand elsewhere, without a word of Blender's that a run without a window would show.
"""
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

import bpy

from ...core.shown import escaped, first_few
from ..names import name_of, text_in
from .baked_files import lost_bakes, lost_fluids
from .looks import could_matter
from .lost_files import lost_caches, lost_shapes

UNKNOWN_NODE = "NodeUndefined"


def missing_parts(depsgraph: bpy.types.Depsgraph) -> Iterator[tuple[str, bool]]:
    """(sentence, whether it may concern what is tested), at the frame that a graph shows."""
    here = _here()[:2]
    newer = [*_saved_by_newer(here)]
    if newer:
        yield (f"A newer Blender has saved {_told(newer)}. What Blender {here[0]}.{here[1]} does "
               "not know of it is left out, or looks different.", True)
    missing = _not_found() if bpy.data.libraries else []
    if missing:
        unsure = could_matter(missing)
        what = ("objects that come from there or depend on it are missing, or may stand elsewhere" if unsure
                else "materials, lights or cameras may look different, though nothing that is tested depends on them")
        yield f"Libraries of this file, or data in them, are missing ({_told(map(_title, missing))}): {what}.", unsure
    for names, sentence in _parts_that_matter(depsgraph):
        found = [*dict.fromkeys(names)]
        if found:
            yield sentence.format(_told(found)), True


def _parts_that_matter(depsgraph: bpy.types.Depsgraph) -> Iterator[tuple[Iterable[str], str]]:
    """(what is missing, a sentence for it) of each kind."""
    scene = depsgraph.scene
    assert scene is not None        # a graph that is evaluated has one
    yield (chain(lost_caches(scene), lost_bakes(scene)),
           "Files of baked motion are missing or cannot be read ({}): objects that depend on them may stand elsewhere.")
    yield (lost_fluids(scene), "Liquids have no surface at this frame, as it is not baked or its files are missing "
           "({}): the box of the simulation is tested instead.")
    yield (lost_shapes(depsgraph),
           "Files that give objects their shape are missing or cannot be read ({}): they may look different.")
    yield _errors_of_nodes(), "Geometry nodes report errors ({}): what they make may be missing."
    yield (_unknown_nodes(), "Blender does not know all nodes of this file ({}), such as those of add-ons that are "
           "not enabled: what they make is missing, or looks different.")


def _saved_by_newer(here: tuple[int, ...]) -> Iterator[str]:
    """The file and the libraries that a newer Blender has saved, with its version."""
    for name, version in [("this file", bpy.data.version if bpy.data.filepath else here),
                          *((name_of(each), each.version) for each in bpy.data.libraries)]:
        if tuple(version[:2]) > here:
            yield f"{name} ({version[0]}.{version[1]})"


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


def _unknown_nodes() -> Iterator[str]:
    """Geometry nodes that this Blender has no kind for: they give nothing to those behind them."""
    for tree in bpy.data.node_groups:
        if tree.type == "GEOMETRY":
            found = [node for node in tree.nodes if node.bl_idname == UNKNOWN_NODE and not node.mute
                     and any(socket.is_linked for socket in node.outputs)]
            if found and could_matter([tree]):
                yield from (f"{text_in(node, 'name')} of {name_of(tree)}" for node in found)
