# SPDX-License-Identifier: GPL-3.0-or-later
"""What only Blender knows of how objects belong together: collections, parents, rigs, bones, constraints. As plain data
for rules (`core.rules.Relations`), and only as much as the rules ask for."""
from collections.abc import Container, Iterable
from typing import Any

import bpy
import numpy as np

from ...core.rules import Ref, Relations, Rule
from ...core.rules.relations import IN_NONE
from ...core.rules.rule import ASSEMBLY, JOINTS, PARENTS
from ..names import is_utf8, name_of, text_in
from .names import Labels, library_path, shared_names
from .snapshot import Row

ATTACHING = {"ARMATURE", "CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS"}    # constraints that join two links
Node = tuple[int, str]      # of a mechanism: an object by session_uid and, where it is not "", one of its bones


def ref_of(data_block: bpy.types.ID) -> Ref:
    """What a rule calls an object or a collection."""
    return Ref(name_of(data_block), library_path(data_block))


def instance_in_ref(data_block: bpy.types.Object | None, instance: str) -> str | None:
    """`Ref.instance` of one tested object alone. data_block: that it is, or that makes it, None where it was deleted;
    instance: which one it is then, "" for the object itself. Where that makes instances, in this frame or another one,
    its mere name would mean all of them."""
    if instance or data_block is None:
        return instance or None
    may_make = (data_block.instance_type != "NONE" or len(data_block.particle_systems) > 0
                or any(each.type == "NODES" for each in data_block.modifiers))
    return "" if may_make else None


def gather(scene: bpy.types.Scene, rules: Iterable[Rule], owners: list, rows: list[Row]) -> Relations:
    """How the objects of these rows belong together. owners: the Blender object that each is, or that makes it."""
    asked = list(rules)
    number: dict[int, int] = {}
    things = []
    for owner in owners:
        if owner.session_uid not in number:
            number[owner.session_uid] = len(things)
            things.append(owner)
    relations = Relations([row.name for row in rows], [ref_of(each) for each in things],
                          np.array([number[owner.session_uid] for owner in owners], np.int64),
                          [row.instance or None for row in rows])
    wanted = {ref for rule in asked for ref in (rule.a, rule.b) if ref is not None}
    relations.collections = _collections(scene, wanted, number)
    relate(relations, {rule.kind for rule in asked}, scene, things)
    return relations


def relate(relations: Relations, kinds: Container[str], scene: bpy.types.Scene, things: list) -> None:
    """Fill in what rules of these kinds ask, but for collections. things: the Blender objects."""
    number = {each.session_uid: place for place, each in enumerate(things)}
    if PARENTS in kinds:
        relations.parents = _pairs(_parents(things, number))
    if ASSEMBLY in kinds:
        relations.assembly = _assemblies(things)
        relations.whole = np.array([each.instance_type == "COLLECTION" for each in things], bool)
    if JOINTS in kinds:
        _add_joints(relations, scene, things, number)


def ties_of(data_block: Any) -> tuple:
    """What of one object or armature decides how objects belong together: compared with what it was, it tells cheaply
    whether all has to be looked at again. data_block: an original object or armature."""
    if data_block.id_type == "ARMATURE":
        return tuple((name_of(bone), bone.parent and name_of(bone.parent)) for bone in data_block.bones)
    parent, joint = data_block.parent, data_block.rigid_body_constraint
    attached = [(each.session_uid, bone) for each, bone in _attached_to(data_block)]
    return (parent and (parent.session_uid, data_block.parent_type, text_in(data_block, "parent_bone")), attached,
            [modifier.object and modifier.object.session_uid for modifier in data_block.modifiers
             if modifier.type == "ARMATURE"],
            joint and joint.enabled and [each and each.session_uid for each in (joint.object1, joint.object2)])


def _pairs(pairs: list[tuple[int, int]]) -> np.ndarray:
    return np.array(pairs, np.int64).reshape(-1, 2)


def _collections(scene, wanted: set[Ref], number: dict[int, int]) -> dict[Ref, np.ndarray]:
    """The things in each collection that is named, those of its child collections included."""
    # Where a user's collection is called like that of a whole scene, it is meant: rules can only point to that one.
    found = {ref_of(each): each for each in (scene.collection, *bpy.data.collections)} if wanted else {}
    return {ref: np.array([number[each.session_uid] for each in found[ref].all_objects if each.session_uid in number],
                          np.int64) for ref in wanted if ref in found}


def _parents(things: list, number: dict[int, int]) -> list[tuple[int, int]]:
    """Each thing with its next ancestor that is a thing; others, such as empties, are passed over."""
    pairs = []
    for child, each in enumerate(things):
        ancestor = each.parent
        while ancestor is not None and ancestor.session_uid not in number:
            ancestor = ancestor.parent
        if ancestor is not None:
            pairs.append((child, number[ancestor.session_uid]))
    return pairs


