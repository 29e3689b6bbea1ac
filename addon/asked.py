# SPDX-License-Identifier: GPL-3.0-or-later
"""What was asked by the settings of a scene, as it is kept with the result, and what of it they ask otherwise now."""
import json
from typing import Any

from .method_properties import chosen_method
from .names import name_of
from .self_reference_properties import reference_of
from .tolerance_properties import tolerance_of

VOLUMES, REGIONS = "Overlap Volumes", "Depths of Regions"
REFERENCE = "Known Self-Collisions"
NOT_OVER_FRAMES = (VOLUMES, REGIONS)    # not asked over many frames


def asked_by(settings: Any) -> dict[str, Any]:
    """{title of a setting: its value}, as JSON has them."""
    chosen = chosen_method(settings)
    sides = settings.scope == "COLLECTIONS"
    return {"Scope": settings.scope,
            "Collections": [each and name_of(each) for each in (settings.collection_a, settings.collection_b)] * sides,
            "Clearance": settings.clearance, "Tolerance": tolerance_of(settings), "Weld Distance": settings.weld,
            "Self-Collisions": settings.self_collisions, VOLUMES: settings.volumes,
            REGIONS: settings.regions, REFERENCE: reference_of(settings),
            "Method": chosen["method"], "Options": chosen["options"]}


def as_text(settings: Any) -> str:
    return json.dumps(asked_by(settings))


def changed_since(result: Any, settings: Any) -> list[str]:
    """Titles of settings that are not those of a result; none where it was not asked by settings."""
    if not result.asked:
        return []
    try:
        before = dict(json.loads(result.asked))
    except (ValueError, TypeError):     # somebody else has written it
        return []
    return [title for title, value in asked_by(settings).items()
            if before.get(title) != value and not (title in NOT_OVER_FRAMES and result.animated)]
