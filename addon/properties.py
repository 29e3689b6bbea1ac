# SPDX-License-Identifier: GPL-3.0-or-later
"""What is saved with a scene (`Scene.touchpoint`): settings and the last result; and what is not
(`WindowManager.touchpoint`): the run that is going on."""
import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..core import TouchpointError
from . import method_properties, own_properties, preferences, session
from .animation.properties import CLASSES as ANIMATION_CLASSES
from .animation.properties import TOUCHPOINT_PG_animation, TOUCHPOINT_PG_marker
from .classes import register_all, unregister_all
from .default_colours import VERDICT_COLOURS, colour_property
from .live import engine
from .method_properties import TOUCHPOINT_PG_compared_methods
from .named_tests.properties import CLASSES as TEST_CLASSES
from .named_tests.properties import TOUCHPOINT_PG_test
from .overlay import drawing, heat
from .phrases import VERDICT_TITLES
from .question_properties import Question
from .rows.groups import GROUPING_ITEMS
from .rows.kept import rows_of
from .rows.properties import CLASSES as LIST_CLASSES
from .rows.properties import TOUCHPOINT_PG_listed
from .rows.shown import ORDERS, SHOWN_VERDICTS, groups_in, page_of, put_in_groups_again, turn_to
from .rows.table import Rows
from .rules.properties import CLASSES as RULE_CLASSES
from .rules.properties import LEARN_ITEMS, RuleList
from .self_reference_properties import self_reference_frame_property, self_reference_property
from .style import EMPTIES, POINTS, colour_of

# Files keep the numbers.
SCOPE_ITEMS: tuple = (
    ("VISIBLE", "Visible", "Test all visible objects of the view layer against each other", 0),
    ("SELECTED", "Selected", "Test the selected objects against each other", 1),
    ("OTHERS", "Against Others", "Test the selected objects against all other visible ones", 3),
    ("COLLECTIONS", "Collections", "Test the objects of one collection against those of another", 2),
)


def _show_active_pair(settings, context) -> None:
    from .operators.select_pair import show_pair
    heat.follow(settings.result.run_id, settings.pair_index)
    if not session.is_writing():
        turn_to(settings.id_data, settings.pair_index)
        show_pair(context, settings.result, settings.pair_index)


def _show_compared_pair(row, context) -> None:
    from .operators.select_pair import show_pair

    if not session.is_writing():
        show_pair(context, row, row.pair_index)


def _shown_again_by(*parts: str):
    """An update callback: show parts of the last result again, as the settings now ask for."""
    def update(settings, _context) -> None:
        for part in parts:
            _show_again(settings.id_data, part)
    return update


def _show_again(scene, part: str) -> None:
    from . import write_back

    report = session.report_of(scene)
    with write_back.own_changes():
        if report is not None or part == "show_drawn_points":
            getattr(write_back, part)(report, scene)
        elif part == "show_colours":        # it came with the file: empties and points follow the next run
            write_back.show_listed_colours(scene)


def _follow_preferences() -> None:
    """Other colours are preferred now."""
    heat.redraw()
    for scene in bpy.data.scenes:
        if scene.library is None and scene.touchpoint.result.run_id:
            _show_again(scene, "show_colours")


def _has_own_colours(settings) -> bool:
    return any(settings.is_property_set(colour_property(verdict)) for verdict in VERDICT_COLOURS)


def _take_own_colours(settings, own: bool) -> None:
    """Begin with the colours that are shown, or go back to the preferences."""
    colours = {colour_property(verdict): colour_of(settings, verdict) for verdict in VERDICT_COLOURS}
    for name, colour in colours.items():
        if own:
            setattr(settings, name, colour)
        else:
            settings.property_unset(name)
    _show_again(settings.id_data, "show_colours")


def _first_page(_group, context) -> None:
    context.window_manager.touchpoint.page = 1


class TOUCHPOINT_PG_pair(PropertyGroup):
    """One row of a method's list in a comparison; `name` is what the list shows. Attributes as those of `rows.Row`."""

    verdict: StringProperty()
    line: StringProperty()
    object_a: StringProperty()
    library_a: StringProperty()
    instance_a: StringProperty()
    uid_a: IntProperty()
    object_b: StringProperty()
    library_b: StringProperty()
    instance_b: StringProperty()
    uid_b: IntProperty()
    centre: FloatVectorProperty(size=3)
    radius: FloatProperty()
    close_up: BoolProperty()


