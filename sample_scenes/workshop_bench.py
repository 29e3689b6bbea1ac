# SPDX-License-Identifier: GPL-3.0-or-later
"""The workbench and what stands, lies and sticks on it. Its top is at z = 0.9375."""
import bpy
import numpy as np

from .building import add, curve, material, mesh
from .shapes import box, joined, lathe, rod

TOP = 0.9375
GAP = 0.00390625        # what does not touch the bench stands this far above it
BLOCK = TOP + 0.0625     # upper side of the chopping block
OAK, STEEL = ("Oak", (0.55, 0.36, 0.19)), ("Steel", (0.48, 0.50, 0.53), 0.35, 0.9)


def build(bench, things, parts, expect) -> None:
    """bench: the furniture; things: what lies on it; parts: an excluded collection for what is only instanced."""
    table(bench, expect)
    cabinet(bench)
    vise(things)
    block(things, expect)
    tools(things, expect)
    mug(things, expect)
    clay(things, expect)
    bowl(things)
    tray(things, parts, expect)
    lamp(things, expect)


def table(into, expect) -> None:
    """A bevelled top on four legs, three of them mirror images of the first."""
    top = add("Bench Top", mesh("Bench Top", *box((-1.25, -0.375, -0.0625), (1.25, 0.375, 0.0))), into,
              material(*OAK), location=(-0.25, 2.0, TOP))
    rounded = top.modifiers.new("Rounded Edges", "BEVEL")
    rounded.width, rounded.segments = 0.0078125, 2
    legs = add("Bench Legs", mesh("Bench Leg", *box((-1.1875, -0.3125, 0.0), (-1.09375, -0.21875, 0.875))), into,
               material(*OAK), location=(-0.25, 2.0, 0.0))
    legs.modifiers.new("Four Legs", "MIRROR").use_axis = (True, True, False)
    expect.touches("Bench Legs", "Bench Top")


def cabinet(into) -> None:
    """An open box made thick inward, with three drawers hanging clear inside it."""
    x0, x1, y0, y1, z1 = 0.125, 0.6875, 1.75, 2.25, 0.75
    vertices, faces = box((x0, y0, 0.0), (x1, y1, z1))
    body = add("Cabinet", mesh("Cabinet", vertices, [face for face in faces if face != (0, 1, 5, 4)]), into,
               material("Cabinet Green", (0.20, 0.33, 0.28)))
    thick = body.modifiers.new("Boards", "SOLIDIFY")
    thick.thickness, thick.offset = 0.015625, -1.0
    drawer = joined(box((x0 + 0.03125, y0 - 0.03125, 0.03125), (x1 - 0.03125, y1 - 0.0625, 0.234375)),
                    rod((0.34, y0 - 0.05, 0.14), (0.4725, y0 - 0.05, 0.14), 0.01, 12))
    drawers = add("Drawers", mesh("Drawer", *drawer), into, material("Drawer Cream", (0.80, 0.74, 0.60)))
    stack = drawers.modifiers.new("Stack", "ARRAY")
    stack.count, stack.use_relative_offset, stack.use_constant_offset = 3, False, True
    stack.constant_offset_displace = (0.0, 0.0, 0.234375)


def vise(into) -> None:
    """A vise with two bolts and a spindle in one mesh, clear of everything."""
    parts = [box((0.625, 1.6875, TOP + GAP), (0.8125, 1.9375, TOP + 0.046875)),
             box((0.640625, 1.71875, TOP + 0.046875), (0.796875, 1.78125, TOP + 0.171875)),
             rod((0.65625, 1.875, TOP + 0.0625), (0.65625, 1.875, TOP + 0.03125), 0.012, 12),
             rod((0.78125, 1.875, TOP + 0.0625), (0.78125, 1.875, TOP + 0.03125), 0.012, 12),
             box((0.640625, 1.5625, TOP + 0.03125), (0.796875, 1.625, TOP + 0.171875)),
             rod((0.71875, 1.5, TOP + 0.09375), (0.71875, 1.73, TOP + 0.09375), 0.016, 16),
             rod((0.64, 1.515, TOP + 0.05), (0.80, 1.515, TOP + 0.1375), 0.007, 12)]
    add("Vise", mesh("Vise", *joined(*parts)), into, material("Vise Blue", (0.14, 0.27, 0.42), 0.4))


