# SPDX-License-Identifier: GPL-3.0-or-later
"""Of many instances also their names are made, and the core Scene is put together, in pieces: it can be stopped there,
and what Blender changes there is noticed."""
import bpy
import pytest
from scene_building import add_cube, add_instances, add_nodes
from test_scene_read_follower import bits
from touchpoint.addon import api, pieces
from touchpoint.addon.pieces import finished, mapped
from touchpoint.addon.run import DetectRun
from touchpoint.addon.scene_read import Follower, Moved, assemble, cast, follower, reading
from touchpoint.core import Cancelled

COUNT = 30


@pytest.fixture
def forest(empty_file, monkeypatch):
    for module in (pieces, cast):
        monkeypatch.setattr(module, "ITEMS_AT_ONCE", 4)
    for module in (assemble, follower):
        monkeypatch.setattr(module, "MADE_AT_ONCE", 4)
    add_nodes(add_cube("Forest", (0, -1, 0), size=0.5), lambda nodes, start, end: nodes.links.new(
        add_instances(nodes, add_cube("Tree", (0, 50, 0), size=1), count=COUNT, spacing=0.75), end))


def test_what_is_read_is_the_same(forest, monkeypatch, tmp_path):
    taken = list(reading(follower=Follower()))
    assert len(taken) > 3 * COUNT // 4 and taken == sorted(taken)
    divided = api.detect()
    monkeypatch.undo()
    assert len(list(reading(follower=Follower()))) == 3
    whole = api.detect()
    assert bits(divided, tmp_path / "a.json") == bits(whole, tmp_path / "b.json")
    assert divided.source.rows == whole.source.rows and len(whole.pairs) == COUNT - 1


def test_it_is_stopped_at_each_piece_and_read_again(forest, tmp_path):
    expected, steps = bits(api.detect(), tmp_path / "a.json"), len(list(reading()))
    forest = bpy.data.objects["Forest"]
    for stop in range(steps):
        forest.name = f"Forest{stop}"           # there is something to be followed
        bpy.context.view_layer.update()
        run = DetectRun(bpy.context, {"scope": "VISIBLE"}, "touchpoint")
        for _ in range(stop):
            assert not run.pump(0.0)
        assert not run.is_handed_over
        run.cancel()
        with pytest.raises(Cancelled):
            run.complete()
    forest.name = "Forest"
    assert bits(api.detect(), tmp_path / "b.json") == expected


@pytest.mark.parametrize("kept", [None, Follower()])
def test_what_is_deleted_meanwhile_is_noticed(forest, kept):
    begun = reading(follower=kept)
    next(begun)
    bpy.data.objects.remove(bpy.data.objects["Tree"])
    bpy.data.objects.remove(bpy.data.objects["Forest"])
    with pytest.raises(Moved):
        finished(begun)


def test_mapped():
    assert finished(mapped(str, range(40_000))) == [str(number) for number in range(40_000)]
    assert len(list(mapped(str, range(40_000)))) == 2 and finished(mapped(str, [])) == []


def test_many_meshes_are_taken_over_in_pieces(empty_file, monkeypatch, tmp_path):
    for number in range(COUNT):
        add_cube(f"Cube {number}", (0.75 * number, 0, 0))
    bpy.context.view_layer.update()
    few, expected = len(list(reading(follower=Follower()))), bits(api.detect(), tmp_path / "a.json")
    monkeypatch.setattr(follower, "MADE_AT_ONCE", 4)
    many = len(list(reading(follower=Follower())))
    assert many >= few + 2 * (COUNT // 4)
    for stop in range(few, many):
        kept = Follower()
        stopped = reading(follower=kept)
        for _ in range(stop):
            next(stopped)
        stopped.close()
        assert not kept.core.meshes and len(finished(reading(follower=kept)).core.meshes) == COUNT
    assert bits(api.detect(), tmp_path / "b.json") == expected
