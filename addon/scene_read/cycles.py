# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of dependencies, which Blender breaks somewhere: what it shows of them depends on what it showed before.

It prints them and tells no script of them. A drawing of the graph, which it writes for debugging, has the relations
that it left out in a colour of their own.
"""
import os
import re
import tempfile

import bpy

MOST_OPERATIONS = 50_000    # of a graph: its drawing takes 14 µs each
RELATION = re.compile(r'^"\d+" -> "\d+" \[.*color="red4".*id="([^"]*)"', re.MULTILINE)


def cycles(depsgraph: bpy.types.Depsgraph) -> list[str]:
    """What Blender calls the relations that it left out, by name, each once; none of a graph that is large."""
    counted = re.search(r"\d+", depsgraph.debug_stats())
    if counted is None or int(counted[0]) > MOST_OPERATIONS or not any(map(_can_be_in_one, bpy.data.objects)):
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "graph.dot")
        depsgraph.debug_relations_graphviz(filepath=path)
        with open(path, encoding="utf-8", errors="replace") as file:
            return sorted(set(RELATION.findall(file.read())))


def _can_be_in_one(each: bpy.types.Object) -> bool:
    """False for an object that depends on none but its parent: Blender lets nothing be its own grandparent."""
    return bool(each.constraints or each.modifiers or each.pose or each.animation_data or each.rigid_body_constraint)