def tools(into, expect) -> None:
    """A hammer whose head stands on the bench exactly."""
    head = box((-0.0625, -0.015625, 0.0), (0.0625, 0.015625, 0.03125))
    handle = rod((0.0, -0.3, 0.016), (0.0, 0.03, 0.016), 0.0125, 16)
    add("Hammer", mesh("Hammer", *joined(head, handle)), into, material("Ash", (0.70, 0.55, 0.35)),
        location=(0.0, 2.0625, TOP))
    expect.touches("Hammer", "Bench Top")


def block(into, expect) -> None:
    """A block of wood on the bench, and a chisel driven into it."""
    low, high = (-0.75, 1.84375, TOP), (-0.1875, 2.25, BLOCK)
    add("Chopping Block", mesh("Chopping Block", *box(low, high)), into, material("Beech", (0.66, 0.42, 0.22)))
    expect.touches("Chopping Block", "Bench Top")
    profile = [(0.0, -0.17), (0.009, -0.165), (0.009, 0.0), (0.016, 0.005), (0.02, 0.04), (0.016, 0.09),
               (0.021, 0.12), (0.0, 0.125)]
    add("Chisel", mesh("Chisel", *lathe(profile, 16), smooth=True), into, material("Boxwood", (0.82, 0.62, 0.25)),
        location=(-0.28125, 1.96875, BLOCK + 0.125), turn=(12.0, 17.0, 30.0))
    expect.crosses("Chisel", "Chopping Block")


def mug(into, expect) -> None:
    """A mug with a dent as a shape key. It stands where the figure's right hand is: the hand is in its wall."""
    cup = lathe([(0.0, 0.0), (0.046875, 0.0), (0.046875, 0.109375), (0.0390625, 0.109375), (0.0390625, 0.0078125),
                 (0.0, 0.0078125)], 40)
    bow = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    corners = np.column_stack([0.044 + 0.032 * np.cos(bow), 0 * bow, 0.055 + 0.032 * np.sin(bow)])
    handle = joined(*[rod(a, b, 0.006, 10) for a, b in zip(corners, corners[1:])])
    made = add("Mug", mesh("Mug", *joined(cup, handle)), into, material("Glaze", (0.16, 0.42, 0.52), 0.2),
               location=(-0.796875, 1.6875, TOP))
    made.shape_key_add(name="Basis")
    dent = made.shape_key_add(name="Dent")
    for point in dent.data:
        if point.co.z > 0.03 and point.co.x < 0.0:
            point.co.x *= 0.75
    dent.value = 0.5
    expect.touches("Mug", "Bench Top")


def clay(into, expect) -> None:
    """A lump of clay as a metaball, stuck to the block."""
    data = bpy.data.metaballs.new("Clay")
    data.resolution, data.threshold = 0.0125, 0.3
    for x, y, z, radius in ((0.0, 0.0, 0.02, 0.09), (0.06, 0.03, 0.015, 0.07), (-0.05, 0.04, 0.03, 0.06),
                            (0.01, 0.02, 0.07, 0.06), (0.13, 0.05, 0.0, 0.045)):
        ball_of_clay = data.elements.new()
        ball_of_clay.co, ball_of_clay.radius = (x, y, z), radius
    add("Clay", data, into, material("Clay", (0.58, 0.33, 0.22), 0.9), location=(-0.59375, 2.03125, BLOCK))
    expect.crosses("Clay", "Chopping Block")


def bowl(into) -> None:
    """A turned bowl of clay, made smooth, above the bench."""
    shape = lathe([(0.0, 0.0), (0.05, 0.0), (0.085, 0.06), (0.07, 0.13), (0.055, 0.125), (0.07, 0.06), (0.04, 0.015),
                   (0.0, 0.015)], 12)
    made = add("Clay Bowl", mesh("Clay Bowl", *shape, smooth=True), into, material("Clay", (0.58, 0.33, 0.22), 0.9),
               location=(0.375, 2.15625, TOP + 0.0078125))
    made.modifiers.new("Smooth", "SUBSURF").levels = 2


