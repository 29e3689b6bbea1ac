# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes on disk that lack some of their frames, liquids without a surface, and dynamic paint: Blender makes up what is
not there, and says nothing."""
import bpy
import pytest
from command_line import detect
from file_building import POINTER
from scene_building import add_cube, add_nodes, saved_cubes
from test_missing_bakes import moving
from touchpoint.addon import api
from touchpoint.addon.scene_read import read_scene
from touchpoint.addon.scene_read.baked_files import caches_of, last_without_gaps
from touchpoint.addon.workers.simulations import simulation_that_is_not_baked

FRAMES = 6
MOTION = "Files of baked motion are missing or cannot be read ({}): objects that depend on them may stand elsewhere."
LIQUID = ("Liquids have no surface at this frame, as it is not baked or its files are missing ({}): the box of the "
          "simulation is tested instead.")


@pytest.fixture
def scene(empty_file, tmp_path):
    """Three cubes far apart in a file, of six frames: one may lose its mesh."""
    return saved_cubes(tmp_path / "scene.blend", "ABC", FRAMES)


def bake(modifier, step=1):
    cache, = caches_of(modifier)
    cache.frame_end, cache.use_disk_cache, cache.frame_step = FRAMES, True, step
    with bpy.context.temp_override(point_cache=cache, object=bpy.data.objects["A"]):
        bpy.ops.ptcache.bake(bake=True)


def baked_cloth():
    bake(bpy.data.objects["A"].modifiers.new("Cloth", "CLOTH"))


def baked_nodes():
    each = bpy.data.objects["A"]
    add_nodes(each, moving)
    modifier = each.modifiers[0]
    if hasattr(modifier, "bake_target"):
        modifier.bake_target = "DISK"
    bpy.ops.object.geometry_node_bake_single(session_uid=each.session_uid, modifier_name="Nodes",
                                             bake_id=modifier.bakes[0].bake_id)


def note_at(tmp_path, frame, code):
    return detect(bpy.data.filepath, tmp_path, "--frame", frame, code=code)["notes"]


@pytest.mark.parametrize("content", [None, b"", POINTER])
@pytest.mark.parametrize("make, pattern, title", [
    (baked_cloth, "*_{:06d}_00.bphys", "//blendcache_scene of A"),
    (baked_nodes, "A_Nodes/*/meta/{:05d}_00000.json", "//blendcache_scene/A_Nodes")])
def test_one_frame_that_is_missing_from_a_bake(make, pattern, title, content, scene, tmp_path):
    """It was made up of the frames beside it, or was that before it, and the answer was clear."""
    make()
    bpy.ops.wm.save_mainfile()
    gone, = (tmp_path / "blendcache_scene").glob(pattern.format(4))
    gone.unlink()
    if content is not None:
        gone.write_bytes(content)
    said = [MOTION.format(f"frame 4 in {title}")]
    for frame, lost in ((3, False), (3.5, True), (4, True), (4.5, True), (5, False), (FRAMES + 9, False)):
        assert note_at(tmp_path, frame, 2 if lost else 0) == said * lost


@pytest.mark.parametrize("make", [baked_cloth, baked_nodes])
def test_the_last_frame_that_is_missing_from_a_bake(make, scene, tmp_path):
    make()
    bpy.ops.wm.save_mainfile()
    gone, = (each for each in (tmp_path / "blendcache_scene").rglob(f"*{FRAMES}_0*") if each.suffix != ".blob")
    gone.unlink()
    assert note_at(tmp_path, FRAMES - 1, 0) == []
    for frame in (FRAMES, FRAMES + 9):      # the last one stands for all after it
        note, = note_at(tmp_path, frame, 2)
        assert note.startswith(MOTION.partition("{")[0] + f"frame {FRAMES} in //blendcache_scene")


def test_the_numbers_of_a_frame_that_are_missing(scene, tmp_path):
    baked_nodes()
    bpy.ops.wm.save_mainfile()
    for each in (tmp_path / "blendcache_scene").rglob("*.blob"):
        if each.name.startswith("00004"):
            each.unlink()
    assert note_at(tmp_path, 2, 0) == []
    assert MOTION.format("frame 4 in //blendcache_scene/A_Nodes") in note_at(tmp_path, 4, 2)


@pytest.mark.parametrize("mode", ["STILL", "ANIMATION"])
def test_a_bake_node_whose_frames_are_missing(mode, scene, tmp_path):
    def build(tree, start, end):
        node = tree.nodes.new("GeometryNodeBake")
        tree.links.new(start, node.inputs[0])
        tree.links.new(node.outputs[0], end)

    each = bpy.data.objects["A"]
    add_nodes(each, build)
    modifier = each.modifiers[0]
    if hasattr(modifier, "bake_target"):
        modifier.bake_target = "DISK"
    modifier.bakes[0].bake_mode = mode
    bpy.ops.object.geometry_node_bake_single(session_uid=each.session_uid, modifier_name="Nodes",
                                             bake_id=modifier.bakes[0].bake_id)
    bpy.ops.wm.save_mainfile()
    assert note_at(tmp_path, 4, 0) == []
    for path in (tmp_path / "blendcache_scene").rglob("*.json"):
        path.unlink()
    lost = "//blendcache_scene/A_Nodes" if mode == "STILL" else "frame 4 in //blendcache_scene/A_Nodes"
    assert MOTION.format(lost) in note_at(tmp_path, 4, None)


def test_particles_that_keep_every_third_frame(scene, tmp_path):
    """What is between two of them Blender makes up, as it was asked to."""
    grains = bpy.data.objects["A"].modifiers.new("Rain", "PARTICLE_SYSTEM")
    settings = grains.particle_system.settings
    settings.render_type, settings.instance_object = "OBJECT", add_cube("Grain", (0, 99, 0), size=0.1)
    settings.count, settings.frame_start, settings.frame_end = 1, 1, 1
    bake(grains, step=3)
    bpy.ops.wm.save_mainfile()
    files = sorted((tmp_path / "blendcache_scene").iterdir())
    assert 1 < len(files) < FRAMES
    for frame in range(1, FRAMES + 1):
        assert note_at(tmp_path, frame, None) == []
    for each in files[1:]:
        each.unlink()
    note, = note_at(tmp_path, FRAMES, 2)
    assert note.startswith(MOTION.partition("{")[0] + "frame ")


def test_frames_on_disk_that_are_not_baked_count_without_gaps(scene, tmp_path):
    """Four files of six frames were taken for the first four."""
    cache, = caches_of(bpy.data.objects["A"].modifiers.new("Cloth", "CLOTH"))
    cache.frame_end, cache.use_disk_cache = FRAMES, True
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
    bpy.ops.wm.save_mainfile()
    assert last_without_gaps(cache, bpy.data.objects["A"]) == FRAMES
    assert simulation_that_is_not_baked(bpy.context) is None
    next((tmp_path / "blendcache_scene").glob("*_000003_00.bphys")).unlink()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    each = bpy.data.objects["A"]
    cache, = caches_of(each.modifiers[0])
    assert last_without_gaps(cache, each) == 2 and simulation_that_is_not_baked(bpy.context) == "A"
    bpy.context.scene.frame_set(5)
    assert api.detect().unsure


def painted(canvas, brush):
    """Dynamic paint: what a brush goes through is pressed in, more in each frame."""
    found = {}
    for each, kind in ((canvas, "CANVAS"), (brush, "BRUSH")):
        found[kind] = each.modifiers.new("Paint", "DYNAMIC_PAINT")
        found[kind].ui_type = kind
        with bpy.context.temp_override(object=each, active_object=each):
            bpy.ops.dpaint.type_toggle(type=kind)
    surface = found["CANVAS"].canvas_settings.canvas_surfaces[0]
    surface.surface_type, surface.use_incremental_displace = "DISPLACE", True
    return surface


def corners(name):
    evaluated = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [tuple(each.co) for each in evaluated.data.vertices]


def test_dynamic_paint_that_moves_vertices(scene, tmp_path):
    """A frame that was jumped to was tested where it never is."""
    brush = add_cube("Brush", (0.5, 0.5, 0.5))
    surface = painted(bpy.data.objects["A"], brush)
    brush.hide_viewport = False
    surface.point_cache.frame_end = FRAMES
    bpy.ops.wm.save_mainfile()
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
    played = corners("A")
    for path in (tmp_path / "blendcache_scene").glob("*"):
        path.unlink()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    snapshot = read_scene(frame=FRAMES)
    named = {row.name: number for number, row in enumerate(snapshot.rows)}
    tested = snapshot.core.meshes[snapshot.core.objects[named["A"]].mesh].vertices
    assert played != corners("B") and [tuple(each) for each in tested] == played and not snapshot.doubts.unsure


def test_dynamic_paint_that_was_jumped_over(scene):
    surface = painted(bpy.data.objects["A"], add_cube("Brush", (0.5, 0.5, 0.5)))
    surface.point_cache.frame_end = FRAMES
    scene.frame_set(5)
    assert read_scene().doubts.unsure
    surface.surface_type = "PAINT"      # colours alone
    assert not read_scene().doubts.unsure
    bpy.data.objects["A"].modifiers.new("Any", "TRIANGULATE")       # it may depend on these
    assert read_scene().doubts.unsure


@pytest.mark.parametrize("ending", [".bobj.gz", ".obj"])
def test_a_liquid_without_a_surface(ending, scene, tmp_path):
    """Its box was tested without a word. It is in no scene here: the solver in Blender's module for Python ends the
    process."""
    domain = bpy.data.objects.new("Box", bpy.data.objects["A"].data).modifiers.new("Fluid", "FLUID")
    domain.fluid_type = "DOMAIN"
    settings = domain.domain_settings
    settings.domain_type, settings.use_mesh, settings.cache_type = "LIQUID", True, "MODULAR"
    settings.cache_directory, settings.cache_frame_end = "//liquid", FRAMES
    assert note_shown_at(3) == [LIQUID.format("Box")]
    place = tmp_path / "liquid" / "mesh"
    place.mkdir(parents=True)
    (place / f"fluid_mesh_0003{ending}").write_bytes(b"any")
    assert note_shown_at(3) == [] and note_shown_at(4) == [LIQUID.format("Box")]
    settings.cache_frame_offset = 1
    assert note_shown_at(3) == [LIQUID.format("Box")] and note_shown_at(4) == []
    assert note_shown_at(FRAMES + 2) == []      # the box is what everybody sees there
    settings.use_mesh = False
    assert note_shown_at(3) == []


def note_shown_at(frame):
    bpy.context.scene.frame_set(frame)
    return read_scene().doubts.sentences
