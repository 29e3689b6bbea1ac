# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a scene may not be what its author sees."""
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import bpy

from ...core.shown import escaped, first_few
from ..names import name_of
from .cycles import told_of_cycles
from .looks import is_looks
from .missing import missing_parts


@dataclass
class Doubts:
    """Sentences; none where the scene is as the file has it. unsure: they may concern what is tested, so that the
    answer is not "clear"."""

    sentences: list[str] = field(default_factory=list)
    unsure: bool = False

    def add(self, told: Iterable[tuple[str, bool]]) -> None:
        """Take over sentences, each with whether it may concern what is tested."""
        for sentence, unsure in told:
            self.sentences.append(sentence)
            self.unsure |= unsure

    def joined(self, later: "Doubts") -> "Doubts":
        """Those of several frames: a driver may fail in one of them only, or in the process that reads it."""
        return Doubts([*dict.fromkeys([*self.sentences, *later.sentences])], self.unsure or later.unsure)


def doubts(depsgraph: bpy.types.Depsgraph, edited: Iterable[str] = (), circles: bool = True) -> Doubts:
    """What Blender did not run of the file, did not find or does not know, and the drivers that it gave up, as a graph
    shows it. edited: what `flush_edits` says; circles: look for things that depend on each other in a circle."""
    found, drivers = Doubts([*edited]), list(_drivers())
    found.add(told_of_cycles(depsgraph) if circles else [])
    if bpy.app.autoexec_fail:
        _add_python(found, drivers)
    _add_broken(found, drivers)
    found.add(missing_parts(depsgraph))
    return found


def _add_python(found: Doubts, drivers: list["_Driver"]) -> None:
    """Blender tells only that there is some, and what the first of it was."""
    unsure = _could_matter(drivers)
    what = ("objects that depend on it may stand elsewhere" if unsure
            else "materials, lights or cameras may look different, though nothing that is tested depends on them")
    found.sentences.append(f"Blender did not run the Python in this file ({_first()}), so {what}. Allow Execution in "
                           "Blender's window, or --enable-autoexec before -c, lets it run.")
    found.unsure |= unsure


def _add_broken(found: Doubts, drivers: list["_Driver"]) -> None:
    """Drivers that were evaluated and have no value: what they read is gone, or they fail. Their property stays as it
    was. Python that was not run is told already."""
    read = _read_by(drivers)
    broken = [each for each in drivers if not (each.driver.is_valid or each.curve.mute)
              and not (bpy.app.autoexec_fail and _is_python(each.driver))]
    if broken:
        unsure = any(not is_looks(each.owner) or each.owner in read for each in broken)
        told = first_few([f"{escaped(name_of(each.owner))} {each.curve.data_path}" for each in broken])
        what = "objects that depend on it may stand elsewhere" if unsure else "nothing that is tested depends on it"
        found.sentences.append(f"Blender cannot evaluate {len(broken):,} driver{'s' * (len(broken) > 1)} of this file "
                               f"({told}): {what}.")
        found.unsure |= unsure


def _first() -> str:
    try:
        return escaped(bpy.app.autoexec_fail_message)
    except UnicodeDecodeError as error:
        return escaped(error.object.decode("utf-8", "surrogateescape"))


def _could_matter(drivers: list["_Driver"]) -> bool:
    """False where all that was not run are drivers of looks, and no driver reads what they drive. A script may do
    anything."""
    if any(text.use_module for text in bpy.data.texts):
        return True
    not_run = {each.owner for each in drivers if _is_python(each.driver)}
    return not not_run or not all(map(is_looks, not_run)) or not not_run.isdisjoint(_read_by(drivers))


def _is_python(driver) -> bool:
    """True for a driver that is more than a simple expression, which Blender evaluates without Python."""
    return driver.type == "SCRIPTED" and not driver.is_simple_expression


def _read_by(drivers: list["_Driver"]) -> set:
    """The data-blocks that drivers read."""
    return {target.id for each in drivers for variable in each.driver.variables for target in variable.targets}


class _Driver(NamedTuple):
    """A driver, its curve, and the data-block that it drives."""

    owner: Any
    curve: Any
    driver: Any


def _drivers() -> Iterator[_Driver]:
    """The drivers of the file. The owner of those of a material's or texture's own nodes is the material or texture."""
    animated, with_nodes = _collections_with_drivers()
    holders = [(each, each) for name in animated for each in getattr(bpy.data, name) if each.animation_data is not None]
    holders += [(each.node_tree, each) for name in with_nodes for each in getattr(bpy.data, name)
                if each.node_tree is not None and each.node_tree.animation_data is not None]
    for holder, owner in holders:
        for curve in holder.animation_data.drivers:
            yield _Driver(owner, curve, curve.driver)


@cache
def _collections_with_drivers() -> tuple[list[str], list[str]]:
    """Names of the collections in `bpy.data` whose data-blocks can have drivers, and of those that have nodes which
    can. Kept, as asking Blender takes a quarter of a millisecond, in each frame that is read."""
    having = {name: kind.fixed_type.properties for name, kind in bpy.types.BlendData.bl_rna.properties.items()
              if isinstance(kind, bpy.types.CollectionProperty)}
    return ([name for name, properties in having.items() if "animation_data" in properties],
            [name for name, properties in having.items() if "node_tree" in properties])
