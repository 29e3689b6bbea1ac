# SPDX-License-Identifier: GPL-3.0-or-later
"""How a file keeps a `Watch`: by names, as objects have other numbers in another session."""
import json
from collections.abc import Iterable
from typing import Any

import bpy

from ..core.shown import escaped
from .names import name_of
from .scene_read.bonds import Bonds
from .scene_read.counted import Counted
from .scene_read.names import library_path
from .scene_read.reloaded import NAMELESS, Key, key_of
from .watch import Kept, Watch


def as_text(watch: Watch) -> str:
    """All that another session needs, as JSON."""
    names = _names(bpy.data.objects)
    before = watch.counted.before or {}
    kept = [[each.key, names.get(uid, each.own), each.pose, watch.print_of_mesh(each), each.is_tested,
             each.has_instances, each.shown_by, uid in watch.moved, uid in watch.deformed, uid in watch.elsewhere,
             each.shows_itself, each.instances, before.get(uid, 0)]
            for uid, each in watch.kept.items()]
    asked, selected = ([names[uid] for uid in uids if uid in names] for uids in (watch.asked, watch.selected))
    called = _collection_names()
    bonds = watch.bonds.as_data({uid: place for place, uid in enumerate(watch.kept)}, called)
    sides = [called.get(uid, NAMELESS) for uid in watch.collections]
    return json.dumps([watch.frame, watch.swept, watch.layer, watch.scope, sides, kept, asked, selected,
                       watch.counted.before is not None, bonds])


def from_text(text: str, scene: bpy.types.Scene) -> Watch:
    """What `as_text` gave, also in an older version. Raises ValueError, TypeError or the like for anything else."""
    frame, swept, layer, scope, collections, kept, asked, *rest = json.loads(text)
    called = {_key(name): uid for uid, name in _collection_names().items()}
    watch = Watch(scene, float(frame), bool(swept), str(layer), str(scope),
                  tuple(called.get(_key(each), 0) for each in collections))
    uids = {_key(name): uid for uid, name in _names(bpy.data.objects).items()}
    before: dict[int, int] = {}
    places: dict[int, int] = {}
    for place, (key, name, pose, mesh, is_tested, has_instances, by, moved, deformed, elsewhere, itself,
                *more) in enumerate(kept):
        uid = places[place] = uids.get(_key(name), 0)
        each = Kept(_key(key), uid, _key(name), pose, mesh, -1, bool(is_tested), bool(has_instances),
                    tuple(map(_key, by)), None if itself is None else bool(itself))
        if len(more) > 1:
            before[uid] = int(more[1])
        if more and more[0] is not None:
            what, hidden = more[0]
            each.instances = int(what), int(hidden)
        if not uid:
            watch.lost.append(each)
            continue
        watch.kept[uid] = each
        for marks, marked in ((watch.moved, moved), (watch.deformed, deformed), (watch.suspects, deformed),
                              (watch.elsewhere, elsewhere)):
            if marked:
                marks.add(uid)
    watch.asked = {uids[_key(each)] for each in asked if _key(each) in uids}
    watch.selected = {uids[_key(each)] for each in (rest[0] if rest else ()) if _key(each) in uids}
    if len(rest) > 1 and rest[1]:
        watch.counted = Counted({uid: count for uid, count in before.items() if uid and count}, watch.swept)
    if len(rest) > 2:
        watch.bonds = Bonds.from_data(rest[2], places, called)
    watch.note_names()
    return watch


def _names(things: Iterable[bpy.types.ID]) -> dict[int, list[str]]:
    return {each.session_uid: [*key_of(each)] for each in things}


def _collection_names() -> dict[int, list[str]]:
    """By session_uid. The collections of whole scenes all have one name: they get that of their scene, after a line
    break, which no escaped name has."""
    scenes = {each.collection.session_uid: ["\n" + escaped(name_of(each)), escaped(library_path(each) or "")]
              for each in bpy.data.scenes}
    return {**_names(bpy.data.collections), **scenes}


def _key(name: Any) -> Key:
    name, library = name
    return str(name), str(library)
