# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that are not baked: whatever frame is asked for, it is what it is when it is played, and so are all
frames that are played afterwards. Where Blender's cache was wrong before, a doubt says so."""
import json

import bpy
import moving_things
import pytest
from command_line import run
from moving_nodes import simulation_nodes
from moving_things import cloth, cloth_in_a_wind, particles_that_show_an_object, rigid_bodies, soft_body
from run_pumping import pump_until
from scene_building import add_cube
from test_everything_that_moves import objects_of
from touchpoint.addon import api, session
from touchpoint.addon.animation.run import AnimationRun
from touchpoint.addon.names import COLOUR_BEFORE
from touchpoint.addon.scene_read import read_scene
from touchpoint.addon.workers.simulations import simulation_that_is_not_baked
from touchpoint.core import Cancelled

LAST = 12


def dynamic_hair():
    """That shows an object, on an emitter that moves."""
    particles_that_show_an_object()
    source = bpy.data.objects["Source"]
    hair = source.particle_systems[0].settings
    hair.type, hair.use_advanced_hair = "HAIR", True
    source.particle_systems[0].use_hair_dynamics = True
    moving_things.keyed(source, "location", (0, 0, 1.2), (1, 0.5, 0.9))


# Without `cloth_in_a_wind`: where its strength is keyed, Blender does not always say the same of a frame.
THINGS = {make.__name__: make for make in (cloth, soft_body, rigid_bodies, dynamic_hair, particles_that_show_an_object,
                                           simulation_nodes)}


def built(make):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    add_cube("Rest")
    add_cube("Block", (0.4, 0.3, 1.4))
    make()
    bpy.context.scene.frame_set(1)


def played(*frames):
    """What is shown in these frames. The first one of a particle is another one when it is shown again."""
    seen = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        if frame > 1:
            seen[frame] = objects_of(read_scene())
    return seen


@pytest.fixture(params=THINGS)
def thing(request, empty_file):
    """What it is in frames that are played, and its builder, which was called again."""
    make = THINGS[request.param]
    built(make)
    seen = played(*range(1, LAST + 1))
    assert seen[2] != seen[LAST], "nothing has moved: the test tells nothing"
    built(make)
    return seen, make


def test_a_frame_that_is_far_away(thing):
    seen, _ = thing
    snapshot = read_scene(frame=10)
    assert objects_of(snapshot) == seen[10] and not snapshot.doubts.sentences
    assert bpy.context.scene.frame_current == 1
    assert played(*range(1, LAST + 1)) == seen, "its cache is spoiled"


@pytest.mark.parametrize("frames, step", [((6, 10), 1), ((1, 10), 3), ((-4, 4), 1), ((2, 5), 0.5)])
def test_an_animation(thing, frames, step, monkeypatch):
    """From the middle on, with frames left out, from before the first one, and with parts of frames."""
    seen, _ = thing
    found, note = {}, AnimationRun._note
    monkeypatch.setattr(AnimationRun, "_note", lambda self, snapshot: (
        found.update({snapshot.frame: objects_of(snapshot)}), note(self, snapshot)))
    report = api.check_animation(frames, step=step)
    assert not report.unsure and report.frames[0] == frames[0]
    whole = {frame: objects for frame, objects in found.items() if frame in seen}
    assert whole == {frame: seen[frame] for frame in whole} and len(whole) > 2
    assert played(*range(1, LAST + 1)) == seen, "its cache is spoiled"


def test_after_it_was_played_in_part(thing):
    """Blender calls its cache inexact then, and it is not."""
    seen, _ = thing
    played(*range(1, 6), *range(1, 9))
    assert not api.detect().unsure and not api.check_animation((1, LAST)).unsure
    assert objects_of(read_scene(frame=LAST)) == seen[LAST]


@pytest.mark.parametrize("make", [cloth, cloth_in_a_wind, dynamic_hair, soft_body, rigid_bodies],
                         ids=lambda make: make.__name__)
def test_a_frame_that_somebody_has_jumped_to(make):
    built(make)
    owner = {"rigid_bodies": "Falling", "dynamic_hair": "Source", "soft_body": "Jelly"}.get(make.__name__, "Cloth")
    bpy.context.scene.frame_set(10)
    report = api.detect()
    said, = report.doubts
    assert said.startswith(f"The simulation of {owner} is not baked") and report.unsure and report.exit_code() in (1, 2)


def test_a_cache_that_was_wrong_before():
    """Going through all frames does not put it right."""
    built(cloth_in_a_wind)
    right = played(*range(1, LAST + 1))
    built(cloth_in_a_wind)
    bpy.context.scene.frame_set(10)
    assert objects_of(read_scene(frame=5)) != right[5], "nothing is wrong: the test tells nothing"
    assert api.detect(frame=5).unsure and api.check_animation((1, 5)).unsure
    bpy.context.scene.frame_set(1)
    assert not api.detect().unsure


def test_no_doubt_about_what_does_not_depend_on_frames():
    built(cloth)
    bpy.data.objects["Cloth"].hide_viewport = True      # of nobody's concern
    bpy.context.view_layer.objects.active = bpy.data.objects["Rest"]
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    particles_that_show_an_object()
    bpy.data.particles[0].physics_type = "NO"
    bpy.context.scene.frame_set(10)
    assert not api.detect().unsure and simulation_that_is_not_baked(bpy.context) is None
    bpy.data.particles[0].physics_type = "NEWTON"
    bpy.context.scene.frame_set(11)
    assert api.detect().unsure and simulation_that_is_not_baked(bpy.context) == "Source"


