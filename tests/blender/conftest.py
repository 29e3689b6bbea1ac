# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test of the add-on starts in an empty file, with factory settings."""
import os
import sys

import bpy
import pytest
import touchpoint
from scene_building import add_cube

EXIT_STATUS = pytest.StashKey[int]()


def pytest_sessionfinish(session, exitstatus):
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """End without Blender's own end: the bpy module 4.2 crashes there once a property with a callback was registered,
    which would turn a passed run into a failed one."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(config.stash.get(EXIT_STATUS, 1))


@pytest.fixture(autouse=True, scope="session")
def factory_settings():
    """Preferences are Blender's own. Read once: no test changes them, and it takes five times as long as a new file, as
    all of Blender's add-ons are registered anew."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def open_empty_file():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.fixture(autouse=True)
def empty_file(factory_settings):
    """An empty scene: no cube, no camera, no light."""
    open_empty_file()
    yield


@pytest.fixture
def registered(empty_file):
    """The add-on as Blender would enable it; disabled again afterwards."""
    touchpoint.register()
    yield
    touchpoint.unregister()


@pytest.fixture
def save(tmp_path):
    """Saves the scene that a test built, and opens an empty one, so that only the file can tell what was in it."""
    def saved(name="scene.blend"):
        path = tmp_path / name
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        open_empty_file()
        return path
    return saved


@pytest.fixture
def crossing(save):
    """A saved file: A crosses B, which touches C; D is far away."""
    add_cube("A")
    add_cube("B", (1, 0.25, 0.5))
    add_cube("C", (3, 0.75, 0.75))
    add_cube("D", (9, 9, 9))
    return save()
