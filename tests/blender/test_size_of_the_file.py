# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a large result adds to a file."""
import bpy
import numpy as np
from scene_building import add, mesh_of
from touchpoint.addon import write_back

CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def saved_bytes(folder):
    path = folder / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=False)
    return path.stat().st_size


def test_tens_of_thousands_of_pairs_no_more_than_double_it(registered, tmp_path):
    """3,000 boxes, each of which meets some twenty others."""
    random = np.random.default_rng(1)
    for number in range(3000):
        mesh = mesh_of(f"Box {number}", CORNERS * random.uniform(0.5, 1.5, 3), FACES)
        add(f"Box {number}", mesh, random.uniform(0.0, 9.5, 3))
    before = saved_bytes(tmp_path)
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    assert len(result.pairs) > 30_000 and ", 20,000 as points" in result.contacts
    assert saved_bytes(tmp_path) <= 2 * before
    write_back.clear()
    assert saved_bytes(tmp_path) <= 1.1 * before    # an object that had custom properties keeps room for some
