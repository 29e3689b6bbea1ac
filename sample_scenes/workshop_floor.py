# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands about at z = 0, 1/256 m above the floor: instanced stools and cartons, sawhorses, ladder, bucket …"""
import bpy

from .building import add, curve, material, mesh
from .shapes import ball, beam, box, joined, lathe, prism, rod

PINE, ASH = ("Pine", (0.72, 0.50, 0.28)), ("Ash", (0.70, 0.55, 0.35))


def build(into, parts, expect) -> None:
    """parts: an excluded collection, under which the instanced collections lie."""
    stools(into, parts, expect)
    cartons(into, parts, expect)
    sawhorses(into, parts, expect)
    bucket(into, expect)
    toolbox(into, expect)
    leaning(into)
    apron(into)


def instanced(name: str, parts):
    """A collection to be instanced, itself not shown."""
    made = bpy.data.collections.new(name)
    parts.children.link(made)
    return made


def instance(name: str, source, into, **place) -> None:
    """An empty that shows a collection."""
    made = add(name, None, into, **place)
    made.instance_type, made.instance_collection, made.empty_display_size = "COLLECTION", source, 0.02


def stools(into, parts, expect) -> None:
    """One stands, one is mirrored and lower, the legs of one press into a rug."""
    source = instanced("Stool", parts)
    legs = [beam(((x, y), (x + 0.03125, y + 0.03125), 0.0), ((0.75 * x, 0.75 * y), (0.75 * x + 0.03125,
            0.75 * y + 0.03125), 0.5)) for x in (-0.1875, 0.15625) for y in (-0.1875, 0.15625)]
    seat = lathe([(0.1875, 0.484375), (0.1875, 0.515625)], 40)
    add("Stool Frame", mesh("Stool Frame", *joined(*legs, seat)), source, material(*ASH))
    cushion = add("Stool Cushion", mesh("Stool Cushion", *lathe([(0.16, 0.5234375), (0.19, 0.55), (0.15, 0.58)], 16),
                                        smooth=True), source, material("Leather", (0.45, 0.16, 0.10)))
    cushion.modifiers.new("Soft", "SUBSURF").levels = 2
    instance("Stool 1", source, into, location=(1.25, 1.0, 0.0))
    instance("Stool 2", source, into, location=(1.875, 0.25, 0.0), scale=(-1.0, 1.0, 0.75))
    instance("Stool 3", source, into, location=(-0.1875, 1.0625, 0.015625))
    add("Rug", mesh("Rug", *box((-0.6875, 0.6875, 0.0), (0.3125, 1.4375, 0.03125))), into,
        material("Wool", (0.45, 0.20, 0.22), 0.9))
    expect.crosses("Stool 3 ▸ Stool Frame #1", "Rug")


def cartons(into, parts, expect) -> None:
    """Four instances of one carton, stacked exactly; the label on each is 1/256 m clear of it."""
    source = instanced("Carton", parts)
    add("Carton Box", mesh("Carton Box", *box((-0.25, -0.1875, 0.0), (0.25, 0.1875, 0.375))), source,
        material("Cardboard", (0.62, 0.46, 0.29), 0.9))
    add("Carton Label", mesh("Carton Label", *box((-0.125, -0.19921875, 0.125), (0.125, -0.19140625, 0.25))), source,
        material("Paper", (0.88, 0.87, 0.80)))
    places = [(-2.0, -1.6875, 0.0), (-1.4375, -1.625, 0.0), (-1.9375, -1.125, 0.0), (-1.8125, -1.65625, 0.375)]
    for k, place in enumerate(places):
        instance(f"Carton {k + 1}", source, into, location=place)
    boxes = [f"Carton {k + 1} ▸ Carton Box #1" for k in range(4)]
    expect.touches(boxes[3], boxes[0], boxes[1])


def sawhorses(into, parts, expect) -> None:
    """Two of one mesh, a plank laid across them exactly, on it a pipe and a plane."""
    legs = [beam(((x, foot), (x + 0.046875, foot + 0.046875), 0.0), ((x, top), (x + 0.046875, top + 0.046875), 0.6875))
            for x in (-0.25, 0.203125) for foot, top in ((0.25, 0.0), (-0.296875, -0.046875))]
    ridge = box((-0.3125, -0.046875, 0.625), (0.3125, 0.046875, 0.71875))
    data = mesh("Sawhorse", *joined(*legs, ridge))
    for k, x in enumerate((-1.0625, 0.5625)):
        add(f"Sawhorse {k + 1}", data, into, material(*PINE), location=(x, -0.625, 0.0))
    plank = add("Plank", mesh("Plank", *box((-1.5, -0.8125, 0.71875), (1.0, -0.4375, 0.765625))), into,
                material(*PINE))
    notch = add("Notch", mesh("Notch", *box((0.75, -0.9375, 0.6875), (0.84375, -0.71875, 0.8125))), parts)
    cut = plank.modifiers.new("Notch", "BOOLEAN")
    cut.operation, cut.object = "DIFFERENCE", notch
    expect.touches("Plank", "Sawhorse 1", "Sawhorse 2")
    tube = lathe([(0.0390625, -0.375), (0.0390625, 0.375), (0.03125, 0.375), (0.03125, -0.375)], hollow=True)
    add("Steel Pipe", mesh("Steel Pipe", *tube, smooth=True), into,
        material("Steel", (0.48, 0.50, 0.53), 0.35, 0.9), location=(-0.875, -0.6875, 0.8125), turn=(0.0, 90.0, 4.0))
    plane_body = joined(box((0.0, -0.609375, 0.765625), (0.28125, -0.5390625, 0.8203125)),
                        rod((0.06, -0.575, 0.82), (0.06, -0.575, 0.86), 0.016), ball_at((0.06, -0.575, 0.868), 0.024),
                        prism_upright([(0.17, 0.815), (0.23, 0.815), (0.26, 0.90), (0.21, 0.905), (0.20, 0.86)],
                                      -0.585, -0.563))
    add("Hand Plane", mesh("Hand Plane", *plane_body), into, material("Beech", (0.66, 0.42, 0.22)))
    expect.touches("Hand Plane", "Plank")


