# SPDX-License-Identifier: GPL-3.0-or-later
"""One pair with more contacts than there is memory for: it is searched and judged in pieces, in a process that may
address little more than it already does."""
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from checkout_path import import_path
from naive.shapes import box
from touchpoint.core import Scene, detect

pytest.importorskip("resource", reason="limits of addresses are Unix's")
pytestmark = [pytest.mark.scenes, pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")]

BLADES, AROUND = 300, 150
ROOM = 40_000_000       # bytes beside what is spared: contacts of the pairs below need 90 MB and more
CHILD = """
import json, resource, sys
import numpy as np
import test_pair_beyond_memory as pairs
from touchpoint.core import detect, memory
from touchpoint.core.search import contact_budget

made, begin = [], contact_budget._pieces
contact_budget._pieces = lambda *given: (made.append(part[1].piece) or part for part in begin(*given))
detect(pairs.scene("boxes"), depth=True)            # loads what will be needed
pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (pages + memory.SPARE_BYTES + pairs.ROOM,) * 2)
report = detect(pairs.scene(sys.argv[1]), depth=sys.argv[1] == "combs", threads=2)
contacts = report.contacts
print(json.dumps({"pairs": report.pairs[pairs.COLUMNS].tolist(), "found": report.found.tolist(), "pieces": len(made),
                  "listed": np.stack([contacts.triangle_a, contacts.triangle_b]).tolist(),
                  "depth": report.pairs["depth"].tolist(), "notes": report.notes}))
"""
COLUMNS = ["a", "b", "verdict", "status", "inner"]


def comb(axis):
    """Blades side by side along an axis, thin tetrahedra, each of which goes through all of a comb along the other."""
    along, across = np.eye(3)[axis], np.eye(3)[1 - axis]
    places, thick = np.linspace(-0.5, 0.5, BLADES)[:, None] * along, 0.25 / BLADES * along
    low = np.array([0.0, 0.0, -1.0])
    corners = np.array([low - 2 * across - thick, low - 2 * across + thick, low + 2 * across, [0.0, 0.0, 3.0]])
    faces = np.array([(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)])
    return (places[:, None] + corners).reshape(-1, 3), (4 * np.arange(BLADES)[:, None, None] + faces).reshape(-1, 3)


def ring():
    """A torus: each of its triangles meets thirteen of the same torus at the same place."""
    i, j = (each.ravel() for each in np.meshgrid(np.arange(AROUND), np.arange(AROUND), indexing="ij"))
    u, v = (2 * np.pi / AROUND * each for each in (i, j))
    vertices = np.stack([(3 + np.cos(v)) * np.cos(u), (3 + np.cos(v)) * np.sin(u), np.sin(v)], axis=1)

    def number(i, j):
        return i % AROUND * AROUND + j % AROUND

    first = np.stack([number(i, j), number(i + 1, j), number(i + 1, j + 1)], axis=1)
    second = np.stack([number(i, j), number(i + 1, j + 1), number(i, j + 1)], axis=1)
    return vertices, np.concatenate([first, second])


def scene(name):
    parts = {"combs": lambda side: comb(side), "rings": lambda side: ring(),
             "boxes": lambda side: box((0.5 * side,) * 3, (1.0 + side,) * 3)}
    made = Scene()
    for side in (0, 1):
        made.add_object(made.add_mesh(*parts[name](side)), np.eye(4))
    return made


@pytest.mark.parametrize("name, verdict", [("combs", "crossing"), ("rings", "overlap")])
def test_a_pair_beyond_memory_is_judged_in_pieces(name, verdict, tmp_path):
    whole = detect(scene(name), threads=2)
    folders = import_path(tmp_path), Path(__file__).parents[1], Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", CHILD, name], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))})
    assert done.returncode == 0, done.stderr
    cut = json.loads(done.stdout)
    assert [tuple(each) for each in cut["pairs"]] == whole.pairs[COLUMNS].tolist()
    assert whole.summary()[verdict] == 1 and not whole.pairs["unlisted"].any()
    assert cut["found"] == whole.pairs["contacts"].tolist() and cut["pieces"] > 2
    count = len(cut["listed"][0])
    assert 0 < count < cut["found"][0] and any("are listed" in note for note in cut["notes"])
    for side, column in zip(cut["listed"], (whole.contacts.triangle_a, whole.contacts.triangle_b)):
        assert side == column[:count].tolist()
    if name == "combs":
        assert 0.0 < cut["depth"][0] < 0.5 / BLADES

