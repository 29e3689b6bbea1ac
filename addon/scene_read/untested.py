# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene shows besides surfaces: it is not tested, and is named with the reason.

`judged` is False where that leaves a question open, as what is shown has a thickness: the answer is then not "clear".
"""
from typing import TYPE_CHECKING

from ..names import name_of

if TYPE_CHECKING:
    import bpy

# Type of an evaluated object that is no mesh: what it shows, why that is not tested, and whether nothing is left open.
REASONS = {
    "CURVES": ("it shows hair curves, which have no mesh to test", False),
    "POINTCLOUD": ("it shows a point cloud, which has no mesh to test", False),
    "VOLUME": ("it shows a volume, which has no surface", True),
    "GPENCIL": ("it shows grease pencil strokes, which have no surface", True),
    "GREASEPENCIL": ("it shows grease pencil strokes, which have no surface", True),
    "CURVE": ("it shows curves without a thickness, which have no surface", True),
}
HAIR = ("its hair has no mesh to test", False)
PARTICLES = ("its particles are no objects, and have no surface", True)


def is_untested(shown: "bpy.types.Object", is_instance: bool) -> bool:
    """True for an evaluated object that is seen and has no surface to test.

    is_instance: of texts, curves and surfaces the graph lists the outline, too, and their surface as a mesh of its own:
    only outlines that nodes or instances make are looked at here.
    """
    kind, data = shown.type, shown.data
    if kind == "CURVES":
        return len(data.curves) > 0
    if kind == "POINTCLOUD":
        return len(data.points) > 0
    if kind == "VOLUME":
        return bool(data.filepath) or len(data.grids) > 0
    if kind in ("GPENCIL", "GREASEPENCIL"):
        return any(len(layer.frames) for layer in data.layers)
    return kind == "CURVE" and is_instance


def particle_systems(each: "bpy.types.Object") -> list[tuple[str, tuple[str, bool]]]:
    """(name, reason) of the particle systems of an (original) object that draw their particles themselves: those that
    show objects are instances, and are tested."""
    found = []
    for modifier in each.modifiers:
        if modifier.type != "PARTICLE_SYSTEM" or not modifier.show_viewport:
            continue
        system = modifier.particle_system  # type: ignore[attr-defined]
        settings = system.settings
        if settings.render_type in ("OBJECT", "COLLECTION", "NONE") or settings.display_method == "NONE":
            continue
        if settings.count:
            found.append((name_of(system), HAIR if settings.type == "HAIR" else PARTICLES))
    return found
