# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs rules concern in random scenes, beside what docs/rules.md says of the plan that the scene was made from:
parents, rigs, bones, constraints that go in circles, joints of rigid bodies, instances, hidden objects, collections."""
from itertools import combinations

import bpy
import numpy as np
import pytest
from scene_building import add, add_cube, cube_mesh, link, new_collection
from touchpoint.addon.scene_read import read_scene
from touchpoint.core.rules import Ref, Rule
from touchpoint.core.rules.applied import NO_RULE, Applied

MESH, EMPTY, ARMATURE, INSTANCER = "MESH", "EMPTY", "ARMATURE", "INSTANCER"
KINDS = [MESH] * 5 + [EMPTY] * 3 + [ARMATURE] * 2 + [INSTANCER]
ATTACHING = ("ARMATURE", "CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS")
CONSTRAINTS = (*ATTACHING, "TRACK_TO", "COPY_ROTATION")
BONES = "xyzw"
NO_BONE = "nobody"
COLLECTIONS = "PQRST"


class Plan:
    """What a scene is made from: lists by number of the object, in the order in which they are made."""

    def __init__(self, rng: np.random.Generator, count: int):
        self.rng, numbers = rng, range(count)
        self.kind = [str(rng.choice(KINDS)) for _ in numbers]
        self.kind[:2] = [ARMATURE, MESH]
        self.hidden = [bool(rng.random() < 0.15) for _ in numbers]
        self.parent = [None if each == 0 or rng.random() < 0.35 else int(rng.integers(each)) for each in numbers]
        self.parent_bone = [self.some_bone(each) for each in self.parent]
        self.bone_above = {bone: None if place == 0 or rng.random() < 0.3 else BONES[rng.integers(place)]
                           for place, bone in enumerate(BONES)}         # of each armature, the same in all
        self.constraints = [[self.some_constraint(count) for _ in range(rng.integers(3))] for _ in numbers]
        self.modifiers = [[self.some_of(ARMATURE, MESH) for _ in range(rng.integers(3))] if kind == MESH and
                          rng.random() < 0.4 else [] for kind in self.kind]
        self.hinges = [(self.some_of(MESH, INSTANCER), self.some_of(MESH), bool(rng.random() < 0.7)) for _ in range(3)]
        self.holding = {name: {each for each in numbers if rng.random() < 0.25} for name in COLLECTIONS}
        self.inside = {name: {other for other in COLLECTIONS[:place] if rng.random() < 0.4}
                       for place, name in enumerate(COLLECTIONS)}       # the children of each

    def some_of(self, *kinds):
        """A number, or None."""
        found = [number for number, kind in enumerate(self.kind) if kind in kinds]
        return None if not found or self.rng.random() < 0.1 else int(self.rng.choice(found))

    def some_bone(self, of):
        if of is None or self.kind[of] != ARMATURE:
            return ""
        return str(self.rng.choice(["", NO_BONE, *BONES]))

    def some_constraint(self, count):
        """(type, muted, targets, each with a bone or "")."""
        kind, targets = str(self.rng.choice(CONSTRAINTS)), []
        for _ in range(self.rng.integers(4) if kind == "ARMATURE" else 1):
            target = self.some_of(ARMATURE) if kind == "ARMATURE" else int(self.rng.integers(count))
            targets.append((target, self.some_bone(target)))
        return kind, bool(self.rng.random() < 0.25), targets

    # What docs/rules.md says of it

    def is_tested(self, each) -> bool:
        return self.kind[each] in (MESH, INSTANCER) and not self.hidden[each]

    def attached(self, each) -> list[tuple]:
        return [target for kind, muted, targets in self.constraints[each] if kind in ATTACHING and not muted
                for target in targets if target[0] not in (None, each)]

    def above(self, each) -> list[int]:
        parent = self.parent[each]
        return [] if parent is None else [parent, *self.above(parent)]

    def next_tested(self, each):
        return next(filter(self.is_tested, self.above(each)), None)

    def assembly(self, each) -> set[int]:
        """All that belongs together with it, by way of tested objects."""
        groups = []
        for tested in filter(self.is_tested, range(len(self.kind))):
            rigs = {target for target in self.modifiers[tested] if target is not None and self.kind[target] == ARMATURE}
            rigs |= {target for target, _ in self.attached(tested) if self.kind[target] == ARMATURE}
            group = {tested, *self.above(tested)}
            for rig in rigs:
                group |= {rig, *self.above(rig)}
            groups.append(group)
        found = {each}
        while more := set().union(*(group for group in groups if group & found)) - found:
            found |= more
        return found

    def link_of(self, places):
        """The first bone, or empty that is not tested, among places."""
        for target, bone in places:
            if self.kind[target] == ARMATURE and bone in self.bone_above:
                return target, bone
            if self.kind[target] == EMPTY or self.kind[target] == INSTANCER and not self.is_tested(target):
                return target, ""
        return None

    def own_link(self, each):
        parent = self.parent[each]
        return self.link_of([*([] if parent is None else [(parent, self.parent_bone[each])]), *self.attached(each)])

    def link_above(self, link):
        each, bone = link
        if bone and self.bone_above[bone] is not None:
            return each, self.bone_above[bone]
        parent = self.parent[each]
        if parent is None:
            return None
        if self.kind[parent] == INSTANCER:
            return parent, ""
        return self.link_of([(parent, self.parent_bone[each])])

    def follows(self, a, b, links) -> bool:
        """b is the next link above a that has a tested object on it."""
        above = self.link_above(a)
        while above is not None and above not in links:
            above = self.link_above(above)
        return above == b

    def is_joint(self, a, b) -> bool:
        links = {self.own_link(each) for each in filter(self.is_tested, range(len(self.kind)))} - {None}
        one, other = self.own_link(a), self.own_link(b)
        if None not in (one, other) and (one == other or self.follows(one, other, links)
                                         or self.follows(other, one, links)):
            return True
        return (b in [target for target, _ in self.attached(a)] or a in [target for target, _ in self.attached(b)]
                or any(on and {a, b} == {first, second} for first, second, on in self.hinges))

    def inner(self, name) -> set[int]:
        return self.holding[name].union(*map(self.inner, self.inside[name]))

    def concerns(self, rule, a, b) -> bool:
        """a, b: owners of two tested things, which may be one that makes both."""
        if rule.kind == "collections":
            inside = [self.inner(each.name) for each in (rule.a, rule.b)]
            return any(x in inside[0] and y in inside[1] for x, y in ((a, b), (b, a)))
        if a == b:
            return rule.kind == "assembly" and self.kind[a] == INSTANCER
        if rule.kind == "parents":
            return self.next_tested(a) == b or self.next_tested(b) == a
        return b in self.assembly(a) if rule.kind == "assembly" else self.is_joint(a, b)

    # How it is made

    def make(self) -> dict[str, int]:
        """The number of each object by its name; names are in another order than numbers."""
        names = [f"{place:02}" for place in self.rng.permutation(len(self.kind))]
        store = new_collection("Store")
        for name in ("Model", "Other Model"):
            add_cube(name, collection=store)
        made = [self._object(name, kind, store) for name, kind in zip(names, self.kind)]
        self._link(made)
        for each, (one, parent) in enumerate(zip(made, self.parent)):
            if parent is not None:
                one.parent = made[parent]
                if self.parent_bone[each]:
                    one.parent_type, one.parent_bone = "BONE", self.parent_bone[each]
            for constraint in self.constraints[each]:
                self._constrain(one, *constraint, made)
            for target in self.modifiers[each]:
                one.modifiers.new("Armature", "ARMATURE").object = None if target in (None, each) else made[target]
        bpy.ops.rigidbody.world_add()
        for a, b, on in self.hinges:
            bpy.context.view_layer.objects.active = add("Hinge", None)
            bpy.ops.rigidbody.constraint_add()
            joint = bpy.context.object.rigid_body_constraint
            joint.object1, joint.object2 = (None if each is None else made[each] for each in (a, b))
            joint.enabled = on
        for one, hidden in zip(made, self.hidden):
            one.hide_set(hidden)
        return {name: number for number, name in enumerate(names)}

    def _object(self, name, kind, store):
        data = {MESH: cube_mesh, ARMATURE: lambda: bpy.data.armatures.new(name)}.get(kind, lambda: None)()
        one = add(name, data)
        if kind == INSTANCER:
            one.instance_type, one.instance_collection = "COLLECTION", store
        if kind == ARMATURE:
            bpy.context.view_layer.objects.active = one
            bpy.ops.object.mode_set(mode="EDIT")
            for bone in BONES:
                data.edit_bones.new(bone).tail = (0, 0, 1)
                data.edit_bones[bone].parent = data.edit_bones.get(self.bone_above[bone] or "")
            bpy.ops.object.mode_set(mode="OBJECT")
        return one

    def _link(self, made):
        collections = {name: new_collection(name, bpy.context.scene.collection) for name in COLLECTIONS}
        for name, collection in collections.items():
            for child in self.inside[name]:
                collection.children.link(collections[child])
            for each in self.holding[name]:
                link(made[each], collection)

    def _constrain(self, one, kind, muted, targets, made):
        constraint = one.constraints.new(kind)
        if muted and len(one.constraints) % 2:
            constraint.influence = 0.0      # which attaches as little
        else:
            constraint.mute = muted
        for target, bone in targets:
            place = constraint.targets.new() if kind == "ARMATURE" else constraint
            place.target = None if target is None else made[target]
            if bone:
                place.subtarget = bone


@pytest.mark.parametrize("seed", range(12))
def test_random_scenes(seed):
    rng = np.random.default_rng(seed)
    plan = Plan(rng, 18)
    number = plan.make()
    rules = [Rule("parents"), Rule("assembly"), Rule("joints"), Rule("collections", a=Ref("T"), b=Ref("T")),
             Rule("collections", a=Ref("R"), b=Ref("S"))]
    snapshot = read_scene(rules=rules)
    owners = [number[row.object_name] for row in snapshot.rows]
    assert set(owners) == set(filter(plan.is_tested, range(18)))
    a, b = np.array(list(combinations(range(len(owners)), 2))).T
    for rule in rules:
        decided = Applied([rule], snapshot.taking.relations).deciding(a, b) != NO_RULE
        names = snapshot.taking.relations.names
        wrong = [(names[i], names[j], bool(found)) for i, j, found in zip(a, b, decided)
                 if found != plan.concerns(rule, owners[i], owners[j])]
        assert wrong == [], rule.kind
