# SPDX-License-Identifier: GPL-3.0-or-later
"""The GPU in processes of its own: with a driver (Mesa's software OpenGL), without one, and with faults."""
from gpu_children import output_of


def test_with_a_driver():
    assert output_of("""
before = [len(getattr(bpy.data, kind)) for kind in ("images", "scenes", "cameras", "objects")]
assert gpu_backend.known_reason() == ""
gpu = gpu_backend.obtain()
assert gpu is gpu_backend.obtain()
from touchpoint.addon.gpu_backend import layer
from touchpoint.core.errors import TooLarge
with gpu.drawing():
    values = np.arange(24.0).reshape(3, 4, 2)
    print(">", np.array_equal(layer.read(layer.texture(values)), values))
    print(">", layer.read_counters(layer.counters(3, 2)).tolist())
    try:
        layer.texture(np.zeros((1, layer.max_side() + 1)))
    except TooLarge as error:
        print(">", "takes textures" in str(error))
print(">", bool(gpu.renderer), gpu.library, gpu_backend.known_reason() == "")
print(">", before == [len(getattr(bpy.data, kind)) for kind in ("images", "scenes", "cameras", "objects")])
import threading
errors = []
def elsewhere():
    for work in (gpu_backend.obtain, gpu.drawing().__enter__):
        try:
            work()
        except RuntimeError as error:
            errors.append(str(error))
thread = threading.Thread(target=elsewhere)
thread.start()
thread.join()
print(">", len(errors))
""") == ["True", "[[0, 0, 0], [0, 0, 0]]", "True", "True OPENGL True", "True", "2"]


def test_without_a_driver(tmp_path):
    assert output_of("""
print(">", gpu_backend.obtain())
print(">", gpu_backend.known_reason() == gpu_backend.obtain())
""", driver=False, tmp_path=tmp_path) == [
        "The GPU cannot be used: there is no graphics driver that Blender can use in background mode.", "True"]


def test_a_shader_that_does_not_compile():
    """It is told in a sentence, and the GPU is not used any more."""
    lines = output_of("""
from touchpoint.addon.gpu_backend import layer
from touchpoint.core.errors import Unsupported
def broken():
    info = layer.gpu_module().types.GPUShaderCreateInfo()
    info.local_group_size(1, 1, 1)
    info.compute_source("void main() { nonsense }")
    return info
gpu = gpu_backend.obtain()
try:
    with gpu.drawing():
        layer.shader("broken", broken)
except Unsupported as error:
    print(">", error)
print(">", gpu_backend.obtain() == gpu_backend.known_reason() != "")
""")
    assert lines[0].startswith("The GPU (") and lines[0].endswith("The option device=cpu does without it.")
    assert lines[1] == "True"
