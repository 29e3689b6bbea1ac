# SPDX-License-Identifier: GPL-3.0-or-later
"""Floor, walls with a window, and what hangs on them: radiator, pipe, boiler, tools, clock, sign.

The shell stays 1/256 m away from all that stands at z = 0 and hangs at y = 2.5, and so out of every result.
"""
import bpy

from .building import add, curve, material, mesh
from .shapes import box, facing_y, joined, lathe, moved, prism, rod

PLASTER, CONCRETE = ("Plaster", (0.78, 0.76, 0.70)), ("Concrete", (0.42, 0.43, 0.43))
WOOD, STEEL = ("Pine", (0.72, 0.50, 0.28)), ("Steel", (0.48, 0.50, 0.53), 0.35, 0.9)
GAP = 0.00390625


def build(room, wall, parts, expect) -> None:
    """room: the shell; wall: what hangs; parts: an excluded collection for what only modifiers need."""
    shell(room, parts)
    window(room)
    heating(room, expect)
    pegboard(wall, expect)
    clock(wall, expect)
    sign(wall)


def shell(into, parts) -> None:
    add("Floor", mesh("Floor", *box((-3.1875, -2.5, -0.125), (3.0, 2.6875, -GAP))), into, material(*CONCRETE))
    back = add("Back Wall", mesh("Back Wall", *box((-3.1875, 2.5 + GAP, 0.0), (3.0, 2.6875, 2.75))), into,
               material(*PLASTER))
    opening = add("Window Opening", mesh("Window Opening", *box((0.6875, 2.375, 1.25), (1.6875, 2.8125, 2.25))), parts)
    cut = back.modifiers.new("Window", "BOOLEAN")
    cut.operation, cut.object = "DIFFERENCE", opening
    add("Left Wall", mesh("Left Wall", *box((-3.1875, -2.5, 0.0), (-3.0, 2.5, 2.75))), into,
        material("Whitewash", (0.95, 0.92, 0.85)))


def window(into) -> None:
    """A cross of bars in a frame, 1/64 m clear of the wall; the pane stands clear in it."""
    x0, x1, z0, z1 = 0.703125, 1.671875, 1.265625, 2.234375
    near, far = 2.53125, 2.59375
    bars = [box((x0, near, z0), (x0 + 0.0625, far, z1)), box((x1 - 0.0625, near, z0), (x1, far, z1)),
            box((x0 + 0.0625, near, z0), (x1 - 0.0625, far, z0 + 0.0625)),
            box((x0 + 0.0625, near, z1 - 0.0625), (x1 - 0.0625, far, z1)),
            box((x0 + 0.0625, near, 1.734375), (x1 - 0.0625, far, 1.765625))]
    add("Window Frame", mesh("Window Frame", *joined(*bars)), into, material("White Paint", (0.85, 0.85, 0.82)))
    pane = box((x0 + 0.078125, 2.609375, z0 + 0.078125), (x1 - 0.078125, 2.6171875, z1 - 0.078125))
    add("Window Pane", mesh("Window Pane", *pane), into, material("Glass", (0.55, 0.72, 0.78), 0.1))


def heating(into, expect) -> None:
    """A radiator of equal fins, and a pipe that runs through all of them and up into the boiler in the corner."""
    fin = mesh("Radiator Fin", *box((-0.0625, 0.0, 0.1875), (0.0625, 0.046875, 0.8125)))
    radiator = add("Radiator", fin, into, material("Enamel", (0.86, 0.84, 0.78), 0.3), location=(-2.875, -0.75, 0.0))
    fins = radiator.modifiers.new("Fins", "ARRAY")
    fins.count, fins.use_relative_offset, fins.use_constant_offset = 12, False, True
    fins.constant_offset_displace = (0.0, 0.0625, 0.0)
    path = [(-2.875, -0.875, 0.3125), (-2.875, 2.25, 0.3125), (-2.875, 2.25, 1.4375)]
    pipe = curve("Heating Pipe", path, 0.02)
    add("Heating Pipe", pipe, into, material("Copper", (0.72, 0.36, 0.20), 0.3, 0.9))
    tank = lathe([(0.09375, 1.25), (0.171875, 1.3125), (0.171875, 2.0), (0.09375, 2.0625)], 40)
    add("Boiler", mesh("Boiler", *tank), into, material("Enamel", (0.86, 0.84, 0.78), 0.3),
        location=(-2.8125, 2.296875, 0.0))
    expect.crosses("Heating Pipe", "Radiator", "Boiler")


def pegboard(into, expect) -> None:
    """A board on the wall, pegs driven into a rail on it, tools hanging around the pegs without touching them."""
    add("Pegboard", mesh("Pegboard", *box((-1.5, 2.484375, 1.1875), (0.375, 2.5, 2.125))), into, material(*WOOD))
    rail = box((-1.46875, 2.453125, 1.96875), (0.34375, 2.484375 - GAP, 2.03125))
    add("Peg Rail", mesh("Peg Rail", *rail), into, material("Oak", (0.55, 0.36, 0.19)))
    peg = add("Pegs", mesh("Peg", *rod((0.0, 2.46875, 2.0), (0.0, 2.390625, 2.0), 0.008, 12)), into,
              material(*STEEL), location=(-1.375, 0.0, 0.0))
    row = peg.modifiers.new("Row", "ARRAY")
    row.count, row.use_relative_offset, row.use_constant_offset = 9, False, True
    row.constant_offset_displace = (0.203125, 0.0, 0.0)
    expect.crosses("Pegs", "Peg Rail")
    wrenches(into)
    saw(into)
    screwdrivers(into, expect)


