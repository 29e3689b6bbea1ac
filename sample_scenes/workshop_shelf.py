# SPDX-License-Identifier: GPL-3.0-or-later
"""A shelf unit in the corner, and things standing on its boards exactly."""
from .building import add, material, mesh
from .shapes import ball, box, joined, lathe

BOARDS = [0.15625 + 0.4375 * k for k in range(5)]      # upper sides
WOOD = ("Birch", (0.76, 0.62, 0.42))


def build(into, expect) -> None:
    unit(into, expect)
    cartons(into, expect)
    cans(into, expect)
    parcel(into, expect)
    upper_boards(into, expect)


def unit(into, expect) -> None:
    side = add("Shelf Sides", mesh("Shelf Side", *box((-0.5, -0.1875, 0.0), (-0.46875, 0.1875, 2.0))), into,
               material(*WOOD), location=(2.4375, 2.25, 0.0))
    side.modifiers.new("Both Sides", "MIRROR")
    board = add("Shelf Boards", mesh("Shelf Board", *box((-0.46875, -0.1875, -0.03125), (0.46875, 0.1875, 0.0))),
                into, material(*WOOD), location=(2.4375, 2.25, BOARDS[0]))
    boards = board.modifiers.new("Boards", "ARRAY")
    boards.count, boards.use_relative_offset, boards.use_constant_offset = 5, False, True
    boards.constant_offset_displace = (0.0, 0.0, 0.4375)
    expect.touches("Shelf Sides", "Shelf Boards", "Floor")


def cartons(into, expect) -> None:
    """On the lowest board two boxes side by side, with a gap."""
    look = material("Cardboard", (0.62, 0.46, 0.29), 0.9)
    for name, low, high in (("Shoe Box", (2.03125, 2.125, 0.0), (2.34375, 2.375, 0.15625)),
                            ("Hat Box", (2.5, 2.125, 0.0), (2.84375, 2.4375, 0.1875))):
        low, high = ((x, y, z + BOARDS[0]) for x, y, z in (low, high))
        add(name, mesh(name, *box(low, high)), into, look)
    expect.touches("Shelf Boards", "Shoe Box", "Hat Box")


def cans(into, expect) -> None:
    """Two paint cans of one mesh, one stretched by its scale."""
    data = mesh("Paint Can", *lathe([(0.078125, 0.0), (0.078125, 0.15625), (0.07, 0.1640625), (0.07, 0.15625)], 40))
    look = material("Tin", (0.66, 0.67, 0.68), 0.3, 0.9)
    add("Paint Can", data, into, look, location=(2.125, 2.25, BOARDS[1]))
    add("Paint Can Tall", data, into, look, location=(2.5625, 2.28125, BOARDS[1]), scale=(1.25, 1.25, 1.5))
    expect.touches("Shelf Boards", "Paint Can", "Paint Can Tall")


def parcel(into, expect) -> None:
    """A closed parcel with a gift inside, and a crate that has sunk into its board."""
    low, high = (2.03125, 2.125, BOARDS[2]), (2.28125, 2.375, BOARDS[2] + 0.1875)
    add("Parcel", mesh("Parcel", *box(low, high)), into, material("Wrapping", (0.60, 0.12, 0.16)))
    add("Gift", mesh("Gift", *ball(0.0625, 16, 8)), into, material("Brass", (0.75, 0.58, 0.25), 0.3, 0.8),
        location=(2.15625, 2.25, BOARDS[2] + 0.09375))
    expect.contains("Parcel", "Gift")
    slats = [box((2.5, y, BOARDS[2] - 0.0078125 + z), (2.875, y + 0.015625, BOARDS[2] + 0.046875 + z))
             for y in (2.125, 2.328125) for z in (0.0, 0.078125)]
    posts = [box((x, 2.140625, BOARDS[2] - 0.0078125), (x + 0.03125, 2.328125, BOARDS[2] + 0.140625))
             for x in (2.53125, 2.8125)]
    add("Crate", mesh("Crate", *joined(*slats, *posts)), into, material(*WOOD))
    expect.touches("Parcel", "Shelf Boards")
    expect.crosses("Crate", "Shelf Boards")


def upper_boards(into, expect) -> None:
    """A globe that meets its board in one point, a bevelled radio, a vase."""
    add("Globe", mesh("Globe", *ball(0.125, 32, 16), smooth=True), into, material("Ocean", (0.13, 0.33, 0.55), 0.3),
        location=(2.171875, 2.25, BOARDS[3] + 0.125))
    radio = add("Radio", mesh("Radio", *box((-0.15625, -0.0625, 0.0), (0.15625, 0.0625, 0.1875))), into,
                material("Bakelite", (0.28, 0.13, 0.08), 0.3), location=(2.65625, 2.25, BOARDS[3]))
    rounded = radio.modifiers.new("Rounded Edges", "BEVEL")
    rounded.width, rounded.segments = 0.03125, 4
    vase = lathe([(0.0, 0.0), (0.046875, 0.0), (0.078, 0.06), (0.03, 0.13), (0.04, 0.16), (0.032, 0.16), (0.022, 0.13),
                  (0.07, 0.06), (0.04, 0.0078125), (0.0, 0.0078125)], 32)
    add("Vase", mesh("Vase", *vase, smooth=True), into, material("Porcelain", (0.85, 0.86, 0.90), 0.1),
        location=(2.4375, 2.25, BOARDS[4]))
    expect.touches("Shelf Boards", "Globe", "Radio", "Vase")
