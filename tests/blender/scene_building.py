# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes made in code. Everything is linked into the current scene unless a collection is given."""
import bpy
import numpy as np

CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def link(each, collection=None):
    (collection or bpy.context.scene.collection).objects.link(each)
    return each


def add(name, data, location=(0, 0, 0), collection=None):
    each = link(bpy.data.objects.new(name, data), collection)
    each.location = location
    return each


def mesh_of(name, vertices, faces, edges=()):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, edges, faces)
    mesh.update()
    return mesh


def cube_mesh(name="Cube", size=2.0):
    half = 0.5 * size
    return mesh_of(name, [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)], CUBE_FACES)


def add_cube(name, location=(0, 0, 0), collection=None, size=2.0):
    """A cube of that edge, 12 triangles."""
    return add(name, cube_mesh(name, size), location, collection)


def add_text(name, body="Hi", collection=None):
    text = bpy.data.curves.new(name, "FONT")
    text.body = body
    text.extrude = 0.1
    return add(name, text, collection=collection)


def add_curve(name, bevel=0.1):
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = bevel
    spline = curve.splines.new("POLY")
    spline.points.add(2)
    spline.points[1].co = (1, 0, 0, 1)
    spline.points[2].co = (1, 1, 0, 1)
    return add(name, curve)


def add_surface(name):
    bpy.ops.surface.primitive_nurbs_surface_sphere_add()
    bpy.context.object.name = name
    return bpy.context.object


def add_metaball(name, location=(0, 0, 0)):
    metaball = bpy.data.metaballs.new(name)
    metaball.elements.new()
    return add(name, metaball, location)


def new_collection(name, parent=None):
    """A collection; without a parent it is in no scene, as what is only instanced usually is."""
    collection = bpy.data.collections.new(name)
    if parent is not None:
        parent.children.link(collection)
    return collection


def add_collection_instance(name, collection, location=(0, 0, 0), into=None):
    empty = add(name, None, location, into)
    empty.instance_type = "COLLECTION"
    empty.instance_collection = collection
    return empty


def add_nodes(each, build):
    """A geometry nodes modifier; build(tree, geometry_in, geometry_out) makes the nodes, given two sockets."""
    tree = bpy.data.node_groups.new(each.name, "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    build(tree, start.outputs[0], end.inputs[0])
    each.modifiers.new("Nodes", "NODES").node_group = tree
    return tree


def add_instances(tree, source, count=4, spacing=4.0):
    """Nodes for `count` instances of a geometry socket or an object along x; returns the output socket."""
    line = tree.nodes.new("GeometryNodeMeshLine")
    line.inputs["Count"].default_value = count
    line.inputs["Offset"].default_value = (spacing, 0, 0)
    instances = tree.nodes.new("GeometryNodeInstanceOnPoints")
    tree.links.new(line.outputs[0], instances.inputs["Points"])
    if isinstance(source, bpy.types.Object):
        info = tree.nodes.new("GeometryNodeObjectInfo")
        info.inputs["Object"].default_value = source
        info.inputs["As Instance"].default_value = True
        source = info.outputs["Geometry"]
    tree.links.new(source, instances.inputs["Instance"])
    return instances.outputs[0]


def join(tree, *sockets):
    node = tree.nodes.new("GeometryNodeJoinGeometry")
    for socket in sockets:
        tree.links.new(socket, node.inputs[0])
    return node.outputs[0]


def edit(*objects):
    """Open objects in Edit Mode."""
    for each in objects:
        each.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]
    bpy.ops.object.mode_set(mode="EDIT")


def names(snapshot):
    return [row.name for row in snapshot.rows]


def mesh_at(snapshot, name):
    """The core mesh of the object with this name."""
    return snapshot.core.meshes[snapshot.core.objects[names(snapshot).index(name)].mesh]


def pose_of(snapshot, name):
    return snapshot.core.objects[names(snapshot).index(name)].pose


def triangles_of(snapshot, name):
    """(m,3,3) world corners, as a plain product."""
    mesh, pose = mesh_at(snapshot, name), pose_of(snapshot, name)
    world = mesh.vertices @ pose[:3, :3].T + pose[:3, 3]
    return world[mesh.triangles]


def size_of(snapshot, name):
    """(3,) extent of the world box."""
    corners = triangles_of(snapshot, name).reshape(-1, 3)
    return np.ptp(corners, axis=0)


def saved_cubes(path, names, frames):
    """The scene, of so many frames, with cubes far apart, saved there. The first cube is active and selected."""
    made = [add_cube(name, (99 * k, 0, 0)) for k, name in enumerate(names)]
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    bpy.context.view_layer.objects.active = made[0]
    made[0].select_set(True)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return scene
