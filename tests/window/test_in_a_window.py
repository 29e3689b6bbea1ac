# SPDX-License-Identifier: GPL-3.0-or-later
"""What only a real Blender with a window shows: the installed zip, the mouse, the keyboard, undo, other files."""
import json
import os
import threading
from pathlib import Path

import pytest

SCENE = "workshop.blend"
ROOT = Path(__file__).resolve().parents[2]
SESSIONS = Path(__file__).with_name("sessions")
SCENE_PATH, TOOLS = ROOT / "sample_scenes" / SCENE, ROOT / "tools"


@pytest.mark.smoke
def test_first_click_after_installation(blender):
    blender.install()
    blender.session("first_click", scene=SCENE)


def test_new_session(warm_blender):
    warm_blender.session("first_run", scene=SCENE)


def test_clearance(warm_blender):
    warm_blender.session("clearance")


def test_overlay(warm_blender):
    warm_blender.session("overlay")


def test_heat_map(warm_blender):
    warm_blender.session("heat_map")


def test_manners(warm_blender):
    warm_blender.session("manners")


def test_search(warm_blender):
    warm_blender.session("search_menu")


def test_many_rows(warm_blender):
    warm_blender.session("many_rows")


def test_drawn_contacts(warm_blender):
    warm_blender.session("drawn_contacts")


def test_groups(warm_blender):
    warm_blender.session("groups")


def test_export(warm_blender):
    warm_blender.session("export")


def test_export_that_is_disturbed(warm_blender):
    warm_blender.session("export_disturbed", warm_blender.profile.put(SCENE_PATH), timeout=1200)


def test_rules(warm_blender):
    warm_blender.session("rules")


def test_named_tests(warm_blender):
    warm_blender.session("named_tests")


def test_methods_and_compare(warm_blender):
    warm_blender.session("compare")


def test_methods_that_draw(warm_blender):
    warm_blender.session("gpu_methods", timeout=900)


def test_escape_of_compare(warm_blender):
    warm_blender.session("compare_cancel")


def test_animation(warm_blender):
    warm_blender.session("animation", scene="bullets.blend")


def test_what_a_file_keeps(warm_blender):
    warm_blender.session("kept", scene="walk.blend")


def test_simulations(warm_blender):
    warm_blender.session("simulations")


def test_live(warm_blender):
    other = warm_blender.profile.put(SCENE_PATH.with_name("bullets.blend"))
    warm_blender.session("live", other, scene=SCENE)


def test_escape(warm_blender):
    warm_blender.session("cancel")


def test_other_file_while_running(warm_blender):
    path = warm_blender.profile.put(SCENE_PATH)
    warm_blender.session("load_while_running", path)


def test_object_deleted_while_running(warm_blender):
    warm_blender.session("delete_while_running")


def test_random_calls(warm_blender):
    """The same for ten minutes: TOUCHPOINT_RANDOM_CALLS="SEED SECONDS"."""
    seed, seconds = os.environ.get("TOUCHPOINT_RANDOM_CALLS", "1 20").split()
    warm_blender.profile.put(TOOLS / "drills")
    text = warm_blender.session("random_calls", warm_blender.profile.inside(warm_blender.profile.work / "in"), seed,
                                seconds, timeout=600 + int(seconds))
    print(next(line for line in text.splitlines() if " calls, and " in line))


def test_disable_and_enable_while_running(warm_blender):
    warm_blender.session("disable_and_enable")


def test_command_line_of_the_installed_extension(warm_blender):
    scene = warm_blender.profile.put(SCENE_PATH)
    report = warm_blender.profile.home / "report.json"
    done = warm_blender.profile.blender("-b", "-c", "touchpoint", "detect", scene, "--json",
                                        warm_blender.profile.inside(report))
    assert done.returncode == 1, done.stdout
    assert json.loads(report.read_text())["pairs"]


def test_workers_of_the_installed_extension(warm_blender):
    """Each is a Blender of its own."""
    profile, files = warm_blender.profile, []
    scene = profile.put(SCENE_PATH.with_name("bullets.blend"))
    for name, more in (("alone", ()), ("workers", ("--workers", "2"))):
        files.append(profile.home / f"{name}.json")
        done = profile.blender("-b", "-c", "touchpoint", "animation", scene, "--frames", "1:80", "--continuous", *more,
                               "--json", profile.inside(files[-1]))
        assert done.returncode == 1, done.stdout
    assert files[0].read_bytes() == files[1].read_bytes() and json.loads(files[0].read_text())["pairs"]


def test_damaged_machine_code(warm_blender):
    """What was shipped for this Python, or, where nothing was, what was compiled."""
    home = warm_blender.profile.home
    files = [*home.rglob("shipped_kernels/*.zip")] or [path for path in home.rglob("kernels/*/*/*/*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    warm_blender.session("first_run", scene=SCENE)


def test_two_blenders_share_the_folder(blender):
    """Both compile at the same time into the same empty folder."""
    blender.install()
    for each in (SESSIONS, SCENE_PATH):
        blender.profile.put(each)       # once: two threads would get into each other's way
    results = []

    def start():
        try:
            results.append(blender.session("first_run", scene=SCENE))
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=start) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    failures = [each for each in results if isinstance(each, Exception)]
    assert len(results) == 2 and not failures, failures


def test_cache_folder_cannot_be_made(blender):
    """A file stands where the folder for machine code belongs; root may write everywhere, so no read-only folder."""
    blender.install()
    user_folder = next(blender.profile.home.rglob("extensions")) / ".user" / "user_default"
    user_folder.mkdir(parents=True, exist_ok=True)
    (user_folder / "touchpoint").write_text("in the way")
    blender.session("first_run", scene=SCENE, raises="NotADirectoryError")


def test_uninstalling_leaves_nothing(blender):
    blender.install()
    blender.session("compile_ahead")
    before = leftovers(blender)
    assert any("/kernels/" in path or "/shipped_kernels/" in path for path in before)
    assert any("site-packages" in path for path in before)
    done = blender.command("remove", "touchpoint")
    assert done.returncode == 0, done.stdout
    assert leftovers(blender) == []


def leftovers(blender):
    """Files in the profile that belong to the extension or its wheels."""
    paths = (str(path.relative_to(blender.profile.home)) for path in blender.profile.home.rglob("*") if path.is_file())
    return [path for path in paths if "touchpoint" in path or "site-packages" in path]


def test_scenes_of_people(warm_blender):
    warm_blender.profile.put(TOOLS / "real_scenes")
    warm_blender.session("people_scenes", warm_blender.profile.inside(warm_blender.profile.work / "in"))