def wrenches(into) -> None:
    """A flat filled curve with a hole; the left-handed one is the same curve mirrored by a negative scale."""
    outline = [(-0.018, -0.03), (-0.018, -0.24), (-0.05, -0.27), (-0.05, -0.32), (-0.018, -0.335), (-0.018, -0.295),
               (0.014, -0.295), (0.022, -0.335), (0.05, -0.31), (0.04, -0.265), (0.018, -0.24), (0.018, -0.03),
               (0.036, 0.0), (0.026, 0.03), (0.0, 0.04), (-0.026, 0.03), (-0.036, 0.0)]
    data = bpy.data.curves.new("Wrench", "CURVE")
    data.dimensions, data.fill_mode, data.extrude = "2D", "BOTH", 0.006
    eye = [(0.02 * x, 0.02 * z) for x, z in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1),
                                             (0.7, -0.7))]
    for points in (outline, eye):
        line = data.splines.new("POLY")
        line.use_cyclic_u = True
        line.points.add(len(points) - 1)
        for point, (x, z) in zip(line.points, points):
            point.co = (x, z, 0.0, 1.0)
    for name, x, size in (("Wrench", -1.375, 1.0), ("Wrench Left-Handed", -1.171875, -1.0)):
        add(name, data, into, material(*STEEL), location=(x, 2.4375, 2.0), turn=(90.0, 0.0, 0.0),
            scale=(size, abs(size), abs(size)))


def saw(into) -> None:
    """A blade with teeth and a wooden grip, one object with two materials' worth of shape."""
    teeth = [(-0.26 + 0.02 * k + 0.01 * half, -0.135 - 0.014 * half) for k in range(26) for half in (0, 1)]
    blade = prism([*teeth, (0.26, -0.135), (0.26, -0.03), (-0.26, -0.075)], 0.0, 0.003)
    grip = prism([(0.25, -0.15), (0.37, -0.15), (0.39, -0.02), (0.36, 0.025), (0.27, 0.03), (0.25, -0.02)],
                 -0.012, 0.015)
    shape = moved(facing_y(joined(blade, grip)), (-0.765, 2.4375, 1.90))
    add("Hand Saw", mesh("Hand Saw", *shape), into, material("Blade", (0.62, 0.64, 0.66), 0.3, 0.8))


def screwdrivers(into, expect) -> None:
    """Two of one mesh, one stretched by its scale. Their grips touch the magnetic strip that holds them."""
    strip = box((-0.25, 2.4375, 1.6875), (0.25, 2.484375 - GAP, 1.75))
    add("Magnet Strip", mesh("Magnet Strip", *strip), into, material("Black Iron", (0.10, 0.10, 0.11)))
    profile = [(0.0, -0.2), (0.005, -0.2), (0.005, 0.0), (0.012, 0.004), (0.015625, 0.03), (0.0125, 0.05),
               (0.015625, 0.07), (0.015625, 0.1), (0.01, 0.11), (0.0, 0.11)]
    data = mesh("Screwdriver", *lathe(profile, 12), smooth=True)
    red = material("Red Grip", (0.70, 0.10, 0.08), 0.4)
    for name, x, size in (("Screwdriver", -0.125, 1.0), ("Screwdriver Long", 0.125, 1.5)):
        add(name, data, into, red, location=(x, 2.421875, 1.6875), scale=(1.0, 1.0, size))
        expect.touches(name, "Magnet Strip")


def clock(into, expect) -> None:
    """A closed case with its movement inside it, and the hands before the dial."""
    place = (1.1875, 2.5, 2.5)
    case = facing_y(lathe([(0.1875, 0.0), (0.1875, 0.0625), (0.171875, 0.0625), (0.171875, 0.046875)], 48))
    add("Clock", mesh("Clock", *moved(case, place)), into, material("Dial", (0.88, 0.87, 0.82)))
    movement = box((-0.0625, -0.03125, -0.0625), (0.0625, -0.015625, 0.0625))
    dark = material("Black Iron", (0.10, 0.10, 0.11))
    add("Clock Movement", mesh("Clock Movement", *movement), into, dark, location=place)
    hands = joined(box((-0.02, -0.0546875, -0.006), (0.1, -0.05078125, 0.006)),
                   box((-0.006, -0.0625, -0.02), (0.006, -0.05859375, 0.14)))
    add("Clock Hands", mesh("Clock Hands", *hands), into, dark, location=place, turn=(0.0, 24.0, 0.0))
    expect.contains("Clock", "Clock Movement")


def sign(into) -> None:
    """Letters before the wall."""
    data = bpy.data.curves.new("Sign", "FONT")
    data.body, data.size, data.extrude, data.align_x = "WORKSHOP", 0.375, 0.015625, "CENTER"
    add("Sign", data, into, material("Sign Blue", (0.10, 0.25, 0.45)), location=(-0.5625, 2.46875, 2.2813),
        turn=(90.0, 0.0, 0.0))
