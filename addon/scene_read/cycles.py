# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of dependencies, which Blender breaks somewhere: what it shows of them depends on what it showed before.

It prints them and tells no script of them. A drawing of the graph, which it writes for debugging, has the relations
that it left out in a colour of their own. That takes longer than reading a scene, so it is made only where the data
that use each other have a circle, or where things act on each other without using each other.
"""
import os
import re
import tempfile
from graphlib import CycleError, TopologicalSorter
from typing import Any

import bpy

from ...core.shown import escaped, first_few

MOST_OPERATIONS = 50_000    # of a graph: its drawing takes 14 µs each
RELATION = re.compile(r'^"\d+" -> "\d+" \[.*color="red4".*id="([^"]*)"', re.MULTILINE)
ACTS_UNSEEN = {"CLOTH", "SOFT_BODY", "DYNAMIC_PAINT", "FLUID"}      # modifiers by which others act on an object


def told_of_cycles(depsgraph: bpy.types.Depsgraph) -> list[str]:
    """A sentence where things depend on each other in a circle."""
    found = cycles(depsgraph)
    if not found:
        return []
    return [f"Things in this scene depend on each other in a circle, which Blender breaks somewhere (at "
            f"{first_few([escaped(each) for each in found])}) and names in its own output: they may stand elsewhere."]


def cycles(depsgraph: bpy.types.Depsgraph) -> list[str]:
    """What Blender calls the relations that it left out, by name, each once; none of a graph that is large."""
    if not (_use_each_other() or _act_unseen()):
        return []
    counted = re.search(r"\d+", depsgraph.debug_stats())
    if counted is None or int(counted[0]) > MOST_OPERATIONS:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.dot")
        depsgraph.debug_relations_graphviz(filepath=path)
        with open(path, encoding="utf-8", errors="replace") as file:
            return sorted(set(RELATION.findall(file.read())))


def _use_each_other() -> bool:
    """True where data-blocks use each other in a circle, or one itself, as each does that is in a cycle of
    dependencies."""
    data: Any = bpy.data        # its stub asks for all arguments
    users: dict[bpy.types.ID, set[bpy.types.ID]] = data.user_map()
    for scene in bpy.data.scenes:       # it has all, and depends on something only where it is driven
        if scene.animation_data is None or not scene.animation_data.drivers:
            users.pop(scene, None)
    for scene in bpy.data.scenes:       # nodes of geometry may take the camera of the scene, and do not name it
        if scene.camera is not None:
            users[scene.camera] = users[scene.camera] | {*bpy.data.node_groups}
    try:
        TopologicalSorter({used: by & users.keys() for used, by in users.items()}).prepare()
    except CycleError:
        return True
    return False


def _act_unseen() -> bool:
    """True where simulated things, or metaballs, act on others that need not be named."""
    return bool(bpy.data.particles or len(bpy.data.metaballs) > 1
                or any(scene.rigidbody_world is not None for scene in bpy.data.scenes)
                or any(modifier.type in ACTS_UNSEEN for each in bpy.data.objects for modifier in each.modifiers))
