# SPDX-License-Identifier: GPL-3.0-or-later
"""A building as IFC has it: written with ifcopenshell, turned into triangles by its geometry kernel. Needs that
package, as nothing else does.

Two storeys of a steel frame: primary beams rest on columns, secondary ones stand between their flanges, slabs lie on
both. Walls stand on slabs, are flush with columns and cut out where a round column stands; doors and windows fill their
openings; ducts and pipes go through openings of their own size, or larger ones, a riser through slabs. Everything that
touches is flush, on a site that is turned and 140 m from the origin.
"""
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .parts import Clash, Model, Part, stored

MILLIMETRE = 0.001
TURN, SITE = math.radians(31.7), (118_430.0, -76_210.0, 3_050.0)
BAYS, BAY = (3, 2), (6_000.0, 5_000.0)
STOREYS, STOREY = 2, 3_400.0
SLAB, BEAM, COLUMN = 250.0, 300.0, 300.0        # thick, high, wide
CLEAR = STOREY - SLAB                           # below a slab
UNDER_BEAM = CLEAR - BEAM
FLANGE, WEB = 15.0, 10.0                        # of the beams, thick
OUTER_WALL, WALL = 200.0, 100.0
ROUND = 175.0                                   # radius of the round columns
PIPE, SHEET, DUCT = 54.0, 5.0, (400.0, 250.0)
UP = (0.0, 0.0, 1.0)


@dataclass
class Building:
    """An IFC file in the making. Lengths are millimetres; products have names that are unlike each other."""

    file: Any
    body: Any
    site: Any
    clashes: list[Clash] = field(default_factory=list)
    count: int = 0

    def add(self, ifc_class: str, name: str, shape: Any, at=(0.0, 0.0, 0.0), along=UP, across=(1.0, 0.0, 0.0)):
        """A product whose shape stands at a place of the site, its z along one direction, its x across."""
        self.count += 1
        f = self.file
        product = f.create_entity(ifc_class, GlobalId=_new_id(), Name=f"{name} {self.count}")
        product.ObjectPlacement = f.createIfcLocalPlacement(self.site, _axes(f, at, along, across))
        product.Representation = f.createIfcProductDefinitionShape(
            None, None, [f.createIfcShapeRepresentation(self.body, "Body", "SolidModel", [shape])])
        return product

    def cut(self, product, shape: Any, at, along=UP, across=(1.0, 0.0, 0.0), filling=None) -> None:
        """An opening in a product, which another one fills."""
        opening = self.add("IfcOpeningElement", f"opening in {product.Name}", shape, at, along, across)
        f = self.file
        f.createIfcRelVoidsElement(_new_id(), None, None, None, product, opening)
        if filling is not None:
            f.createIfcRelFillsElement(_new_id(), None, None, None, opening, filling)

    def clash(self, a, b, depth: float) -> None:
        self.clashes.append(Clash(a.Name, b.Name, MILLIMETRE * depth))

    def block(self, x: float, y: float, z: float) -> Any:
        """A block in the middle of x and y, from the ground up."""
        return self.extruded(self.file.createIfcRectangleProfileDef("AREA", None, self._flat(), x, y), z)

    def hollow(self, x: float, y: float, wall: float, z: float) -> Any:
        profile = self.file.createIfcRectangleHollowProfileDef("AREA", None, self._flat(), x, y, wall)
        return self.extruded(profile, z)

    def cylinder(self, radius: float, z: float) -> Any:
        return self.extruded(self.file.createIfcCircleProfileDef("AREA", None, self._flat(), radius), z)

    def pipe(self, radius: float, wall: float, z: float) -> Any:
        return self.extruded(self.file.createIfcCircleHollowProfileDef("AREA", None, self._flat(), radius, wall), z)

    def beam(self, width: float, height: float, web: float, flange: float, z: float) -> Any:
        """An I; its height is along y."""
        profile = self.file.createIfcIShapeProfileDef("AREA", None, self._flat(), width, height, web, flange)
        return self.extruded(profile, z)

    def outline(self, corners, z: float) -> Any:
        """A prism over a polygon."""
        f = self.file
        points = [f.createIfcCartesianPoint([float(x) for x in corner]) for corner in (*corners, corners[0])]
        return self.extruded(f.createIfcArbitraryClosedProfileDef("AREA", None, f.createIfcPolyline(points)), z)

    def extruded(self, profile: Any, z: float) -> Any:
        return self.file.createIfcExtrudedAreaSolid(profile, None, self.file.createIfcDirection(UP), z)

    def elbow(self, radius: float, wall: float, bend: float) -> Any:
        """A quarter of a ring of pipe: it begins at the origin along z, and ends at (bend, 0, bend) along x."""
        f = self.file
        profile = f.createIfcCircleHollowProfileDef("AREA", None, self._flat(), radius, wall)
        axis = f.createIfcAxis1Placement(f.createIfcCartesianPoint((bend, 0.0, 0.0)),
                                         f.createIfcDirection((0.0, 1.0, 0.0)))
        return f.createIfcRevolvedAreaSolid(profile, None, axis, 0.5 * math.pi)

    def rod(self, points, radius: float) -> Any:
        """A disk that is swept along a polygon."""
        f = self.file
        line = f.createIfcPolyline([f.createIfcCartesianPoint([float(x) for x in point]) for point in points])
        return f.createIfcSweptDiskSolid(line, radius)

    def _flat(self):
        f = self.file
        return f.createIfcAxis2Placement2D(f.createIfcCartesianPoint((0.0, 0.0)), None)


