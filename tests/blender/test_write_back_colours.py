# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects get the colour of their worst verdict, and their own back to the last bit."""
import random

import bpy
import pytest
from report_building import colour, report_of, told_anew
from scene_building import add_collection_instance, add_cube, new_collection
from test_panels_drawn import read
from touchpoint.addon import api, write_back
from touchpoint.addon.names import COLOUR_BEFORE, COLOUR_GIVEN, SHADING_BEFORE
from touchpoint.addon.panels.detect import TOUCHPOINT_PT_detect
from touchpoint.addon.style import VERDICT_COLOURS

OWN = (0.1, 0.7, 0.3, 0.25)


def coloured_as(each, verdict):
    return colour(each) == pytest.approx((*VERDICT_COLOURS[verdict], 1.0))


@pytest.fixture
def cubes(empty_file):
    """A, B, C and D, each in a colour of its own that no float32 holds exactly."""
    cubes = [add_cube(name, (5 * number, 0, 0)) for number, name in enumerate("ABCD")]
    for number, each in enumerate(cubes):
        each.color = (OWN[0] + 0.1 * number, *OWN[1:])
    return cubes


@pytest.fixture
def own(cubes):
    return [colour(each) for each in cubes]


@pytest.mark.parametrize("verdict", sorted({*VERDICT_COLOURS} - {"touching"}))
def test_each_verdict_has_its_colour(cubes, own, verdict):
    write_back.write(report_of(("A", "B", verdict, 0)))
    assert coloured_as(cubes[0], verdict) and coloured_as(cubes[1], verdict)
    assert [colour(each) for each in cubes[2:]] == own[2:]


def test_objects_that_only_touch_are_coloured_where_that_is_asked_for(cubes, own, registered):
    report = report_of(("A", "B", "touching", 1), ("B", "C", "near", 0))
    write_back.write(report)
    assert coloured_as(cubes[1], "near") and coloured_as(cubes[2], "near")
    assert [colour(cubes[0]), colour(cubes[3])] == [own[0], own[3]]
    bpy.context.scene.touchpoint.show_touching = True
    for each, verdict in zip(cubes, ("touching", "touching", "near")):
        assert coloured_as(each, verdict)
    bpy.context.scene.touchpoint.show_touching = False
    assert colour(cubes[0]) == own[0] and coloured_as(cubes[1], "near")


def test_the_worst_verdict_wins(cubes):
    write_back.write(report_of(("A", "B", "near", 0), ("B", "C", "crossing", 1), ("C", "D", "cannot tell", 0)))
    for each, verdict in zip(cubes, ("near", "crossing", "crossing", "cannot tell")):
        assert coloured_as(each, verdict)


def test_clear_gives_back_every_bit(cubes, own):
    write_back.write(report_of(("A", "B", "crossing", 3), ("C", "D", "near", 0)))
    write_back.clear()
    assert [colour(each) for each in cubes] == own
    assert not any(key in each for each in cubes for key in (COLOUR_BEFORE, COLOUR_GIVEN))


def test_a_rerun_keeps_the_first_colours(cubes, own):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    write_back.write(report_of(("B", "C", "near", 0)))
    assert colour(cubes[0]) == own[0]
    assert coloured_as(cubes[1], "near")
    write_back.clear()
    assert [colour(each) for each in cubes] == own


def test_only_what_gets_another_colour_is_written_to(cubes):
    for pairs, others in (((("A", "B", "crossing"), ("C", "D", "near")), "ABCD"),
                          ((("A", "B", "crossing"), ("C", "D", "near")), ""),
                          ((("A", "B", "crossing"), ("B", "C", "near")), "D"),
                          ((("A", "C", "crossing"), ("B", "D", "near")), "BCD"),
                          ((("A", "C", "crossing"), ("B", "D", "touching")), "BD")):
        report = report_of(*((*pair, 0) for pair in pairs))     # without contacts no empty comes or goes
        assert told_anew(lambda report=report: write_back.write(report), "ABCD") == set(others)


@pytest.mark.parametrize("seed", range(8))
def test_what_stays_as_it_is_could_have_been_written_anew(cubes, own, seed, monkeypatch):
    """Whatever was done to colours and to what is kept of them since, down to the last bit."""
    def do_something():
        each = rng.choice(cubes)
        what = rng.randrange(6)
        if what == 0:
            each.color = rng.choice([OWN, (1, 1, 1, 1), (*rng.choice(list(VERDICT_COLOURS.values())), 1)])
        elif what == 1:
            each[rng.choice([COLOUR_BEFORE, COLOUR_GIVEN])] = rng.choice(["red", [1.0, 2.0], [0.5] * 4, [1] * 4])
        elif what == 2 and COLOUR_BEFORE in each:
            del each[rng.choice([COLOUR_BEFORE, COLOUR_GIVEN])]
        elif what == 3:
            each[COLOUR_GIVEN] = each.color[:]

    def ending():
        rng.seed(seed)
        for each, colour_of_its_own in zip(cubes, own):
            each.color = colour_of_its_own
            for key in (COLOUR_BEFORE, COLOUR_GIVEN):
                each.pop(key, None)
        found = []
        for _ in range(12):
            do_something()
            pairs = [(*rng.sample("ABCD", 2), rng.choice([*VERDICT_COLOURS]), 0) for _ in range(rng.randrange(4))]
            write_back.write(report_of(*pairs))
            found.append([(colour(each), *(list(each[key]) if key in each else None
                                           for key in (COLOUR_BEFORE, COLOUR_GIVEN))) for each in cubes])
        write_back.clear()
        return found, [colour(each) for each in cubes]

    rng = random.Random(seed)
    found = ending()
    monkeypatch.setattr("touchpoint.addon.write_back.colours._is_given", lambda each, colour: False)
    assert ending() == found


