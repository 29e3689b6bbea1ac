# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene shows besides surfaces: it is not tested, and is named with the reason.

`judged` is False where that leaves a question open, as what is shown has a thickness: the answer is then not "clear".
"""
from typing import TYPE_CHECKING

from ..names import name_of, text_in
from .readable import absolute, has_motion

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
AS_POINTS = ("its particles show their objects in renders only", False)
SOME = ("it shows a part of its particles, and all of them in renders only", False)
MOTION = ("the file with its motion is missing or cannot be read, so the object may stand elsewhere", False)


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


def lost_parts(each: "bpy.types.Object") -> list[tuple[str, tuple[str, bool]]]:
    """(name, reason) of what modifiers of an (original) object show or do that is not in its mesh: particles, and
    motion whose file is missing."""
    found = []
    for modifier in each.modifiers:
        if not modifier.show_viewport:
            continue
        if modifier.type == "PARTICLE_SYSTEM":
            system = modifier.particle_system  # type: ignore[attr-defined]
            if (reason := _of_particles(system.settings)) is not None:
                found.append((name_of(system), reason))
        elif modifier.type == "MESH_CACHE" and not _has_motion(modifier, each):
            found.append((text_in(modifier, "name"), MOTION))
    return found


def _has_motion(modifier, each: "bpy.types.Object") -> bool:
    """How many vertices come to a modifier behind others is not known."""
    first = next(other for other in each.modifiers if other.show_viewport)
    count = len(each.data.vertices) if modifier == first else None
    return has_motion(absolute(text_in(modifier, "filepath"), each), modifier.cache_format, count)


def _of_particles(settings: "bpy.types.ParticleSettings") -> tuple[str, bool] | None:
    """Why particles are not tested; None where they are not seen, or show objects: these are instances, and tested."""
    if not settings.count or settings.render_type == "NONE" or settings.display_method == "NONE":
        return None
    if settings.render_type in ("OBJECT", "COLLECTION"):
        return AS_POINTS if settings.display_method != "RENDER" else SOME if _shows_some(settings) else None
    return HAIR if settings.type == "HAIR" else PARTICLES


def _shows_some(settings: "bpy.types.ParticleSettings") -> bool:
    """True where 3D views show fewer particles, or children of these, than renders."""
    children = settings.child_type != "NONE" and settings.child_percent < settings.rendered_child_count
    return settings.display_percentage < 100 or children
