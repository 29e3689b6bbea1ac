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
from naive.shapes import ball
from touchpoint.core import detect
from touchpoint.core.machine_code.jit import COMPILED

QUESTIONS = ({}, {"tolerance": "auto", "clearance": 0.2})      # the latter measures depths, too


def lumps(rng):
    """Balls of few faces with hollows, each in others: their depths cut pieces of triangles in all ways."""
    meshes = [(vertices * rng.uniform(0.6, 1.2, (len(vertices), 1)), faces)
              for vertices, faces in (ball(4, 3), ball(5, 4), ball(6, 3))]
    return meshes, [(k % 3, pose(random_linear(rng, "turned"), rng.uniform(0.0, 0.8, 3))) for k in range(4)]


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
    return lines


@pytest.mark.skipif(not COMPILED, reason="compares machine code with plain Python")
def test_machine_code_and_plain_python_give_the_same_bytes(tmp_path):
    tests = Path(__file__).parents[1]
    script = f"import sys; sys.path.insert(0, {str(tests)!r}); sys.path.insert(0, {str(Path(__file__).parent)!r})\n" \
             "import test_plain_python\nprint(*test_plain_python.answers(), sep='\\n')"
    child = subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, text=True,
                           env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(import_path(tmp_path))})
    assert child.stdout.splitlines() == answers()
