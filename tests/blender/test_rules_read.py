# SPDX-License-Identifier: GPL-3.0-or-later
"""What rules are told of Blender's objects: collections, parents, rigs, joints, instances."""
import bpy
import numpy as np
import pytest
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_instances,
    add_nodes,
    cube_mesh,
    new_collection,
)
from touchpoint.addon import api
from touchpoint.addon.scene_read import read_scene
from touchpoint.addon.scene_read.relations import _tops, ref_of, ties_of
from touchpoint.core.rules import Ref, Rule
from touchpoint.core.rules.applied import NO_RULE, Applied


def concerned(*rules):
    """{"A B", …}: the pairs of objects of the current scene that the rules concern."""
    snapshot = read_scene(rules=list(rules))
    relations = snapshot.taking.relations
    assert relations.names == [row.name for row in snapshot.rows]
    a, b = np.triu_indices(len(snapshot.rows), 1)
    decided = Applied(list(rules), relations).deciding(a, b)
    names = relations.names
    return {f"{names[i]} {names[j]}" for i, j in zip(a[decided != NO_RULE], b[decided != NO_RULE])}


def test_a_reading_without_rules_gathers_nothing():
    add_cube("A")
    add_cube("B")
    assert read_scene().taking is None


def test_collections_hold_the_objects_of_their_children():
    top = new_collection("Top", bpy.context.scene.collection)
    inner = new_collection("Inner", top)
    add_cube("A", collection=top)
    add_cube("B", collection=inner)
    add_cube("C")
    assert concerned(Rule("collections", a=Ref("Top"), b=Ref("Top"))) == {"A B"}
    assert concerned(Rule("collections", a=Ref("Inner"), b=Ref("Top"))) == {"A B"}
    assert concerned(Rule("collections", a=Ref("Inner"), b=Ref("Scene Collection"))) == {"A B", "B C"}
    assert concerned(Rule("collections", a=Ref("Inner"), b=Ref("nobody"))) == set()


def test_a_collection_that_is_called_like_that_of_the_scene():
    """A rule that was made for it takes nothing else away."""
    mine = new_collection(bpy.context.scene.collection.name, bpy.context.scene.collection)
    add_cube("A", collection=mine)
    add_cube("B", collection=mine)
    add_cube("C")
    assert concerned(Rule("collections", a=ref_of(mine), b=ref_of(mine))) == {"A B"}


def test_parents_are_found_through_empties():
    a, between, b, c = add_cube("A"), add("Between", None), add_cube("B"), add_cube("C")
    between.parent, b.parent, c.parent = a, between, b
    assert concerned(Rule("parents")) == {"A B", "B C"}


def test_an_assembly_has_one_top_parent_or_one_armature():
    top = add("Top", None)
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    a, b, c, d, e = (add_cube(name) for name in "ABCDE")
    add_cube("F")
    a.parent, b.parent = top, a
    c.parent = rig
    d.modifiers.new("Armature", "ARMATURE").object = rig
    held = e.constraints.new("CHILD_OF")
    held.target = rig
    assert concerned(Rule("assembly")) == {"A B", "C D", "C E", "D E"}
    held.mute = True
    rig.parent = top
    assert concerned(Rule("assembly")) == {"A B", "A C", "A D", "B C", "B D", "C D"}


@pytest.mark.parametrize("seed", range(8))
def test_assemblies_that_many_rigs_join(seed):
    """Each object is deformed by some of the armatures; beside what walking from one to the next finds."""
    rng = np.random.default_rng(seed)
    rigs = [add(f"Rig {number}", bpy.data.armatures.new("Rig")) for number in range(14)]
    on_same = {}
    for number in range(10):
        each = add_cube(f"{number}")
        for rig in rng.choice(rigs, int(rng.integers(1, 4)), replace=False):
            each.modifiers.new("Armature", "ARMATURE").object = rig
        on_same[each.name] = {modifier.object.name for modifier in each.modifiers}
    pairs = set()
    for name, met in on_same.items():
        met = set(met)
        while more := {rig for other in on_same.values() if other & met for rig in other} - met:
            met |= more
        pairs |= {f"{name} {other}" for other, own in on_same.items() if name < other and own & met}
    assert concerned(Rule("assembly")) == pairs


