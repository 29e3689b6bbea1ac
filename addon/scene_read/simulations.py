# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that depend on the frames before: the way to a frame, and whether Blender has what they are there.

Cloth, soft bodies, particles, dynamic hair, dynamic paint and rigid bodies keep frames in a cache. Blender cannot jump
over frames that are not in it: things stay as they were, or worse, a wrong frame gets into the cache, and from then on
Blender makes up all those between it and the first one. Which frames a cache has, only the text about it tells, and the
names of its files. Simulation nodes tell nothing, not even whether they are baked.
"""
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import bpy

from ...core.shown import escaped, first_few
from ..names import name_of
from .baked_files import caches_of, is_in_files, last_without_gaps
from .doubts import Doubts
from .looks import LISTS

ZONE = "GeometryNodeSimulationOutput"


class Simulation(NamedTuple):
    """One that is not baked.

    key: pointer of its cache. owner: an (original) object. start, end: its frames. held: how many of them Blender has.
    known: the last one of those that it has all from the first one on, start - 1 where it has none. whole: False where
    it says that some were left out: others may be wrong then.
    """

    key: int
    owner: Any
    start: int
    end: int
    held: int
    known: int
    whole: bool

    def lacks(self, frame: float) -> bool:
        """True where Blender does not surely have it."""
        return self.start < math.floor(frame) and self.known < min(math.floor(frame), self.end)


def simulations(context: bpy.types.Context) -> Iterator[Simulation]:
    """Those of what is evaluated in a scene, without what is baked."""
    for owner, cache in point_caches(context):
        if not (cache.is_baked or cache.use_external):
            yield Simulation(cache.as_pointer(), owner, cache.frame_start, cache.frame_end, *_held(cache, owner))


def doubts_as_shown(context: bpy.types.Context, frame: float) -> Doubts:
    """Those about simulations at the frame that is shown, wherever it was come from. What was played, and then played
    farther, counts: Blender says that its cache is not exact, but has all the frames."""
    return _doubts(each for each in simulations(context)
                   if each.lacks(frame) and not each.start + each.held > min(math.floor(frame), each.end))


class Path:
    """Frames that are shown one after the other.

    shown: the latest one, without its part after the point, None before the first one. doubts: about simulations there.

    Where something was played, and then played farther, Blender calls its cache inexact, and goes on to do so, although
    it has all the frames. They are all there if the frame after so many of them is not: it is simulated then.
    """

    def __init__(self) -> None:
        self.shown: int | None = None
        self.doubts = Doubts()
        # Pointers of caches: that were right in the latest frame, and go on to be; without gaps; perhaps without gaps.
        self._sure: set[int] = set()
        self._gapless: set[int] = set()
        self._tried: dict[int, int] = {}

    def trial(self, context: bpy.types.Context) -> range:
        """Frames to be shown one after the other, before anything else, and then to be judged; mostly none."""
        tried = [each for each in simulations(context) if not each.whole and each.held > 1]
        self._tried = {each.key: each.held for each in tried}
        return range(min((each.start for each in tried), default=0),
                     max((each.start + each.held + 1 for each in tried), default=0))

    def judge(self, context: bpy.types.Context) -> None:
        """The frames of the trial were shown."""
        if self._tried:
            self._gapless = {each.key for each in simulations(context) if each.key in self._tried
                             and each.held > min(self._tried[each.key], each.end - each.start)}

    def to(self, context: bpy.types.Context, frame: float) -> range:
        """The frames to be shown before this one, so that simulations which are not baked are right there; mostly
        none."""
        whole, shown = math.floor(frame), self.shown if self.shown == whole_frame(context.scene) else None
        if shown is not None and 0 <= whole - shown <= 1:
            return range(0)
        until = math.ceil(frame)        # what is between two frames is made of both
        lacking = [each for each in self._simulations(context) if each.lacks(until)]
        begins = [each.known for each in lacking if each.known >= each.start]
        unknown = [each.start for each in lacking if each.known < each.start]
        last = max((each.end for each in lacking), default=until)
        if context.scene.frame_start < until and _has_zones(context):
            unknown.append(context.scene.frame_start)
            last = until
        begins += [shown if shown is not None and start <= shown < whole else start for start in unknown]
        if not begins:
            return range(0)
        return range(min(begins) + (min(begins) == shown), min(last, until if whole < until else whole - 1) + 1)

    def note(self, context: bpy.types.Context) -> None:
        """A frame is shown."""
        whole = whole_frame(context.scene)
        before = self._sure if self.shown is not None and 0 <= whole - self.shown <= 1 else set()
        self.shown, self._sure, lacking = whole, set(), []
        for each in self._simulations(context):
            if each.key not in before and each.lacks(whole):
                lacking.append(each)
            elif each.whole or (each.start < whole and each.key in before):
                self._sure.add(each.key)
        self.doubts = _doubts(lacking)

    def _simulations(self, context: bpy.types.Context) -> Iterator[Simulation]:
        for each in simulations(context):
            gapless = each.key in self._gapless
            yield each._replace(known=each.start + each.held - 1, whole=True) if gapless else each


def whole_frame(scene: bpy.types.Scene) -> int:
    """The frame that is shown, without its part after the point."""
    return math.floor(scene.frame_current + scene.frame_subframe)


def point_caches(context: bpy.types.Context) -> Iterator[tuple[Any, Any]]:
    """(object, point cache) of all that is simulated in a scene by the frames before."""
    world = context.scene.rigidbody_world
    if world is not None and world.enabled and world.collection is not None:
        bodies = ((each, each.rigid_body) for each in world.collection.objects if each.rigid_body is not None)
        falling = next((each for each, body in bodies
                        if body.type == "ACTIVE" and body.enabled and not body.kinematic), None)
        if falling is not None:
            yield falling, world.point_cache
    for each in bpy.data.objects:
        found = [cache for modifier in each.modifiers if modifier.show_viewport for cache in caches_of(modifier)]
        if found and _is_evaluated(each, context):
            yield from ((each, cache) for cache in found)


def is_simulated(each: bpy.types.Object) -> bool:
    """True where an object has a simulation that is not baked. Whatever is written to it, be it a colour, Blender takes
    its cache for outdated, or begins anew with particles at the frame that is shown. Not of rigid bodies: theirs is
    outdated by whatever comes into the scene, and simulated anew as it was."""
    modifiers = each.modifiers
    return len(modifiers) > 0 and any(not (cache.is_baked or cache.use_external) for modifier in modifiers
                                      for cache in caches_of(modifier))


def _held(cache, owner) -> tuple[int, int, bool]:
    """`held`, `known` and `whole` of a Simulation. Of files, those without gaps count. The text is "12 frames in memory
    (3 KiB)", or "12 frames on disk", in the user's language; where frames were left out, ", not exact since frame 5"
    follows."""
    before, numbers = cache.frame_start - 1, re.findall(r"-?\d+(?:[.,]\d+)*", cache.info)
    if cache.is_outdated or not numbers:
        return int(numbers[0]) if numbers else 0, before, True
    count, since = int(numbers[0]), numbers[1:] if cache.use_disk_cache else numbers[2:]
    if is_in_files(cache, owner):
        count = min(count, last_without_gaps(cache, owner) - before)
    if since or cache.is_frame_skip:
        return count, max(before, int(since[-1])) if since else before, False
    return count, before + count, True


def _is_evaluated(each, context) -> bool:
    """False for what is in no collection that is shown, and for what is hidden and nothing else uses."""
    layer = context.view_layer
    if not each.evaluated_get(context.evaluated_depsgraph_get()).is_evaluated:
        return False
    if each not in layer.objects.values() or each.visible_get(view_layer=layer):
        return True
    return any(user.id_type not in LISTS for user in bpy.data.user_map(subset={each})[each])  # type: ignore[call-arg]


def _has_zones(context) -> bool:
    """True where something has simulation nodes that are evaluated."""
    trees = [each for each in bpy.data.node_groups if each.bl_idname == "GeometryNodeTree"]
    zones, count = set[Any](), -1
    while count < len(zones):       # trees in trees
        count = len(zones)
        zones |= {tree for tree in trees for node in tree.nodes
                  if node.bl_idname == ZONE or getattr(node, "node_tree", None) in zones}
    return bool(zones) and any(
        modifier.type == "NODES" and modifier.show_viewport and modifier.node_group in zones  # type: ignore[attr-defined]
        and _is_evaluated(each, context) for each in bpy.data.objects for modifier in each.modifiers)


def _doubts(lacking: Iterable[Simulation]) -> Doubts:
    names = [*dict.fromkeys(escaped(name_of(each.owner)) for each in lacking)]
    if not names:
        return Doubts()
    return Doubts([f"The simulation of {first_few(names)} is not baked, and Blender has not gone through all of its "
                   "frames in turn, so objects that depend on it may stand elsewhere. Bake it, or play it "
                   "from its first frame."], unsure=True)
