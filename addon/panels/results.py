# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of pairs."""
from functools import lru_cache, partial
from typing import Any

import blf
import bpy

from ...core.codes import NEAR
from ...core.grouping import CONTAINER
from .. import phrases, staleness
from ..chosen import Chosen, chosen_in, depths_of_regions, found_of
from ..heat_map.phrases import sentences
from ..lengths import length_text
from ..operators.select_pair import is_with_itself
from ..overlay import heat
from ..overlay.chosen_picture import names_of_tints
from ..phrases import FIGURES, MEANINGS, SHORT_TITLES, VERDICT_TITLES
from ..rows.properties import make_places
from ..rows.shown import groups_in, page_count, page_of, shown_in
from .icons import square, square_of_side
from .layout import CHANGED, Sidebar, draw_walk, label, paragraph
from .widths import ICON, TIMES, Columns, columns, fitted_in, share_of_rows, share_of_title

SHORTEST, TALLEST = 3, 8       # rows of the list, until somebody drags its edge
LABEL_FONT = 0          # Blender's own, of labels
DEPTH_OR_GAP, NARROW_DEPTH_OR_GAP = "Depth/Gap", "Dist."        # where some rows have a gap
HEADING_WIDTH = 0.7     # of what a group shares

# The page that was drawn last, and how wide its widest figure is, its widest short one, and its widest names.
_measured_page: tuple[tuple, tuple[float, float, float]] = (), (0.0, 0.0, 0.0)
_columns: Columns | None = None     # of the list that is drawn just now: its rows need not find them out one by one


def width_in(context: bpy.types.Context) -> float:
    """The width of the region that is drawn, in pixels at scale 1."""
    return context.region.width / context.preferences.system.ui_scale


def width_of(text: str) -> float:
    """How wide Blender draws a label, in pixels at scale 1."""
    preferences: Any = bpy.context.preferences
    return _measured(text, preferences.ui_styles[0].widget.points)


@lru_cache(1 << 12)     # the rows in sight, at a few widths of the sidebar: they are drawn again and again
def _measured(text: str, points: float) -> float:
    fonts: Any = blf
    fonts.size(LABEL_FONT, points)
    return fonts.dimensions(LABEL_FONT, text)[0]


def columns_of(context: bpy.types.Context) -> Columns:
    """The columns of the list of a scene's result, in the region that is drawn."""
    return columns(width_in(context), *_widest_in(context.scene), _scrolls(context.scene))


def _scrolls(scene) -> bool:
    """True where the list has a scroll bar."""
    return len(page_of(scene)) > TALLEST


def _widest_in(scene) -> tuple[float, float, float]:
    """Of the figures of the page that is shown, of their short forms and of the names, in pixels at scale 1."""
    global _measured_page
    page, units, result = page_of(scene), scene.unit_settings, scene.touchpoint.result
    shown = result.run_id, page.tobytes(), units.system, units.length_unit, units.scale_length
    if _measured_page[0] != shown:
        pairs = result.pairs
        rows = [pairs[line] for line in page.tolist() if line >= 0]
        figures = [each.figure for each in rows]
        short = [each.short_figure for each in rows] if result.animated else figures
        _measured_page = shown, (_widest(figures), _widest(short), _widest([_names(each) for each in rows]))
    return _measured_page[1]


def _widest(figures: list[str]) -> float:
    return max((width_of(each) for each in figures if each), default=ICON)


def _names(pair: Any) -> str:
    return pair.name if is_with_itself(pair) else f"{pair.title_a}{TIMES}{pair.title_b}"


def draw_columns(layout: bpy.types.UILayout, widths: Columns, name: str, square_of_verdict: int, verdict: str,
                 figure: str, icon: str = "NONE") -> None:
    """A row of the list. square_of_verdict: number of the icon; icon: in the place of the figure."""
    row = layout.split(factor=widths.names)
    label(row, name, square_of_verdict)
    if not widths.has_figure:
        row.label(text="" if icon != "NONE" else verdict, icon=icon)  # type: ignore[arg-type]
        return
    rest = row.split(factor=widths.verdict)
    rest.label(text=verdict)
    last = rest.row()
    last.alignment = "RIGHT"
    last.label(text=figure, icon=icon)  # type: ignore[arg-type]


def draw_titles(layout: bpy.types.UILayout, widths: Columns, figure: str) -> None:
    """Above the columns. That of the figures ends where they do, and may begin before them."""
    row = layout.split(factor=widths.names)
    label(row, "Pair", "BLANK1")
    if not widths.has_figure:
        row.label(text="Verdict")
        return
    rest = row.split(factor=share_of_title(widths))
    rest.label(text="Verdict")
    last = rest.row()
    last.alignment = "RIGHT"
    last.label(text=figure)