class TOUCHPOINT_PG_left_out(PropertyGroup):
    """One object or pair that was not tested: `name` and why."""

    reason: StringProperty()


class TOUCHPOINT_PG_container(PropertyGroup):
    """An object that contains many: `name` is the sentence about it, the rest as in `rows.Side`."""

    object_a: StringProperty()
    library_a: StringProperty()
    uid_a: IntProperty()


class TOUCHPOINT_PG_result(PropertyGroup):
    """The last result of a scene. `run_id` is "" where there is none. Sentences are ready for the panel."""

    run_id: StringProperty()
    file_token: StringProperty()
    headline: StringProperty()
    asked: StringProperty()         # by which settings, as `asked` keeps them; "" where it was a script
    asked_a: PointerProperty(type=bpy.types.Collection)
    asked_b: PointerProperty(type=bpy.types.Collection)
    question: StringProperty()
    tested: StringProperty()
    tolerance: StringProperty()
    contacts: StringProperty()
    uncoloured: StringProperty()    # which objects keep their own colours, and why
    left_out_title: StringProperty()
    notes: StringProperty()         # one sentence per line
    partial: BoolProperty()
    watch: StringProperty()         # what a file keeps of watch.Watch
    rules_changed: BoolProperty()   # or shells, as a file keeps it
    frame: FloatProperty()          # that was tested; of an animation, the first one
    animated: BoolProperty()        # of an animation: rows have intervals
    markers: CollectionProperty(type=TOUCHPOINT_PG_marker)      # that were put on the timeline
    pairs_found: IntProperty()
    packed_rows: StringProperty()   # `pairs`, as rows.packing makes them
    left_out: CollectionProperty(type=TOUCHPOINT_PG_left_out)
    containers: CollectionProperty(type=TOUCHPOINT_PG_container)
    rules_of: StringProperty()      # name of the test whose own rules were asked, "" for those of the scene
    taken_away: StringProperty()    # how many pairs rules took away, "" where there were no rules
    taken_found: IntProperty()
    rule_lines: CollectionProperty(type=TOUCHPOINT_PG_left_out)     # rules, and what each did
    taken: CollectionProperty(type=TOUCHPOINT_PG_left_out)          # pairs, and why each was taken away

    @property
    def pairs(self) -> Rows:
        """The pairs that are not clear, the worst first, for reading only."""
        return rows_of(self)


class TOUCHPOINT_PG_line(PropertyGroup):
    """One line of a small table: `name`, and up to two figures."""

    first: StringProperty()
    again: StringProperty()


class TOUCHPOINT_PG_compared(PropertyGroup):
    """What one method did in a comparison; `name` is what the table shows of it."""

    reason: StringProperty()        # why it could not do the scene
    seconds: StringProperty()
    found: StringProperty()
    verdict: StringProperty()       # same, differs, missed: what the icon shows
    agreement: StringProperty()     # the sentence about that
    notes: StringProperty()
    times: CollectionProperty(type=TOUCHPOINT_PG_line)
    counts: CollectionProperty(type=TOUCHPOINT_PG_line)
    file_token: StringProperty()
    pairs: CollectionProperty(type=TOUCHPOINT_PG_pair)      # missed, invented, differing
    pairs_found: IntProperty()
    pair_index: IntProperty(name="Active Pair", description="Select this pair and frame it in the view", default=-1,
                            update=_show_compared_pair)


class TOUCHPOINT_PG_comparison(PropertyGroup):
    """The last comparison of a scene. `run_id` is "" where there is none."""

    run_id: StringProperty()
    headline: StringProperty()
    tested: StringProperty()
    notes: StringProperty()         # one sentence per line
    partial: BoolProperty()
    watch: StringProperty()         # as in a result
    rules_changed: BoolProperty()
    frame: FloatProperty()
    over_frames: BoolProperty()     # `frame` says nothing then
    rows: CollectionProperty(type=TOUCHPOINT_PG_compared)


def _colour(verdict: str):
    return FloatVectorProperty(
        name=VERDICT_TITLES[verdict], description=f"Colour of objects whose worst verdict is {verdict}",
        subtype="COLOR", size=3, min=0.0, max=1.0, default=VERDICT_COLOURS[verdict],
        update=_shown_again_by("show_colours"))