def test_a_colour_chosen_since_stays(cubes, own):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    cubes[0].color = (0.0, 1.0, 0.0, 1.0)
    write_back.clear()
    assert colour(cubes[0]) == (0.0, 1.0, 0.0, 1.0)
    assert colour(cubes[1]) == own[1]


def test_a_copy_made_since_gets_the_own_colour_too(cubes, own):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    copy = cubes[0].copy()
    bpy.context.scene.collection.objects.link(copy)
    write_back.clear()
    assert colour(copy) == own[0]


def test_clear_after_saving_and_loading(cubes, own, tmp_path):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert coloured_as(bpy.data.objects["A"], "crossing")
    write_back.clear()
    assert [colour(bpy.data.objects[name]) for name in "ABCD"] == own


def test_materials_are_not_touched(cubes):
    material = bpy.data.materials.new("Paint")
    cubes[0].data.materials.append(material)
    before = tuple(material.diffuse_color)
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert cubes[0].active_material == material and tuple(material.diffuse_color) == before


def test_an_instancer_stands_for_its_instances(cubes):
    pile = new_collection("Pile")
    add_cube("Stone", (0, 0, 0), pile)
    add_cube("Pebble", (0, 0, 0.5), pile)
    heap = add_collection_instance("Heap", pile, (0, 20, 0))
    stone, pebble = "Heap ▸ Stone #1", "Heap ▸ Pebble #1"
    write_back.write(report_of((stone, pebble, "touching", 1), (stone, "A", "crossing", 1)))
    assert coloured_as(heap, "crossing")
    assert colour(bpy.data.objects["Stone"]) == (1.0, 1.0, 1.0, 1.0)


@pytest.fixture
def library(empty_file, tmp_path):
    """Path of a file with the cubes Linked and Overridden."""
    path = str(tmp_path / "library.blend")
    add_cube("Linked")
    add_cube("Overridden")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path


def test_a_linked_object_is_passed_over(library):
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Linked"]
    linked = bpy.data.objects["Linked"]
    bpy.context.scene.collection.objects.link(linked)
    mine = add_cube("Mine")
    write_back.write(report_of(("Linked", "Mine", "crossing", 1)))
    assert colour(linked) == (1.0, 1.0, 1.0, 1.0) and COLOUR_BEFORE not in linked
    assert linked.library is not None and linked.override_library is None
    assert coloured_as(mine, "crossing")


def test_what_keeps_its_colour_is_named_in_the_panel(library, registered, save):
    """As long as it does."""
    def said():
        return bpy.context.scene.touchpoint.result.uncoloured

    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Linked"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Linked"])
    settings = bpy.context.scene.touchpoint
    cloths = [add_cube(name) for name in ("Flag", "Sail")]
    for each in cloths:
        each.modifiers.new("Cloth", "CLOTH")
    add_cube("Mine")
    write_back.write(report_of(("Flag", "Mine", "crossing", 1), ("Sail", "Mine", "touching", 1)))
    assert said() == "Not coloured: Flag (another one would begin the simulation anew)"
    assert said() in [text for _, text in read(TOUCHPOINT_PT_detect)]
    settings.show_touching = True
    assert said() == "Not coloured: Flag, Sail (another one would begin the simulation anew)"
    settings.colour_objects = False
    assert said() == ""
    bpy.ops.wm.open_mainfile(filepath=str(save()))
    bpy.context.scene.touchpoint.colour_objects = True
    assert said() == "Not coloured: Flag, Sail (another one would begin the simulation anew)"
    write_back.write(report_of(("Linked", "Mine", "crossing", 1)))
    assert said() == "Not coloured: Linked (linked objects cannot be changed)"
    write_back.write(report_of(("Mine", "Flag", "near", 1)))
    bpy.data.objects["Flag"].modifiers.clear()
    bpy.context.scene.touchpoint.colour_near = (0.0, 1.0, 1.0)
    assert said() == "" and colour(bpy.data.objects["Flag"]) == (0.0, 1.0, 1.0, 1.0)


