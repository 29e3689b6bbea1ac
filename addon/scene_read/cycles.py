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

MOST_OPERATIONS = 50_000    # of a graph that is drawn while a window waits: its drawing takes 15 µs each …
MOST_IN_BACKGROUND = 500_000    # … and where nobody waits for a window, before Detect takes less time than that
PEELED = 4                  # times, that what uses nothing or is used by nothing is left out: it is in no circle
RELATION = re.compile(rb'^"\d+" -> "\d+" \[.*color="red4".*id="([^"]*)"')
DRAWN_END = b"}"            # of a drawing that is whole: a full disk may cut it off
ACTS_UNSEEN = {"CLOTH", "SOFT_BODY", "DYNAMIC_PAINT", "FLUID"}      # modifiers by which others act on an object


def told_of_cycles(depsgraph: bpy.types.Depsgraph, most: int | None = None) -> list[tuple[str, bool]]:
    """A sentence where things depend on each other in a circle, with True, as what is tested may stand elsewhere; with
    False where that was not looked for, though it may be. most: as for `cycles`."""
    found = cycles(depsgraph, most)
    if found is None:
        return [("Whether things in this scene depend on each other in a circle was not looked for: some use each "
                 "other, and Blender's graph of them is large, or cannot be written into the temporary folder.", False)]
    if not found:
        return []
    return [(f"Things in this scene depend on each other in a circle, which Blender breaks somewhere (at "
             f"{first_few([escaped(each) for each in found])}) and names in its own output: they may stand elsewhere.",
             True)]


def cycles(depsgraph: bpy.types.Depsgraph, most: int | None = None) -> list[str] | None:
    """What Blender calls the relations that it left out, by name, each once. None where that is not known, as the graph
    has more operations than `most` (None: as many as anybody waits for), or as there is no room for its drawing."""
    if not (_use_each_other() or _act_unseen()):
        return []
    if most is None:
        most = MOST_IN_BACKGROUND if bpy.app.background else MOST_OPERATIONS
    counted = re.search(r"\d+", depsgraph.debug_stats())
    if counted is None or int(counted[0]) > most:
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.dot")
            depsgraph.debug_relations_graphviz(filepath=path)
            return _left_out_relations(path)
    except OSError:
        return None


def _left_out_relations(path: str) -> list[str] | None:
    """Of a drawing, which may be 100 MB. Raises OSError where it is not there."""
    found, line = set(), b""
    with open(path, "rb") as file:
        for line in file:
            relation = RELATION.match(line) if b"red4" in line else None
            if relation:
                found.add(relation[1].decode(errors="replace"))
    return sorted(found) if line.strip().endswith(DRAWN_END) else None


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
    for _ in range(PEELED):     # of most scenes nothing is left for the slower look
        using: set[bpy.types.ID] = set().union(*users.values())
        left = {used: by & users.keys() for used, by in users.items() if used in using}
        users = {used: by for used, by in left.items() if by}
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
