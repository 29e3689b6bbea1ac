# SPDX-License-Identifier: GPL-3.0-or-later
"""Results are marked where objects come to belong together otherwise, in the eyes of the rules or of a collection with
a clearance, without moving or changing their shape; and nothing is claimed where no rule asks."""
import re

import bpy
import pytest
from moving_building import LAST
from run_pumping import Held, finish, started
from scene_building import add, add_collection_instance, add_cube, new_collection
from test_staleness import detected, object_of, open_again, result, said
from touchpoint.addon import questions, session, staleness
from touchpoint.addon.rules.kept import add_rules
from touchpoint.addon.watch import Watch
from touchpoint.core.rules import Ref, Rule
from touchpoint.core.rules.rule import ASSEMBLY, COLLECTIONS, JOINTS, PARENTS

pytestmark = pytest.mark.usefixtures("registered")


@pytest.fixture(autouse=True)
def parts(registered):
    """Cubes that overlap; A stands at the origin, so that what becomes its child stays where it is to the last bit. The
    parent of B is an empty."""
    for name, place in (("A", (0, 0, 0)), ("B", (1, 0.25, 0.5)), ("C", (0.5, 1, 0.25)), ("D", (9, 9, 9))):
        add_cube(name, place)
    object_of("B").parent = add("Inner", None)
    parts = new_collection("Parts", bpy.context.scene.collection)
    new_collection("Bolts", parts).objects.link(object_of("C"))
    parts.objects.link(object_of("A"))
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for height, name in enumerate(("Upper", "Lower", "Hand")):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0, 0, height), (0, 0, height + 1)
    for name in ("Lower", "Hand"):
        rig.data.edit_bones[name].parent = rig.data.edit_bones["Upper"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, bone in (("A", "Lower"), ("C", "Hand")):
        constraint = object_of(name).constraints.new("CHILD_OF")
        constraint.target, constraint.subtarget = rig, bone
        constraint.influence = 1e-30        # which moves nothing, and attaches
    bpy.ops.rigidbody.world_add()
    hinge = add("Hinge", None)
    bpy.context.view_layer.objects.active = hinge
    bpy.ops.rigidbody.constraint_add()


def parent(child, above):
    object_of(child).parent = object_of(above) if above else None


def mute(name, muted):
    object_of(name).constraints[0].mute = muted


def hinge(*names):
    joint = object_of("Hinge").rigid_body_constraint
    joint.object1, joint.object2 = map(object_of, names) if names else (None, None)


def hang_hand_on(bone):
    bpy.context.view_layer.objects.active = object_of("Rig")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = object_of("Rig").data.edit_bones
    bones["Hand"].parent = bones[bone]
    bpy.ops.object.mode_set(mode="OBJECT")


def put(name, collection, inside):
    (collection.objects.link if inside else collection.objects.unlink)(object_of(name))


def collection_of(name):
    return bpy.data.collections[name]


def nest(inside):
    """It is in the scene all the time, beside the collection that the rule names or in it."""
    for above, is_there in ((collection_of("Parts"), inside), (bpy.context.scene.collection, not inside)):
        (above.children.link if is_there else above.children.unlink)(collection_of("Bolts"))


COLLECTION = Rule(COLLECTIONS, a=Ref("Parts"), b=Ref("Parts"))
# The rule that asks, what is done, how it is undone, and whom it concerns.
CHANGES = {
    "gets a parent": (Rule(PARENTS), lambda: parent("B", "A"), lambda: parent("B", "Inner"), "B"),
    "its parent gets a parent": (Rule(PARENTS), lambda: parent("Inner", "A"), lambda: parent("Inner", None), "B"),
    "comes into an assembly": (Rule(ASSEMBLY), lambda: parent("Inner", "A"), lambda: parent("Inner", None), "B"),
    "leaves a rig": (Rule(ASSEMBLY), lambda: mute("C", True), lambda: mute("C", False), "A, C"),
    "gets another bone": (Rule(JOINTS), lambda: mute("C", True), lambda: mute("C", False), "C"),
    "bones follow otherwise": (Rule(JOINTS), lambda: hang_hand_on("Lower"), lambda: hang_hand_on("Upper"), "A, C"),
    "is joined by a hinge": (Rule(JOINTS), lambda: hinge("B", "D"), lambda: hinge(), "B, D"),
    "leaves a collection": (COLLECTION, lambda: put("A", collection_of("Parts"), False),
                            lambda: put("A", collection_of("Parts"), True), "A"),
    "comes into one": (COLLECTION, lambda: put("D", collection_of("Bolts"), True),
                       lambda: put("D", collection_of("Bolts"), False), "D"),
    "its collection leaves one": (COLLECTION, lambda: nest(False), lambda: nest(True), "C"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_belongs_together_otherwise(name, save):
    rule, change, change_back, who = CHANGES[name]
    detected(rule)
    change()
    word = "in other collections" if rule is COLLECTION else "attached differently"
    assert said() == [f"Since then: {who} {word}"]
    concerned = set(who.split(", "))
    assert [bool(staleness.change_of(result(), pair)) for pair in result().pairs] == [
        bool({pair.object_a, pair.object_b} & concerned) for pair in result().pairs]
    open_again(save)
    assert said() == [f"Since then: {who} {word}"]
    change_back()
    assert said() == []


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("rule", [None, Rule(PARENTS, enabled=False)], ids=["no rule", "a rule that is off"])
def test_nothing_is_claimed_where_no_rule_asks(rule, name):
    detected(*[] if rule is None else [rule])
    CHANGES[name][1]()
    put("D", bpy.context.scene.collection, False)
    put("D", bpy.context.scene.collection, True)
    assert said() == []


def test_other_names_are_no_other_bonds(save):
    detected(Rule(PARENTS), Rule(ASSEMBLY), Rule(JOINTS), COLLECTION)
    object_of("Inner").name = "Another Name"
    collection_of("Bolts").name = "Screws"
    assert said() == []
    open_again(save)
    assert said() == []


def test_a_collection_with_a_clearance():
    collection_of("Bolts").touchpoint.clearance = 0.5
    detected()
    put("D", collection_of("Bolts"), True)
    assert said() == ["Since then: D in other collections"]
    put("D", collection_of("Bolts"), False)
    assert said() == []


def test_what_is_instanced_and_comes_into_a_collection_with_a_clearance():
    """The instance asks for it then."""
    store = new_collection("Store")
    add_cube("Model", collection=store)
    add_collection_instance("Copies", store, (5, 5, 5))
    collection_of("Bolts").touchpoint.clearance = 0.5
    detected()
    put("Model", collection_of("Bolts"), True)
    assert [each for each in said() if "Copies changed" in each]


def test_between_frames_too():
    add_rules(bpy.context.scene.touchpoint, [Rule(PARENTS)])
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.check_animation()
    assert said() == []
    parent("B", "A")
    assert said() == ["Since then: B attached differently"]
    parent("B", "Inner")
    assert said() == ["Since then: B moved"]        # so Blender says, and of many frames nothing can be compared


def test_undo_and_redo(save):
    detected(Rule(ASSEMBLY))
    bpy.ops.ed.undo_push(message="Detect")
    parent("Inner", "A")
    bpy.ops.ed.undo_push(message="Parent")
    assert said() == ["Since then: B attached differently"]
    bpy.ops.ed.undo()
    assert said() == []
    bpy.ops.ed.redo()
    assert said() == ["Since then: B attached differently"]


def test_what_was_undone_and_is_done_again():
    detected(Rule(ASSEMBLY))
    bpy.ops.ed.undo_push(message="Detect")
    mute("C", True)
    bpy.ops.ed.undo_push(message="Mute")
    assert said() == ["Since then: A, C attached differently"]
    bpy.ops.ed.undo()
    assert said() == []
    mute("C", True)
    assert said() == ["Since then: A, C attached differently"]


def test_a_hinge_is_off():
    hinge("B", "D")
    detected(Rule(JOINTS))
    object_of("Hinge").location.x += 1.0
    assert said() == []
    object_of("Hinge").rigid_body_constraint.enabled = False
    assert said() == ["Since then: B, D attached differently"]


def test_a_collection_that_is_deleted(save):
    detected(COLLECTION)
    bpy.data.collections.remove(collection_of("Parts"))
    assert said() == ["Since then: A, C in other collections"]
    open_again(save)
    assert said() == ["Since then: A, C in other collections"]


@pytest.mark.parametrize("name", CHANGES)
def test_what_belongs_together_otherwise_while_a_run_goes_on(name, monkeypatch):
    rule, change, change_back, who = CHANGES[name]
    add_rules(bpy.context.scene.touchpoint, [rule])
    bpy.context.view_layer.update()
    held = Held(("A", "B", "crossing", 1))
    monkeypatch.setattr(questions, "detect_in", held)
    run = started(held)
    change()
    bpy.context.view_layer.update()
    held.released.set()
    finish(run)
    assert [each for each in said() if f"{who} in other" in each or f"{who} attached" in each]
    change_back()
    assert said() == []


def ask_for_clearance():
    collection_of("Bolts").touchpoint.clearance = 0.5


def ask_for_two_sides():
    others = new_collection("Others", bpy.context.scene.collection)
    others.objects.link(object_of("D"))
    settings = bpy.context.scene.touchpoint
    settings.scope, settings.collection_a, settings.collection_b = "COLLECTIONS", collection_of("Parts"), others


@pytest.mark.parametrize("ask, who, inside", [(ask_for_clearance, "A", True), (ask_for_two_sides, "C", False)])
def test_what_comes_into_a_collection_while_a_run_goes_on(ask, who, inside, monkeypatch):
    ask()
    bpy.context.view_layer.update()
    held = Held(("A", "C", "crossing", 1))
    monkeypatch.setattr(questions, "detect_in", held)
    run = started(held)
    put(who, collection_of("Bolts"), inside)
    bpy.context.view_layer.update()
    held.released.set()
    finish(run)
    assert said() == [f"Since then: {who} in other collections"]
    put(who, collection_of("Bolts"), not inside)
    assert said() == []


def test_what_is_hidden_in_the_last_frame():
    """Rules are told of each frame, and of the others nothing is different."""
    for hidden, frame in ((False, 1), (True, LAST)):
        object_of("A").hide_viewport = hidden
        object_of("A").keyframe_insert("hide_viewport", frame=frame)
    object_of("C").parent = object_of("A")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    bpy.context.scene.frame_set(1)
    add_rules(bpy.context.scene.touchpoint, [Rule(PARENTS), Rule(ASSEMBLY), Rule(JOINTS), COLLECTION])
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.check_animation()
    assert said() == []
    parent("B", "A")
    assert said() == ["Since then: B attached differently"]


def test_what_only_moves_is_looked_at_once(monkeypatch):
    """However many move together, and how often."""
    detected(Rule(PARENTS), Rule(JOINTS))
    looked = []
    whole = Watch.check_seen
    monkeypatch.setattr(Watch, "check_seen", lambda watch: (looked.append(1), whole(watch)))
    for _ in range(4):
        for name in "ABCD":
            object_of(name).location.x += 1.0
        said()
    assert len(looked) <= 1


@pytest.mark.parametrize("written", ["[" * 100_000, None], ids=["deep", "infinite"])
def test_what_others_have_written_into_a_file(written):
    """It is known then that nothing is known, and loading goes on."""
    detected(Rule(JOINTS))
    staleness.keep_in_file([bpy.context.scene])
    result().watch = written or re.sub(r"\[\[0, \d+\]", "[[0, Infinity]", result().watch)
    session.reset()
    staleness.take_from_file([bpy.context.scene])
    assert staleness.UNKNOWN_CHANGES in staleness.sentences(result())
