# SPDX-License-Identifier: GPL-3.0-or-later
"""`Relations`: what rules ask about the objects of a scene, as plain data."""
from dataclasses import dataclass, field, replace

import numpy as np

from .rule import Ref

IN_NONE = -1


def no_pairs() -> np.ndarray:
    return np.zeros((0, 2), np.int64)


@dataclass(eq=False)
class Relations:
    """How the objects of a scene belong together.

    A *thing* is what rules name: an object, or what makes several objects, which are its instances. Arrays of things
    have the length of `things`; pairs are (k,2) numbers of things, or of links, in any order.
    A *link* is a rigid piece of a mechanism: what moves with one bone or one empty.
    """

    names: list[str]                    # of the objects, as reports have them
    things: list[Ref]                   # none has an `instance`
    thing: np.ndarray                   # (objects,) int64, which thing each object is
    instances: list[str | None]         # of the objects: `Ref.instance`, None where the object is the thing itself
    collections: dict[Ref, np.ndarray] = field(default_factory=dict)    # (k,) int64, the things in each
    parents: np.ndarray = field(default_factory=no_pairs)               # a child and its next ancestor that is a thing
    assembly: np.ndarray | None = None      # (things,) int64, number of the rig or assembly, IN_NONE: in none
    whole: np.ndarray | None = None         # (things,) bool: its instances are parts of one assembly
    link: np.ndarray | None = None          # (things,) int64, number of the link, IN_NONE: in none
    next_links: np.ndarray = field(default_factory=no_pairs)            # links that follow one another
    joined: np.ndarray = field(default_factory=no_pairs)                # things that a constraint joins

    def of_objects(self, objects: np.ndarray) -> "Relations":
        """Of other objects, each of which is one of these. objects: (n,) indices."""
        names, instances = ([each[index] for index in objects.tolist()] for each in (self.names, self.instances))
        return replace(self, names=names, thing=self.thing[objects], instances=instances)

    @classmethod
    def of_names(cls, names: list[str], groups: list[str | None]) -> "Relations":
        """Of a scene that is made in Python: a thing is all objects of a name, and their group is their collection."""
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        thing = np.array([number[name] for name in names], np.int64)
        members: dict[Ref, list[int]] = {}
        for group, each in zip(groups, thing.tolist()):
            if group is not None:
                members.setdefault(Ref(group), []).append(each)
        return cls(names, [Ref(name) for name in number], thing, [None] * len(names),
                   {group: np.array(each, np.int64) for group, each in members.items()})
