# SPDX-License-Identifier: GPL-3.0-or-later
"""Where 3D viewports look from when a row is chosen, and the way back."""
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector
from scene_building import add_cube, edit
from touchpoint.addon.chosen import Chosen, chosen_in, places_of
from touchpoint.addon.overlay.drawing import beside
from touchpoint.addon.overlay.room import WHOLE, room_of, share_of
from touchpoint.addon.views import framing, gliding
from touchpoint.addon.views.framing import aside, distance_for, leave_camera, view_area
from touchpoint.addon.views.gliding import Place, glide, views_of
from touchpoint.addon.views.obstruction import ONE_UNSEEN, Sight
from touchpoint.addon.views.sides import ENOUGH, best_side, candidates, samples_of

UP = np.array((0.0, 0.0, 1.0))


def always():
    return True


def test_the_current_side_is_kept_where_enough_is_seen():
    assert best_side(UP, lambda side: ENOUGH, always) is UP


def test_the_nearest_side_that_sees_all_is_taken():
    found = best_side(UP, lambda side: float(side[0] > 0.3), always)
    turns = [np.degrees(np.arccos(side @ UP)) for side in candidates() if side[0] > 0.3]
    assert found[0] > 0.3 and np.degrees(np.arccos(found @ UP)) == pytest.approx(min(turns))


def test_one_looks_from_below_only_where_nothing_else_helps():
    assert best_side(UP, lambda side: float(side[2] < 0.0), always)[2] < 0.0
    assert best_side(UP, lambda side: 0.25 + 0.1 * (side[2] < 0.0), always) is UP


def test_when_time_is_up_the_best_so_far_is_taken():
    asked = []
    assert best_side(UP, lambda side: asked.append(side) or 0.0, lambda: len(asked) < 3) is UP
    assert len(asked) == 3


def test_sides_and_samples():
    assert np.linalg.norm(candidates(), axis=1) == pytest.approx(1.0)
    points = np.arange(300.0).reshape(100, 3)
    assert samples_of(points)[[0, -1]].tolist() == points[[0, -1]].tolist() and len(samples_of(points)) == 8
    assert samples_of(points[:3]).tolist() == points[:3].tolist()


@pytest.fixture
def wall(empty_file):
    """A wall at x = 3, looked at from x = 9."""
    made = add_cube("Wall", (3, 0, 0))
    made.scale = (0.1, 5, 5)
    bpy.context.view_layer.update()
    return made


def seen(side, distance=9.0, **how):
    """Of the origin."""
    space = view_area(bpy.context).spaces.active
    return Sight(bpy.context, space, np.zeros((1, 3)), (0, 0, 0), 1.0, **how).seen(np.array(side, float), distance)


def test_walls_hide(wall):
    assert seen((1, 0, 0)) == -1.0 and seen((0, 0, 1)) == 1.0
    assert seen((1, 0, 0), distance=2.0) == 1.0         # the eye is before the wall
    assert seen((1, 0, 0), own=[wall]) == 0.0 and seen((1, 0, 0), own=[wall], through_own=True) == 1.0
    wall.display_type = "WIRE"
    assert seen((1, 0, 0)) == 1.0
    second = add_cube("Second", (6, 0, 0))
    bpy.context.view_layer.update()
    assert seen((1, 0, 0)) == -1.0
    wall.display_type = "TEXTURED"
    assert seen((1, 0, 0), own=[wall]) == -1.0          # behind the object itself there is another one
    assert seen((1, 0, 0), own=[wall, second]) == 0.0


def test_both_objects_are_to_be_seen(empty_file):
    """Where they come closest is seen from over the one, which hides the other."""
    own = [add_cube("Behind"), add_cube("Before", (3, 0, 0))]
    add_cube("Glass", (5, 0, 0)).display_type = "WIRE"
    bpy.context.view_layer.update()

    def worth(side, **how):
        sight = Sight(bpy.context, None, np.array([(1.5, 0, 2.0)]), (1.5, 0, 0), 3.0, **how)
        return sight.seen(np.array(side, float), 9.0)

    assert worth((1, 0, 0)) == worth((0, 1, 0)) == 1.0
    assert worth((1, 0, 0), own=own) == ONE_UNSEEN < ENOUGH and worth((0, 1, 0), own=own) == 1.0
    assert worth((-1, 0, 0), own=own) == ONE_UNSEEN
    beside = Sight(bpy.context, None, np.array([(1.5, 0, 2.0)]), (1.5, 0, 0), 3.0, own)
    assert beside.seen(np.array((1.0, 0.0, 0.0)), 9.0, np.array((0.0, 6.0, 0.0))) == 1.0
    own[0].scale = (1, 1, 5)        # it stands out
    bpy.context.view_layer.update()
    assert worth((1, 0, 0), own=own) == 1.0
    assert worth((1, 0, 0), own=own[:1] * 2) == worth((1, 0, 0), own=[own[0], None]) == 1.0