def title_of_figures(scene: bpy.types.Scene, widths: Columns) -> str:
    """What the figures of the page that is shown are."""
    result, page = scene.touchpoint.result, page_of(scene)
    if result.animated:
        return "Frames" if widths.has_word else "First"
    if _widest_in(scene)[0] == ICON:
        return ""
    found = result.pairs.table["verdict"][page[page >= 0]] == NEAR
    if found.all() or not found.any():
        return "Gap" if found.any() else "Depth"
    return DEPTH_OR_GAP if widths.has_word else NARROW_DEPTH_OR_GAP


class TOUCHPOINT_UL_pairs(bpy.types.UIList):
    """A page of the pairs that are not clear. Its items are places; `rows.shown` says which rows they stand for."""

    bl_idname = "TOUCHPOINT_UL_pairs"

    def draw_item(self, context: bpy.types.Context, layout: bpy.types.UILayout, data: Any, item: Any, icon: int | None,
                  active_data: Any, active_property: str | None, index: int | None = 0,
                  flt_flag: int | None = 0) -> None:
        scene = context.scene
        result = scene.touchpoint.result
        line = int(page_of(scene)[item.place])
        if line < 0:
            _draw_heading(layout, scene, ~line)
            return
        pair = result.pairs[line]
        changed = staleness.change_of(result, pair)       # the figure is not true any more then
        widths = _columns or columns_of(context)
        titles, figure = (VERDICT_TITLES, pair.figure) if widths.has_word else (SHORT_TITLES, pair.short_figure)
        name = pair.name if is_with_itself(pair) else fitted_in(pair.title_a, pair.title_b, widths.pixels, width_of)
        draw_columns(layout, widths, name, square(scene, pair.verdict), titles[pair.verdict],
                     "" if changed else figure, CHANGED if changed else "NONE")

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        window = context.window_manager.touchpoint
        row = layout.row(align=True)
        row.prop(window, "order", text="")
        row.prop(window, "reverse", text="", icon="SORT_DESC")

    def filter_items(self, context: bpy.types.Context, data: Any,     # type: ignore[override]
                     propname: str) -> tuple[list[int], list[int]]:
        there, places = len(page_of(context.scene)), len(getattr(data, propname))
        return [self.bitflag_filter_item] * there + [0] * (places - there), []


