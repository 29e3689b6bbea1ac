# SPDX-License-Identifier: GPL-3.0-or-later
"""A GPU that is not there, or fails in the middle of a run: a sentence, never a wrong answer, and the processor does
what is asked of it then. In a process of its own each, as the GPU is not asked again in one where it has failed."""
from pathlib import Path

from gpu_children import output_of

from . import Drill, picked

METHODS = ("ibcd", "recode", "stream")
CALLS = ("texture", "read", "target", "batch", "plain_state", "read_counters", "counters", "shader")
SCRIPT = """
sys.path.insert(0, {folder!r})
from scene_building import add_cube
import touchpoint
from touchpoint.addon import api
from touchpoint.addon.gpu_backend import layer
from touchpoint.core.errors import TouchpointError

bpy.ops.wm.read_factory_settings(use_empty=True)
for place in {places!r}:
    add_cube("Cube", place)

def answer(**how):
    report = api.detect(tolerance=0.0, **how)
    return report.pairs[["a", "b", "verdict"]].tolist()

expected = answer()
there = gpu_backend.obtain()
real, left = getattr(layer, {call!r}), {number}

def failing(*given, **more):
    global left
    left -= 1
    if left < 0:
        raise RuntimeError("the device was lost")
    return real(*given, **more)

if {fails}:
    for module in list(sys.modules.values()):
        if getattr(module, {call!r}, None) is real:
            setattr(module, {call!r}, failing)
said = ""
try:
    print(">", "same" if answer(method={method!r}, options=dict(device="gpu")) == expected else "WRONG")
except TouchpointError as error:
    said = str(error)
    print(">", "refused" if said and "\\n" not in said and "Traceback" not in said else "NO SENTENCE " + repr(said))
print(">", "same" if answer(method={method!r}, options=dict(device="cpu")) == expected else "WRONG")
print(">", "same" if answer() == expected else "WRONG")
"""


def without_a_driver(random, folder):
    """No driver at all: refused in a sentence, and the processor does it."""
    said = output_of(_script(random, fails=False), driver=False, tmp_path=folder)
    assert said == ["refused", "same", "same"], said


def lost_on_the_way(random, folder):
    """Whatever is asked of the GPU fails from some call on."""
    said = output_of(_script(random, fails=True))
    assert said in (["refused", "same", "same"], ["same", "same", "same"]), said


def _script(random, fails: bool) -> str:
    places = [tuple(map(float, random.uniform(-2.5, 2.5, 3))) for _ in range(int(random.integers(3, 7)))]
    return SCRIPT.format(folder=str(Path(__file__).resolve().parents[2] / "tests" / "blender"), places=places,
                         call=picked(random, CALLS), number=int(random.integers(0, 12)), fails=fails,
                         method=picked(random, METHODS))


DRILLS = [
    Drill("F14", "methods that draw, where there is no GPU", without_a_driver, 1),
    Drill("F14", "methods that draw, whose GPU fails from any call on", lost_on_the_way, 2),
]
