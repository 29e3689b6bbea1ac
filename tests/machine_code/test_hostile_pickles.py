# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of machine code that hold something else: nothing in them is run, and kernels are compiled as without them.
And what they may hold: kernels whose arguments are records of core/records/."""
import hashlib
import os
import pickle
import subprocess
import sys

import pytest
from checkout_path import ROOT, import_path
from test_kernel_cache import add_one, entries  # noqa: F401
from touchpoint.core import arrays, records
from touchpoint.core.machine_code import jit

if not jit.COMPILED:
    pytest.skip("nothing is loaded without compilation", allow_module_level=True)
from touchpoint.core.machine_code import packed_kernel  # noqa: E402


def text(value):
    data = value.encode()
    return b"X" + len(data).to_bytes(4, "little") + data


def found(module, name):
    """The opcodes that find something by its name."""
    return text(module) + text(name) + b"\x93"


def ours(module, name):
    """As packed_kernel.py writes names of our modules."""
    return text(module) + b"Q" + text(name) + b"\x93"


def called(function, *arguments):
    return function + b"(" + b"".join(arguments) + b"tR"


def data_of(*opcodes):
    return b"\x80\x04" + b"".join(opcodes) + b"."


@pytest.fixture
def attacks(tmp_path):
    """{what it tries: payload}; each would make the file `planted` when it succeeded."""
    command = text(f"touch {tmp_path / 'planted'}")
    inner = pickle.dumps(Touch(tmp_path / "planted"))
    inner = b"B" + len(inner).to_bytes(4, "little") + inner
    (tmp_path / "side_effect.py").write_text(f"open({str(tmp_path / 'planted')!r}, 'w')")
    system = found("os", "system")
    empty = b"]"
    return {
        "os.system": called(system, command),
        "posix": called(found("posix", "system"), command),
        "eval": called(found("builtins", "eval"), text(f"open({str(tmp_path / 'planted')!r}, 'w')")),
        "getattr": called(found("builtins", "getattr"), found("numba.core.config", "os"), text("system")),
        "numba.cloudpickle": called(found("numba.cloudpickle", "loads"), inner),
        "numba.cloudpickle.cloudpickle": called(found("numba.cloudpickle.cloudpickle", "subimport"),
                                                text("side_effect")),
        "numba's own unpickler": called(found("numba.core.serialize", "_numba_unpickle"), b"K\x01", inner, b"K\x01"),
        "numba's rebuilder": called(found("numba.core.serialize", "_unpickle__CustomPickled"), inner),
        "dotted path": called(found("numba.core.config", "os.system"), command),
        "dotted path of what is admitted": called(found("numba.core.types.scalars", "Integer.__init__.__globals__")),
        "dotted path of a record": called(ours(".records.trees", "Corners.of"), b"N"),
        "function of ours": called(ours(".arrays", "as_vertices"), empty),
        "module of ours": called(ours(".arrays", "np.save"), command, empty),
        "other module of ours": called(ours(".warm_up", "detect"), empty),
        "module that numba would import": called(found("numba.core.environment", "_rebuild_env"), text("side_effect"),
                                                 empty, text("name")),
        "module of ours that would be imported": called(found("numba.core.environment", "_rebuild_env"),
                                                        text(".addon.precompile_script") + b"Q", empty, text("name")),
        "import of a module": found("side_effect", "x"),
        "import of a part of numba": found("numba.misc.numba_entry", "main"),
        "type that calls": called(found("numba.core.types.abstract", "_type_reconstructor"), system,
                                  b"(" + command + b"t", b"N"),
        "what is made of": called(found("copyreg", "_reconstructor"), found("subprocess", "Popen"),
                                  found("builtins", "object"), b"N"),
        "name that is no text": b"K\x01Q",
        "extension": b"\x82\x01",
        "instance": b"(" + command + b"ios\nsystem\n",
        "global": b"cos\nsystem\n(" + command + b"tR",
    }


class Touch:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def test_nothing_planted_is_run(attacks, add_one, tmp_path, monkeypatch):  # noqa: F811
    assert pickle.loads(pickle.dumps(Touch(tmp_path / "planted"))) == 0 and (tmp_path / "planted").exists()
    (tmp_path / "planted").unlink()         # so the payloads are real ones
    monkeypatch.syspath_prepend(tmp_path)
    add_one()(1)
    [path] = entries(tmp_path / "cache")
    for what, opcodes in attacks.items():
        payload = data_of(opcodes)
        with pytest.raises((pickle.UnpicklingError, ValueError)):
            packed_kernel.unpack(hashlib.sha256(payload).digest() + payload, "", None)
        path.write_bytes(hashlib.sha256(payload).digest() + payload)
        kernel = add_one()
        assert kernel(1) == 2 and not kernel.stats.cache_hits, what
        assert not (tmp_path / "planted").exists(), what
    assert "side_effect" not in sys.modules and "touchpoint.addon.precompile_script" not in sys.modules


def test_only_exact_names_are_admitted(tmp_path):
    """Nothing that is admitted runs what it is given, or is more than a type, a signature or a description."""
    reader = packed_kernel._Unpickler(open(os.devnull, "rb"))
    for module, name in packed_kernel.ADMITTED:
        assert "." not in name and reader.find_class(module, name).__name__ == name
    assert reader.find_class(records.Corners.__module__, "Corners") is records.Corners
    for module, name in ((arrays.__name__, "NamedTuple"), (arrays.__name__, "np"), ("numba", "njit"),
                         ("numba.core.types.npytypes", "__builtins__"), ("touchpoint.core.report", "Report")):
        with pytest.raises(pickle.UnpicklingError):
            reader.find_class(module, name)


TINY_KERNEL = """
import importlib.util, pathlib, sys
import numpy as np
{importing}
records = importlib.import_module(PACKAGE + ".core.records")
jit = importlib.import_module(PACKAGE + ".core.machine_code.jit")
jit.set_cache_folder(sys.argv[2])
spec = importlib.util.spec_from_file_location(PACKAGE + ".core.tiny", sys.argv[3])
tiny = sys.modules[PACKAGE + ".core.tiny"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)
kernel = jit.kernel(tiny.height_of)
corners = records.Corners(np.array([0, 1]), np.array([[0, 1, 2], [2, 1, 0]], np.int32), np.arange(2, dtype=np.int32),
                         np.array([0, 3]), np.arange(18.0).reshape(6, 3))
