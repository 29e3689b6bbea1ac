# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a scene may not be what its author sees."""
from collections.abc import Iterator
from dataclasses import dataclass, field

import bpy

from ...core.shown import escaped

# Nothing that is tested depends on these, unless a driver reads them.
LOOKS = {"CAMERA", "LIGHT", "LIGHT_PROBE", "LINESTYLE", "MATERIAL", "SOUND", "SPEAKER", "WORLD"}
LOOKS_OF_NODES = {"SHADER", "COMPOSITING"}


@dataclass
class Doubts:
    """Sentences; none where the scene is as the file has it. unsure: they may concern what is tested, so that the
    answer is not "clear"."""

    sentences: list[str] = field(default_factory=list)
    unsure: bool = False


def doubts() -> Doubts:
    """What Blender did not run of the file: it tells only that there is something, and what the first of it was."""
    if not bpy.app.autoexec_fail:
        return Doubts()
    unsure = _could_matter()
    what = ("objects that depend on it may stand elsewhere" if unsure
            else "materials, lights or cameras may look otherwise, though nothing that is tested depends on them")
    return Doubts([f"Blender did not run the Python in this file ({_first()}), so {what}. Allow Execution in Blender's "
                   "window, or --enable-autoexec before -c, lets it run."], unsure)


def _first() -> str:
    try:
        return escaped(bpy.app.autoexec_fail_message)
    except UnicodeDecodeError as error:
        return escaped(error.object.decode("utf-8", "surrogateescape"))


def _could_matter() -> bool:
    """False where all that was not run are drivers of looks, and no driver reads what they drive. A script may do
    anything."""
    if any(text.use_module for text in bpy.data.texts):
        return True
    found, read = False, set()
    not_run = set()
    for owner, driver in _drivers():
        read |= {target.id for variable in driver.variables for target in variable.targets}
        if driver.type == "SCRIPTED" and not driver.is_simple_expression:
            found = True
            if not _is_looks(owner):
                return True
            not_run.add(owner)
    return not found or not not_run.isdisjoint(read)


def _drivers() -> Iterator[tuple]:
    """(owner, driver) of the file; those of a material's own nodes are left out, those of a texture's are its."""
    for name, kind in bpy.types.BlendData.bl_rna.properties.items():
        for each in getattr(bpy.data, name) if kind.type == "COLLECTION" else ():
            trees = (each, getattr(each, "node_tree", None))
            for holder in trees:
                for curve in getattr(getattr(holder, "animation_data", None), "drivers", ()):
                    yield each, curve.driver


def _is_looks(each) -> bool:
    return each.id_type in LOOKS or (each.id_type == "NODETREE" and each.type in LOOKS_OF_NODES)
