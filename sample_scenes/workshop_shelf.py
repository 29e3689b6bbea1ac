# SPDX-License-Identifier: GPL-3.0-or-later
"""A shelf unit in the corner, and things on its boards: some touch them, some stand 1/256 m above."""
from .building import add, material, mesh
from .shapes import ball, box, lathe

BOARDS = [0.15625 + 0.4375 * k for k in range(5)]      # upper sides
GAP = 0.00390625
WOOD = ("Birch", (0.76, 0.62, 0.42))


def build(into, expect) -> None:
    unit(into)
    cans(into, expect)
    parcel(into, expect)
    upper_boards(into, expect)


def unit(into) -> None:
    side = add("Shelf Sides", mesh("Shelf Side", *box((-0.5, -0.1875, 0.0), (-0.46875, 0.1875, 2.0))), into,
               material(*WOOD), location=(2.4375, 2.25, 0.0))
    side.modifiers.new("Both Sides", "MIRROR")
    plank = box((GAP - 0.46875, -0.1875, -0.03125), (0.46875 - GAP, 0.1875, 0.0))
    board = add("Shelf Boards", mesh("Shelf Board", *plank), into, material(*WOOD), location=(2.4375, 2.25, BOARDS[0]))
    boards = board.modifiers.new("Boards", "ARRAY")
    boards.count, boards.use_relative_offset, boards.use_constant_offset = 5, False, True
    boards.constant_offset_displace = (0.0, 0.0, 0.4375)


def cans(into, expect) -> None:
    """Two paint cans of one mesh; one is stretched by its scale, and pushed into the side of a box."""
    box_low, box_high = (2.03125, 2.125, BOARDS[0] + GAP), (2.34375, 2.375, BOARDS[0] + 0.15625)
    add("Shoe Box", mesh("Shoe Box", *box(box_low, box_high)), into, material("Cardboard", (0.62, 0.46, 0.29), 0.9))
    data = mesh("Paint Can", *lathe([(0.078125, 0.0), (0.078125, 0.15625), (0.07, 0.1640625), (0.07, 0.15625)], 40))
    look = material("Tin", (0.66, 0.67, 0.68), 0.3, 0.9)
    add("Paint Can", data, into, look, location=(2.125, 2.25, BOARDS[1] + GAP))
    add("Paint Can Tall", data, into, look, location=(2.40625, 2.25, BOARDS[0] + GAP), scale=(1.25, 1.25, 1.5))
    expect.crosses("Paint Can Tall", "Shoe Box")


def parcel(into, expect) -> None:
    """A closed parcel with a gift inside."""
    low, high = (2.03125, 2.125, BOARDS[2]), (2.28125, 2.375, BOARDS[2] + 0.1875)
    add("Parcel", mesh("Parcel", *box(low, high)), into, material("Wrapping", (0.60, 0.12, 0.16)))
    add("Gift", mesh("Gift", *ball(0.0625, 16, 8)), into, material("Brass", (0.75, 0.58, 0.25), 0.3, 0.8),
        location=(2.15625, 2.25, BOARDS[2] + 0.09375))
    expect.contains("Parcel", "Gift")
    expect.touches("Parcel", "Shelf Boards")


def upper_boards(into, expect) -> None:
    """A globe that meets its board in one point, and a bevelled radio."""
    add("Globe", mesh("Globe", *ball(0.125, 32, 16), smooth=True), into, material("Ocean", (0.13, 0.33, 0.55), 0.3),
        location=(2.171875, 2.25, BOARDS[3] + 0.125))
    radio = add("Radio", mesh("Radio", *box((-0.15625, -0.0625, 0.0), (0.15625, 0.0625, 0.1875))), into,
                material("Bakelite", (0.28, 0.13, 0.08), 0.3), location=(2.65625, 2.25, BOARDS[3] + GAP))
    rounded = radio.modifiers.new("Rounded Edges", "BEVEL")
    rounded.width, rounded.segments = 0.03125, 4
    expect.touches("Shelf Boards", "Globe")
