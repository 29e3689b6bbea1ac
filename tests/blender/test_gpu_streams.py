# SPDX-License-Identifier: GPL-3.0-or-later
"""The method `stream` on the GPU, in processes of their own: contacts and counts are those of the processor."""
from gpu_children import output_of

SCENE = """
from touchpoint.core import Scene, detect
from touchpoint.addon.gpu_backend import streams
gpu = gpu_backend.obtain()
rng = np.random.default_rng(3)
scene = Scene()
for count, offset in ((60, 0.0), (90, 0.0), (40, 1.0)):
    corners = rng.uniform(-1, 1, (count, 1, 3)) + rng.normal(size=(count, 3, 3)) * 0.3 + offset
    scene.add_object(scene.add_mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)), np.eye(4))
flat = np.array([[(x, y, 0.0), (x + 1, y, 0), (x, y + 1, 0)] for x in range(4) for y in range(4)]) - 2
for turn in (1.0, -1.0):        # in one plane: too close to call for floats
    scene.add_object(scene.add_mesh((flat * turn).reshape(-1, 3), np.arange(3 * len(flat)).reshape(-1, 3)), np.eye(4))
names = "pair", "triangle_a", "triangle_b", "kind", "proper", "point", "normal"


def same(form, **settings):
    expected = detect(scene, "stream", options={"form": form}, **settings)
    got = detect(scene, "stream", gpu=gpu, options={"form": form, "device": "gpu"}, **settings)
    default = detect(scene, **settings)
    assert len(default.pairs) > 2
    assert all(np.array_equal(default.pairs[name], got.pairs[name]) for name in ("a", "b", "verdict", "contacts"))
    assert got.counts == expected.counts and gpu.streams.tables == {}
    return all(np.array_equal(getattr(default.contacts, name), getattr(got.contacts, name), equal_nan=True)
               for name in names)


"""


def test_every_form_has_the_contacts_of_the_default():
    assert output_of(SCENE + """
for form in ("scd0", "scd1", "scd2", "walk"):
    print(">", same(form), same(form, contacts=False))
""") == ["True True"] * 4


def test_little_room_a_cancel_and_a_table_that_is_too_large():
    """After each of them the next run is right."""
    assert output_of(SCENE + """
from touchpoint.addon.gpu_backend import layer
from touchpoint.core.errors import TooLarge
calls = []
def progress(stage, fraction):
    calls.append(stage)
    return calls.count("contacts") < 3
print(">", detect(scene, "stream", gpu=gpu, options={"device": "gpu"}, progress=progress, threads=1).cancelled)
side = layer.max_side
layer.max_side = lambda: 512
try:
    same("walk")
except TooLarge as error:
    print(">", error)
layer.max_side = side
streams.FIRST_HITS, streams.WALK_STEPS = 1, 3
print(">", same("scd0"), same("walk"))
""") == ["True", "The GPU takes textures of 512 pixels a side at most, and this scene needs 1,024.", "True True"]