def tray(into, parts, expect) -> None:
    """A sheet-metal tray made thick inward, and bolts that geometry nodes scatter over it, each clear of the next."""
    vertices, faces = box((-0.15625, -0.125, 0.0), (0.15625, 0.125, 0.046875))
    body = add("Bolt Tray", mesh("Bolt Tray", vertices, [face for face in faces if face != (4, 5, 7, 6)]), into,
               material(*STEEL), location=(0.3125, 1.8125, TOP))
    thick = body.modifiers.new("Sheet", "SOLIDIFY")
    thick.thickness, thick.offset = 0.00390625, -1.0
    expect.touches("Bolt Tray", "Bench Top")
    hexagon = lathe([(0.014, 0.0), (0.014, 0.010), (0.007, 0.010), (0.007, 0.05)], 6)
    bolt = add("Bolt", mesh("Bolt", *hexagon), parts, material("Zinc", (0.70, 0.70, 0.66), 0.3, 0.9))
    points = bpy.data.meshes.new("Bolts")
    bolts = add("Bolts", points, into, location=(0.3125, 1.8125, TOP + 0.0078125))
    scatter = bolts.modifiers.new("Scatter", "NODES")
    scatter.node_group = scatter_nodes(bolt)


def scatter_nodes(bolt):
    """Geometry nodes: 4 × 3 instances of an object on a grid, each with a seeded turn about z."""
    group = bpy.data.node_groups.new("Scatter Bolts", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    group.is_modifier = True
    grid, turn, source, put, result = (group.nodes.new(kind) for kind in (
        "GeometryNodeMeshGrid", "FunctionNodeRandomValue", "GeometryNodeObjectInfo", "GeometryNodeInstanceOnPoints",
        "NodeGroupOutput"))
    for name, value in (("Size X", 0.234375), ("Size Y", 0.15625), ("Vertices X", 4), ("Vertices Y", 3)):
        grid.inputs[name].default_value = value
    turn.data_type = "FLOAT_VECTOR"
    low, high = [socket for socket in turn.inputs if socket.type == "VECTOR"]
    low.default_value, high.default_value = (0.0, 0.0, 0.0), (0.0, 0.0, 2 * np.pi)
    source.inputs["Object"].default_value = bolt
    source.inputs["As Instance"].default_value = True
    vector = next(socket for socket in turn.outputs if socket.type == "VECTOR")
    for start, end in ((grid.outputs["Mesh"], put.inputs["Points"]), (vector, put.inputs["Rotation"]),
                       (source.outputs["Geometry"], put.inputs["Instance"]),
                       (put.outputs["Instances"], result.inputs["Geometry"])):
        group.links.new(start, end)
    for k, node in enumerate((turn, source, grid, put, result)):
        node.location = (220 * k, 0)
    return group


def lamp(into, expect) -> None:
    """Base, arm and shade are screwed into each other; the cable hangs down behind the bench, clear."""
    green = material("Lamp Green", (0.10, 0.32, 0.22), 0.3)
    base = lathe([(0.09375, 0.0), (0.09375, 0.0234375), (0.02, 0.03125)], 40)
    add("Lamp Base", mesh("Lamp Base", *base), into, green, location=(-1.3125, 2.125, TOP))
    expect.touches("Lamp Base", "Bench Top")
    arm = curve("Lamp Arm", [(-1.3125, 2.125, TOP + 0.01), (-1.375, 2.125, 1.30), (-1.09375, 2.0, 1.46)], 0.009)
    add("Lamp Arm", arm, into, green)
    shade = lathe([(0.02, 0.0625), (0.03, 0.05), (0.11, -0.0625)], 40)
    made = mesh("Lamp Shade", shade[0], [face for face in shade[1] if len(face) == 4], smooth=True)
    hood = add("Lamp Shade", made, into, green, location=(-1.0625, 1.984375, 1.421875), turn=(0.0, -18.0, 0.0))
    hood.modifiers.new("Sheet", "SOLIDIFY").thickness = 0.003
    expect.crosses("Lamp Arm", "Lamp Base", "Lamp Shade")
    way = [(-1.3125, 2.234375, TOP + 0.016), (-1.36, 2.28, TOP + 0.016), (-1.5625, 2.3125, 0.98), (-1.625, 2.375, 0.55),
           (-1.75, 2.375, 0.25), (-1.6875, 2.3125, 0.0625)]
    add("Lamp Cable", curve("Lamp Cable", way, 0.006, smooth=True), into, material("Rubber", (0.05, 0.05, 0.05)))
