# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code that came with the extension: used where it fits to the last detail, and otherwise as if not there."""
import json
import os
import subprocess
import sys
import zipfile

import pytest
from checkout_path import ROOT, import_path
from test_kernel_cache import DAMAGES, add_one  # noqa: F401
from touchpoint.core.machine_code import jit, shipped_kernels
from touchpoint.core.machine_code.kernel_cache import toolchain
from touchpoint.core.warm_up import all_sources

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is loaded without compilation")

HAS = shipped_kernels.llvm.get_host_cpu_features()
BEST, *OTHERS = [level for level in shipped_kernels.levels_of(shipped_kernels.platform.machine())
                 if all(HAS.get(feature) for feature in level.features)]


@pytest.fixture
def shipped(add_one, tmp_path, monkeypatch):  # noqa: F811
    """A folder of archives with the code of `add_one` in each; call it for a fresh kernel of an empty user's folder."""
    assert add_one()(1) == 2
    monkeypatch.undo()
    for level in (BEST, *OTHERS):
        ship(tmp_path / "cache", tmp_path / "shipped", level)
    monkeypatch.setattr(shipped_kernels, "FOLDER", tmp_path / "shipped")
    monkeypatch.setattr(jit, "_folder", tmp_path / "empty")
    monkeypatch.setattr(jit, "KERNELS", [])

    def used_level():
        """Which archive serves the kernel; None where it was compiled. Always checks the answer."""
        shipped_kernels.archive.cache_clear()
        kernel = add_one()
        assert kernel(1) == 2
        if not kernel.stats.cache_hits or list((tmp_path / "empty").rglob("*-*")):
            return None
        return json.loads(shipped_kernels.archive().read(shipped_kernels.ABOUT))["level"]

    yield used_level
    shipped_kernels.archive.cache_clear()


def ship(cache, folder, level, **changes):
    """Write an archive of everything in a cache folder."""
    folder.mkdir(exist_ok=True)
    about = {"level": level.name, "toolchain": toolchain() | changes, "sources": all_sources()}
    with zipfile.ZipFile(folder / shipped_kernels.archive_name(level), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(shipped_kernels.ABOUT, json.dumps(about))
        for path in cache.rglob("*-*"):
            archive.write(path, path.relative_to(cache).as_posix())


def test_the_best_level_is_used(shipped):
    assert shipped() == BEST.name


def test_the_users_folder_comes_first(shipped, add_one, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setattr(jit, "_folder", tmp_path / "cache")
    monkeypatch.setattr(shipped_kernels, "read", lambda entry: pytest.fail("not needed"))
    kernel = add_one()
    assert kernel(1) == 2 and kernel.stats.cache_hits


@pytest.mark.parametrize("name", list(toolchain()))
def test_another_toolchain(shipped, tmp_path, name):
    for level in (BEST, *OTHERS):
        ship(tmp_path / "cache", tmp_path / "shipped", level, **{name: "another"})
    assert shipped() is None


@pytest.mark.parametrize("feature", BEST.features)
def test_a_processor_without_a_feature(shipped, monkeypatch, feature):
    class Without:
        def get_host_cpu_features(self):
            return {each: each != feature for each in BEST.features}

    monkeypatch.setattr(shipped_kernels, "llvm", Without())
    fitting = [level.name for level in OTHERS if feature not in level.features]
    assert shipped() == (fitting[0] if fitting else None)


@pytest.mark.parametrize("setting", ["CPU_NAME", "CPU_FEATURES"])
def test_a_user_who_wants_another_processor(shipped, monkeypatch, setting):
    monkeypatch.setattr(shipped_kernels.config, setting, "")
    assert shipped() is None


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_archive(shipped, tmp_path, damage):
    for path in (tmp_path / "shipped").iterdir():
        path.write_bytes(damage(path.read_bytes()))
    shipped()                   # checks the answer; a flipped bit may lie where it does not matter


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code_in_a_sound_archive(shipped, tmp_path, damage):
    for path in (tmp_path / "cache").rglob("*-*"):
        path.write_bytes(damage(path.read_bytes()))
    for level in (BEST, *OTHERS):
        ship(tmp_path / "cache", tmp_path / "shipped", level)
    assert shipped() is None


def test_no_archive(shipped, tmp_path):
    for path in (tmp_path / "shipped").iterdir():
        path.unlink()
    assert shipped() is None


def test_nothing_is_written_to_what_was_shipped(shipped, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "shipped").iterdir()}
    shipped()
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "shipped").iterdir()}


def test_complete_only_for_the_same_sources(shipped):
    shipped()
    assert shipped_kernels.is_complete(all_sources()) and not shipped_kernels.is_complete("0123")


DETECT = """
import hashlib, sys
import numpy as np
{importing}
jit, warm = (importlib.import_module(PACKAGE + name) for name in (".core.machine_code.jit", ".core.warm_up"))
tiny = importlib.import_module(PACKAGE + ".core.scene.tiny")
warm.warm_up()
compiled = [k.py_func.__name__ for k in jit.KERNELS if k.stats.cache_misses]
loaded = sum(bool(k.stats.cache_hits) for k in jit.KERNELS)
core = importlib.import_module(PACKAGE + ".core")
scene = core.Scene()
mesh = scene.add_mesh(tiny.BOX, tiny.BOX_TRIANGLES)
for i in range(40):
    pose = np.eye(4)
    pose[:3, 3] = np.modf(np.array([0.37, 0.51, 0.73]) * i * i)[0] * 3.0
    pose[:3, :3] *= 1.0 + 0.25 * (i % 4)
    scene.add_object(mesh, pose)
report = core.detect(scene)
contacts = report.contacts
digest = hashlib.sha256(report.pairs.tobytes())
for name in ("pair", "triangle_a", "triangle_b", "kind", "point", "normal", "status"):
    digest.update(np.ascontiguousarray(getattr(contacts, name)).tobytes())
print(len(report.pairs), len(contacts), digest.hexdigest(), loaded, compiled)
"""
AS_TOUCHPOINT = "import importlib; PACKAGE = 'touchpoint'"
AS_EXTENSION = """
import importlib
sys.path.insert(0, sys.argv[1] + "/addon")
import precompile_script
PACKAGE = "bl_ext.somebody_elses.touchpoint"
precompile_script.import_as(sys.argv[1], PACKAGE)
"""


def test_code_serves_the_package_under_any_name(tmp_path):
    """Blender puts the name of the repository before ours; what was compiled under one name runs under another, every
    kernel of it, with the same answers to the last bit."""
    environment = {**os.environ, "PYTHONPATH": str(import_path(tmp_path))}

    def run(importing):
        done = subprocess.run([sys.executable, "-c", DETECT.format(importing=importing), str(ROOT)],
                              env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split(maxsplit=4)

    run(AS_TOUCHPOINT)                      # compiles what must be
    *under_one_name, _ = run(AS_TOUCHPOINT)
    *under_another, compiled = run(AS_EXTENSION)
    assert under_one_name == under_another and int(under_another[3]) > 15
    assert compiled.strip() == "[]"
    pairs, contacts = map(int, under_another[:2])
    assert pairs > 50 and contacts > 1000