@pytest.mark.parametrize("perspective", ["PERSP", "CAMERA", "ORTHO"])
def test_a_framed_sphere_fills_the_view(perspective):
    is_perspective = perspective != "ORTHO"
    view = SimpleNamespace(view_perspective=perspective, is_perspective=is_perspective, view_distance=4.0,
                           window_matrix=[[0.5, 0, 0, 0], [0, 2.0, 0, 0]])
    leave_camera(view)
    distance = distance_for(view, 10.0)
    assert view.view_perspective != "CAMERA"
    if is_perspective:      # the sphere touches the narrower half angle, whose tangent is 1 / 2.0
        assert 10.0 / distance < 1 / 5 ** 0.5 < 13.0 / distance
    else:                   # half a height of 1 / 2.0 at distance 4 becomes a little more than 10
        assert 10.0 < (1 / 2.0) * distance / 4.0 < 13.0


def covered(area_width, region, **others):
    """What is left of a region (x, width) of an area that begins at 100, by type what else there is, (x, width)."""
    regions = [SimpleNamespace(type=kind, x=x, width=width) for kind, (x, width) in others.items()]
    return room_of(SimpleNamespace(x=100, width=area_width, regions=regions),
                   SimpleNamespace(x=region[0], width=region[1]))


def test_what_sidebars_leave_of_a_view():
    closed = {"TOOLS": (100, 1), "UI": (1099, 1), "HEADER": (100, 1000)}
    assert covered(1000, (100, 1000), **closed) == (0, 1000)
    open_ = {"TOOLS": (100, 50), "UI": (800, 300)}
    assert covered(1000, (100, 1000), **open_) == (50, 700)
    assert covered(1000, (100, 500), **open_) == (50, 500) and covered(1000, (600, 500), **open_) == (0, 200)   # quad
    assert covered(1000, (150, 650), **open_) == (0, 650)           # they lie beside it
    assert covered(1000, (100, 1000), TOOLS=(1050, 50), UI=(100, 300)) == (300, 950)        # turned round
    assert covered(1000, (600, 500), UI=(610, 490)) == (0, 500)     # nothing is left


@pytest.mark.parametrize("share", [WHOLE, (-0.9, 0.6), (-0.5, 1.0), (-1.0, -0.3), (0.2, 0.9)])
@pytest.mark.parametrize("is_perspective", [True, False])
@pytest.mark.parametrize("scales", [(0.9, 1.6), (1.5, 1.2)])
def test_what_is_framed_is_seen_beside_sidebars(share, is_perspective, scales):
    """Its outline, as the view has it once it was put there."""
    view = SimpleNamespace(is_perspective=is_perspective, view_distance=4.0,
                           window_matrix=[[scales[0], 0, 0, 0], [0, scales[1], 0, 0]])
    distance = distance_for(view, 10.0, share)
    x = aside(view, distance, 10.0, share)
    if is_perspective:
        across, high = (each * np.array([x - 10.0, x + 10.0]) / distance for each in scales)
    else:
        across, high = (each * 4.0 / distance * np.array([x - 10.0, x + 10.0]) for each in scales)
    assert share[0] < across[0] < across[1] < share[1] and (high[1] - high[0]) / 2 < 1.0
    assert (across[1] - across[0]) / (share[1] - share[0]) > 0.6 or (high[1] - high[0]) / 2 > 0.6      # and fills it
    if share == WHOLE:
        assert x == 0.0


