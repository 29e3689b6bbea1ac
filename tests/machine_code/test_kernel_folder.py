# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of machine code: whom it is trusted from, and what is deleted of it."""
import hashlib
import os
import subprocess
import sys
import tempfile
import time

import pytest
from checkout_path import import_path
from touchpoint.core import warm_up
from touchpoint.core.geometry import expansion
from touchpoint.core.machine_code import jit, kernel_folder
from touchpoint.core.machine_code.kernel_folder import remove_unused

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
    assert kernel_folder.COMPLETE.fullmatch(warm_up.completion_mark().name)
    warm_up.remove_unused(0.0)                  # no folder yet
    if not jit.COMPILED:
        return
    stamp, role, kernel = expansion.grow._cache.entry(("int64",)).split("/")
    assert kernel_folder.STAMP.fullmatch(stamp) and kernel_folder.ROLE.fullmatch(role)
    assert kernel_folder.KERNEL.fullmatch(kernel)


@pytest.fixture
def umask():
    before = os.umask(0)
    yield os.umask
    os.umask(before)


POSIX = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and permissions of POSIX")
AS_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")


@POSIX
@pytest.mark.parametrize("mask", [0, 0o277, 0o777])
def test_what_is_kept_is_the_users_alone(tmp_path, umask, mask):
    umask(mask)
    kernel_folder.write(tmp_path / "base" / TOOLCHAINS[0] / OLD / "whole" / NAME, KERNEL)
    for path in (tmp_path / "base").rglob("*"):
        assert os.lstat(path).st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)
    assert os.lstat(tmp_path / "base").st_mode & 0o777 == 0o700
    kernel_folder.refuse_shared(tmp_path / "base" / TOOLCHAINS[0])
    assert kernel_folder.read(tmp_path / "base" / TOOLCHAINS[0] / OLD / "whole" / NAME) == KERNEL
    assert kernel_folder.read(tmp_path / "base" / "missing") is None


@POSIX
@pytest.mark.parametrize("where", ["", TOOLCHAINS[0]])
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_can_write_is_refused(tmp_path, where, mode, caplog):
    kernel_folder.make_private(tmp_path / "base" / TOOLCHAINS[0])
    os.chmod(tmp_path / "base" / where, mode)
    for _ in range(2):
        with pytest.raises(PermissionError):
            kernel_folder.refuse_shared(tmp_path / "base" / TOOLCHAINS[0])
    assert len(caplog.messages) == 1        # said once
    assert caplog.messages[0].endswith("because it can be written by others.")


@AS_ROOT
@pytest.mark.parametrize("where", ["", TOOLCHAINS[0]])
def test_a_folder_of_somebody_else_is_refused(tmp_path, where):
    kernel_folder.make_private(tmp_path / "base" / TOOLCHAINS[0])
    os.chown(tmp_path / "base" / where, 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to somebody else"):
        kernel_folder.refuse_shared(tmp_path / "base" / TOOLCHAINS[0])


@AS_ROOT
def test_files_of_others_are_not_read(tmp_path):
    path = tmp_path / "kernel"
    kernel_folder.write(path, KERNEL)
    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for spoil in (lambda: os.chmod(path, 0o620), lambda: os.chmod(path, 0o602), lambda: os.chown(path, 12345, 0)):
        assert kernel_folder.read(path) == KERNEL
        spoil()
        with pytest.raises(PermissionError):
            kernel_folder.read(path)
        path.unlink()
        kernel_folder.write(path, KERNEL)
    for other in ("link", "pipe"):
        with pytest.raises(OSError):
            kernel_folder.read(tmp_path / other)


@AS_ROOT
@pytest.mark.parametrize("where", [OLD, f"{OLD}/whole"])
def test_kernels_in_folders_of_others_are_not_read(tmp_path, where):
    """Who can write there can put one kernel of the user's in the place of another."""
    folder = tmp_path / "base" / TOOLCHAINS[0]
    kernel_folder.write(folder / OLD / "whole" / NAME, KERNEL)
    for spoil in (lambda: os.chmod(folder / where, 0o770), lambda: os.chown(folder / where, 12345, 0)):
        assert kernel_folder.read(folder / OLD / "whole" / NAME) == KERNEL
        spoil()
        with pytest.raises(PermissionError):
            kernel_folder.read(folder / OLD / "whole" / NAME)
        os.chown(folder / where, 0, 0)
        os.chmod(folder / where, 0o700)


@POSIX
def test_a_shared_folder_is_neither_read_nor_written(tmp_path):
    """In a process: everything is compiled, the answer is right, and one sentence says why."""
    base = tmp_path / "base"
    base.mkdir()
    base.chmod(0o777)
    code = ("import numpy as np; from touchpoint.core.geometry import expansion; from touchpoint.core import warm_up;"
            "print(expansion.grow(np.zeros(9), 0, 1.5), warm_up.is_warm())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
                          env={"TOUCHPOINT_CACHE": str(base), "PYTHONPATH": str(import_path(tmp_path))})
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "1" and done.stderr.count("No machine code is kept") == 1
    assert os.listdir(base) == []


@pytest.mark.parametrize("variables", [{"XDG_CACHE_HOME": "here"}, {"TOUCHPOINT_CACHE": "here"}, {"HOME": "here"},
                                       {"HOME": ""}, {"XDG_CACHE_HOME": ""}, {"LOCALAPPDATA": "."}])
def test_relative_folders_do_not_count(variables, monkeypatch, tmp_path):
    """The current folder may be a stranger's."""
    monkeypatch.setattr(jit, "_base", None)
    for name in ("XDG_CACHE_HOME", "TOUCHPOINT_CACHE", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    assert jit.cache_folder().is_absolute() and tmp_path not in jit.cache_folder().parents


def be_without_a_home(monkeypatch, temporary):
    """No HOME and no entry in the list of users, as in a container. temporary: the folder for temporary files."""
    def unknown(uid):
        raise KeyError(uid)

    for name in ("XDG_CACHE_HOME", "TOUCHPOINT_CACHE", "LOCALAPPDATA", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(jit, "_base", None)


@POSIX
def test_a_user_without_a_home(tmp_path, monkeypatch):
    be_without_a_home(monkeypatch, tmp_path)
    assert tmp_path in jit.cache_folder().parents and str(os.getuid()) in str(jit.cache_folder())


@AS_ROOT
@pytest.mark.parametrize("link", [False, True])
def test_a_folder_of_somebody_else_that_waits_in_the_temporary_folder(link, tmp_path, monkeypatch):
    """For a user without a home, whose folder there has a name that anybody knows."""
    be_without_a_home(monkeypatch, tmp_path)
    monkeypatch.setattr(jit, "_folder", None)
    theirs = tmp_path / "theirs" if link else tmp_path / f"touchpoint-{os.getuid()}"
    theirs.mkdir(mode=0o755)
    os.chown(theirs, 12345, 12345)
    if link:
        (tmp_path / f"touchpoint-{os.getuid()}").symlink_to(theirs)
    with pytest.raises(PermissionError, match="belongs to somebody else"):
        jit._used_folder()
