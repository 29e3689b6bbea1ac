# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations whose frames Blender keeps in files beside the .blend file, and whether these are there.

A file that was copied or renamed without them shows things where they were before anything was simulated, and one
without some of them makes these up of those beside them. Blender says nothing.
"""
import math
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from ..names import name_of, text_in
from .readable import absolute, is_readable

BY_ITSELF = ("NO", "KEYED")     # physics of particles that do not depend on the frames before
MOVING = ("DISPLACE", "WAVE")   # dynamic paint that moves vertices; other kinds, modifiers after it may
MESH_OF_FLUID = "fluid_mesh_{:04d}"
MESHES_OF_FLUIDS = (".bobj.gz", ".obj", ".bobj")


def caches_of(modifier: Any) -> list[Any]:
    """The point caches of what a modifier simulates by the frames before."""
    if modifier.type in ("CLOTH", "SOFT_BODY"):
        return [modifier.point_cache]
    if modifier.type == "PARTICLE_SYSTEM":
        system = modifier.particle_system
        emits = system.settings.type == "EMITTER" and system.settings.physics_type not in BY_ITSELF
        return [system.point_cache] if emits or system.use_hair_dynamics else []
    if modifier.type == "DYNAMIC_PAINT" and modifier.canvas_settings is not None:
        is_last = modifier == modifier.id_data.modifiers[-1]
        return [each.point_cache for each in modifier.canvas_settings.canvas_surfaces
                if each.is_active and each.surface_format == "VERTEX"
                and (each.surface_type in MOVING or not is_last)]
    return []


def lost_bakes(scene: bpy.types.Scene) -> Iterator[str]:
    """Folders of baked frames that are not there, and frames that are missing in them, as far as what is shown depends
    on these."""
    shown = scene.frame_current + scene.frame_subframe
    for each in bpy.data.objects:
        for modifier in each.modifiers:
            if not modifier.show_viewport:
                continue
            if modifier.type == "NODES":
                yield from _of_nodes(modifier, each, scene, shown)
            for cache in caches_of(modifier):
                if cache.is_baked or cache.use_external:
                    yield from _of_cache(cache, each, shown)


def has_lost_files(cache: Any, owner: bpy.types.Object) -> bool:
    """True where a point cache is kept on disk, and nothing of it is there."""
    return is_in_files(cache, owner) and not _files_of(cache, owner)


def is_in_files(cache: Any, owner: bpy.types.Object) -> bool:
    """True for a point cache that is kept beside a file; False for one in memory, or in a folder of this session."""
    return (cache.use_disk_cache or cache.use_external) and bool(owner.library or bpy.data.filepath)


def last_without_gaps(cache: Any, owner: bpy.types.Object) -> int:
    """The last frame of a point cache in files up to which none is missing, the one before its first where that is."""
    found, last = _files_of(cache, owner), cache.frame_start - 1
    while any(is_readable(path) for path in found.get(last + 1, ())):
        last += 1
    return last


def _of_cache(cache: Any, owner: bpy.types.Object, shown: float) -> Iterator[str]:
    if not is_in_files(cache, owner):
        return
    files, folder = _files_of(cache, owner), f"{_folder(cache, owner)} of {name_of(owner)}"
    if not files:
        yield folder
        return
    at = min(max(shown, cache.frame_start), cache.frame_end)
    readable = [frame for frame, paths in files.items() if abs(frame - at) < 1 + cache.frame_step
                and all(map(is_readable, paths))]
    yield from _gaps(folder, at, readable, cache.frame_step)


def _gaps(folder: str, at: float, frames: Iterable[int], step: int = 1) -> Iterator[str]:
    """The first frame that is missing of those that one is made of. frames: that are there; step: how far they are
    apart."""
    before = [each for each in frames if math.floor(at) - step < each <= at]
    after = [each for each in frames if at <= each < math.ceil(at) + step]
    if not before or not after:
        yield f"frame {math.ceil(at) if before else math.floor(at)} in {folder}"


def _files_of(cache: Any, owner: bpy.types.Object) -> dict[int, list[str]]:
    """Paths by frame. An object may have several caches, which are counted from 0."""
    name = text_in(cache, "name") or name_of(owner).encode("utf-8", "surrogateescape").hex().upper()
    number = r"\d+" if cache.index < 0 else f"{cache.index:02d}"
    pattern = re.compile(rf"{re.escape(name)}_(\d{{6,}})(_{number})?\.bphys")
    folder, found = absolute(_folder(cache, owner), owner), dict[int, list[str]]()
    try:
        for each in os.listdir(folder):
            if match := pattern.fullmatch(each):
                found.setdefault(int(match[1]), []).append(os.path.join(folder, each))
    except (OSError, ValueError):
        pass
    return found


def _folder(cache: Any, owner: bpy.types.Object) -> str:
    """As Blender writes it: of its own choice, it lies beside the file that an object is in."""
    if cache.use_external:
        return text_in(cache, "filepath")
    path = text_in(owner.library, "filepath") if owner.library else text_in(bpy.data, "filepath")
    return f"//blendcache_{os.path.basename(path.replace(chr(92), '/')).removesuffix('.blend')}"


def _of_nodes(modifier: Any, owner: bpy.types.Object, scene: bpy.types.Scene, shown: float) -> Iterator[str]:
    """Blender removes the folder of one bake with the bake, and leaves that of a modifier."""
    for bake in getattr(modifier, "bakes", ()):
        target = getattr(bake, "bake_target", "DISK")       # the only one before Blender 4.3
        if (modifier.bake_target if target == "INHERIT" else target) != "DISK":
            continue
        folder = text_in(bake, "directory") if bake.use_custom_path else text_in(modifier, "bake_directory")
        if not folder:
            continue
        place = absolute(folder, owner)
        if not os.path.exists(place):
            yield folder
            continue
        place = place if bake.use_custom_path else os.path.join(place, str(bake.bake_id))
        names = _frames_of_nodes(place)
        if names is not None:
            yield from _gaps_of_nodes(bake, folder, (place, names), _within(bake, scene, shown))


def _within(bake: Any, scene: bpy.types.Scene, shown: float) -> float:
    """The frame of a bake that is shown: outside of its frames, the first or last one."""
    start, end = scene.frame_start, scene.frame_end
    if scene.use_custom_simulation_range:
        start, end = scene.simulation_frame_start, scene.simulation_frame_end
    if bake.use_custom_simulation_frame_range:
        start, end = bake.frame_start, bake.frame_end
    return min(max(shown, start), end)


def _gaps_of_nodes(bake: Any, title: str, files: tuple[str, dict[int, str]], at: float) -> Iterator[str]:
    """files: the folder of the bake, and names in it by frame. at: the frame that is shown."""
    folder, names = files
    if bake.node is not None and bake.node.bl_idname == "GeometryNodeBake" and bake.bake_mode == "STILL":
        if not any(_is_whole(folder, each) for each in names.values()):
            yield title
    else:
        near = [frame for frame in names if abs(frame - at) < 1]
        yield from _gaps(title, at, [frame for frame in near if _is_whole(folder, names[frame])])


def _frames_of_nodes(folder: str) -> dict[int, str] | None:
    """Names of the files that tell what whole frames of a bake have, by frame; None where nothing is baked."""
    try:
        found = os.listdir(os.path.join(folder, "meta"))
    except (OSError, ValueError):
        return None
    return {int(match[1]): each for each in found if (match := re.fullmatch(r"(-?\d+)_00000\.json", each))}


def _is_whole(folder: str, name: str) -> bool:
    """True where a file that tells what a frame has can be read, and those that it names, which have its numbers."""
    try:
        with open(os.path.join(folder, "meta", name), "rb") as file:
            told = file.read()
    except OSError:
        return False
    return told.startswith(b"{") and all(is_readable(os.path.join(folder, "blobs", os.fsdecode(each)))
                                         for each in set(re.findall(rb'"([-\w]+\.blob)"', told)))


def lost_fluids(scene: bpy.types.Scene) -> Iterator[str]:
    """Names of objects whose liquid has no surface at the frame that is shown, as it is not baked or its files are
    missing: Blender shows the box that it is simulated in."""
    for each in bpy.data.objects:
        for modifier in each.modifiers:
            if modifier.type == "FLUID" and modifier.show_viewport and _has_lost_surface(modifier, each, scene):
                yield name_of(each)


def _has_lost_surface(modifier: Any, owner: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    domain = modifier.domain_settings if modifier.fluid_type == "DOMAIN" else None
    if domain is None or domain.domain_type != "LIQUID" or not domain.use_mesh:
        return False
    frame = scene.frame_current - (domain.cache_frame_offset if domain.cache_type != "REPLAY" else 0)
    path = os.path.join(absolute(text_in(domain, "cache_directory"), owner), "mesh", MESH_OF_FLUID.format(frame))
    return domain.cache_frame_start <= frame <= domain.cache_frame_end and not any(
        is_readable(path + ending) for ending in MESHES_OF_FLUIDS)
