# SPDX-License-Identifier: GPL-3.0-or-later
"""What `warm_up` runs stands for all that users run: machine code is shipped for the kernels that it calls."""
import os
import subprocess
import sys
from pathlib import Path

import pytest
from touchpoint.core.machine_code.jit import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

WARM_THEN_WORK = """
import sys
sys.path.insert(0, sys.argv[1])
import conftest
from naive.scenes import SCENES, build, draw
from touchpoint.core import Scene, detect
from touchpoint.core.machine_code import jit
from touchpoint.core.warm_up import warm_up
from touchpoint.sample_scenes.meshes import octasphere

warm_up()
called = {kernel: set(kernel.signatures) for kernel in jit.KERNELS}
for name in SCENES:
    detect(build(draw(name, 1)))
    detect(build(draw(name, 2)), contacts=False)
    detect(build(draw(name, 4)), tolerance=0.05)
    if "crowd" not in name or name == "crowd":
        detect(build(draw(name, 3)), clearance=0.05)
large = Scene()
for size in (80_000, 500):
    large.add_object(large.add_mesh(*octasphere(size)))
detect(large)
print([kernel.py_func.__name__ for kernel in jit.KERNELS if set(kernel.signatures) - called.get(kernel, set())])
"""


@pytest.mark.slow
def test_detect_calls_nothing_that_is_not_warm():
    """Whatever is in the scene: open, hollow, nested and touching meshes, near and far, large and small."""
    done = subprocess.run([sys.executable, "-c", WARM_THEN_WORK, str(Path(__file__).parent)], capture_output=True,
                          text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