def ball_at(place, radius: float):
    vertices, faces = ball(radius, 16, 8)
    return vertices + place, faces


def prism_upright(outline, y0: float, y1: float):
    """An outline in x and z, made thick along y."""
    vertices, faces = prism(outline, y0, y1)
    return vertices[:, [0, 2, 1]], [face[::-1] for face in faces]


def bucket(into, expect) -> None:
    """An open bucket, and a rubber ball too big for it."""
    wall = lathe([(0.0, 0.0), (0.109375, 0.0), (0.15, 0.28), (0.142, 0.28), (0.1, 0.015625), (0.0, 0.015625)], 40)
    add("Bucket", mesh("Bucket", *wall), into, material("Zinc", (0.70, 0.70, 0.66), 0.3, 0.9),
        location=(-0.375, -1.5, 0.0))
    add("Rubber Ball", mesh("Rubber Ball", *ball(0.15625, 32, 16), smooth=True), into,
        material("Red Grip", (0.70, 0.10, 0.08), 0.4), location=(-0.375, -1.5, 0.3125))
    expect.crosses("Rubber Ball", "Bucket")


def toolbox(into, expect) -> None:
    """A box made thick inward and stretched by its scale; its handle goes through both ends."""
    vertices, faces = box((-0.1875, -0.109375, 0.0), (0.1875, 0.109375, 0.1875))
    body = add("Toolbox", mesh("Toolbox", vertices, [face for face in faces if face != (4, 5, 7, 6)]), into,
               material("Vise Blue", (0.14, 0.27, 0.42), 0.4), location=(0.875, 0.25, 0.0), scale=(1.25, 1.0, 1.0))
    thick = body.modifiers.new("Sheet", "SOLIDIFY")
    thick.thickness, thick.offset = 0.0078125, -1.0
    bow = [(0.66, 0.25, 0.15), (0.62, 0.25, 0.30), (0.70, 0.25, 0.34), (1.05, 0.25, 0.34), (1.13, 0.25, 0.30),
           (1.09, 0.25, 0.15)]
    add("Toolbox Handle", curve("Toolbox Handle", bow, 0.012), into, material("Black Iron", (0.10, 0.10, 0.11)))
    expect.crosses("Toolbox Handle", "Toolbox")


def leaning(into) -> None:
    """A ladder and a broom that lean clear of the walls."""
    rungs = [rod((0.0, -0.19, z), (0.0, 0.19, z), 0.014, 12) for z in (0.3, 0.6, 0.9, 1.2, 1.5, 1.8)]
    rails = [box((-0.03, y, 0.0), (0.03, y + 0.03, 2.1)) for y in (-0.215, 0.185)]
    add("Ladder", mesh("Ladder", *joined(*rails, *rungs)), into, material(*PINE), location=(-2.375, 1.4375, 0.02),
        turn=(0.0, -13.0, 0.0))
    brush = joined(rod((0.0, 0.0, 0.1), (0.0, 0.0, 1.4), 0.013), box((-0.16, -0.03, 0.06), (0.16, 0.03, 0.11)),
                   beam(((-0.18, -0.045), (0.18, 0.045), 0.0), ((-0.15, -0.025), (0.15, 0.025), 0.065)))
    add("Broom", mesh("Broom", *brush), into, material(*ASH), location=(-2.125, 2.09375, 0.015625),
        turn=(-9.0, 0.0, 0.0))


def apron(into) -> None:
    """A NURBS surface: an apron hung up 4 cm before the wall, in folds."""
    bpy.ops.surface.primitive_nurbs_surface_surface_add()
    made = bpy.context.object
    made.name = made.data.name = "Apron"
    for owner in made.users_collection:
        owner.objects.unlink(made)
    into.objects.link(made)
    sheet = made.data.splines[0]
    sheet.use_endpoint_u = sheet.use_endpoint_v = True
    for k, point in enumerate(sheet.points):
        across, down = k % 4, k // 4
        fold = (-2.94, -2.80, -2.94, -2.82)[(across + down // 2) % 4]
        point.co = (fold, 0.3125 + 0.17 * across, 1.875 - 0.28 * down, 1.0)
    made.data.materials.append(material("Canvas", (0.80, 0.74, 0.58), 0.9))
    made.select_set(False)
    bpy.context.view_layer.objects.active = None