def _new_id() -> str:
    import ifcopenshell.guid

    return ifcopenshell.guid.new()


def _axes(f, at, along, across):
    return f.createIfcAxis2Placement3D(*(make([float(x) for x in each]) for make, each in (
        (f.createIfcCartesianPoint, at), (f.createIfcDirection, along), (f.createIfcDirection, across))))


def _new_building() -> Building:
    import ifcopenshell

    f = ifcopenshell.file(schema="IFC4")
    units = f.createIfcUnitAssignment([f.createIfcSIUnit(None, "LENGTHUNIT", "MILLI", "METRE"),
                                       f.createIfcSIUnit(None, "PLANEANGLEUNIT", None, "RADIAN")])
    world = _axes(f, (0.0, 0.0, 0.0), UP, (1.0, 0.0, 0.0))
    body = f.createIfcGeometricRepresentationContext(None, "Model", 3, 1e-5, world, None)
    f.createIfcProject(_new_id(), None, "Building", None, None, None, None, [body], units)
    placement = f.createIfcLocalPlacement(None, _axes(f, SITE, UP, (math.cos(TURN), math.sin(TURN), 0.0)))
    return Building(f, body, placement)


def building(clashing: bool = False) -> tuple[Model, list[Clash]]:
    """The model, and what was made to clash in it."""
    b = _new_building()
    _ground(b)
    for storey in range(STOREYS):
        floor = storey * STOREY
        _frame(b, floor, clashing and storey == 0)
        _slab(b, floor, storey)
        _outer_walls(b, floor)
        _partitions(b, floor, storey, clashing)
        _ducts(b, floor, storey, clashing)
    _riser(b)
    _stairs(b, clashing)
    return Model("building (IFC)", list(_parts(b.file))), b.clashes


def _columns():
    """(x, y, is round) of each: those within the building are round."""
    for i in range(BAYS[0] + 1):
        for j in range(BAYS[1] + 1):
            yield i * BAY[0], j * BAY[1], 0 < i < BAYS[0] and 0 < j < BAYS[1]


def _ground(b: Building) -> None:
    for x, y, _ in _columns():
        b.add("IfcFooting", "footing", b.block(1200.0, 1200.0, 400.0), (x, y, -SLAB - 400.0))
    b.add("IfcSlab", "ground", b.outline(_rim(), SLAB), (0.0, 0.0, -SLAB))