class LinkOfAChain:
    """As much of an object as assemblies ask for; counts how often anybody is asked for its parent."""

    modifiers = constraints = ()
    asked = 0

    def __init__(self, session_uid, above):
        self.session_uid, self._above = session_uid, above

    @property
    def parent(self):
        LinkOfAChain.asked += 1
        return self._above


def test_a_long_chain_is_climbed_once(monkeypatch):
    """A thousand links, each the parent of the next one, would be half a million steps otherwise."""
    monkeypatch.setattr(LinkOfAChain, "asked", 0)
    chain = [None]
    for uid in range(1, 1001):
        chain.append(LinkOfAChain(uid, chain[-1]))
    assert set(_tops(chain[1:])) == {1}
    assert LinkOfAChain.asked < 5000


def test_a_collection_instance_is_one_assembly_and_a_scatter_is_not():
    engine = new_collection("Engine")
    add_cube("Piston", collection=engine)
    add_cube("Rod", (1, 0, 0), engine)
    add_collection_instance("Motor", engine)
    tree = add_cube("Tree", (0, 50, 0))
    forest = add("Forest", cube_mesh("Ground"))
    add_nodes(forest, lambda nodes, _start, end: nodes.links.new(add_instances(nodes, tree, 2), end))
    assert concerned(Rule("assembly")) == {"Motor ▸ Piston #1 Motor ▸ Rod #1"}


def robot():
    """An armature Root → Upper → (nothing on it) Middle → Lower, and another bone Other at the root."""
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = {}
    for name, parent in (("Root", None), ("Upper", "Root"), ("Middle", "Upper"), ("Lower", "Middle"),
                         ("Other", "Root")):
        bones[name] = rig.data.edit_bones.new(name)
        bones[name].tail = (0, 0, 1)
        bones[name].parent = bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in ("Root", "Upper", "Lower", "Other"):
        link = add_cube(name)
        link.parent, link.parent_type, link.parent_bone = rig, "BONE", name
    return rig


def test_joints_are_links_of_bones_that_follow_one_another():
    rig = robot()
    cover = add_cube("Cover")
    held = cover.constraints.new("COPY_TRANSFORMS")
    held.target, held.subtarget = rig, "Lower"
    assert concerned(Rule("joints")) == {"Root Upper", "Lower Upper", "Other Root", "Cover Lower", "Cover Upper"}


def test_a_bone_that_is_not_there_is_no_link():
    rig = robot()
    for name in ("Left", "Right"):
        lost = add_cube(name)
        lost.parent, lost.parent_type, lost.parent_bone = rig, "BONE", "Nobody"
    assert concerned(Rule("joints")) == {"Root Upper", "Lower Upper", "Other Root"}


def test_bones_whose_names_are_no_utf8(save):
    """As other programs write them; they are told apart, and followed."""
    for name, bone in (("Cover", "Lower"), ("Cap", "Other")):
        held = add_cube(name).constraints.new("CHILD_OF")
        held.target, held.subtarget = robot() if name == "Cover" else bpy.data.objects["Rig"], bone
    rule = Rule("joints")
    before, path = concerned(rule), save()
    data = path.read_bytes()
    for bone in (b"Upper", b"Lower", b"Other"):
        data = data.replace(bone + b"\0", bone[:-1] + b"\xe9\0")
    path.write_bytes(data)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    after = {pair.encode("utf-8", "surrogateescape").replace(b"\xe9", b"r").decode() for pair in concerned(rule)}
    assert {frozenset(pair.split()) for pair in after} == {frozenset(pair.split()) for pair in before}
    assert all(map(ties_of, (*bpy.data.objects, *bpy.data.armatures)))


def test_joints_are_links_of_empties_that_follow_one_another():
    base, unused, hand = (add(name, None) for name in ("base", "unused", "hand"))
    unused.parent, hand.parent = base, unused
    for name, parent in (("A", base), ("B", base), ("C", hand)):
        add_cube(name).parent = parent
    add_cube("D")
    assert concerned(Rule("joints")) == {"A B", "A C", "B C"}


