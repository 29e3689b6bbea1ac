# SPDX-License-Identifier: GPL-3.0-or-later
"""What was linked, and is loaded from its library anew: only what is different there is said to be."""
import subprocess
import sys

import bpy
import pytest
from scene_building import add_collection_instance, add_cube, new_collection
from test_staleness import said
from touchpoint.addon.rules.kept import add_rules
from touchpoint.core.rules import Ref, Rule

pytestmark = pytest.mark.usefixtures("registered")


def build_library(path, places, stretched=False):
    """A file with a collection Parts of cubes at these places, by name."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    parts = new_collection("Parts", bpy.context.scene.collection)
    for name, place in places.items():
        add_cube(name, place, parts)
    if stretched:
        bpy.data.objects["Arm"].data.vertices[0].co.x += 0.25
    bpy.ops.wm.save_as_mainfile(filepath=path)


PLACES = {"Arm": (0, 0, 0), "Leg": (1, 0, 0)}


@pytest.fixture(params=[False, True], ids=["linked", "instanced"])
def tested(request, registered, tmp_path):
    """(result, path of the library, names of what comes from there): Arm and Leg cross each other, and Mine the Leg."""
    library, path = str(tmp_path / "library.blend"), str(tmp_path / "scene.blend")
    build_library(library, PLACES)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.collections = ["Parts"]
    parts = bpy.data.collections["Parts"]
    if request.param:
        add_collection_instance("Robot", parts)
    else:
        bpy.context.scene.collection.children.link(parts)
    add_cube("Mine", (2.5, 0, 0))
    add_rules(bpy.context.scene.touchpoint, [] if request.param else [
        Rule("collections", a=Ref("Parts", parts.library.filepath), b=Ref("Parts", parts.library.filepath))])
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.touchpoint.detect()
    assert said() == []
    return library, path, request.param


def reload():
    next(each for each in bpy.data.libraries if not each.parent).reload()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("saved", [False, True], ids=["same session", "loaded"])
def test_the_same_library_changes_nothing(tested, saved):
    if saved:
        bpy.ops.wm.save_mainfile()
        bpy.ops.wm.open_mainfile(filepath=tested[1])
        assert said() == []
    for _ in range(2):
        reload()
        assert said() == []
    bpy.data.objects["Mine"].location.x += 0.25
    assert said() == ["Since then: Mine moved"]


def rewritten(library, *how):
    """Another process would write the library while the scene is open."""
    script = (f"import sys; sys.path += {sys.path!r}\nimport test_staleness_libraries as here\n"
              f"here.build_library({library!r}, *{how!r})")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    reload()


@pytest.mark.parametrize(("places", "stretched", "linked"), [
    ({"Arm": (0, 0.25, 0), "Leg": (1, 0, 0)}, False, "Arm moved"), (PLACES, True, "Arm changed"),
    ({"Leg": (1, 0, 0)}, False, "Arm deleted"), ({**PLACES, "Head": (0, 0, 1)}, False, "Head new")])
def test_what_is_different_in_the_library_is_said(tested, places, stretched, linked):
    library, _, is_instanced = tested
    rewritten(library, places, stretched)
    assert said() == [f"Since then: {'Robot changed' if is_instanced else linked}"]
