# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON files that the user keeps, bent by somebody: rules and named tests. They are refused in one sentence with the
file's name, or read as what they say; nothing of them is taken over in part."""
import json

import bpy

from . import Drill, picked

COLLECTION = "Folder"
THINGS = (None, True, 0, -1, 1, 1e300, "", "Folder", "\ud800", "x" * 5000, [], {}, [[]], "1:", "nan", 2**70)
TEST = {"name": "A", "a": COLLECTION, "b": {"name": COLLECTION}, "clearance": 0.25, "tolerance": "auto", "weld": 0.5,
        "self_collisions": True, "method": "touchpoint", "options": {}, "rules": False, "frames": "1, 9:12"}
RULES = [
    {"kind": "collections", "a": COLLECTION, "b": {"name": COLLECTION, "library": "a.blend"}, "allowed_depth": 0.25},
    {"kind": "pairs", "pairs": [["A", {"name": "B", "instance": "3"}], ["C", "D"]], "reason": "x", "enabled": False},
    {"kind": "assembly"},
]


def bent(random, data, depth=0):
    """The same data with something else in some place."""
    if depth and random.random() < 0.3:
        return picked(random, THINGS)
    if isinstance(data, dict) and data:
        key = picked(random, list(data))
        kind = int(random.integers(4))
        if kind == 0:
            return {name: value for name, value in data.items() if name != key}
        if kind == 1:
            return {**data, str(picked(random, THINGS)): picked(random, THINGS)}
        return {**data, key: bent(random, data[key], depth + 1)}
    if isinstance(data, list) and data:
        number = int(random.integers(len(data)))
        return [*data[:number], bent(random, data[number], depth + 1), *data[number + 1:]]
    return picked(random, THINGS)


def bent_text(random, data) -> bytes:
    """The JSON text of bent data, sometimes bent itself."""
    for _ in range(int(random.integers(1, 4))):
        data = bent(random, data)
    raw = bytearray(json.dumps(data).encode())
    kind = int(random.integers(5))
    if kind == 0 and raw:
        raw[int(random.integers(len(raw)))] = int(random.integers(256))
    elif kind == 1:
        del raw[int(random.integers(len(raw) + 1)):]
    elif kind == 2:
        raw = b"[" * int(random.integers(1, 100_000)) + raw
    return bytes(raw)


def refused(path, read) -> bool:
    """True where `read` refused the file in a sentence with its name; False where it could be read."""
    from touchpoint.core.errors import Refused

    try:
        read()
    except Refused as error:
        text = str(error)
        assert str(path) in text and "\n" not in text and "Traceback" not in text, text
        return True
    return False


def named_tests(random, folder):
    """Named tests: what cannot be read leaves the list as it was."""
    import touchpoint

    if not hasattr(bpy.types.Scene, "touchpoint"):
        touchpoint.register()
    from touchpoint.addon.named_tests.files import add_tests, read_tests, write_tests
    from touchpoint.core.errors import Refused

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.collection.children.link(bpy.data.collections.new(COLLECTION))
    scene, path = bpy.context.scene, folder / "tests.json"
    path.write_bytes(bent_text(random, {"touchpoint_named_tests": 1, "tests": [TEST, {"name": "B"}]}))
    read = []
    if refused(path, lambda: read.extend(read_tests(path))):
        return
    try:
        add_tests(scene, read)
    except Refused as error:        # a collection that is not there
        assert len(scene.touchpoint.tests) == 0 and "\n" not in str(error), error
        return
    assert len(scene.touchpoint.tests) == len(read)
    write_tests(scene, folder / "again.json")
    assert [each.name for each in read_tests(folder / "again.json")] == [each.name for each in scene.touchpoint.tests]


def rules(random, folder):
    """Rules: what can be read is written as it was read."""
    from touchpoint.core.rules import read_rules, write_rules

    path, read = folder / "rules.json", []
    path.write_bytes(bent_text(random, {"touchpoint_rules": 1, "rules": RULES}))
    if not refused(path, lambda: read.extend(read_rules(path))):
        write_rules(read, folder / "again.json")
        assert read_rules(folder / "again.json") == read


DRILLS = [
    Drill("F21", "files of named tests that somebody bent", named_tests, 50),
    Drill("F21", "files of rules that somebody bent", rules, 200),
]