class TOUCHPOINT_PT_results(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_results"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Results"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(context.scene.touchpoint.result.pairs)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        result = settings.result
        _draw_containers(layout, context, result)
        _draw_list(layout, context, settings)
        draw_walk(layout)
        if 0 <= settings.pair_index < len(result.pairs):
            _draw_pair(layout, context, result, result.pairs[settings.pair_index])
        row = layout.row(align=True)
        row.operator("touchpoint.export", text="Export", icon="EXPORT")
        row.operator("touchpoint.save_pictures", text="Pictures", icon="IMAGE_DATA")
        layout.operator("touchpoint.copy_command", icon="COPYDOWN")
        _draw_legend(layout, context)


def _draw_list(layout, context, settings) -> None:
    """Filter, search, and the page of pairs that they lead to."""
    window, result, scene = context.window_manager.touchpoint, settings.result, context.scene
    row = layout.row(align=True)
    row.prop(settings, "show_verdict", text="")
    row.prop(window, "group_by", text="")
    row = layout.row(align=True)
    row.prop(window, "search", text="", icon="VIEWZOOM")
    row.prop(window, "invert", text="", icon="ARROW_LEFTRIGHT")
    global _columns
    widths = _columns = columns_of(context)
    above = layout.split(factor=share_of_rows(width_in(context), _scrolls(scene)))
    draw_titles(above, widths, title_of_figures(scene, widths))
    lines = len(page_of(scene))
    make_places(window, lines)
    rows = min(max(lines, SHORTEST), TALLEST)
    layout.template_list(TOUCHPOINT_UL_pairs.bl_idname, "", window, "listed", window, "pair_index", rows=rows,
                         maxrows=rows, item_dyntip_propname="line")
    _columns = None
    if page_count(scene) > 1:
        row = layout.row(align=True)
        row.prop(window, "page")
        row.label(text=f"of {page_count(scene):,}")
    shown, listed = len(shown_in(scene)), len(result.pairs)
    if shown < listed:
        paragraph(layout, context, f"{shown:,} of {listed:,} pairs shown")
    groups = len(groups_in(scene).start) - 1
    if window.group_by != CONTAINER and groups:
        paragraph(layout, context, f"{phrases.count(shown, 'pair')} in {phrases.count(groups, 'group')}")
    if result.pairs_found > listed:
        paragraph(layout, context, f"The worst {listed:,} of {result.pairs_found:,} pairs are listed")


def _draw_heading(layout, scene, group: int) -> None:
    """What the pairs of a group share, and how many there are: a name needs the room, in a narrow sidebar."""
    groups = groups_in(scene)
    pair = scene.touchpoint.result.pairs[int(groups.rows[groups.start[group]])]
    row = layout.row(align=True)
    unfold = group not in groups.open
    operator = row.operator("touchpoint.fold_group", text="", icon="RIGHTARROW" if unfold else "DOWNARROW_HLT",
                            emboss=False)
    operator.group, operator.unfold = group, unfold
    columns = row.split(factor=HEADING_WIDTH)
    columns.label(text=groups.title(group), icon_value=square(scene, pair.verdict))
    last = columns.row()
    last.alignment = "RIGHT"
    last.label(text=phrases.count(groups.size(group), "pair"))


def _draw_legend(layout, context) -> None:
    """What verdicts and numbers mean."""
    header, body = layout.panel("touchpoint_legend", default_closed=True)
    header.label(text="What It Means")
    if body is not None:
        for verdict, meaning in MEANINGS.items():
            paragraph(body, context, f"{VERDICT_TITLES[verdict]}: {meaning}", square(context.scene, verdict))
        for each in FIGURES:
            paragraph(body, context, each, "BLANK1")


def _draw_containers(layout, context, result) -> None:
    """Objects that contain many, each with the offer to make it a shell."""
    for number, item in enumerate(result.containers):
        column = layout.column(align=True)
        paragraph(column, context, item.name, "MESH_CUBE")
        column.operator("touchpoint.mark_shell").container = number


def _draw_pair(layout, context, result, pair) -> None:
    """The active row in full; in the list a long name is cut."""
    column = layout.column(align=True)
    names = _names_in_colour(context.scene)
    for side, name in names:
        paragraph(column, context, name, square_of_side(side))
    if not names:
        paragraph(column, context, pair.name, square(context.scene, pair.verdict))
    changed = staleness.change_of(result, pair)
    if changed:
        paragraph(column, context, f"{changed} since then", CHANGED)
    elif found_of(context.scene, Chosen(result.run_id, pair.index)) is None:
        paragraph(column, context, "The next run shows this pair in viewports", "INFO")
    if pair.when:
        paragraph(column, context, f"Frames {pair.when}", "BLANK1")
        layout.operator("touchpoint.preview_interval", icon="PREVIEW_RANGE")
        if not is_with_itself(pair):
            layout.operator("touchpoint.gap_curve", icon="FCURVE")
    paragraph(column, context, pair.line, square(context.scene, pair.verdict) if names else "BLANK1")
    regions = phrases.in_regions(depths_of_regions(context.scene))
    if regions:
        paragraph(column, context, f"Deep{regions}", "BLANK1")
    if not (is_with_itself(pair) or result.animated):
        _draw_heat_map(layout, context, pair)
    if not is_with_itself(pair):
        layout.operator("touchpoint.ignore_pair", icon="HIDE_ON").index = -1
    if pair.holder:
        layout.operator("touchpoint.mark_shell", icon="MESH_CUBE").container = -1
    if pair.holder and pair.verdict == "cannot tell":
        layout.operator("touchpoint.select_border", icon="EDGESEL")


def _names_in_colour(scene) -> list[tuple[str, str]]:
    """(side, name) of both objects of the active row where views show each in its colour, else none."""
    chosen = chosen_in(scene)
    names = [] if chosen is None or heat.heat_of(chosen) is not None else names_of_tints(scene, chosen)
    return names if len(names) == 2 else []


def _draw_heat_map(layout, context, pair) -> None:
    """Its switch, and what it says in words."""
    chosen = chosen_in(context.scene)
    on = heat.is_on(chosen)
    layout.operator("touchpoint.heat_map", icon="COLOR", depress=on,
                    text="Measuring Distances" if on and heat.is_measuring() else "Heat Map")
    found = heat.heat_of(chosen)
    if found is not None:
        scale = context.scene.touchpoint.result.pairs.unit_scale
        for each in sentences(found, (pair.object_a, pair.object_b), partial(length_text, unit_scale=scale)):
            paragraph(layout, context, each, "BLANK1")