def test_joints_are_what_constraints_join():
    a, b, c, d = (add_cube(name) for name in "ABCD")
    a.constraints.new("CHILD_OF").target = b
    c.constraints.new("TRACK_TO").target = d        # looks at it, and is not attached
    bpy.ops.rigidbody.world_add()
    hinge = add("Hinge", None)
    bpy.context.view_layer.objects.active = hinge
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    hinge.rigid_body_constraint.object1, hinge.rigid_body_constraint.object2 = b, c
    assert concerned(Rule("joints")) == {"A B", "B C"}
    hinge.rigid_body_constraint.enabled = False
    assert concerned(Rule("joints")) == {"A B"}


def test_a_prop_that_is_handed_on_is_joined_to_who_holds_it():
    """Each frame is tested by the constraint that counts in it."""
    one, other, prop = add_cube("One"), add_cube("Other", (0.3, 0, 0)), add_cube("Prop", (0.1, 0.2, 0.3))
    for target, influences in ((one, (1.0, 0.0)), (other, (0.0, 1.0))):
        held = prop.constraints.new("CHILD_OF")
        held.target = target
        for frame, influence in zip((1, 2), influences):
            held.influence = influence
            held.keyframe_insert("influence", frame=frame)
    for frame, expected in ((1, {"One Prop"}), (2, {"Other Prop"}), (1, {"One Prop"})):
        bpy.context.scene.frame_set(frame)
        assert concerned(Rule("joints")) == expected
    report = api.check_animation((1, 2), rules=[Rule("joints")])
    assert {f"{report.name(pair['a'])} {report.name(pair['b'])}": report.intervals[row].tolist()
            for row, pair in enumerate(report.pairs)} == {"One Other": [[1, 2]], "One Prop": [[2, 2]],
                                                          "Other Prop": [[1, 1]]}


def test_pairs_name_objects_with_all_their_instances_or_one_of_them():
    tree, _rock = add_cube("Tree", (0, 50, 0)), add_cube("Rock")
    forest = add("Forest", cube_mesh("Ground"))
    add_nodes(forest, lambda nodes, _start, end: nodes.links.new(add_instances(nodes, tree, 2), end))
    one, other = "Forest ▸ Tree #1", "Forest ▸ Tree #2"
    assert concerned(Rule("pairs", pairs=((Ref("Rock"), Ref("Forest")),))) == {f"{one} Rock", f"{other} Rock"}
    for ref in (Ref("Forest", None, "Tree #2"), Ref(other)):
        assert concerned(Rule("pairs", pairs=((ref, Ref("Rock")),))) == {f"{other} Rock"}
    assert concerned(Rule("pairs", pairs=((Ref("Forest"), Ref("Forest")),))) == {f"{one} {other}"}
    assert concerned(Rule("pairs", pairs=((Ref("Forest", "//elsewhere.blend"), Ref("Rock")),))) == set()


def test_instances_of_two_things_that_are_called_alike(tmp_path):
    """A rule about one of them is not one about the other."""
    add_cube("Tree", (0, 50, 0))
    bpy.data.libraries.write(str(tmp_path / "lib.blend"), {bpy.data.objects["Tree"]})
    with bpy.data.libraries.load(str(tmp_path / "lib.blend"), link=True) as (_there, here):
        here.objects = ["Tree"]
    trees = new_collection("Trees")
    trees.objects.link(here.objects[0])
    add_cube("lib:Tree", collection=trees)
    add_collection_instance("Forest", trees)
    add_cube("Rock")
    rows = {row.name: Ref("Forest", None, row.instance) for row in read_scene().rows if row.is_instance}
    assert set(rows) == {"Forest ▸ lib:Tree #1", "Forest ▸ lib:Tree #1 (2)"}
    for name, ref in rows.items():
        assert concerned(Rule("pairs", pairs=((ref, Ref("Rock")),))) == {f"{name} Rock"}