def test_a_hidden_simulation_that_bends_something():
    built(cloth)
    bpy.data.objects["Cloth"].hide_set(True)
    bpy.data.objects["Block"].modifiers.new("Wrap", "SHRINKWRAP").target = bpy.data.objects["Cloth"]
    bpy.context.scene.frame_set(10)
    assert api.detect().unsure


def test_what_is_baked(thing):
    """No frame is shown but the one that is asked for."""
    seen, make = thing
    if make in (simulation_nodes, dynamic_hair):
        pytest.skip("does not tell, or bakes nothing here")
    bpy.context.scene.frame_end = LAST
    if bpy.context.scene.rigidbody_world:
        bpy.context.scene.rigidbody_world.point_cache.frame_end = LAST
    bpy.ops.ptcache.bake_all(bake=True)
    shown = []
    bpy.app.handlers.frame_change_pre.append(lambda scene, *_: shown.append(scene.frame_current))
    bpy.context.scene.frame_set(1)
    shown.clear()
    snapshot = read_scene(frame=10)
    bpy.app.handlers.frame_change_pre.clear()
    assert shown == [10, 1] and not snapshot.doubts.sentences
    assert objects_of(snapshot).keys() == seen[10].keys()


def test_it_can_be_cancelled_on_the_way():
    built(cloth)
    run = AnimationRun(None, {}, (200.0, 201.0), "touchpoint")
    pump_until(run, lambda: bpy.context.scene.frame_current >= 3)
    run.cancel()
    with pytest.raises(Cancelled):
        while not run.pump(0.1):
            pass
    assert bpy.context.scene.frame_current == 1


def test_the_command_line(save, tmp_path):
    """A soft body that falls through a floor, above which it is in the beginning."""
    built(soft_body)
    bpy.data.objects["Rest"].location.z, bpy.data.objects["Block"].location.z = -9, 9
    add_cube("Floor", (0, 0, -0.3))
    path = save()
    for arguments, code in ((("detect", path, "--frame", 2), 0), (("detect", path, "--frame", 12), 1),
                            (("animation", path, "--frames", "12:13"), 1)):
        assert run(*arguments, "--json", tmp_path / "report.json") == code
        assert not json.loads((tmp_path / "report.json").read_text())["notes"]


@pytest.mark.parametrize("make", THINGS.values(), ids=lambda make: make.__name__)
def test_a_file_that_was_saved_in_a_later_frame(make, save, tmp_path, registered):
    """Blender opens it there, and has gone through no frame: commands do."""
    built(make)
    played(*range(1, 11))
    bpy.context.scene.touchpoint.tests.add().name = "Now"
    path, seen = save(), []
    for arguments in ((), ("--frame", 10), ("--test", "Now")):
        assert run("detect", path, "--json", tmp_path / "report.json", *arguments) in (0, 1)
        said = json.loads((tmp_path / "report.json").read_text())
        said = said["reports"][0]["report"] if "reports" in said else said
        seen.append([(each["a"], each["b"], each["verdict"], each["contacts"]) for each in said["pairs"]])
        assert not said["notes"]
    assert seen[0] == seen[1] == seen[2]


def test_workers_go_through_simulation_nodes(save, tmp_path):
    built(simulation_nodes)
    path = save()
    for name, arguments in (("one", ()), ("two", ("--workers", 2))):
        assert run("animation", path, "--frames", "1:70", "--json", tmp_path / name, *arguments) == 1
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("animated", [False, True])
@pytest.mark.parametrize("make", [cloth, soft_body, particles_that_show_an_object, dynamic_hair],
                         ids=lambda make: make.__name__)
def test_results_leave_it_alone(make, animated, registered):
    """Also when colours follow the frames, and after Clear."""
    built(make)
    seen = played(*range(1, LAST + 1))
    built(make)
    played(*range(1, 7))
    report = api.check_animation((1, 6)) if animated else api.detect()
    owners = {"Cloth", "Jelly", "Source"}
    assert any(owners & {each.name.split(" ")[0] for each in report.objects} for _ in report.pairs)
    api.write_back(report)
    assert bpy.data.objects["Block"].keys(), "nothing is coloured: the test tells nothing"
    after = played(*range(7, 10))
    api.clear()
    after |= played(*range(10, LAST + 1))
    names = seen[LAST].keys()
    assert {frame: {name: each[name] for name in names & each.keys()} for frame, each in after.items()} == {
        frame: {name: seen[frame][name] for name in names & seen[frame].keys()} for frame in after}


def test_rigid_bodies_are_coloured(registered):
    """What comes into the scene outdates their cache in any case; they go on as before."""
    built(rigid_bodies)
    seen = played(*range(1, LAST + 1))
    built(rigid_bodies)
    played(*range(1, 7))
    bpy.data.objects["Block"].location = bpy.data.objects["Falling"].matrix_world.translation
    api.write_back(api.detect())
    assert COLOUR_BEFORE in bpy.data.objects["Falling"]
    after = played(*range(7, LAST + 1))
    assert {frame: each["Falling"] for frame, each in after.items()} == {
        frame: seen[frame]["Falling"] for frame in after}


def test_the_frame_of_a_named_test(registered):
    """Show goes to it, and stays there."""
    built(cloth)
    seen = played(*range(1, LAST + 1))
    built(cloth)
    scene = bpy.context.scene
    item = scene.touchpoint.tests.add()
    item.name, item.frames, scene.touchpoint.test_index = "Late", "10", 0
    bpy.ops.touchpoint.show_test()
    assert scene.frame_current == 10 and not session.report_of(scene).unsure
    assert played(*range(1, LAST + 1)) == seen, "its cache is spoiled"