def test_a_row_is_framed_beside_the_sidebar(shown, monkeypatch):
    """Half of the view is covered, and the pair stands in the other half."""
    assert share_of(shown, shown.spaces.active.region_3d) == pytest.approx((2 * 56 / region_of(shown).width - 1, 1.0))
    monkeypatch.setattr(framing, "share_of", lambda *_: (-1.0, 0.0))
    look_from(shown, (0, -1, 0.2))
    settings = bpy.context.scene.touchpoint
    pair = next(pair for pair in settings.result.pairs if pair.object_a == "C")
    settings.pair_index = pair.index
    view, there = shown.spaces.active.region_3d, place(shown)
    right = (Vector(pair.centre) - there.location).dot(there.rotation @ Vector((1, 0, 0)))
    seen = view.window_matrix[0][0] * (right + pair.radius * np.array([-1, 1])) / there.distance
    assert -1.0 < seen[0] < seen[1] < 0.0


def test_a_number_stands_where_there_is_room_for_it():
    ends = [(200.0, 30.0), (100.0, 20.0)]
    assert beside(ends, 80.0, (0.0, 400.0), 10.0) == (210.0, 30.0)
    assert beside(ends, 80.0, (0.0, 280.0), 10.0) == (10.0, 20.0)
    assert beside(ends, 80.0, (20.0, 280.0), 10.0) == (210.0, 30.0)         # on neither side


def region_of(area):
    return next(each for each in area.regions if each.type == "WINDOW")


def test_places_between():
    start = Place(Vector((0, 0, 0)), Quaternion((1, 0, 0, 0)), 1.0)
    end = Place(Vector((2, 0, 0)), Quaternion((0, 0, 0, 1)), 16.0)
    half = start.towards(end, 0.5)
    assert half.location[0] == 1.0 and half.distance == pytest.approx(4.0)
    assert half.rotation.angle == pytest.approx(np.pi / 2)
    assert start.towards(end, 1.0).is_like(end) and not start.is_like(end) and not half.is_like(end)


@pytest.fixture
def shown(registered):
    """A and B cross behind a wall, and C crosses D far away; Detect was run. The area of a 3D view."""
    add_cube("A"), add_cube("B", (1, 0.25, 0.5)), add_cube("C", (50, 0, 0)), add_cube("D", (51, 0.25, 0.5), size=1.9)
    wall = add_cube("Wall", (5, 0, 0))
    wall.scale = (0.1, 20, 20)
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    assert len(bpy.context.scene.touchpoint.result.pairs) == 2
    return view_area(bpy.context)


def place(area):
    return Place.of(views_of(area.spaces.active)[0])


def look_from(area, side):
    view = area.spaces.active.region_3d
    view.view_rotation, view.view_distance = Vector(side).to_track_quat("Z", "Y"), 30.0
    return place(area)


def direction(area):
    return place(area).rotation @ Vector((0, 0, 1))


def test_a_row_is_seen_past_the_wall(shown):
    settings = bpy.context.scene.touchpoint
    near, far = ([{pair.object_a, pair.object_b} for pair in settings.result.pairs].index(pair)
                 for pair in ({"A", "B"}, {"C", "D"}))
    start = look_from(shown, (-0.6, -0.8, 0.7)).rotation
    settings.pair_index = far           # nothing stands before it
    assert place(shown).rotation == start and place(shown).location.x == pytest.approx(50.5, abs=0.5)
    look_from(shown, (1, 0, 0))
    settings.pair_index = near
    assert place(shown).location.x == pytest.approx(0.5, abs=0.01)
    turned = direction(shown)
    assert turned.x < 0.95 and turned.z > 0.0
    places = places_of(bpy.context.scene, Chosen(settings.result.run_id, near))
    asked = Sight(bpy.context, shown.spaces.active, places, (0.5, 0.125, 0.25), 2.0,
                  [bpy.data.objects[name] for name in "AB"])
    assert asked.seen(np.array(turned), place(shown).distance) > 0.3
    assert asked.seen(np.array((1.0, 0.0, 0.0)), 30.0) == -1.0


def test_one_does_not_look_out_of_an_object(shown):
    """A crate flush on a thick slab, with another one before it: from inside the slab one would see where they meet."""
    for each in bpy.data.objects:
        each.hide_set(True)
    add_cube("Slab", (200, 0, -10), size=20.0)
    add_cube("Crate", (200, 0, 0.5), size=1.0)
    add_cube("Before", (202, 0, 0.75), size=1.4)
    bpy.context.view_layer.update()
    bpy.ops.touchpoint.detect()
    settings = bpy.context.scene.touchpoint
    index = [{pair.object_a, pair.object_b} for pair in settings.result.pairs].index({"Slab", "Crate"})
    look_from(shown, (1, 0, 0.1))
    settings.pair_index = index
    assert direction(shown).x < 0.9 and direction(shown).z > 0.0


