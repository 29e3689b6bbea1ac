# SPDX-License-Identifier: GPL-3.0-or-later
"""Every exact method, with every combination of its options, says of the sample scenes what the default says."""
from functools import cache
from pathlib import Path

import bpy
import pytest
from naive.answers import ask, difference
from naive.asked import exact_variants
from touchpoint.addon.scene_read import read_scene

FOLDER = Path(__file__).resolve().parents[2] / "sample_scenes"
FRAMES = {"workshop": (1,), "mine": (1,), "dominoes": (1, 58, 120, 200), "fifteen_objects": (1, 9, 24),
          "close_shells": (1, 24), "equal_tori": (1,), "mixed_tori": (1,)}


@cache
def read(name: str, frame: int):
    """The core's scene of a frame of a file, and the report of the default method."""
    bpy.ops.wm.open_mainfile(filepath=str(FOLDER / f"{name}.blend"))
    bpy.context.scene.frame_set(frame)
    core = read_scene(bpy.context).core
    return core, ask(core, "touchpoint")


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("variant", exact_variants(), ids=str)
def test_same_bits_as_the_default(variant, name):
    for frame in FRAMES[name]:
        core, expected = read(name, frame)
        assert len(expected.pairs) > 0
        assert difference(expected, ask(core, **variant.settings())) == "", frame
