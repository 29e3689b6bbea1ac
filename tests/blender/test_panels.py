# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels decide; how they look is seen in tests/window."""
from types import SimpleNamespace

import bpy
import pytest
from report_building import report_of
from scene_building import add_cube
from touchpoint.addon import write_back
from touchpoint.addon.panels import icons
from touchpoint.addon.panels.icons import pixels
from touchpoint.addon.panels.layout import paragraph
from touchpoint.addon.panels.results import TOUCHPOINT_UL_pairs
from touchpoint.addon.phrases import MEANINGS, VERDICT_TITLES
from touchpoint.addon.rows.properties import make_places
from touchpoint.addon.rows.shown import page_of

pytestmark = pytest.mark.usefixtures("registered")
SHOWN = 1 << 30


@pytest.fixture(autouse=True)
def pairs(registered):
    for name in ("Axle", "Bolt", "Cog"):
        add_cube(name)
    write_back.write(report_of(("Axle", "Cog", "crossing", 2), ("Axle", "Bolt", "crossing", 1),
                               ("Bolt", "Cog", "touching", 7)))
    return bpy.context.scene.touchpoint.result.pairs


def listed(search="", invert=False, order="WORST", reverse=False):
    """Names of the rows in the order of the list."""
    window, scene = bpy.context.window_manager.touchpoint, bpy.context.scene
    window.search, window.invert, window.order, window.reverse = search, invert, order, reverse
    make_places(window, len(page_of(scene)))
    self = SimpleNamespace(bitflag_filter_item=SHOWN)
    flags, _ = TOUCHPOINT_UL_pairs.filter_items(self, bpy.context, window, "listed")
    assert flags == [SHOWN] * len(page_of(scene)) + [0] * (len(window.listed) - len(page_of(scene)))
    return [scene.touchpoint.result.pairs[row].name for row in page_of(scene).tolist()]


def test_orders():
    assert listed() == ["Axle × Cog", "Axle × Bolt", "Bolt × Cog"]
    assert listed(order="NAME") == ["Axle × Bolt", "Axle × Cog", "Bolt × Cog"]
    assert listed(order="CONTACTS") == ["Bolt × Cog", "Axle × Cog", "Axle × Bolt"]
    assert listed(order="CONTACTS", reverse=True) == ["Axle × Bolt", "Axle × Cog", "Bolt × Cog"]


def test_filter_by_name():
    assert listed("bolt") == ["Axle × Bolt", "Bolt × Cog"]
    assert listed("bolt", invert=True) == ["Axle × Cog"]
    assert listed("nothing") == []
    assert listed("cog × AX") == ["Axle × Cog"] and listed("b*t") == ["Axle × Bolt", "Bolt × Cog"]
    assert listed("axle [") == [] and listed("?og × bolt") == ["Bolt × Cog"]


def test_filter_by_verdict():
    bpy.context.scene.touchpoint.show_verdict = "touching"
    assert listed() == ["Bolt × Cog"] and listed("axle") == []
    bpy.context.scene.touchpoint.show_verdict = "near"
    assert listed() == []


def test_every_verdict_has_a_square_in_its_colour():
    scene = bpy.context.scene
    squares = [icons.made(scene, verdict) for verdict in VERDICT_TITLES]
    assert len({id(each) for each in squares}) == len(VERDICT_TITLES)
    own = (0.0, 1.0, 0.0)
    scene.touchpoint.colour_near = own
    new = icons.made(scene, "near")
    assert new not in squares and list(new.icon_pixels_float) == pytest.approx(pixels(own).ravel().tolist(), abs=0.01)
    assert [icons.made(scene, verdict) for verdict in VERDICT_TITLES if verdict != "near"] == squares[:-1]
    assert pixels((0.0, 1.0, 0.0))[8, 8].tolist() == pytest.approx([0.0, 1.0, 0.0, 1.0])
    assert pixels((0.0, 0.0, 0.0))[icons.BORDER, 8, :3].min() > 0.5     # seen on a dark theme
    assert pixels((0.2140411, 1.0, 0.0))[8, 8, 0] == pytest.approx(0.5) and pixels((1.0, 1.0, 1.0))[0].max() == 0.0


def test_every_verdict_has_a_meaning():
    assert list(MEANINGS) == list(VERDICT_TITLES)


def lines(text, width, icon="NONE"):
    """The labels that a paragraph becomes in a sidebar of this width."""
    labels = []
    layout = SimpleNamespace(label=lambda text, icon: labels.append((text, icon)))
    layout.column = lambda align: layout
    context = SimpleNamespace(region=SimpleNamespace(width=width),
                              preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)))
    paragraph(layout, context, text, icon)
    return labels


def test_a_paragraph_is_broken_into_lines():
    text = "one two three four five six seven eight nine ten"
    narrow, wide = lines(text, 200, "INFO"), lines(text, 800)
    assert " ".join(line for line, _ in narrow) == text and len(narrow) > 2
    assert [icon for _, icon in narrow] == ["INFO"] + ["BLANK1"] * (len(narrow) - 1)
    assert wide == [(text, "NONE")]
    assert len(lines(text, 1)) > 2      # narrower than any letter
