# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers do not depend on what the computer lacks: numba, cores, or threads that were asked for."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from command_process import import_path
from touchpoint.core import Scene, detect
from touchpoint.core.warm import BOX, BOX_TRIANGLES

WITHOUT_NUMBA = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import numpy as np
from touchpoint.core import Scene, TouchpointError, detect

shapes = json.load(sys.stdin)
scene = Scene()
mesh = scene.add_mesh(np.array(shapes["vertices"]), np.array(shapes["triangles"]))
for pose in shapes["poses"]:
    scene.add_object(mesh, np.array(pose))
print(json.dumps([[int(p["a"]), int(p["b"]), int(p["verdict"])] for p in detect(scene, method="exact").pairs]))
"""


def poses():
    """Boxes that cross, touch, lie in each other, and stand apart."""
    places = [(0, 0, 0), (0.7, 0.6, 0.5), (1, 0, 0), (3, 0, 0), (0.25, 0.25, 0.25)]
    sizes = [1, 1, 1, 1, 0.5]
    found = [np.diag([size, size, size, 1.0]) for size in sizes]
    for pose, place in zip(found, places):
        pose[:3, 3] = place
    return found


def scene():
    built = Scene()
    mesh = built.add_mesh(BOX, BOX_TRIANGLES)
    for pose in poses():
        built.add_object(mesh, pose)
    return built


def verdicts(report):
    return [[int(pair["a"]), int(pair["b"]), int(pair["verdict"])] for pair in report.pairs]


def test_without_numba_the_exact_method_gives_the_same_answers(tmp_path):
    shapes = {"vertices": BOX.tolist(), "triangles": BOX_TRIANGLES.tolist(), "poses": [p.tolist() for p in poses()]}
    environment = {**os.environ, "PYTHONPATH": str(import_path(tmp_path))}
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMBA], input=json.dumps(shapes), env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == verdicts(detect(scene())) and len(json.loads(done.stdout)) > 3


@pytest.mark.parametrize("threads", [1, 2, 128])
def test_any_number_of_threads(threads):
    expected, found = detect(scene(), threads=None), detect(scene(), threads=threads)
    assert expected.pairs.tobytes() == found.pairs.tobytes()
    assert expected.contacts.point.tobytes() == found.contacts.point.tobytes()
