# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls at random: every operator and function of the API with any arguments, and what users and other add-ons do in
between. What is the user's is the same before and after each call of ours.

`Calls` needs no tests and no checkout, so that it can be used in any Blender that has the add-on enabled.
"""
import hashlib
import importlib
import sys
from contextlib import chdir, suppress
from pathlib import Path

import bpy
import numpy as np

from . import Drill, picked

CALLS = 100
OURS = "touchpoint"                 # how our custom properties begin, that of the add-on among them
MOVES = "moves"                     # custom property of an object with keys of the user's
SLOW = {"exact", "saga", "recode", "ibcd", "stream"}    # seconds each, or a process for the GPU: asked by other drills
RARE = {"save_pictures": 0.05, "compare": 0.1, "check_animation": 0.5}     # slow: how often, for one call of another
WORDS = ("", "Cube 0", "x" * 99, "=1+1", "Ä\n::error::", "//", "\x1b[31m", "A|B", "*")
NUMBERS = (0, 1, 2, 7, -1, 2**31 - 1)
FLOATS = (0.0, 0.5, 1.0, -1.0, 1e30, 1e-30)
ARGUMENTS = {
    "frames": (None, (1, 2), (2, 1), [1.0, 1.5], (float("nan"), 1), "1"), "step": (1.0, 0.5, 0.0, -1.0, float("nan")),
    "scope": ("VISIBLE", "SELECTED", "OTHERS", "COLLECTIONS", "ALL", 3),
    "clearance": (0.0, 0.1, -1.0, float("inf"), "much"),
    "tolerance": (0.0, "auto", 0.01, -1.0, float("nan"), "none"), "contacts": (True, False),
    "self_collisions": (True, False), "weld": (0.0, 0.01, -1.0, float("nan")), "threads": (None, 1, 2, 0, -1, 1e9),
    "method": ("touchpoint", "rapid", "tsgo", "hybrid", "particle", "parallel", "", "none such"),
    "rules": (None, (), "no such file.json", 7), "frame": (None, 1, 2.5, float("nan")), "options": (None, {}, {"x": 1}),
    "collection_a": (None, "Folder", "none such"), "collection_b": (None, "Folder"), "identify_by": ("", "guid"),
    "volume": (True, False), "regions": (True, False),
    "self_reference": (None, "REST", 1, 2.5, float("nan"), "rest"),
    "objects": (None, [], "Cube 0", [None]), "rest_pose": (True, False), "continuous": (True, False),
    "repeats": (1, 0, -1), "memory": (False,), "reference": ("touchpoint", "none such"),
    "methods": (["touchpoint", "rapid"], [], ["none such"], ["parallel"]),
}
HOW = ("scope", "clearance", "tolerance", "self_collisions", "self_reference", "weld", "threads", "method", "rules",
       "options", "contacts", "collection_a", "collection_b", "identify_by", "objects")
FUNCTIONS = {
    "detect": (*HOW, "frame", "volume", "regions"),
    "check_animation": (*HOW, "frames", "step", "continuous"),
    "learn": ("frames", "rest_pose", "scope", "tolerance", "rules", "threads"),
    "compare": ("methods", "repeats", "memory", "reference", "clearance", "scope", "frame", "frames", "step"),
}
EXPECTED = {"compare": {"memory": False, "repeats": 1, "methods": ["touchpoint", "parallel"]}}


class Calls:
    """Calls at random in a file of a few cubes. folder: where files are written."""

    def __init__(self, random: np.random.Generator, folder: Path):
        self.random, self.folder = random, folder
        self.operators = [name for name in dir(bpy.ops.touchpoint) if name not in ("compare", "open_example")]
        addon = next(name for name in sys.modules if name.endswith("touchpoint.addon.session")).rpartition(".")[0]
        self.api, self.session = (importlib.import_module(f"{addon}.{name}") for name in ("api", "session"))
        self.report = None
        self.seen: dict | None = None       # the fingerprint after the last call, where it was ours
        self.done = ""          # what was called last, for whoever looks for the fault
        self.new_scene()

    def new_scene(self) -> None:
        """Three to five cubes near each other, of which one moves and one is in a collection."""
        for each in list(bpy.data.objects):
            bpy.data.objects.remove(each)
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, 3
        for _ in range(int(self.random.integers(3, 6))):
            self.add()
        moving = scene.collection.objects[0]
        moving[MOVES] = True
        for frame in (1, 3):
            moving.location[0] = frame
            moving.keyframe_insert("location", index=0, frame=frame)
        folder = bpy.data.collections.get("Folder") or bpy.data.collections.new("Folder")
        if folder.name not in scene.collection.children:
            scene.collection.children.link(folder)
        folder.objects.link(scene.collection.objects[1])
        bpy.context.view_layer.update()

    def add(self) -> None:
        corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        mesh = bpy.data.meshes.new("Cube")
        mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4),
                                       (1, 5, 7, 3)])
        each = bpy.data.objects.new(f"Cube {len(bpy.data.objects)}", mesh)
        each.location = self.random.uniform(-2, 2, 3)
        each["guid"] = each.name
        bpy.context.scene.collection.objects.link(each)

    def call(self) -> None:
        """One call: two of three are of ours."""
        if self.random.random() < 1 / 3:
            self.seen = None
            self.others()
            return
        before = fingerprint() if self.seen is None else self.seen
        self.ours()
        message = self.session.message()
        assert "fault in Touchpoint" not in message, (self.done, message)
        self.seen = fingerprint()
        assert before == self.seen, (self.done, difference(before, self.seen))

    def ours(self) -> None:
        """A call of an operator or of a function."""
        if self.random.random() < 0.6:
            self.operator()
        else:
            self.function()

    def one_of(self, names) -> str:
        """One of these names; those of RARE less often."""
        while True:
            name = picked(self.random, names)
            if self.random.random() < RARE.get(name, 1.0):
                return name

    def operator(self) -> None:
        name = self.one_of(self.operators)
        operator = getattr(bpy.ops.touchpoint, name)
        given = {}
        for key, kind in operator.get_rna_type().properties.items():
            if key == "filepath":
                given[key] = str(self.folder / picked(self.random, ("a.json", "b.csv", "none/c.json", "", "ä\n.json")))
            elif not kind.is_readonly and key != "rna_type" and self.random.random() < 0.5:
                value = any_value(self.random, kind)
                if value is not None:
                    given[key] = value
        self.done = f"{name}({given})"
        with allowed():
            operator(**given)

    def function(self) -> None:
        name = self.one_of((*FUNCTIONS, "detect", "write_back", "write_back", "clear", "read_scene"))
        if name == "write_back":
            self.done = name
            if self.report is not None:
                with allowed(ReferenceError):
                    self.api.write_back(self.report)
            return
        given = dict(EXPECTED.get(name, {}))
        for key in FUNCTIONS.get(name, ()):
            if self.random.random() < 0.15:
                given[key] = picked(self.random, ARGUMENTS[key])
        self.done = f"{name}({given})"
        with allowed(ValueError, TypeError, OSError):
            answer = getattr(self.api, name)(**given)
            if name in ("detect", "check_animation"):
                self.report = answer

    def others(self) -> None:
        """What users and other add-ons do."""
        scene, random = bpy.context.scene, self.random
        mine = [each for each in scene.objects if not is_ours(each)]
        each = picked(random, mine) if mine else None
        kind = int(random.integers(13))
        self.done = f"others({kind})"
        with suppress(RuntimeError, TypeError, ReferenceError):     # what Blender refuses
            if kind == 0 or each is None:
                self.add()
            elif kind == 1 and len(mine) > 2:
                bpy.data.objects.remove(each)
            elif kind in (2, 3):
                each.location = random.uniform(-2, 2, 3)
            elif kind == 4:
                each.name = picked(random, WORDS) or "A"
            elif kind == 5:
                each.color = random.random(4)
            elif kind == 6:
                each.hide_set(bool(random.integers(2)))
                each.select_set(bool(random.integers(2)))
            elif kind == 7:
                scene.frame_set(int(random.integers(1, 4)))
            elif kind == 8:
                bpy.context.view_layer.objects.active = each
                bpy.ops.object.mode_set(mode=picked(random, ("EDIT", "OBJECT")))
            elif kind == 9 and each.mode == "OBJECT":
                each.data.transform(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1.1, 0), (0, 0, 0, 1)))
            elif kind in (10, 11):
                settings = scene.touchpoint
                set_at_random(random, picked(random, (settings, settings.animation, settings.options)))
            elif len(mine) > 7:
                self.new_scene()
        bpy.context.view_layer.update()


class allowed(suppress):
    """Refusals: sentences of Touchpoint's, and what Blender makes of a poll or a report that says no."""

    def __init__(self, *kinds):
        core = next(sys.modules[name] for name in sys.modules if name.endswith("touchpoint.core.errors"))
        super().__init__(core.TouchpointError, core.Cancelled, *kinds)

    def __exit__(self, kind, error, trace):
        if kind is RuntimeError:
            assert "Traceback" not in str(error), error
            return True
        return super().__exit__(kind, error, trace)


