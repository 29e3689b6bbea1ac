# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that are too large for what a method keeps: a sentence where it happens, and the right answer afterwards."""
import gc
import math
import mmap
import platform
import re
import weakref
from pathlib import Path

import numpy as np
import pytest
from naive.scenes import build, crowd, pose
from naive.shapes import ball
from touchpoint.core import Scene, Unsupported, detect, memory, pipeline, reporting
from touchpoint.core.broad_phase import object_tree
from touchpoint.core.search import contact_search
from touchpoint.core.trees.bvh import forest, mesh_trees
from touchpoint.core.trees.obb import trees as obb

pytestmark = pytest.mark.scenes

METHODS = ["rapid", "tsgo", "hybrid", "particle", "parallel"]
SHARED = {"The pairs of these objects", "The trees of these objects", "These objects, placed,",
          "The contacts of these objects"}


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
    kinds = {re.match("(?:This method keeps )?(.*?) (?:of all objects in memory|need)", each).group(1)
             for each in refusals}
    assert kinds - SHARED == {"the placed vertices", "the boxes" if method == "parallel" else "the trees"}
    assert all("GB are free" in each for each in refusals)
    assert answer(detect(scene, method=method)) == wanted


@pytest.mark.parametrize("method", METHODS)
def test_what_is_kept_needs_no_further_room(method, everything_counts, monkeypatch):
    scene = build(crowd(np.random.default_rng(8), count=8))
    wanted = answer(detect(scene, method=method))
    for module in (pipeline, reporting, contact_search, mesh_trees, forest, object_tree):
        monkeypatch.setattr(module, "refuse_beyond", lambda size, what: None)      # what a run needs of its own
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


@pytest.fixture
def system(tmp_path, monkeypatch):
    """write(path, text): files of a Linux system of which nothing else is known, neither sizes nor limits."""
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "CGROUP", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "resource", None)

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    return write


def limit(system, folder, most, used, cached=0):
    """A group of the second version."""
    system(f"cgroup/{folder}/memory.max", f"{most}\n")
    system(f"cgroup/{folder}/memory.high", "max\n")
    system(f"cgroup/{folder}/memory.current", f"{used}\n")
    system(f"cgroup/{folder}/memory.stat", f"anon 3000\ninactive_file {cached}\nactive_file 2000\n")


def older_limit(system, folder, most, used, cached=0):
    """A group of the first version."""
    system(f"cgroup/memory/{folder}/memory.limit_in_bytes", f"{most}\n")
    system(f"cgroup/memory/{folder}/memory.usage_in_bytes", f"{used}\n")
    system(f"cgroup/memory/{folder}/memory.stat", f"cache 900\ninactive_file 1\ntotal_inactive_file {cached}\n")


def test_this_system_has_memory():
    assert memory.free() is None or memory.free() > 1 << 20


def test_what_is_free(system):
    whole = memory.free()                       # all of the computer, or not known
    system("proc/meminfo", "MemTotal:  100 kB\nMemAvailable:  70 kB\n")
    assert memory.free() == 70 * 1024 and (whole is None or whole > memory.free())
    limit(system, "", most=50000, used=10000, cached=5000)
    assert memory.free() == 45000
    limit(system, "", most="max", used=10000)
    assert memory.free() == 70 * 1024
    system("proc/meminfo", "nonsense")
    assert memory.free() == whole


def test_groups_around_the_own_one_count(system):
    system("proc/meminfo", "MemAvailable:  70 kB\n")
    system("proc/self/cgroup", "0::/user.slice/job.scope\n")
    limit(system, "user.slice", most=60000, used=2000)
    limit(system, "user.slice/job.scope", most="max", used=1000)
    limit(system, "other.slice", most=10, used=0)
    assert memory.free() == 58000
    limit(system, "user.slice/job.scope", most=30000, used=1000)
    assert memory.free() == 29000
    system("cgroup/user.slice/job.scope/memory.high", "20000\n")
    assert memory.free() == 19000
    system("cgroup/user.slice/job.scope/memory.current", "25000\n")
    assert memory.free() == 0, "beyond what it may use nothing is free"


def test_groups_of_the_first_version(system):
    system("proc/meminfo", "MemAvailable:  70 kB\n")
    system("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/1234\n1:name=systemd:/b\n0::/\n")
    older_limit(system, "", most=9223372036854771712, used=90000)
    assert memory.free() == 70 * 1024, "a limit that is none"
    older_limit(system, "docker", most=66000, used=5000)
    older_limit(system, "docker/1234", most=40000, used=5000, cached=700)
    assert memory.free() == 35700
    older_limit(system, "docker/1234", most=80000, used=5000)
    assert memory.free() == 61000


def test_a_container_that_sees_only_its_own_group(system):
    """Its name there is that of the host."""
    system("proc/meminfo", "MemAvailable:  70 kB\n")
    system("proc/self/cgroup", "5:memory:/docker/1234\n")
    older_limit(system, "", most=40000, used=5000)
    assert memory.free() == 35000
    system("proc/self/cgroup", "0::/../../outside\n")
    limit(system, "", most=20000, used=5000)
    assert memory.free() == 15000


