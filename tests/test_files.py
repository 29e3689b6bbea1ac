# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that replace older ones: whole, together or not at all, and nothing else in the folder is touched."""
import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from checkout_path import import_path
from touchpoint.core.files import Outputs, replaced


def write(path, text="new"):
    with replaced(path) as file:
        file.write(text.encode())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_users_part_file_is_not_touched(tmp_path):
    (tmp_path / "x.json.part").write_text("the user's own")
    write(tmp_path / "x.json")
    assert (tmp_path / "x.json.part").read_text() == "the user's own"
    assert (tmp_path / "x.json").read_text() == "new" and names(tmp_path) == ["x.json", "x.json.part"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_permissions(tmp_path, umask):
    write(tmp_path / "fresh")
    assert mode(tmp_path / "fresh") == 0o640
    for wanted in (0o600, 0o666, 0o755):
        (tmp_path / "old").write_text("old")
        (tmp_path / "old").chmod(wanted)
        with replaced(tmp_path / "old") as file:
            [temporary] = tmp_path.glob(".touchpoint-*-1")
            assert mode(temporary) == wanted        # while it is written, too
            file.write(b"new")
        assert mode(tmp_path / "old") == wanted and (tmp_path / "old").read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_permissions_of_what_another_writer_puts_there(tmp_path, umask):
    (tmp_path / "old.blend").write_text("old")
    (tmp_path / "old.blend").chmod(0o600)
    with Outputs() as outputs:
        for name, wanted in (("old.blend", 0o600), ("fresh.blend", 0o640)):
            with outputs.place(tmp_path / name) as place:
                place.write_text("new")
                assert mode(place) == wanted and place.suffix == ".blend" and place.parent == tmp_path
    assert mode(tmp_path / "old.blend") == 0o600 and mode(tmp_path / "fresh.blend") == 0o640
    assert os.umask(0o027) == 0o027


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_stays(tmp_path):
    (tmp_path / "old").write_text("old")
    os.chown(tmp_path / "old", 12345, 12346)
    write(tmp_path / "old")
    assert (os.stat(tmp_path / "old").st_uid, os.stat(tmp_path / "old").st_gid) == (12345, 12346)


def test_a_link_is_replaced_and_what_it_leads_to_kept(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "x.json").symlink_to(tmp_path / "precious")
    write(tmp_path / "x.json")
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (tmp_path / "x.json").is_symlink() and (tmp_path / "x.json").read_text() == "new"


def test_a_folder_that_was_made_for_files_goes_with_them(tmp_path):
    (tmp_path / "old").mkdir()
    with pytest.raises(OSError), Outputs() as outputs:
        for name in ("old", "new"):
            outputs.folder(tmp_path / name)
            with outputs.file(tmp_path / name / "a") as file:
                file.write(b"new")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert names(tmp_path) == ["old"] and names(tmp_path / "old") == []
    with Outputs() as outputs:
        outputs.folder(tmp_path / "new")
        with outputs.file(tmp_path / "new" / "a") as file:
            file.write(b"new")
    assert names(tmp_path / "new") == ["a"]
    with pytest.raises(FileNotFoundError) as caught, Outputs() as outputs:
        outputs.folder(tmp_path / "none" / "new")
    assert caught.value.filename == str(tmp_path / "none" / "new")


def test_two_files_of_one_name_are_refused(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(FileExistsError) as caught, Outputs() as outputs:
        for path in (tmp_path / "a", tmp_path / "." / "a"):
            with outputs.file(path) as file:
                file.write(b"new")
    assert caught.value.filename == str(tmp_path / "a") and (tmp_path / "a").read_text() == "old"


def test_all_or_none(tmp_path):
    """The second fails while it is written, or the third cannot take its place: none is replaced, and it is named."""
    for name in "abc":
        (tmp_path / name).write_text("old")
    with pytest.raises(OSError) as caught, Outputs() as outputs:
        with outputs.file(tmp_path / "a") as file:
            file.write(b"new")
        with outputs.file(tmp_path / "b") as file:
            raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "b") and caught.value.errno == errno.ENOSPC
    assert [(tmp_path / name).read_text() for name in "abc"] == ["old"] * 3 and names(tmp_path) == ["a", "b", "c"]
    with pytest.raises(OSError) as caught, Outputs() as outputs:
        for name in ("a", "new", "c"):
            with outputs.file(tmp_path / name) as file:
                file.write(b"new")
        (tmp_path / "c").unlink()
        (tmp_path / "c").mkdir()        # meanwhile
    assert caught.value.filename == str(tmp_path / "c")
    assert [(tmp_path / name).read_text() for name in "ab"] == ["old"] * 2 and names(tmp_path) == ["a", "b", "c"]


def test_a_link_is_put_back(tmp_path, monkeypatch):
    (tmp_path / "a").symlink_to("somewhere")
    (tmp_path / "b").write_text("old")
    replace = os.replace

    def refuse_b(source, target):
        if target == tmp_path / "b":
            raise PermissionError(errno.EACCES, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse_b)
    with pytest.raises(PermissionError), Outputs() as outputs:
        for name in "ab":
            with outputs.file(tmp_path / name) as file:
                file.write(b"new")
    assert os.readlink(tmp_path / "a") == "somewhere" and names(tmp_path) == ["a", "b"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_device_that_is_full(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(OSError) as caught, Outputs() as outputs:
        for path in (tmp_path / "a", "/dev/full"):
            with outputs.file(path) as file:
                file.write(b"new")
    assert caught.value.filename == "/dev/full" and (tmp_path / "a").read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write(tmp_path / "pipe")
    reader.join(timeout=10)
    assert read == [b"new"] and names(tmp_path) == ["pipe"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_that_nobody_named_is_refused(tmp_path):
    """To open it would wait for a reader for ever. A link to one is a link, and replaced."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(FileExistsError) as caught, Outputs() as outputs:
        with outputs.file(tmp_path / "link", may_be_device=False) as file:
            file.write(b"new")
        with outputs.file(tmp_path / "pipe", may_be_device=False) as file:
            file.write(b"new")
    assert caught.value.filename == str(tmp_path / "pipe") and (tmp_path / "link").is_symlink()
    write(tmp_path / "link")
    assert (tmp_path / "link").read_text() == "new" and names(tmp_path) == ["link", "pipe"]


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="no files in memory")
def test_files_beside_devices_are_files():
    """/dev/shm has ordinary files, and everybody may write there: links are replaced, and all or none is."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        test_a_link_is_replaced_and_what_it_leads_to_kept(Path(folder))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        test_all_or_none(Path(folder))


@pytest.mark.skipif(sys.platform != "linux", reason="streams as files")
def test_stdout_as_a_file_stays_a_device(tmp_path):
    """As root it could be replaced by a file."""
    code = "from touchpoint.core.files import replaced\nwith replaced('/dev/stdout') as file: file.write(b'new')"
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True,
                       env={"PYTHONPATH": str(import_path(tmp_path))})
    assert (tmp_path / "out").read_bytes() == b"new" and os.path.islink("/dev/stdout")


KEEP_WRITING = """
import os, sys
from touchpoint.core.files import Outputs
print("ready", flush=True)
while True:
    with Outputs() as outputs:
        for name in ("a", "b"):
            with outputs.file(os.path.join(sys.argv[1], name)) as file:
                for _ in range(200):
                    file.write(sys.argv[2].encode() * 100)
                    file.flush()
"""


def keep_writing(folder, letter, tmp_path):
    process = subprocess.Popen([sys.executable, "-c", KEEP_WRITING, str(folder), letter], stdout=subprocess.PIPE,
                               env={"PYTHONPATH": str(import_path(tmp_path))})
    assert process.stdout.readline() == b"ready\n"
    return process


def test_two_processes_never_mix_their_bytes_and_what_killed_ones_leave_is_removed(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("a.part", ".touchpoint-mine", ".touchpoint-" + 32 * "0" + "-1"):
        (folder / name).write_text("the user's own")
    writers = [keep_writing(folder, letter, tmp_path) for letter in "xy"]
    try:
        reads = 0
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            for name in "ab":
                try:
                    data = (folder / name).read_bytes()
                except FileNotFoundError:
                    continue
                assert data in (b"x" * 20000, b"y" * 20000)
                reads += 1
        assert reads > 100
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    for _ in range(8):      # killed at some moment of its work
        writer = keep_writing(folder, "z", tmp_path)
        time.sleep(0.05)
        writer.kill()
        writer.wait()
        assert (folder / "a").read_bytes() in (b"x" * 20000, b"y" * 20000, b"z" * 20000)
    write(folder / "a")
    assert names(folder) == sorted(["a", "b", "a.part", ".touchpoint-mine", ".touchpoint-" + 32 * "0" + "-1"])


def test_the_files_of_a_run_that_goes_on_are_not_removed(tmp_path):
    with replaced(tmp_path / "a") as file:
        file.write(b"slow")
        write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == b"slow"


def test_older_versions_only_where_asked_for(tmp_path):
    target = tmp_path / "x.blend"
    for number in range(5):
        with Outputs() as outputs, outputs.place(target, versions=2) as place:
            place.write_text(str(number))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "x.blend": "4", "x.blend1": "3", "x.blend2": "2"}
    with Outputs() as outputs, outputs.place(target) as place:
        place.write_text("5")
    assert (tmp_path / "x.blend1").read_text() == "3"
