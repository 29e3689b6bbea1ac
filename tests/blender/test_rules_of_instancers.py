# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that shows itself and makes instances: a rule about the object alone takes none of its instances away."""
import bpy
import pytest
from moving_building import driven
from scene_building import add_cube, add_instances, add_nodes, join
from touchpoint.addon import api
from touchpoint.addon.rules.kept import described, kept_rules
from touchpoint.core.rules import Ref, Rule, read_rules, write_rules

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture
def fence(registered):
    """It crosses a wall in each frame; from frame 2 on it also makes posts, of which the first one crosses the fence,
    and all cross a beam above."""
    add_cube("Wall", (0, 1.5, 0))
    add_cube("Beam", (0, 0, 3), size=2.5).scale = (5, 1, 1)
    post = add_cube("Post", (0, 0, 40), size=1.0)
    made = add_cube("Fence")
    tree = add_nodes(made, lambda tree, start, end: tree.links.new(
        join(tree, start, add_instances(tree, post, spacing=0.75)), end))
    line = next(each for each in tree.nodes if each.bl_idname == "GeometryNodeMeshLine")
    line.inputs["Start Location"].default_value = (0, 0, 1.4)
    driven(line.inputs["Count"], "default_value", "3 if frame > 1 else 0")
    bpy.context.scene.frame_set(1)


def listed(report):
    return {frozenset((report.name(int(pair["a"])), report.name(int(pair["b"])))) for pair in report.pairs}


def test_what_is_learned_of_an_object_is_not_of_its_instances(fence):
    """Also where it makes none when it is learned."""
    rule = api.learn()
    assert {frozenset(pair) for pair in rule.pairs} == {frozenset((Ref("Fence", None, ""), Ref("Wall")))}
    bpy.context.scene.frame_set(2)
    every = listed(api.detect(rules=()))
    assert {frozenset(("Fence", "Wall")), frozenset(("Fence", "Fence ▸ Post #1")),
            frozenset(("Fence ▸ Post #1", "Fence ▸ Post #2"))} < every
    assert listed(api.detect(rules=[rule])) == every - {frozenset(("Fence", "Wall"))}


def test_ignore_this_pair_takes_one_away(fence, tmp_path):
    bpy.context.scene.frame_set(2)
    every, settings = listed(api.detect(rules=())), bpy.context.scene.touchpoint
    api.write_back(api.detect())
    row = [pair.name for pair in settings.result.pairs].index("Fence × Fence ▸ Post #1")
    assert bpy.ops.touchpoint.ignore_pair(index=row) == {"FINISHED"}
    rules = kept_rules(bpy.context.scene)
    assert rules == [Rule("pairs", pairs=((Ref("Fence", None, ""), Ref("Fence", None, "Post #1")),))]
    assert described(settings.rules[0]) == "Fence × Fence ▸ Post #1"
    assert listed(api.detect()) == every - {frozenset(("Fence", "Fence ▸ Post #1"))}
    write_rules(rules, tmp_path / "rules.json")
    assert read_rules(tmp_path / "rules.json") == rules


def test_a_name_still_means_all_of_it(fence):
    bpy.context.scene.frame_set(2)
    left = listed(api.detect(rules=[Rule("pairs", pairs=((Ref("Fence"), Ref("Fence")),))]))
    every = listed(api.detect(rules=()))
    assert left == {pair for pair in every if not all(name.startswith("Fence") for name in pair)} != every
