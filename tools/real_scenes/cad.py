# SPDX-License-Identifier: GPL-3.0-or-later
"""A gearbox of parts from catalogues, made by a CAD kernel and turned into triangles by it: shafts, bearings, gears,
plates, and screws with washers and nuts. Needs the packages build123d and bd_warehouse, as nothing else does.

What fits is exactly as large as what it fits in, so curved faces coincide before they become triangles, and afterwards
reach into each other by no more than circles are flattened: FLATTENED.
"""
import numpy as np

from .parts import Model, Part, stored, welded

MILLIMETRE = 0.001
FLATTENED, TURNED = 0.01, 0.3       # how far triangles may be from a face, millimetres, and turn in an arc, radians
MODULE, TEETH = 1.5, (17, 34, 21, 42)           # of the gears; two pairs
FACE, PLATE, GAP = 10.0, 15.0, 60.0             # of a gear, of a plate, between plates, along the shafts
BORE, BEARING = 8.0, "M8-22-7"                  # millimetres; the catalogue's name
SCREW, SCREW_RADIUS, SCREW_LENGTH = "M6-1", 3.0, 110.0
AT = ((-40.0, -45.0), (-40.0, 45.0), (118.0, -45.0), (118.0, 45.0))


def gearbox() -> Model:
    distances = [0.5 * MODULE * (TEETH[k] + TEETH[k + 1]) for k in (0, 2)]
    places = np.cumsum([0.0, *distances]).tolist()      # of the shafts, along x
    shapes = [*_plates(places), *_shafts(places), *_screws()]
    return Model("gearbox (CAD)", [_part(f"{name} {number}", solid, at) for name, shape, at in shapes
                                   for number, solid in enumerate(shape.solids())])


def _plates(places: list[float]):
    """(name, shape, where) of the two plates and of the bearings that stand in them from the inside."""
    from bd_warehouse.bearing import SingleRowDeepGrooveBallBearing
    from build123d import Box, Cylinder, Pos

    bearing = SingleRowDeepGrooveBallBearing(BEARING)
    wide, outer = bearing.thickness, 0.5 * bearing.outer_diameter
    for low, seat in ((0.0, PLATE - wide), (PLATE + GAP, PLATE + GAP)):
        plate = Pos(39.0, 0.0, low + 0.5 * PLATE) * Box(190.0, 110.0, PLATE)
        for x in places:
            plate -= Pos(x, 0.0, seat + 0.5 * wide) * Cylinder(outer, wide)
            plate -= Pos(x, 0.0, low + 0.5 * PLATE) * Cylinder(0.5 * BORE + 2.0, PLATE)
            yield f"bearing {low:g} {x:g}", bearing, (x, 0.0, seat)
        for x, y in AT:
            plate -= Pos(x, y, low + 0.5 * PLATE) * Cylinder(SCREW_RADIUS, PLATE)
        yield f"plate {low:g}", plate, (0.0, 0.0, 0.0)


def _shafts(places: list[float]):
    """The shafts, with chamfered ends, and the gears on them, of which a tooth stands in a gap of the next one."""
    from bd_warehouse.gear import SpurGear
    from build123d import Axis, Cylinder, Rot, chamfer

    long = 2.0 * PLATE + GAP + 20.0
    shaft = Cylinder(0.5 * BORE, long)
    shaft = chamfer([shaft.edges().sort_by(Axis.Z)[0], shaft.edges().sort_by(Axis.Z)[-1]], 1.0)
    for x in places:
        yield f"shaft {x:g}", shaft, (x, 0.0, 0.5 * long - 10.0)
    for k, (number, level) in enumerate(((0, 0), (1, 0), (1, 1), (2, 1))):
        gear = SpurGear(module=MODULE, tooth_count=TEETH[k], pressure_angle=20.0, thickness=FACE, root_fillet=0.3)
        gear = Rot(0.0, 0.0, 180.0 / TEETH[k] if k % 2 else 0.0) * gear - Cylinder(0.5 * BORE, 4.0 * FACE)
        yield f"gear {k}", gear, (places[number], 0.0, PLATE + 15.0 + 20.0 * level)


def _screws():
    from bd_warehouse.fastener import HexHeadScrew, HexNut, PlainWasher

    washer, nut = PlainWasher("M6", "iso7089"), HexNut(SCREW, "iso4032")
    screw = HexHeadScrew(SCREW, SCREW_LENGTH, "iso4017")
    top, thick = 2.0 * PLATE + GAP, washer.washer_thickness
    for number, (x, y) in enumerate(AT):
        yield f"screw {number}", screw, (x, y, top + thick)
        yield f"washer above {number}", washer, (x, y, top)
        yield f"washer below {number}", washer, (x, y, -thick)
        yield f"nut {number}", nut, (x, y, -thick - nut.nut_thickness)


def _part(name: str, solid, at) -> Part:
    """The triangles of a solid, which the kernel makes face by face: what faces share is one vertex."""
    points, triangles = solid.tessellate(FLATTENED, TURNED)
    places = np.float32(MILLIMETRE * np.array([tuple(point) for point in points]))
    pose = np.eye(4)
    pose[:3, 3] = MILLIMETRE * np.array(at)
    return stored(Part(name, *welded(np.float64(places[np.array(triangles)])), pose))
