# SPDX-License-Identifier: GPL-3.0-or-later
"""What nobody sees without a window: what a file shows besides the scene and view layer that are tested."""
import bpy

from ...core.shown import escaped, first_few
from ..names import is_made, name_of
from ..scene_read.scope import SOLID_TYPES


def shown_elsewhere() -> list[str]:
    """A sentence where other scenes of the file, or other view layers of its scene, show more than what is tested."""
    scene, tested = bpy.context.scene, bpy.context.view_layer
    known = _shown(tested)
    scenes = [each for each in bpy.data.scenes if each != scene and each.library is None
              and any(_shown(layer) - known for layer in each.view_layers)]
    layers = [each for each in scene.view_layers if each != tested and _shown(each) - known]
    others = [f"the {kind}{'s' * (len(found) > 1)} {first_few([*map(_quoted, found)])}"
              for kind, found in (("scene", scenes), ("view layer", layers)) if found]
    if not others:
        return []
    return [f"Only the scene {_quoted(scene)} is looked at, as its view layer {_quoted(tested)} shows it. More is "
            f"shown by {' and '.join(others)}."]


def _shown(layer: bpy.types.ViewLayer) -> set[int]:
    """The session_uid of each object with a surface, or instances, that a view layer shows."""
    return {each.session_uid for each in layer.objects if (each.type in SOLID_TYPES or each.is_instancer)
            and each.visible_get(view_layer=layer) and not is_made(each)}


def _quoted(each: bpy.types.Scene | bpy.types.ViewLayer) -> str:
    return f'"{escaped(name_of(each))}"'  # type: ignore[arg-type]