class TOUCHPOINT_PG_scene(Question, RuleList, PropertyGroup):
    """Settings, and `result`."""

    scope: EnumProperty(name="Scope", description="Which objects are tested", items=SCOPE_ITEMS)
    volumes: BoolProperty(
        name="Overlap Volumes",
        description="Also measure how much space the two objects of a pair share, where both are closed. Not in Check "
                    "Animation and Live")
    regions: BoolProperty(
        name="Depths of Regions",
        description="Also measure how deep objects reach into each other in each region. Not over frames, nor Live")
    self_reference: self_reference_property()
    self_reference_frame: self_reference_frame_property()
    colour_objects: BoolProperty(
        name="Colour Objects", default=True, update=_shown_again_by("show_colours"),
        description="Give objects the colour of their worst verdict; Clear puts the previous colours back")
    show_touching: BoolProperty(
        name="Touching Ones, Too", default=False, update=_shown_again_by("show_colours", "show_points", "show_empties"),
        description="Also mark where objects only touch, and give objects a colour that only touch others")
    own_colours: BoolProperty(
        name="Colours of This Scene", get=_has_own_colours, set=_take_own_colours,
        description="The scene has colours of its own, which are saved with it; otherwise they are those of the "
                    "preferences, in every file")
    show_pair: BoolProperty(
        name="Chosen Pair", default=True, update=drawing.redraw,
        description="Draw the chosen pair over everything else in 3D viewports: both objects in two colours, the curve "
                    "where they meet, patches where they lie flush, and an arrow for the gap or the depth")
    show_points: BoolProperty(
        name="Contacts as Points", default=True, update=_shown_again_by("show_points"),
        description="Keep a mesh whose vertices are contacts, with attributes for pair, triangles, normal and kind")
    points: IntProperty(
        name="Points at Most", default=POINTS, min=1, soft_max=1_000_000, update=_shown_again_by("show_points"),
        description="How many contacts become points, spread over the pairs. Each makes the file and each undo larger")
    draw_points: BoolProperty(name="Draw Points", update=_shown_again_by("show_drawn_points"),
        description="Let 3D viewports draw that mesh: a black dot for each contact. Many of them darken small objects")
    empties: IntProperty(
        name="Empties", default=EMPTIES, min=0, max=10_000, soft_max=1_000, update=_shown_again_by("show_empties"),
        description="Mark that many places where objects meet with an empty each, spread over the pairs")
    show_verdict: EnumProperty(name="Show", description="Which pairs the list shows", items=SHOWN_VERDICTS,
                               update=_first_page)
    pair_index: IntProperty(
        name="Active Pair", description="Select this pair and frame it in the view", default=-1,
        update=_show_active_pair)
    result: PointerProperty(type=TOUCHPOINT_PG_result)
    animation: PointerProperty(type=TOUCHPOINT_PG_animation)
    learn_from: EnumProperty(name="Learn From", description="When everything is as it should be", items=LEARN_ITEMS)
    learn_samples: IntProperty(
        name="Frames", default=10, min=2, max=10_000, soft_max=100,
        description="How many frames to look at, evenly spread over the scene's range")
    tests: CollectionProperty(type=TOUCHPOINT_PG_test)
    test_index: IntProperty(name="Active Test", description="Show this test", default=-1)
    compared_methods: PointerProperty(type=TOUCHPOINT_PG_compared_methods)
    repeats: IntProperty(
        name="Repeats", default=3, min=1, max=1000, soft_max=20,
        description="How often each method runs again after its first run; the best of these times is shown")
    compare_frames: BoolProperty(
        name="Over Frames", default=False,
        description="Compare over the frames that Animation names, and not at the shown frame only; methods that need "
                    "an interval are asked between them")
    comparison: PointerProperty(type=TOUCHPOINT_PG_comparison)
    comparison_index: IntProperty(name="Active Method", description="Show what this method did", default=0)


# Not in the class body: Python 3.14 has no __annotations__ there.
TOUCHPOINT_PG_scene.__annotations__.update({colour_property(verdict): _colour(verdict) for verdict in VERDICT_COLOURS})


def _switch_live(_group, on: bool) -> None:
    engine.stop()
    if on:
        try:
            engine.start(bpy.context.scene)
        except TouchpointError as error:
            session.set_message(str(error))


def _stop_at_contact(_group, on: bool) -> None:
    engine.stops_at_contact = on


def _active_place(_group) -> int:
    scene = bpy.context.scene
    places = (page_of(scene) == scene.touchpoint.pair_index).nonzero()[0]
    return int(places[0]) if len(places) else -1


