# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels say the same, to the last bit, as machine code and as the Python that they are written in: no operation is
fused with another, done in another order or in another precision."""
import os
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from checkout_path import import_path
from naive.scenes import build, crowd, lattice_boxes, pose, random_linear, soup, touching_grid
from naive.shapes import ball, box
from touchpoint.core import Scene, detect, sweep
from touchpoint.core.machine_code.jit import COMPILED

QUESTIONS = ({}, {"tolerance": "auto", "clearance": 0.2})      # the latter measures depths, too


def lumps(rng):
    """Balls of few faces with hollows, each in others: their depths cut pieces of triangles in all ways."""
    meshes = [(vertices * rng.uniform(0.6, 1.2, (len(vertices), 1)), faces)
              for vertices, faces in (ball(4, 3), ball(5, 4), ball(6, 3))]
    return meshes, [(k % 3, pose(random_linear(rng, "turned"), rng.uniform(0.0, 0.8, 3))) for k in range(4)]


def film(number):
    """(frame, scene): three bodies that turn and pass through each other."""
    rng, scene = np.random.default_rng([60, number]), Scene()
    for mesh in (box(), ball(5, 3), box((0, 0, 0), (1, 2, 0.5))):
        scene.add_object(scene.add_mesh(*mesh))
    for frame in range(3):
        scene.set_poses(range(3), np.array([pose(random_linear(rng, "turned"), rng.normal(size=3)) for _ in range(3)]))
        yield frame, scene


def asked_of_films() -> list[str]:
    lines = []
    for number in range(12):
        report = sweep(film(number), continuous=True, clearance=0.1 * (number % 2))
        found = [each.tobytes() for each in (report.pairs, report.first_contact, report.worst_frame)]
        lines.append(f"film {number}: {blake2b(b''.join(found)).hexdigest()}")
    return lines


def asked_of_annealing() -> list[str]:
    """A method that draws numbers at random, each of which depends on those before."""
    lines = []
    for number in range(6):
        scene = next(scene for frame, scene in film(number) if frame == 1)
        report = detect(scene, method="saga")
        lines.append(f"annealing {number}: {blake2b(report.contacts.point.tobytes()).hexdigest()}")
    return lines


def answers() -> list[str]:
    """A line per question: which one, and a hash of all bytes of the answer."""
    lines = []
    for number, make in enumerate((crowd, touching_grid, lattice_boxes, soup, lumps)):
        for question in QUESTIONS:
            report = detect(build(make(np.random.default_rng(number))), **question)
            found = blake2b(report.pairs.tobytes())
            for name in report.contacts.__dataclass_fields__:
                found.update(getattr(report.contacts, name).tobytes())
            lines.append(f"{make.__name__} {question}: {len(report.contacts)} contacts, {found.hexdigest()}")
    return lines + asked_of_films() + asked_of_annealing()


@pytest.mark.skipif(not COMPILED, reason="compares machine code with plain Python")
def test_machine_code_and_plain_python_give_the_same_bytes(tmp_path):
    tests = Path(__file__).parents[1]
    script = f"import sys; sys.path.insert(0, {str(tests)!r}); sys.path.insert(0, {str(Path(__file__).parent)!r})\n" \
             "import test_plain_python\nprint(*test_plain_python.answers(), sep='\\n')"
    child = subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, text=True,
                           env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(import_path(tmp_path))})
    assert child.stdout.splitlines() == answers()