class Addresses:
    """In place of the module `resource`: a limit on addresses."""

    RLIMIT_AS, RLIM_INFINITY, limit = 9, -1, -1

    def getrlimit(self, which):
        return (self.limit, 1 << 60) if which == self.RLIMIT_AS else (1, 1)


def test_what_the_process_may_address(system, monkeypatch):
    addresses, page = Addresses(), mmap.PAGESIZE
    monkeypatch.setattr(memory, "resource", addresses)
    system("proc/meminfo", "MemAvailable:  1000 kB\n")
    system("proc/self/statm", "20 5 3 1 0 9 0\n")
    assert memory.free() == 1000 * 1024
    addresses.limit = 50 * page
    assert memory.free() == 30 * page
    addresses.limit = 10 * page
    assert memory.free() == 0


@pytest.mark.parametrize("stage", ["prepare", "broad phase", "contacts", "verdicts", "depths"])
def test_a_stage_without_room_for_machine_code_is_refused(stage, system, monkeypatch):
    """The compiler would end the process."""
    addresses, page = Addresses(), mmap.PAGESIZE
    monkeypatch.setattr(memory, "resource", addresses)
    system("proc/self/statm", "20 5 3 1 0 9 0\n")
    begun = []

    def short(before, now):
        begun.append(now)
        if now == before:
            addresses.limit = memory.CODE_BYTES + 19 * page
        return True

    before = {"prepare": None, "broad phase": "prepare", "contacts": "broad phase", "verdicts": "contacts",
              "depths": "verdicts"}[stage]
    scene = build(crowd(np.random.default_rng(8), count=8))
    short(before, None)
    with pytest.raises(Unsupported, match=r"limit on addresses of this process \(ulimit -v\) leaves 0.10 GB"):
        detect(scene, depth=True, progress=lambda now, _: short(before, now))
    assert stage not in begun
    addresses.limit = -1
    assert answer(detect(scene)) == answer(detect(build(crowd(np.random.default_rng(8), count=8))))


@pytest.mark.parametrize("stage", ["prepare", "broad phase", "contacts", "verdicts", "depths"])
def test_a_stage_with_little_left_in_a_container_is_refused(stage, system, monkeypatch):
    """Meshes of 360,000 triangles in 350 to 450 MB were killed: none of their arrays was large enough to be asked for.
    """
    monkeypatch.setattr(pipeline, "LONG_SECONDS", -1.0)
    used = 10_000_000
    limit(system, "", used + memory.STAGE_BYTES, used)
    begun = []

    def fill(now, _fraction):
        if now not in begun:
            begun.append(now)
            if begun[-1] == before:
                limit(system, "", used + memory.STAGE_BYTES - 50_000_000, used)
        return True

    before = {"prepare": None, "broad phase": "prepare", "contacts": "broad phase", "verdicts": "contacts",
              "depths": "verdicts"}[stage]
    scene = build(crowd(np.random.default_rng(8), count=8))
    if before is None:
        limit(system, "", used + memory.STAGE_BYTES - 50_000_000, used)
    with pytest.raises(Unsupported, match="The container of this process leaves 0.08 GB of memory"):
        detect(scene, depth=True, progress=fill)
    assert stage not in begun
    limit(system, "", used + memory.STAGE_BYTES, used)
    assert answer(detect(scene)) == answer(detect(build(crowd(np.random.default_rng(8), count=8))))


def test_short_runs_do_not_ask_containers(system, monkeypatch):
    monkeypatch.setattr(memory, "_containers", lambda: pytest.fail("asked"))
    monkeypatch.setattr(pipeline, "LONG_SECONDS", math.inf)
    detect(build(crowd(np.random.default_rng(8), count=8)), depth=True)


def test_what_was_freed_goes_back_after_a_refusal(everything_counts, monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "_trim", lambda: asked.append)
    scene = build(crowd(np.random.default_rng(8), count=8))
    detect(scene)
    assert asked == []
    monkeypatch.setattr(memory, "free", lambda: 0)
    scene.cache.clear()
    with pytest.raises(Unsupported):
        detect(scene)
    assert asked == [0]


def test_another_library_gives_back_nothing(monkeypatch):
    for error in (AttributeError, OSError, TypeError):
        memory._trim.cache_clear()

        def fail(_, error=error):
            raise error

        monkeypatch.setattr(memory.ctypes, "CDLL", fail)
        memory.give_back()
    memory._trim.cache_clear()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another library")
def test_freed_memory_goes_back():
    """Every second one of many arrays of 64 KB is in use: what lies between them goes back."""
    def used():
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    kept = [np.ones(1 << 13) for _ in range(4000)]
    del kept[::2]
    before = used()
    memory.give_back()
    assert before - used() > 60 << 20 and len(kept) == 2000


def test_circles_go_back():
    """As Python finds them only when it looks."""
    class Held:
        pass

    first, second = Held(), Held()
    first.other, second.other = second, first
    seen = weakref.ref(first)
    gc.disable()        # it would be luck when Python looks for circles by itself
    try:
        del first, second
        memory.give_back()
        assert seen() is None
    finally:
        gc.enable()


def test_small_arrays_are_not_asked_for(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: pytest.fail("asked"))
    with memory.reserve(memory.SMALL_BYTES, "nothing much"):
        pass