print([kernel(corners, object, 0) for object in (0, 1)], sum(kernel.stats.cache_hits.values()))
"""
TINY = """
def height_of(corners, obj, slot):
    row = corners.triangles[corners.triangle_start[obj] + slot]
    return max(corners.world[corners.world_start[obj] + row[0], 2], min(0.0, float(slot)))
"""
AS_TOUCHPOINT = "import importlib; PACKAGE = 'touchpoint'"
AS_EXTENSION = """
import importlib
sys.path.insert(0, sys.argv[1] + "/addon")
import precompile_script
PACKAGE = "bl_ext.somebody_elses.touchpoint"
precompile_script.import_as(sys.argv[1], PACKAGE)
"""


def test_a_kernel_that_takes_a_record_is_loaded_in_another_process(tmp_path):
    """Whatever the package is called where it was compiled, and where it is loaded."""
    (tmp_path / "tiny.py").write_text(TINY)

    def run(importing):
        done = subprocess.run([sys.executable, "-c", TINY_KERNEL.format(importing=importing), str(ROOT),
                               str(tmp_path / "cache"), str(tmp_path / "tiny.py")], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(import_path(tmp_path))})
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run(AS_TOUCHPOINT) == "[2.0, 17.0] 0"
    assert run(AS_TOUCHPOINT) == "[2.0, 17.0] 1"
    assert run(AS_EXTENSION) == "[2.0, 17.0] 1"
