# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that are too large for what a method keeps: a sentence where it happens, and the right answer afterwards."""
import re

import numpy as np
import pytest
from naive.scenes import build, crowd, pose
from naive.shapes import ball
from touchpoint.core import Scene, Unsupported, detect, memory
from touchpoint.core.trees.obb import trees as obb

pytestmark = pytest.mark.scenes

METHODS = ["rapid", "tsgo", "hybrid", "particle", "parallel"]


@pytest.fixture
def everything_counts(monkeypatch):
    monkeypatch.setattr(memory, "SMALL_BYTES", 0)
    monkeypatch.setattr(memory, "SPARE_BYTES", 0)


def answer(report):
    return report.pairs[["a", "b", "verdict", "contacts"]].tolist(), report.contacts.point.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_each_refusal_says_what_takes_how_much_and_the_next_run_is_right(method, everything_counts, monkeypatch):
    scene = build(crowd(np.random.default_rng(8), count=8))
    wanted = answer(detect(build(crowd(np.random.default_rng(8), count=8))))
    refusals = []
    for size in range(0, 200_000, 500):
        with monkeypatch.context() as patch:
            patch.setattr(memory, "free", lambda size=size: size)
            try:
                assert answer(detect(scene, method=method)) == wanted
                break
            except Unsupported as refusal:
                refusals.append(str(refusal))
    kinds = {re.match("This method keeps (.*) of all objects in memory", each).group(1) for each in refusals}
    assert kinds == {"the placed vertices", "the boxes" if method == "parallel" else "the trees"}
    assert all("GB are free" in each for each in refusals)
    assert answer(detect(scene, method=method)) == wanted


@pytest.mark.parametrize("method", METHODS)
def test_what_is_kept_needs_no_further_room(method, everything_counts, monkeypatch):
    scene = build(crowd(np.random.default_rng(8), count=8))
    wanted = answer(detect(scene, method=method))
    monkeypatch.setattr(memory, "free", lambda: 0)
    assert answer(detect(scene, method=method)) == wanted


@pytest.mark.parametrize("method", METHODS)
def test_memory_that_the_system_refuses(method, monkeypatch):
    """numpy.empty fails for anything of a kilobyte and more."""
    scene, empty = Scene(), np.empty
    mesh = scene.add_mesh(*ball(16, 14))
    scene.add_object(mesh)
    scene.add_object(mesh, pose(1, (0.1, 0, 0)))

    def failing(shape, *rest, **more):
        if np.prod(shape) >= 1000 and np.ndim(shape) == 1 and len(np.atleast_1d(shape)) == 2:
            raise MemoryError
        return empty(shape, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(np, "empty", failing)
        with pytest.raises(Unsupported, match="which the system does not give"):
            detect(scene, method=method)
    assert answer(detect(scene, method=method)) == answer(detect(scene))


def test_more_nodes_than_have_numbers(monkeypatch):
    monkeypatch.setattr(obb, "MAX_NODES", 100)
    with pytest.raises(Unsupported, match="triangles; trees of oriented boxes hold 50"):
        detect(build(crowd(np.random.default_rng(8), count=8)), method="rapid")


def test_what_is_free(tmp_path, monkeypatch):
    assert memory.free() is None or memory.free() > 1 << 20
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "CGROUP", tmp_path)
    whole = memory.free()                       # all of the computer, or not known
    (tmp_path / "meminfo").write_text("MemTotal:  100 kB\nMemAvailable:  70 kB\n")
    assert memory.free() == 70 * 1024 and (whole is None or whole > memory.free())
    (tmp_path / "memory.max").write_text("50000\n")
    (tmp_path / "memory.current").write_text("10000\n")
    (tmp_path / "memory.stat").write_text("anon 3000\ninactive_file 5000\nactive_file 2000\n")
    assert memory.free() == 45000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free() == 70 * 1024
    (tmp_path / "meminfo").write_text("nonsense")
    assert memory.free() == whole


def test_small_arrays_are_not_asked_for(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: pytest.fail("asked"))
    with memory.reserve(memory.SMALL_BYTES, "nothing much"):
        pass
