# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that open one file after the other and ask the API, the add-on not enabled: no handler tells of files."""
import bpy
import pytest
from scene_building import add_cube
from touchpoint.addon import api, session
from touchpoint.core import memory


@pytest.fixture(autouse=True)
def nothing_read(empty_file):
    session.reset()


def test_the_next_reading_gives_back_what_the_last_file_took(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "give_back", lambda: asked.append(True))
    for number in range(3):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        add_cube("A"), add_cube("B", (0.5, 0.5, 0.5))
        for _ in range(2):
            assert len(api.detect().pairs) == 1
        assert len(asked) == number
        assert {key[0] for key in session._state.followers} == {bpy.context.scene.session_uid}


def test_another_scene_of_the_same_file_is_no_other_file():
    first, second = bpy.context.scene, bpy.data.scenes.new("Second")
    assert not any(session.note_reading(each, bpy.data.scenes) for each in (first, second, first))


def test_the_enabled_add_on_gives_back_once(registered, monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "give_back", lambda: asked.append(True))
    for number in (1, 2):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        add_cube("A"), add_cube("B")
        api.detect()
        assert len(asked) == number
