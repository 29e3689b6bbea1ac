# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of machine code: what is deleted of it."""
import hashlib
import os
import time

import pytest
from touchpoint.core import jit, kernel_folder
from touchpoint.core.geometry import expansion
from touchpoint.core.kernel_folder import remove_unused

MONTH = 30 * 86400
LONG_AGO = time.time() - 2 * MONTH
CODE = b"\x80\x04 machine code"
KERNEL = hashlib.sha256(CODE).digest() + CODE
OLD, USED = "0123456789abcdef", "fedcba9876543210"
NAME = "expansion.grow-00112233445566aa"
TOOLCHAINS = "0.68.1-py311-00112233445566aa", "0.62.1-py311-00112233445566aa"


@pytest.fixture
def folder(tmp_path):
    """The folder of a toolchain, beside another one."""
    for toolchain in TOOLCHAINS:
        for stamp in (OLD, USED):
            for role in ("whole", "part"):
                put(tmp_path / toolchain / stamp / role / NAME, KERNEL)
                put(tmp_path / toolchain / stamp / role / (NAME + ".0011aabb.tmp"), KERNEL[:40])
        put(tmp_path / toolchain / f"complete-{OLD}", b"")
    return tmp_path / TOOLCHAINS[0]


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def grow_old(folder):
    for place, folders, files in os.walk(folder, topdown=False):
        for name in (*folders, *files):
            os.utime(os.path.join(place, name), (LONG_AGO, LONG_AGO), follow_symlinks=False)


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_what_is_not_used_is_deleted(folder, tmp_path):
    remove_unused(folder, {USED}, MONTH)
    assert len(files(tmp_path)) == 18       # nothing is old
    grow_old(tmp_path)
    remove_unused(folder, {USED}, MONTH)
    assert os.listdir(tmp_path) == [folder.name] and os.listdir(folder) == [USED] and len(files(tmp_path)) == 4


def test_the_users_own_files_are_never_deleted(folder, tmp_path):
    """In a folder that TOUCHPOINT_CACHE names, and in ours, with names and content near to ours."""
    precious = tmp_path / "elsewhere" / "precious"
    put(precious, KERNEL)
    others = ["thesis.txt", "photos/1.jpg", f"{TOOLCHAINS[1]}/notes.txt", f"{TOOLCHAINS[1]}/{OLD}/notes.txt",
              f"{TOOLCHAINS[0]}/{OLD}/whole/notes.txt", f"{TOOLCHAINS[0]}/{OLD}/whole/other.kernel-00112233445566aa",
              f"{TOOLCHAINS[0]}/{OLD}/part/other.kernel-00112233445566aa.00112233.tmp", f"{OLD}/whole/{NAME}",
              f"{TOOLCHAINS[0]}/complete-00112233445566aa", "2024-01-01/whole/x", f"{TOOLCHAINS[0]}/{OLD[:-1]}/whole/x"]
    for name in others:
        put(tmp_path / name, b"the user's own")
    (folder / OLD / "whole" / "link.to-00112233445566aa").symlink_to(precious)
    (folder / "00000000000000aa").symlink_to(precious.parent)
    (tmp_path / "0.1.2-py311-00112233445566aa").symlink_to(tmp_path / "photos")
    kept = files(tmp_path)
    grow_old(tmp_path)
    remove_unused(folder, {USED}, MONTH)
    gone = kept - files(tmp_path)
    assert gone == {name for name in kept if NAME in name and not name.startswith((f"{TOOLCHAINS[0]}/{USED}", OLD))
                    } | {f"{toolchain}/complete-{OLD}" for toolchain in TOOLCHAINS}
    assert precious.exists()


def test_names_of_real_kernels_are_known(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "_base", tmp_path)
    assert kernel_folder.TOOLCHAIN.fullmatch(jit.cache_folder().name)
    assert kernel_folder.COMPLETE.fullmatch(jit.completion_mark().name)
    jit.remove_unused(0.0)                  # no folder yet
    if not jit.COMPILED:
        return
    stamp, role, kernel = expansion.grow._cache.entry(("int64",)).split("/")
    assert kernel_folder.STAMP.fullmatch(stamp) and kernel_folder.ROLE.fullmatch(role)
    assert kernel_folder.KERNEL.fullmatch(kernel)
