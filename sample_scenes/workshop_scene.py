# SPDX-License-Identifier: GPL-3.0-or-later
"""workshop.blend: an everyday scene of every kind of object that Blender can turn into a mesh."""
import bpy

from . import building, workshop_bench, workshop_figure, workshop_floor, workshop_room, workshop_shelf
from .expectation import Expected


def build() -> Expected:
    """Fill the open, empty file; returns which pairs must be crossing, touching or contained."""
    expect = Expected()
    room = building.collection("Room", color="COLOR_05")
    parts = building.collection("Parts")        # cutters, and what is only instanced
    bench = building.collection("Bench", color="COLOR_02")
    things = building.collection("On the Bench", bench)
    workshop_room.build(room, building.collection("On the Wall", room), parts, expect)
    workshop_bench.build(bench, things, parts, expect)
    workshop_shelf.build(building.collection("Shelf", color="COLOR_03"), expect)
    workshop_floor.build(building.collection("On the Floor", color="COLOR_04"), parts, expect)
    workshop_figure.build(building.collection("Figure", color="COLOR_01"), expect)
    bpy.context.view_layer.layer_collection.children["Parts"].exclude = True
    building.camera((3.0, -5.375, 3.0), (0.0, 0.7, 0.9), lens=28.0, shift=0.09)     # room for the sidebar
    building.sun((55.0, 8.0, 40.0))
    return expect
