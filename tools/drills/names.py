# SPDX-License-Identifier: GPL-3.0-or-later
"""Names from strangers' files: they come back from JSON and CSV, and nothing obeys them."""
import csv
import io
import json
import re
import unicodedata

import numpy as np
from naive.shapes import box
from touchpoint.core import Scene, detect, export
from touchpoint.core.shown import escaped, shown

from . import Drill, picked

PIECES = ("::error::", "##vso[task.complete]", "##[error]", "\x1b[2J", "\x1b]0;t\x07", "\n", "\r", "\t", "\x00", "\x9b",
          "\u202e", "\u2066", "\u200b", "\udce9", "\udc80", "=1+1", "+1", "-1", "@x", "\uff1d1", '"', "'", ",", ";",
          "|", "a", "Ä", "椅子", "🪑", " ", "İ", "ß", "..", "/", "\\", "%s", "{}", "<b>", "&amp;", "\ufeff", "e\u0301")
ORDERS = re.compile(r"^\s*::|##\w*\[")


def a_name(random) -> str:
    """Any text of at most 63 bytes, with a liking for what something might obey."""
    text = "".join(picked(random, PIECES) if random.random() < 0.8 else chr(int(random.integers(1, 0x2FF)))
                   for _ in range(int(random.integers(1, 12))))
    return text.encode("utf-8", "surrogateescape")[:63].decode("utf-8", "surrogateescape")


def shown_not_obeyed(random, _folder):
    """One line of letters, which no terminal and no build server takes for a command."""
    name = a_name(random)
    for text in (escaped(name), shown(name)):
        assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text), text
        text.encode("utf-8")
    assert not ORDERS.search(shown(name)), shown(name)
    assert "\u202e" not in shown(name) and "\x1b" not in shown(name)


def come_back(random, _folder):
    """Two crossing boxes of such names: JSON has the names as they are, CSV as they are shown, and no formula."""
    names = [a_name(random), a_name(random)]
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for number, name in enumerate(names):
        pose = np.eye(4)
        pose[:3, 3] = 0.3 * number
        scene.add_object(mesh, pose, name=name)
    report = detect(scene)
    made = io.BytesIO()
    export.dump_json(report, made)
    found = json.loads(made.getvalue().decode("utf-8"))
    assert [each["name"] for each in found["objects"]] == names
    made = io.BytesIO()
    export.dump_csv(report, made)
    [row] = csv.DictReader(io.StringIO(made.getvalue().decode("utf-8"), newline=""))
    for key, name in zip("ab", names):
        assert row[key].removeprefix("'") == shown(name).removeprefix("'")
        assert not row[key].startswith(export.FORMULA)


DRILLS = [
    Drill("hostile names, F19", "names that a terminal or build server would obey", shown_not_obeyed, 500),
    Drill("hostile names, F19", "names in JSON and CSV: no letter lost, no formula", come_back, 50),
]
