# SPDX-License-Identifier: GPL-3.0-or-later
"""What concerns looks alone: nothing that is tested depends on it."""
import bpy

# No surface depends on these. On what is in HELPERS only that depends which uses it.
LOOKS = {"CAMERA", "LIGHT", "LIGHT_PROBE", "LINESTYLE", "MATERIAL", "SOUND", "SPEAKER", "WORLD"}
LOOKS_OF_NODES = {"SHADER", "COMPOSITING"}
HELPERS = {"IMAGE", "TEXTURE", "NODETREE", "MOVIECLIP", "MASK"}
LISTS = {"COLLECTION", "SCENE", "SCREEN", "WINDOWMANAGER", "WORKSPACE"}     # that have an object and do not use it
SHOWN_ONLY = {"SCENE", "SCREEN", "WORKSPACE", "WINDOWMANAGER", "BRUSH", "PALETTE", "PAINTCURVE"}    # as users of these


def is_looks(each: bpy.types.ID) -> bool:
    """True where nothing that is tested depends on a data-block, unless a driver reads it."""
    return each.id_type in LOOKS or (each.id_type == "NODETREE" and each.type in LOOKS_OF_NODES)  # type: ignore[attr-defined]


def could_matter(missing: list[bpy.types.ID]) -> bool:
    """False where looks alone use what is missing."""
    if any(each.id_type not in HELPERS and not is_looks(each) for each in missing):
        return True
    users = bpy.data.user_map()  # type: ignore[call-arg]
    seen, waiting = set(), [each for each in missing if not is_looks(each)]
    while waiting:
        each = waiting.pop()
        for user in users.get(each, ()):
            if user in seen or is_looks(user) or user.id_type in SHOWN_ONLY:
                continue
            if user.id_type not in HELPERS:
                return True
            seen.add(user)
            waiting.append(user)
    return False
