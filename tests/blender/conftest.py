# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test of the add-on starts in an empty file with factory settings."""
import bpy
import pytest

import touchpoint


@pytest.fixture(autouse=True)
def empty_file():
    """An empty scene: no cube, no camera, no light."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield


@pytest.fixture
def registered(empty_file):
    """The add-on as Blender would enable it; disabled again afterwards."""
    touchpoint.register()
    yield
    touchpoint.unregister()