def is_ours(each) -> bool:
    return "touchpoint_results" in each


def fingerprint() -> dict:
    """{name: what it is} of all that is not ours in the file: objects, meshes, collections, materials, keys, frames.
    What we show and choose for the user (colours with a mark, keys of colours, selection, frame) is not in it."""
    made = {}
    for each in bpy.data.objects:
        if each.mode == "EDIT":
            each.update_from_editmode()     # else what is edited reaches the mesh when somebody looks
        if not is_ours(each):
            own = tuple((key, str(each[key])) for key in each.keys() if not key.startswith(OURS))
            made["object", each.name] = (each.data and each.data.name, None if MOVES in each else each.location[:], own,
                                         each.parent, own_colour(each), each.hide_get() if each.users else None,
                                         tuple(sorted(group.name for group in each.users_collection)), each.mode)
    for mesh in bpy.data.meshes:
        if not is_ours(mesh):
            points = np.empty(3 * len(mesh.vertices), np.float32)
            mesh.vertices.foreach_get("co", points)
            made["mesh", mesh.name] = (hashlib.sha1(points).hexdigest(), len(mesh.polygons), mesh.users)
    for each in bpy.data.collections:
        if not is_ours(each):
            made["collection", each.name] = tuple(inside.name for inside in each.objects if not is_ours(inside))
    scene = bpy.context.scene
    made["scene", scene.name] = (scene.frame_start, scene.frame_end, len(bpy.data.materials), len(bpy.data.scenes),
                                 len(bpy.data.texts), len(bpy.data.images))
    return made


