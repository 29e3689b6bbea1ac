# SPDX-License-Identifier: GPL-3.0-or-later
"""Which results the scene has moved away from, and by what: what handlers tell, what panels ask, what files keep."""
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy

from . import session
from .asked import changed_since
from .changes import is_input
from .watch import Watch
from .watch_file import as_text, from_text

if TYPE_CHECKING:
    from .scene_read import Snapshot
    from .scene_read.swept import Swept

UNKNOWN_CHANGES = ("It is not known what has changed since: the file was saved without Touchpoint or recovered, or the "
                   "scene was copied")
NAMED = 3       # objects of a kind, in the sentence
# What a file raises where somebody else has written what is kept of a result.
UNREADABLE = ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError

log = logging.getLogger(__name__)


def begin(kept: Any, source: "Snapshot | Swept", scene: bpy.types.Scene) -> None:
    """A result, or a comparison, was found with these objects. kept: where it is kept, with its run_id. source: a
    Snapshot, or a Swept."""
    layer = bpy.context.view_layer if bpy.context.scene == scene else scene.view_layers[0]
    session.keep_watch(kept, Watch.of(source, scene, layer.name))
    if hasattr(kept, "rules_of") and bool(kept.rules_of) in session.other_rules():
        session.mark_outdated(kept.run_id)


def follow(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, everything: bool) -> None:
    """Blender has evaluated a scene anew. everything: after undo and redo, when it says too much."""
    watches = _watches(scene)
    running = session.run() is not None
    if not watches and not running:
        return
    seen, due, inputs = False, set(), []        # due: watches for which surfaces are counted anew
    comparable = [watch.is_comparable() for watch in watches]
    for update in depsgraph.updates if running or not everything else ():
        each = update.id
        seen = seen or each.id_type == "SCENE" or each.id_type == "COLLECTION" and any(
            watch.sees_other_origin(each.original) for watch in watches)
        others = [watch.sees_other_ties(each.original) for watch in watches]    # all are asked: they take it down
        seen = seen or any(others)
        uid = each.original.session_uid if isinstance(each, bpy.types.Object) else 0
        if not is_input(each) and not any(uid in watch.kept for watch in watches):
            continue
        inputs.append(each.original)
        if update.is_updated_transform or update.is_updated_geometry:
            if running:
                session.touch(uid, update.is_updated_transform, update.is_updated_geometry)
            if not everything:
                for watch, can_be in zip(watches, comparable):
                    watch.note(uid, each, update.is_updated_transform, update.is_updated_geometry, can_be)
        due |= {watch for watch in watches if uid in watch.asked and uid not in watch.deformed
                and watch.counted.may_differ(update, each.original)}
    seen = seen or any(watch.sees_otherwise(inputs) for watch in watches)
    for watch in watches:
        if everything or watch.is_new:
            watch.check()
        elif seen:
            watch.check_seen()
        if (watch in due or watch.counted.is_due or everything and watch.counted.was_ever_other
                or seen and (watch.counted.others or watch.has_idle_instancers())):
            watch.check_counts(depsgraph)


def check_loaded(context: bpy.types.Context) -> None:
    """Compare all anew in a scene that was loaded just now."""
    watches = _watches(context.scene)
    if watches:
        context.view_layer.update()     # Blender would do it for the first redraw: no object is in its place before
    for watch in watches:
        watch.check()
        watch.check_counts(context.view_layer.depsgraph)


def check_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Another frame is shown: where it is the one that was tested, what was marked at others can be compared, and what
    keys and drivers hide there is known."""
    for watch in _watches(scene):
        watch.check_at_frame()
        if watch.counted.is_due:
            watch.check_counts(depsgraph)


def is_stale(kept: Any) -> bool:
    """True where a result, or a comparison, is known to be out of date, or nothing is known: `sentences` says why."""
    return bool(sentences(kept))


def sentences(kept: Any) -> list[str]:
    """What has changed since a result, or a comparison, was found."""
    watch = session.watch(kept)
    found = [UNKNOWN_CHANGES] if watch is None else []
    if session.has_other_rules(kept.run_id):
        found.append("Rules, shells or clearances have changed since")
    if watch is None:
        return found
    settings = getattr(kept.id_data, "touchpoint", None)
    others = changed_since(kept, settings) if hasattr(kept, "asked") else []
    if others:
        found.append(f"Other settings since: {', '.join(others)}")
    by_word: dict[str, list[str]] = {}
    for (name, _), word in watch.changed.items():
        by_word.setdefault(word, []).append(name)
    parts = [f"{_named(names)} {word}" for word, names in by_word.items()]
    if watch.appeared:
        parts.append(f"{_named(watch.appeared)} new")
    return [f"Since then: {', '.join(parts)}", *found] if parts else found


def change_of(result: Any, pair: Any) -> str:
    """What became of the objects of a row since it was found, "" where nothing did."""
    watch = session.watch(result)
    if watch is None or not watch.changed:
        return ""
    found = {getattr(pair, f"object_{side}"): watch.changed.get((getattr(pair, f"object_{side}"),
                                                                 getattr(pair, f"library_{side}")))
             for side in "ab"}
    return ", ".join(f"{name} {word}" for name, word in found.items() if word)


def keep_in_file(scenes: Iterable[bpy.types.Scene]) -> None:
    """Before a file is saved: what is known goes with it."""
    for kept, watch in _kept_watches(scenes):
        kept.watch = "" if watch is None else as_text(watch)
        kept.rules_changed = session.has_other_rules(kept.run_id)


def take_from_file(scenes: Iterable[bpy.types.Scene]) -> None:
    """A file was loaded."""
    for scene in scenes:
        for kept in _results(scene):
            if kept.rules_changed:
                session.mark_outdated(kept.run_id)
            if not kept.watch:
                continue
            try:
                session.keep_watch(kept, from_text(kept.watch, scene))
            except UNREADABLE:
                log.warning("What is kept of a result of %s cannot be read", scene.name_full)


def _named(names: list[str]) -> str:
    """`Cube`, `Cube, Wall`, `12 objects`."""
    return ", ".join(names) if len(names) <= NAMED else f"{len(names):,} objects"


def _results(scene) -> list:
    """The result and the comparison of a scene, as far as they are there."""
    settings = getattr(scene, "touchpoint", None)
    return [each for each in (settings.result, settings.comparison) if each.run_id] if settings else []


def _kept_watches(scenes) -> list:
    return [(kept, session.watch(kept)) for scene in scenes if scene.library is None
            for kept in _results(scene)]


def _watches(scene) -> list[Watch]:
    return [watch for _, watch in _kept_watches([scene]) if watch is not None]
