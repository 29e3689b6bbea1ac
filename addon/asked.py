# SPDX-License-Identifier: GPL-3.0-or-later
"""What was asked by the settings of a scene, as it is kept with the result, and what of it they ask otherwise now."""
import json
from typing import Any

import bpy

from .method_properties import chosen_method
from .names import name_of
from .self_reference_properties import reference_of
from .tolerance_properties import tolerance_of

VOLUMES, REGIONS = "Overlap Volumes", "Depths of Regions"
REFERENCE = "Known Self-Collisions"
OF_SIDES = "Collections"
NOT_OVER_FRAMES = (VOLUMES, REGIONS)    # not asked over many frames


def asked_by(settings: Any) -> dict[str, Any]:
    """{title of a setting: its value}, as JSON has them. Collections are a name and a session_uid each."""
    chosen = chosen_method(settings)
    return {"Scope": settings.scope,
            OF_SIDES: [each and (name_of(each), each.session_uid) for each in _sides(settings)],
            "Clearance": settings.clearance, "Tolerance": tolerance_of(settings), "Weld Distance": settings.weld,
            "Self-Collisions": settings.self_collisions, VOLUMES: settings.volumes,
            REGIONS: settings.regions, REFERENCE: reference_of(settings),
            "Method": chosen["method"], "Options": chosen["options"]}


def as_text(settings: Any) -> str:
    return json.dumps(asked_by(settings))


def keep(result: Any, asked: str) -> None:
    """A result was asked so. asked: as of `as_text`, "" where it was a script."""
    result.asked = asked
    collections = {each.session_uid: each for each in bpy.data.collections}
    for side, known in zip("ab", json.loads(asked)[OF_SIDES] if asked else ()):
        setattr(result, f"asked_{side}", known and collections.get(known[1]))


def changed_since(result: Any, settings: Any) -> list[str]:
    """Titles of settings that are not those of a result; none where it was not asked by settings."""
    if not result.asked:
        return []
    try:
        before = dict(json.loads(result.asked))
        same_sides = _are_same_sides(result, before.get(OF_SIDES), settings)
    except (ValueError, TypeError, LookupError):    # somebody else has written it
        return []
    return [title for title, value in asked_by(settings).items()
            if not (same_sides if title == OF_SIDES else before.get(title) == value)
            and not (title in NOT_OVER_FRAMES and result.animated)]


def _sides(settings) -> tuple:
    """Collections A and B, where they are asked for."""
    return (settings.collection_a, settings.collection_b) if settings.scope == "COLLECTIONS" else ()


def _are_same_sides(result, before: Any, settings) -> bool:
    """before: as `asked_by` had them. What only has another name by now is the same."""
    now = _sides(settings)
    if len(before) != len(now):
        return False
    for known, each, was in zip(before, now, (result.asked_a, result.asked_b)):
        if each is None or was is None:     # one is deleted, or was never chosen
            if (known and known[0]) != (each and name_of(each)):
                return False
        elif each != was:
            return False
    return True