def difference(before: dict, after: dict) -> dict:
    """{name: (before, after)} of what is not the same in two fingerprints."""
    return {name: (before.get(name), after.get(name)) for name in before.keys() | after.keys()
            if before.get(name) != after.get(name)}


def own_colour(each):
    """The colour of one of the user's objects without ours."""
    before, given, baked = (each.get(f"{OURS}_colour_{name}") for name in ("before", "given", "baked"))
    ours = before is not None and (baked is not None or given is not None and np.allclose(given, each.color[:]))
    return tuple(before if ours else each.color)


def any_value(random, kind):
    """A value that a property takes, or None."""
    if kind.type == "ENUM":
        ids = [each for each in kind.enum_items.keys() if each.lower() not in SLOW]
        return picked(random, ids) if ids else None
    if kind.type == "BOOLEAN" and not kind.is_array:
        return bool(random.integers(2))
    if kind.type == "INT" and not kind.is_array:
        return int(np.clip(picked(random, NUMBERS), kind.hard_min, kind.hard_max))
    if kind.type == "FLOAT" and not kind.is_array:
        return float(np.clip(picked(random, FLOATS), kind.hard_min, kind.hard_max))
    return picked(random, WORDS) if kind.type == "STRING" else None


def set_at_random(random, group) -> None:
    for name, kind in group.bl_rna.properties.items():
        if not kind.is_readonly and name not in ("rna_type", "name") and random.random() < 0.3:
            if kind.type == "POINTER" and name.startswith("collection"):
                setattr(group, name, picked(random, [None, *bpy.data.collections]))
                continue
            value = any_value(random, kind)
            if value is not None:
                with suppress(TypeError):       # a collection is not in the list
                    setattr(group, name, value)
    if hasattr(group, "empties"):
        group.empties = min(group.empties, 20)
    if hasattr(group, "step"):
        group.step = max(group.step, 0.5)


def a_hundred(random, folder):
    """The hundred calls of one file, and Clear: nothing of ours stays."""
    import touchpoint

    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Scene, "touchpoint"):
        touchpoint.register()
    from touchpoint.addon import api

    with chdir(folder):         # a path may be relative
        calls = Calls(random, folder)
        for _ in range(CALLS):
            try:
                calls.call()
            except Exception as error:
                raise AssertionError(f"after {calls.done}") from error
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    before = fingerprint()
    api.clear()
    after = fingerprint()
    assert {name for name in before if name[0] == "object"} <= after.keys()
    assert not [each for each in bpy.data.objects if is_ours(each)]


DRILLS = [Drill("operators and API", f"files with {CALLS} random calls each, and a fingerprint of what is the user's",
                a_hundred, 1)]