def test_a_library_override_is_coloured_and_restored(library):
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.objects = ["Overridden"]
    override = bpy.data.objects["Overridden"].override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(override)
    add_cube("Mine")
    write_back.write(report_of(("Overridden", "Mine", "crossing", 1)))
    assert coloured_as(override, "crossing")
    write_back.clear()
    assert colour(override) == (1.0, 1.0, 1.0, 1.0) and COLOUR_BEFORE not in override
    assert override.override_library is not None


def test_a_deleted_object_is_passed_over(cubes):
    report = report_of(("A", "B", "crossing", 1), ("C", "D", "near", 0))
    bpy.data.objects.remove(cubes[0])
    write_back.write(report)
    assert coloured_as(cubes[1], "crossing") and coloured_as(cubes[3], "near")


def test_a_renamed_object_is_found_and_its_namesake_is_not(cubes):
    report = report_of(("A", "B", "crossing", 1))
    cubes[0].name = "Renamed"
    namesake = add_cube("A")
    write_back.write(report)
    assert coloured_as(cubes[0], "crossing")
    assert colour(namesake) == (1.0, 1.0, 1.0, 1.0)


@pytest.fixture
def views(cubes):
    """3D viewports of the window, the first in solid mode with random colours."""
    bpy.ops.wm.read_factory_settings()
    add_cube("A"), add_cube("B")
    screen = bpy.context.window_manager.windows[0].screen
    views = [space for area in screen.areas for space in area.spaces if space.type == "VIEW_3D"]
    views[0].shading.type, views[0].shading.color_type = "SOLID", "RANDOM"
    return views


def test_viewports_show_the_colours_until_clear(views):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert views[0].shading.color_type == "OBJECT"
    write_back.clear()
    assert views[0].shading.color_type == "RANDOM"
    assert not any(SHADING_BEFORE in screen for screen in bpy.data.screens)


def test_a_viewport_in_another_mode_is_left_alone(views):
    views[0].shading.type = "WIREFRAME"
    write_back.write(report_of(("A", "B", "crossing", 1)))
    assert views[0].shading.color_type == "RANDOM" and views[0].shading.type == "WIREFRAME"


def test_a_viewport_changed_since_is_left_alone(views):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    views[0].shading.color_type = "SINGLE"
    write_back.clear()
    assert views[0].shading.color_type == "SINGLE"


def test_viewports_follow_when_nothing_collides_any_more(views):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    write_back.write(report_of())
    assert views[0].shading.color_type == "RANDOM"


def test_viewports_are_restored_in_a_saved_file(views, tmp_path):
    write_back.write(report_of(("A", "B", "crossing", 1)))
    path = str(tmp_path / "file.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=True)
    write_back.clear()
    types = {space.shading.color_type for screen in bpy.data.screens for area in screen.areas for space in area.spaces
             if space.type == "VIEW_3D"}
    assert "RANDOM" in types and "OBJECT" not in types


@pytest.fixture
def of_another_scene(cubes):
    """A and B, coloured by the result of a scene that shares them, and then taken out of it."""
    here, other = bpy.context.scene, bpy.data.scenes.new("Other")
    for each in cubes:
        other.collection.objects.link(each)
    window = bpy.context.window
    window.scene = other
    first, second = (report_of(("A", "B", verdict, 1), ("C", "D", "near", 0)) for verdict in ("crossing", "contained"))
    write_back.write(first)
    for each in cubes[:2]:
        other.collection.objects.unlink(each)
    yield other, second
    window.scene = here


def test_what_is_in_another_scene_by_now_is_passed_over(cubes, own, of_another_scene):
    """Its own colour was forgotten: the one of the first result was taken for it."""
    other, second = of_another_scene
    write_back.write(second)
    assert coloured_as(cubes[0], "crossing") and coloured_as(cubes[2], "near")
    write_back.clear()
    assert [colour(each) for each in cubes] == own


def test_the_list_colours_nothing_of_another_scene(cubes, own, registered, of_another_scene):
    other, second = of_another_scene
    write_back.write(second)
    write_back.show_listed_colours(other)
    assert coloured_as(cubes[0], "crossing") and coloured_as(cubes[2], "near")
    write_back.clear()
    assert [colour(each) for each in cubes] == own


def test_an_animation_colours_nothing_of_another_scene(cubes, own, registered):
    cubes[1].location = (0.5, 0.3, 0.2)
    here, other = bpy.context.scene, bpy.data.scenes.new("Other")
    for each in cubes:
        other.collection.objects.link(each)
    bpy.context.window.scene = other
    report = api.check_animation((1, 2), threads=1)
    api.write_back(report)
    assert coloured_as(cubes[0], "crossing")
    other.collection.objects.unlink(cubes[0])
    api.write_back(report)
    assert coloured_as(cubes[0], "crossing") and coloured_as(cubes[1], "crossing")
    api.clear()
    bpy.context.window.scene = here
    assert [colour(each) for each in cubes] == own