def assembly_names(owners: list) -> list[str | None]:
    """What the assembly of each of these Blender objects is called: its top parent or its armature, with its library
    where another one has that name; None for None. What is in no assembly is one by itself."""
    things = {each.session_uid: each for each in owners if each is not None}
    tops = dict(zip(things, _tops(list(things.values()))))
    wanted = set(tops.values())
    top = {uid: each for each in bpy.data.objects if (uid := each.session_uid) in wanted}
    labels = Labels(shared_names((name_of(each), library_path(each)) for each in top.values()))
    return [None if each is None else labels.of(top[tops[each.session_uid]]) for each in owners]


def _assemblies(things: list) -> np.ndarray:
    """(things,) int64: the same number for things with the same top parent or the same armature."""
    tops = _tops(things)
    number = {uid: place for place, uid in enumerate(dict.fromkeys(tops))}
    return np.array([number[uid] for uid in tops], np.int64)


def _tops(things: list) -> list[int]:
    """session_uid of the object that stands for the assembly of each thing: the same for things with the same top
    parent or the same armature."""
    leader: dict[int, int] = {}
    climbed: set[int] = set()       # those whose ancestors are joined

    def top(uid: int) -> int:
        while leader.setdefault(uid, uid) != uid:
            leader[uid] = leader[leader[uid]]
            uid = leader[uid]
        return uid

    def join_with_ancestors(each) -> None:
        while (above := each.parent) is not None and each.session_uid not in climbed:
            climbed.add(each.session_uid)
            leader[top(each.session_uid)] = top(above.session_uid)
            each = above

    for each in things:
        join_with_ancestors(each)
        for armature in _armatures(each):
            join_with_ancestors(armature)
            leader[top(each.session_uid)] = top(armature.session_uid)
    return [top(each.session_uid) for each in things]


def _armatures(each) -> list:
    """The armatures that deform an object, or that it is attached to by a constraint."""
    deforming = [modifier.object for modifier in each.modifiers if modifier.type == "ARMATURE" and modifier.object]
    return deforming + [target for target, _ in _attached_to(each) if target.type == "ARMATURE"]


def _attached_to(each) -> list[tuple]:
    """(object, bone or "") that constraints attach an object to. An influence of 0 attaches nothing: a prop that is
    handed on has several constraints, of which one counts at a time."""
    found = []
    for constraint in each.constraints:
        if constraint.mute or constraint.influence == 0.0 or constraint.type not in ATTACHING:
            continue
        targets = constraint.targets if constraint.type == "ARMATURE" else [constraint]
        found += [(target.target, text_in(target, "subtarget")) for target in targets if target.target is not None]
    return found


def _add_joints(relations: Relations, scene, things: list, number: dict[int, int]) -> None:
    """Links, which follow one another, and what constraints join."""
    attached = [_attached_to(each) for each in things]
    nodes = [_anchor(each, targets, number) for each, targets in zip(things, attached)]
    links = {node: place for place, node in enumerate(dict.fromkeys(each for each in nodes if each is not None))}
    relations.link = np.array([IN_NONE if node is None else links[node] for node in nodes], np.int64)
    objects = {each.session_uid: each for each in bpy.data.objects} if links else {}
    following = []
    for node, link in links.items():
        ancestor = _node_above(node, objects)
        while ancestor is not None and ancestor not in links:
            ancestor = _node_above(ancestor, objects)
        if ancestor is not None:
            following.append((link, links[ancestor]))
    relations.next_links = _pairs(following)
    joined = [(thing, number[target.session_uid]) for thing, targets in enumerate(attached)
              for target, _ in targets if target.session_uid in number]
    relations.joined = _pairs(joined + _rigid_bodies(scene, number))


def _anchor(each, attached: list[tuple], number: dict[int, int]) -> Node | None:
    """The bone or the empty that an object moves with."""
    parent = each.parent
    held_by = text_in(each, "parent_bone") if each.parent_type == "BONE" else ""
    for target, bone in ([] if parent is None else [(parent, held_by)]) + attached:
        if target.type == "ARMATURE" and bone and _bone(target, bone) is not None:
            return target.session_uid, bone
        if target.type == "EMPTY" and target.session_uid not in number:
            return target.session_uid, ""
    return None


def _bone(rig, name: str) -> bpy.types.Bone | None:
    """A bone of an armature by its name."""
    if is_utf8(name):
        return rig.data.bones.get(name)
    return next((each for each in rig.data.bones if text_in(each, "name") == name), None)


def _node_above(node: Node, objects: dict) -> Node | None:
    """The bone or empty that a bone or empty moves with."""
    uid, bone = node
    each = objects[uid]
    if bone:
        found = _bone(each, bone)
        if found is None:
            return None
        if found.parent is not None:
            return uid, text_in(found.parent, "name")
    return _anchor(each, [], {})


def _rigid_bodies(scene, number: dict[int, int]) -> list[tuple[int, int]]:
    """Pairs of things that a rigid body constraint joins."""
    held = (each.rigid_body_constraint for each in scene.objects)
    pairs = ((each.object1, each.object2) for each in held if each is not None and each.enabled)
    return [(number[a.session_uid], number[b.session_uid]) for a, b in pairs
            if a is not None and b is not None and a.session_uid in number and b.session_uid in number]
