# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles of dependencies: Blender prints them, and the answer was clear."""
import bpy
import pytest
from command_line import detect, run
from scene_building import add_cube
from touchpoint.addon.scene_read import cycles

SAID = "Things in this scene depend on each other in a circle"


def follow(one, other):
    constraint = one.constraints.new("COPY_LOCATION")
    constraint.target, constraint.use_offset = other, True


@pytest.fixture
def two(empty_file):
    return add_cube("A", (0, 20, 0)), add_cube("B", (9, 0, 0))


def test_two_that_follow_each_other(two, save, tmp_path, capsys):
    follow(*two)
    follow(*reversed(two))
    scene = save()
    note, = detect(scene, tmp_path, code=2)["notes"]
    assert note.startswith(SAID) and "Copy Location" in note
    for code, arguments in ((2, ["animation", scene, "--frames", "1:2"]), (0, ["why", scene, "--a", "A", "--b", "B"]),
                            (0, ["compare", scene, "--methods", "touchpoint"]),
                            (0, ["learn", scene, "--out", tmp_path / "rules.json"])):
        capsys.readouterr()
        assert run(*arguments) == code
        assert SAID in capsys.readouterr().out


def test_one_that_follows_the_other(two, save, tmp_path, monkeypatch):
    follow(*two)
    bpy.context.view_layer.update()
    asked = []
    monkeypatch.setattr(cycles, "RELATION", Asked(cycles.RELATION, asked))
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == [] and len(asked) == 1
    assert detect(save(), tmp_path, code=0)["notes"] == []


def test_nothing_is_drawn_where_there_can_be_none_or_too_much(two, monkeypatch):
    two[1].parent = two[0]
    bpy.context.view_layer.update()
    asked = []
    monkeypatch.setattr(cycles, "RELATION", Asked(cycles.RELATION, asked))
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == [] and not asked
    follow(*two)
    monkeypatch.setattr(cycles, "MOST_OPERATIONS", 3)
    bpy.context.view_layer.update()
    assert cycles.cycles(bpy.context.evaluated_depsgraph_get()) == [] and not asked


class Asked:
    """A pattern that notes what it was asked about."""

    def __init__(self, pattern, asked):
        self._pattern, self._asked = pattern, asked

    def findall(self, text):
        self._asked.append(text)
        return self._pattern.findall(text)