def _rim() -> list[tuple[float, float]]:
    """Corners of a slab: up to the outside of the outer walls."""
    low = -0.5 * COLUMN - OUTER_WALL
    high = BAYS[0] * BAY[0] - low, BAYS[1] * BAY[1] - low
    return [(low, low), (high[0], low), high, (low, high[1])]


def _frame(b: Building, floor: float, clashing: bool) -> None:
    """Columns, beams on them along x, and beams between the flanges of these along y."""
    middle, end = floor + UNDER_BEAM + 0.5 * BEAM, 0.5 * COLUMN
    beams = {}
    for j in range(BAYS[1] + 1):
        for i in range(BAYS[0]):
            low, high = i * BAY[0] - end * (i == 0), (i + 1) * BAY[0] + end * (i == BAYS[0] - 1)
            beams[i, j] = b.add("IfcBeam", "beam", b.beam(COLUMN, BEAM, WEB, FLANGE, high - low),
                                (low, j * BAY[1], middle), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
            if j < BAYS[1]:
                b.add("IfcBeam", "joist", b.beam(150.0, BEAM - 2.0 * FLANGE, 8.0, 12.0, BAY[1] - WEB),
                      ((i + 0.5) * BAY[0], j * BAY[1] + 0.5 * WEB, middle), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    for x, y, is_round in _columns():
        is_long = clashing and x == 0.0 and y == BAY[1]
        high = UNDER_BEAM + 2.0 * is_long
        column = b.add("IfcColumn", "column", b.cylinder(ROUND, high) if is_round else b.block(COLUMN, COLUMN, high),
                       (x, y, floor))
        if is_long:
            b.clash(column, beams[0, 1], 2.0)


def _slab(b: Building, floor: float, storey: int) -> None:
    slab = b.add("IfcSlab", "slab", b.outline(_rim(), SLAB), (0.0, 0.0, floor + CLEAR))
    if storey == 0:
        b.cut(slab, b.cylinder(PIPE, SLAB), (*RISER, floor + CLEAR))
        b.cut(slab, b.block(1000.0, 2400.0, SLAB), (16_000.0, 2_500.0, floor + CLEAR))


def _outer_walls(b: Building, floor: float) -> None:
    """Two that are as long as the building, with windows, and two between them."""
    width, depth = BAYS[0] * BAY[0], BAYS[1] * BAY[1]
    out = 0.5 * (COLUMN + OUTER_WALL)
    for y in (-out, depth + out):
        wall = b.add("IfcWall", "wall", b.block(width + 2.0 * out + OUTER_WALL, OUTER_WALL, CLEAR),
                     (0.5 * width, y, floor))
        for i in range(BAYS[0]):
            at = (i + 0.5) * BAY[0], y - 40.0, floor + 1500.0
            window = b.add("IfcWindow", "window", b.hollow(1400.0, 1200.0, 60.0, 80.0), at, (0.0, 1.0, 0.0))
            b.add("IfcPlate", "pane", b.block(1280.0, 1080.0, 10.0), (at[0], y - 5.0, at[2]), (0.0, 1.0, 0.0))
            b.cut(wall, b.block(1400.0, 1200.0, OUTER_WALL), (at[0], y - 0.5 * OUTER_WALL, at[2]), (0.0, 1.0, 0.0),
                  filling=window)
    for x in (-out, width + out):
        b.add("IfcWall", "wall", b.block(OUTER_WALL, depth + COLUMN, CLEAR), (x, 0.5 * depth, floor))


def _partitions(b: Building, floor: float, storey: int, clashing: bool) -> None:
    """Walls below the beams along the middle, with doors, and across at the first inner columns."""
    y, face = BAY[1], 0.5 * COLUMN
    for i in range(BAYS[0]):
        low, high = i * BAY[0] + face * (i == 0), (i + 1) * BAY[0] - face * (i == BAYS[0] - 1)
        wall = b.add("IfcWall", "partition", b.block(high - low, WALL, UNDER_BEAM), (0.5 * (low + high), y, floor))
        for x in (low, high):
            if 0.0 < x % BAY[0] < 0.5 * BAY[0] or x % BAY[0] > 0.5 * BAY[0]:
                continue
            b.cut(wall, b.cylinder(ROUND, UNDER_BEAM), (x, y, floor))
        _door(b, wall, ((i + 0.5) * BAY[0] - 800.0, y, floor), clashing and storey == 1 and i == 0)
        _pipe_through(b, wall, (i * BAY[0] + 4_500.0, y, floor + 2_200.0), i, clashing and storey == 0)
        _duct_through(b, wall, i, floor, storey, clashing)
    is_low = clashing and storey == 1
    for low, high in ((face, y), (y, 2.0 * y - face)):
        wall = b.add("IfcWall", "partition", b.block(WALL, high - low, UNDER_BEAM + is_low),
                     (BAY[0], 0.5 * (low + high), floor - is_low))
        b.cut(wall, b.cylinder(ROUND, UNDER_BEAM + is_low), (BAY[0], y, floor - is_low))
        if storey == 1 and low == face:
            b.cut(wall, b.cylinder(PIPE, WALL), (BAY[0] - 0.5 * WALL, RISER[1], TURN_AT + BEND), (1.0, 0.0, 0.0),
                  (0.0, 1.0, 0.0))
        if is_low:
            slab = next(each for each in b.file.by_type("IfcSlab") if each.Name.startswith("slab"))
            b.clash(wall, slab, 1.0)


def _door(b: Building, wall, at, is_wide: bool) -> None:
    """A lining on three sides, and a leaf that stands on the floor."""
    wide, high, thin = 900.0, 2100.0, 40.0
    out = 0.5 * wide + 3.0 * is_wide
    inner, top = 0.5 * wide - thin, high - thin
    u = [(-out, 0.0), (-out, high), (out, high), (out, 0.0), (inner, 0.0), (inner, top), (-inner, top), (-inner, 0.0)]
    x, y, z = at
    lining = b.add("IfcDoor", "door", b.outline(u, WALL), (x, y - 0.5 * WALL, z), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    b.add("IfcDoor", "leaf", b.block(2.0 * inner, 40.0, top), (x, y, z))
    b.cut(wall, b.block(wide, WALL, high), at, filling=lining)
    if is_wide:
        b.clash(lining, wall, 3.0)


def _pipe_through(b: Building, wall, at, i: int, clashing: bool) -> None:
    """A pipe along y in two pieces, in an opening of its own size, a larger one, or none."""
    x, y, z = at
    pipes = [b.add("IfcPipeSegment", "pipe", b.pipe(PIPE, SHEET, 2_000.0), (x, low, z), (0.0, 1.0, 0.0))
             for low in (y - 1_500.0, y + 500.0)]
    if i == 2 and clashing:
        b.clash(pipes[0], wall, 0.5 * WALL)
        return
    b.cut(wall, b.cylinder(PIPE + 30.0 * (i == 1), WALL), (x, y - 0.5 * WALL, z), (0.0, 1.0, 0.0))


def _duct_place(i: int, storey: int, clashing: bool) -> tuple[float, float]:
    """x, and z of its middle above the floor: of a clash its top is 6 mm in the flange of a beam."""
    return i * BAY[0] + 1_200.0, UNDER_BEAM + 6.0 - 0.5 * DUCT[1] if clashing and (i, storey) == (1, 1) else 2_500.0


def _duct_through(b: Building, wall, i: int, floor: float, storey: int, clashing: bool) -> None:
    x, z = _duct_place(i, storey, clashing)
    more = 50.0 * (i == 2)
    b.cut(wall, b.block(DUCT[0] + 2.0 * more, DUCT[1] + 2.0 * more, WALL), (x, BAY[1] - 0.5 * WALL, floor + z),
          (0.0, 1.0, 0.0))


def _ducts(b: Building, floor: float, storey: int, clashing: bool) -> None:
    """Along y, in three pieces each."""
    for i in range(BAYS[0]):
        x, z = _duct_place(i, storey, clashing)
        pieces = [b.add("IfcDuctSegment", "duct", b.hollow(*DUCT, SHEET, high - low), (x, low, floor + z),
                        (0.0, 1.0, 0.0)) for low, high in ((200.0, 3_500.0), (3_500.0, 6_500.0), (6_500.0, 9_800.0))]
        if clashing and (i, storey) == (1, 1):
            beams = [each for each in b.file.by_type("IfcBeam") if each.Name.startswith("beam")]
            b.clash(pieces[1], beams[len(beams) // 2 + BAYS[0] + i], 6.0)


RISER, TURN_AT, BEND = (4_000.0, 2_500.0), STOREY + 1_800.0, 200.0


def _riser(b: Building) -> None:
    """A pipe from the ground through a slab, an elbow, and a pipe through a partition."""
    x, y = RISER
    b.add("IfcPipeSegment", "riser", b.pipe(PIPE, SHEET, TURN_AT), (x, y, 0.0))
    b.add("IfcPipeFitting", "elbow", b.elbow(PIPE, SHEET, BEND), (x, y, TURN_AT))
    b.add("IfcPipeSegment", "pipe", b.pipe(PIPE, SHEET, 4_000.0), (x + BEND, y, TURN_AT + BEND), (1.0, 0.0, 0.0),
          (0.0, 1.0, 0.0))


def _stairs(b: Building, clashing: bool) -> None:
    """Steps up to a landing that leans against an outer wall, and a railing that stands on it."""
    steps, rise, going, wide = 8, 175.0, 250.0, 1_000.0
    corners = [(0.0, 0.0)]
    for step in range(steps):
        corners += [(step * going, (step + 1) * rise), ((step + 1) * going, (step + 1) * rise)]
    corners += [(steps * going, 0.0)]
    inside = BAYS[0] * BAY[0] + 0.5 * COLUMN
    x, y, long = inside - 1_500.0, 1_300.0, 1_500.0 + 8.0 * clashing
    b.add("IfcStairFlight", "steps", b.outline(corners, wide), (x - steps * going, y + wide, 0.0), (0.0, -1.0, 0.0))
    landing = b.add("IfcSlab", "landing", b.outline([(0.0, 0.0), (long, 0.0), (long, 2_400.0), (0.0, 2_400.0)],
                                                    steps * rise), (x, y, 0.0))
    railing = b.add("IfcRailing", "railing", b.rod([(0, 0, 0), (0, 0, 1_000), (1_200, 0, 1_000), (1_200, 0, 0)], 20.0),
                    (x + 100.0, y + 2_300.0, steps * rise - 12.0 * clashing))
    if clashing:
        walls = [each for each in b.file.by_type("IfcWall") if each.Name.startswith("wall")]
        b.clash(landing, walls[3], 8.0)
        b.clash(railing, landing, 12.0)


def _parts(f):
    """The triangles of each product but openings, as the kernel makes them, in metres."""
    import ifcopenshell.geom

    settings = ifcopenshell.geom.settings()
    settings.set("weld-vertices", True)
    iterator = ifcopenshell.geom.iterator(settings, f, 1, exclude=f.by_type("IfcOpeningElement"))
    more = iterator.initialize()
    while more:
        shape = iterator.get()
        vertices = np.array(shape.geometry.verts).reshape(-1, 3)
        triangles = np.array(shape.geometry.faces, np.int32).reshape(-1, 3)
        pose = np.array(shape.transformation.matrix).reshape(4, 4, order="F")
        yield stored(Part(shape.name, vertices, triangles, pose))
        more = iterator.next()