def _choose_method(_group, index: int) -> None:
    bpy.context.scene.touchpoint.comparison_index = index


def _compared(settings):
    """The active row of the comparison, None where there is none."""
    rows, index = settings.comparison.rows, settings.comparison_index
    return rows[index] if 0 <= index < len(rows) else None


def _active_compared_pair(_group) -> int:
    row = _compared(bpy.context.scene.touchpoint)
    return -1 if row is None else row.pair_index


def _choose_compared_pair(_group, index: int) -> None:
    row = _compared(bpy.context.scene.touchpoint)
    if row is not None:
        row.pair_index = index


def _choose_place(_group, place: int) -> None:
    scene = bpy.context.scene
    page = page_of(scene)
    if 0 <= place < len(page):
        line = int(page[place])
        groups = groups_in(scene)       # a heading stands for the first row of its group
        row = line if line >= 0 else int(groups.rows[groups.start[~line]])
        scene.touchpoint.pair_index = row


class TOUCHPOINT_PG_window_manager(PropertyGroup):
    """The run that is going on, for reading only, and Live; nothing of it is saved."""

    running: BoolProperty(get=lambda _: session.run() is not None)
    stage: StringProperty(get=lambda _: session.progress().stage)
    fraction: FloatProperty(get=lambda _: session.progress().fraction)
    message: StringProperty(get=lambda _: session.message())
    listed: CollectionProperty(type=TOUCHPOINT_PG_listed)
    pair_index: IntProperty(
        name="Active Pair", get=_active_place, set=_choose_place,
        description="Select this pair and frame it in the view; as it is no property of the scene, no step of undo")
    compared_index: IntProperty(
        name="Active Method", get=lambda _: bpy.context.scene.touchpoint.comparison_index,
        set=_choose_method, description="Show what this method did; no step of undo")
    compared_pair_index: IntProperty(
        name="Active Pair", get=_active_compared_pair, set=_choose_compared_pair,
        description="Select this pair and frame it in the view; no step of undo")
    search: StringProperty(
        name="Search", update=_first_page, options={"TEXTEDIT_UPDATE"},
        description="Show only pairs with an object whose name has this in it; with a × in it, the one before and the "
                    "one behind it. * stands for anything")
    invert: BoolProperty(name="Invert", update=_first_page, description="Show only pairs that the search leaves out")
    order: EnumProperty(name="Order", items=ORDERS, update=_first_page, description="Which pairs come first")
    group_by: EnumProperty(name="Group By", items=GROUPING_ITEMS, update=put_in_groups_again,
                           description="Which pairs stand together below a heading")
    reverse: BoolProperty(name="Reverse", update=_first_page, description="Show the list from its end")
    page: IntProperty(name="Page", default=1, min=1, description="Which part of the list is shown")
    live: BoolProperty(
        name="Live", get=lambda _: engine.is_on(), set=_switch_live,
        description="Show what collides while objects are dragged, posed or scrubbed. It writes nothing into the file, "
                    "and is off when Blender starts")
    stop_at_contact: BoolProperty(
        name="Stop at Contact", get=lambda _: engine.stops_at_contact, set=_stop_at_contact,
        description="While the animation plays, stop where objects begin to collide")


CLASSES = (*RULE_CLASSES, *TEST_CLASSES, *ANIMATION_CLASSES, *LIST_CLASSES, TOUCHPOINT_PG_pair, TOUCHPOINT_PG_left_out,
           TOUCHPOINT_PG_container, TOUCHPOINT_PG_result, TOUCHPOINT_PG_line, TOUCHPOINT_PG_compared,
           TOUCHPOINT_PG_comparison, TOUCHPOINT_PG_scene, TOUCHPOINT_PG_window_manager)


def register() -> None:
    method_properties.register()
    own_properties.register()
    register_all(CLASSES)
    bpy.types.Scene.touchpoint = PointerProperty(type=TOUCHPOINT_PG_scene)
    bpy.types.WindowManager.touchpoint = PointerProperty(type=TOUCHPOINT_PG_window_manager)
    preferences.when_colours_change(_follow_preferences)


def unregister() -> None:
    del bpy.types.WindowManager.touchpoint
    del bpy.types.Scene.touchpoint
    unregister_all(CLASSES)
    own_properties.unregister()
    method_properties.unregister()
