# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods that need a GPU, on Mesa's software OpenGL and without any driver, in processes of their own."""
import pytest
from gpu_children import output_of
from touchpoint.core import methods

METHODS = [each for each in methods.ids() if "resolution" in {option.name for option in methods.load(each).options}]

RASTERS = """
gpu = gpu_backend.obtain()
from touchpoint.core.image_space.cpu_raster import CpuRaster
from touchpoint.core.image_space.hulls.hull import convex_hull
from touchpoint.core.records import Drawn
rng = np.random.default_rng(1)
def body():
    points = rng.normal(size=(12, 3))
    points *= rng.uniform(0.3, 1.0, 3) / np.sqrt((points ** 2).sum(axis=1))[:, None]
    points += rng.uniform(-0.4, 0.4, 3)
    faces = convex_hull(points)
    points[:, 2] *= -0.5        # the nearest depth is -1
    return points[faces].astype(np.float32)
def bodies(count):
    each = [body() for _ in range(count)]
    return Drawn(np.cumsum([0, *map(len, each)]).astype(np.int64), np.concatenate(each))
for side, count in ((16, 40), (50, 7), (600, 1)):
    first, second = bodies(count), bodies(count)
    there = gpu.raster.classes(first, second, side)
    here = CpuRaster(1).classes(first, second, side)
    print(">", (there.sum(axis=1) == side * side).all(), np.abs(there - here).sum() <= 1e-4 * here.sum() + 4,
          (here.sum(axis=0) > 0).all())
print(">", len(gpu.raster.classes(Drawn(np.zeros(1, np.int64), np.zeros((0, 3, 3), np.float32)),
                                 Drawn(np.zeros(1, np.int64), np.zeros((0, 3, 3), np.float32)), 16)))
"""

SCENE = """
sys.path.insert(0, {folder!r})
from scene_building import add_cube
bpy.ops.wm.read_factory_settings(use_empty=True)
add_cube("A")
add_cube("B", (1, 0.25, 0.5))
add_cube("C", (9, 9, 9))
from touchpoint.addon import api
from touchpoint.core import TouchpointError
"""


def script(text):
    from pathlib import Path

    return SCENE.format(folder=str(Path(__file__).parent)) + text


def test_pixels_are_those_of_the_processor():
    assert output_of(RASTERS) == ["True True True"] * 3 + ["0"]


@pytest.mark.parametrize("method", METHODS)
def test_a_run_on_the_gpu(method):
    lines = output_of(script(f"""
expected = api.detect(tolerance=0.0)
for options in ({{}}, {{"device": "cpu"}}, {{"confirm": False}}):
    found = api.detect(method={method!r}, options=options, tolerance=0.0)
    print(">", found.pairs["a"].tolist() == expected.pairs["a"].tolist() == [0], found.pairs["b"].tolist())
compared = api.compare([{method!r}], repeats=1, memory=False)
row = compared.rows[0]
print(">", [row.reason], any("by the pictures alone" in note for note in row.notes))
print(">", gpu_backend.known_reason() == "")
"""))
    assert lines == ["True [1]"] * 3 + ["[''] True", "True"]


@pytest.mark.parametrize("method", METHODS[:1])
def test_without_a_driver_it_is_refused(method, tmp_path):
    file = str(tmp_path / "boxes.blend")
    lines = output_of(script(f"""
try:
    api.detect(method={method!r})
except TouchpointError as error:
    print(">", error)
print(">", len(api.detect(method={method!r}, options={{"device": "cpu"}}).pairs))
print(">", api.compare([{method!r}], repeats=1).rows[0].reason)
from touchpoint import addon
addon.register()
from touchpoint.addon.operators.modal import needs_interval
settings = bpy.context.scene.touchpoint
settings.method = {method!r}
print(">", needs_interval(bpy.context))
from touchpoint.addon.operators.animation import why_no_frames
print(">", why_no_frames(bpy.context))
from touchpoint.addon.cli import main
bpy.ops.wm.save_as_mainfile(filepath={file!r})
print(">", *(main(["detect", {file!r}, "--method", {method!r}, *how]) for how in ([], ["--option", "device=cpu"])))
settings = bpy.context.scene.touchpoint
getattr(settings.options, {method!r}).device = "cpu"
print(">", repr(needs_interval(bpy.context)), repr(why_no_frames(bpy.context)))
settings.method = "touchpoint"
print(">", repr(needs_interval(bpy.context)))
"""), driver=False, tmp_path=tmp_path)
    reason = "The GPU cannot be used: there is no graphics driver that Blender can use in background mode."
    title = methods.load(method).title
    refusal = f"The method {title} needs a GPU that Blender can draw with. {reason}"
    assert lines == [refusal, "1", refusal, reason, reason, "3 1", "'' ''", "''"]


@pytest.mark.parametrize("runs, most", [(90, 16), pytest.param(1000, 32, marks=pytest.mark.slow)])
def test_runs_leak_nothing(runs, most):
    """Pictures and streams in turn; what is kept on the GPU is the same after each, and memory stays flat (MiB)."""
    lines = output_of(script(f"""
import resource
from touchpoint.addon.gpu_backend import layer
gpu = gpu_backend.obtain()
for number in range({runs}):
    api.detect(method="ibcd", options={{"resolution": 32, "confirm": False}})
    api.detect(method="stream", options={{"device": "gpu"}})
    if number == {runs} // 3:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kept = [id(each) for each in gpu.raster._atlas], len(layer._shaders)
print(">", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < {most} * 1024)
print(">", kept == ([id(each) for each in gpu.raster._atlas], len(layer._shaders)), gpu.streams.tables)
gpu_backend.free()
print(">", gpu.raster._atlas, len(layer._shaders))
"""))
    assert lines == ["True", "True {}", "None 0"]