def test_back(shown):
    settings, objects = bpy.context.scene.touchpoint, bpy.context.view_layer.objects
    with pytest.raises(RuntimeError, match="No pair was chosen"):
        bpy.ops.touchpoint.go_back()
    start = look_from(shown, (1, 0, 0))
    bpy.data.objects["Wall"].select_set(True)
    objects.active = bpy.data.objects["C"]
    for index in (0, 1):
        settings.pair_index = index
    assert not place(shown).is_like(start)
    assert bpy.ops.touchpoint.go_back() == {"FINISHED"}
    assert place(shown).is_like(start) and settings.pair_index == -1
    assert [each.name for each in objects.selected] == ["Wall"] and objects.active.name == "C"
    assert not bpy.ops.touchpoint.go_back.poll()


def test_back_leaves_edit_mode_open(shown):
    bpy.context.scene.touchpoint.pair_index = 0
    edit(bpy.data.objects["Wall"])
    bpy.ops.touchpoint.go_back()
    assert bpy.context.mode == "EDIT_MESH"


def test_another_file_has_nothing_to_go_back_to(shown):
    bpy.context.scene.touchpoint.pair_index = 0
    assert bpy.ops.touchpoint.go_back.poll()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not bpy.ops.touchpoint.go_back.poll()


def test_from_pair_to_pair(shown):
    settings = bpy.context.scene.touchpoint
    assert bpy.ops.touchpoint.previous_pair() == {"FINISHED"} and settings.pair_index == 1
    settings.pair_index = -1
    assert bpy.ops.touchpoint.next_pair() == {"FINISHED"} and settings.pair_index == 0
    names = {each.name for each in bpy.context.selected_objects}
    assert bpy.ops.touchpoint.next_pair() == {"FINISHED"} and settings.pair_index == 1
    assert {each.name for each in bpy.context.selected_objects}.isdisjoint(names)
    assert bpy.ops.touchpoint.next_pair() == {"CANCELLED"} and settings.pair_index == 1
    assert bpy.ops.touchpoint.previous_pair() == {"FINISHED"} and settings.pair_index == 0
    settings.show_verdict = "touching"
    assert bpy.ops.touchpoint.next_pair() == {"CANCELLED"}


def test_after_a_change_the_selection_is_framed(shown):
    settings = bpy.context.scene.touchpoint
    bpy.data.objects["A"].location.z = 30
    bpy.context.view_layer.update()
    settings.pair_index = [{pair.object_a, pair.object_b} for pair in settings.result.pairs].index({"A", "B"})
    assert chosen_in(bpy.context.scene) is None and len(bpy.context.selected_objects) == 2


def test_a_view_glides_unless_somebody_moves_it(shown, monkeypatch):
    monkeypatch.setattr(bpy.app.timers, "is_registered", lambda function: True, raising=False)
    view, now = shown.spaces.active.region_3d, [0.0]
    start, end = Place.of(view), Place(Vector((7, 8, 9)), Quaternion((0, 1, 0, 0)), 3.0)
    monkeypatch.setattr(gliding, "_glides", [])
    glide(shown, [end])
    assert place(shown).is_like(end)            # at once, as there is no window
    start.put(view)
    gliding._glides[:] = [gliding._Glide(shown.as_pointer(), 0, Place.of(view), end, Place.of(view))]
    monkeypatch.setattr(gliding, "_seconds", 1.0)
    monkeypatch.setattr(gliding, "_began", 0.0)
    monkeypatch.setattr(gliding.time, "perf_counter", lambda: now[0])
    for now[0] in (0.25, 0.5):
        assert gliding._tick() == gliding.TICK_SECONDS
    assert (place(shown).location - (start.location + end.location) / 2).length < 1e-5
    now[0] = 2.0
    assert gliding._tick() is None and place(shown).is_like(end)
    gliding._glides[:] = [gliding._Glide(shown.as_pointer(), 0, Place.of(view), start, Place.of(view))]
    view.view_location = (1, 1, 1)
    now[0] = 0.5
    assert gliding._tick() is None and view.view_location == Vector((1, 1, 1))
