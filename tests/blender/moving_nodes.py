# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes a mesh another one, or puts it elsewhere, from frame to frame: nodes, instances, curves, texts, metaballs
and scripts. A builder each, as in `moving_things`."""
import bpy
from moving_building import (
    LAST,
    armature,
    driven,
    keyed,
    keys_of_a_curve,
    keys_of_shapes,
    sheet,
    wanderer,
)
from scene_building import (
    add,
    add_collection_instance,
    add_cube,
    add_curve,
    add_instances,
    add_metaball,
    add_nodes,
    add_text,
    cube_mesh,
    new_collection,
)

# By nodes

def nodes_of(each, kind, build):
    """Nodes that set positions by an offset which `build` makes, (tree, z of the offset) → None."""
    def made(tree, start, end):
        place, vector = tree.nodes.new("GeometryNodeSetPosition"), tree.nodes.new("ShaderNodeCombineXYZ")
        tree.links.new(start, place.inputs["Geometry"])
        tree.links.new(vector.outputs[0], place.inputs["Offset"])
        tree.links.new(place.outputs[0], end)
        build(tree, vector.inputs["Z"])
    tree = add_nodes(each, made)
    tree.name = kind
    return tree


def nodes_of_time():
    nodes_of(sheet("Rising"), "Time", lambda tree, z: tree.links.new(
        tree.nodes.new("GeometryNodeInputSceneTime").outputs["Seconds"], z))


def keys_of_nodes():
    def make(tree, z):
        value = tree.nodes.new("ShaderNodeValue")
        tree.links.new(value.outputs[0], z)
        keyed(value.outputs[0], "default_value", 0.0, 1.0)
    nodes_of(sheet("Rising"), "Keys", make)


def driver_of_nodes():
    def make(tree, z):
        value = tree.nodes.new("ShaderNodeValue")
        tree.links.new(value.outputs[0], z)
        driven(value.outputs[0], "default_value", "frame * 0.1")
    nodes_of(sheet("Rising"), "Driver", make)


def keys_of_an_input_of_nodes():
    rising = sheet("Rising")
    tree = nodes_of(rising, "Input", lambda tree, z: None)
    tree.interface.new_socket("Height", in_out="INPUT", socket_type="NodeSocketFloat")
    start = next(node for node in tree.nodes if node.bl_idname == "NodeGroupInput")
    vector = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeCombineXYZ")
    tree.links.new(start.outputs[1], vector.inputs["Z"])
    nodes, identifier = rising.modifiers["Nodes"], start.outputs[1].identifier
    if bpy.app.version >= (5, 2):
        keyed(getattr(nodes.properties.inputs, identifier), "value", 0.0, 1.0)
        return
    for frame, value in ((1, 0.0), (LAST, 1.0)):
        nodes[identifier] = value
        rising.keyframe_insert(f'modifiers["Nodes"]["{identifier}"]', frame=frame)


def nodes_about_an_object():
    """The place of another object."""
    other = wanderer()

    def make(tree, z):
        info, parts = tree.nodes.new("GeometryNodeObjectInfo"), tree.nodes.new("ShaderNodeSeparateXYZ")
        info.inputs["Object"].default_value, info.transform_space = other, "RELATIVE"
        tree.links.new(info.outputs["Location"], parts.inputs[0])
        tree.links.new(parts.outputs["Z"], z)
    nodes_of(sheet("Rising"), "Info", make)


def nodes_about_the_camera():
    camera = add("Camera", bpy.data.cameras.new("Camera"))
    keyed(camera, "location", (0, 0, 0), (0, 0, 1))
    bpy.context.scene.camera = camera

    def make(tree, z):
        info, parts = tree.nodes.new("GeometryNodeObjectInfo"), tree.nodes.new("ShaderNodeSeparateXYZ")
        tree.links.new(tree.nodes.new("GeometryNodeInputActiveCamera").outputs[0], info.inputs["Object"])
        tree.links.new(info.outputs["Location"], parts.inputs[0])
        tree.links.new(parts.outputs["Z"], z)
    nodes_of(sheet("Rising"), "Camera", make)


def instances_of_nodes():
    """That show an object whose shape changes, as many as a driver says."""
    crumb = keys_of_shapes()
    crumb.scale = (0.2,) * 3
    tree = add_nodes(add_cube("Forest", size=0.5), lambda tree, start, end: tree.links.new(
        add_instances(tree, crumb, count=3, spacing=0.75), end))
    line = next(node for node in tree.nodes if node.bl_idname == "GeometryNodeMeshLine")
    driven(line.inputs["Count"], "default_value", "2 + int(frame) // 4")


def instances_of_a_collection_by_nodes():
    rocks = new_collection("Rocks")
    rocks.objects.link(wanderer("Rock", cube_mesh("Rock", 0.8)))

    def make(tree, _start, end):
        info = tree.nodes.new("GeometryNodeCollectionInfo")
        info.inputs["Collection"].default_value = rocks
        info.transform_space = "RELATIVE"
        tree.links.new(info.outputs[0], end)
    add_nodes(add_cube("Heap", size=0.5), make)


def nodes_that_realize():
    """The geometry of another object becomes that of this one."""
    soft = keys_of_shapes()
    soft.hide_set(True)

    def make(tree, _start, end):
        info = tree.nodes.new("GeometryNodeObjectInfo")
        info.inputs["Object"].default_value, info.transform_space = soft, "RELATIVE"
        tree.links.new(info.outputs["Geometry"], end)
    add_nodes(add_cube("Copy", (0, 1, 0)), make)


def simulation_nodes():
    def make(tree, start, end):
        first = tree.nodes.new("GeometryNodeSimulationInput")
        last = tree.nodes.new("GeometryNodeSimulationOutput")
        first.pair_with_output(last)
        place = tree.nodes.new("GeometryNodeSetPosition")
        place.inputs["Offset"].default_value = (0.1, 0.0, -0.1)
        tree.links.new(start, first.inputs[0])
        tree.links.new(first.outputs["Geometry"], place.inputs["Geometry"])
        tree.links.new(place.outputs[0], last.inputs["Geometry"])
        tree.links.new(last.outputs["Geometry"], end)
    add_nodes(sheet("Flow"), make)


def nodes_of_a_curve():
    """A curve whose nodes make a mesh."""
    def make(tree, start, end):
        mesh = tree.nodes.new("GeometryNodeCurveToMesh")
        circle = tree.nodes.new("GeometryNodeCurvePrimitiveCircle")
        driven(circle.inputs["Radius"], "default_value", "0.1 * frame")
        tree.links.new(start, mesh.inputs["Curve"])
        tree.links.new(circle.outputs[0], mesh.inputs["Profile Curve"])
        tree.links.new(mesh.outputs[0], end)
    add_nodes(add_curve("Tube", bevel=0.0), make)


def nodes_of_a_drawing():
    """Of grease pencil, which have an object shown."""
    drawing, knob = add("Drawing", bpy.data.grease_pencils.new("Drawing"), (0, 1, 0)), add_cube("Knob", size=0.5)
    tree = add_nodes(drawing, lambda tree, _start, end: tree.links.new(
        add_instances(tree, knob, count=2, spacing=0.75), end))
    line = next(node for node in tree.nodes if node.bl_idname == "GeometryNodeMeshLine")
    driven(line.inputs["Count"], "default_value", "2 + int(frame) // 4")


# By instances

def collection_instance():
    """Of an object that moves, and of one that changes its shape."""
    rocks = new_collection("Rocks")
    for each in (wanderer("Rock", cube_mesh("Rock", 0.8)), keys_of_shapes()):
        bpy.context.scene.collection.objects.unlink(each)
        rocks.objects.link(each)
    add_collection_instance("Heap", rocks, (0.5, 0, 0))


def collection_in_a_collection():
    """Of what an armature poses."""
    inner, outer = new_collection("Inner"), new_collection("Outer")
    arm = armature()
    held = add_cube("Held", size=0.5)
    held.parent, held.parent_type, held.parent_bone = arm, "BONE", "Bone"
    for each in (arm, held):
        bpy.context.scene.collection.objects.unlink(each)
        inner.objects.link(each)
    add_collection_instance("Inside", inner, (0.2, 0, 0), outer)
    add_collection_instance("Outside", outer, (0.3, 0, 0))


def instances_on_vertices():
    soft = keys_of_shapes()
    soft.instance_type = "VERTS"
    add_cube("Knob", size=0.4).parent = soft


def instances_on_faces():
    soft = keys_of_shapes()
    soft.instance_type, soft.use_instance_faces_scale = "FACES", True
    add_cube("Knob", size=0.4).parent = soft


# By what is no mesh

def keys_of_a_bevel():
    keyed(add_curve("Curve").data, "bevel_depth", 0.1, 0.6)


def bevel_object():
    """A profile that is scaled."""
    curve = add_curve("Curve", bevel=0.0)
    profile = add_curve("Profile", bevel=0.0)
    profile.data.splines[0].use_cyclic_u = True
    curve.data.bevel_mode, curve.data.bevel_object = "OBJECT", profile
    keyed(profile, "scale", (0.2,) * 3, (0.8,) * 3)


def taper_object():
    curve, taper = add_curve("Curve", bevel=0.3), keys_of_a_curve()
    curve.data.taper_object = taper


def keys_of_a_text():
    keyed(add_text("Text").data, "size", 1.0, 3.0)


def text_on_a_curve():
    add_text("Text").data.follow_curve = keys_of_a_curve()


def metaballs():
    """Which melt together."""
    keyed(add_metaball("Ball", (1, 0, 1)), "location", (2, 0, 1), (0.5, 0, 1))
    add_metaball("Ball.001", (0, 0, 1))


# By scripts

def handler_that_edits():
    """A script of the file's author, at each frame."""
    edited = add_cube("Edited", (1, 0, 0))
    name = edited.data.name

    def at_frame(scene, *_):
        mesh = bpy.data.meshes[name]
        mesh.vertices[7].co.z = 1.0 + 0.2 * scene.frame_current
        mesh.update()
    bpy.app.handlers.frame_change_pre.append(at_frame)


ALL = (
    nodes_of_time, keys_of_nodes, driver_of_nodes, keys_of_an_input_of_nodes, nodes_about_an_object,
    nodes_about_the_camera, instances_of_nodes, instances_of_a_collection_by_nodes, nodes_that_realize,
    simulation_nodes, nodes_of_a_curve, collection_instance, collection_in_a_collection, instances_on_vertices,
    instances_on_faces, keys_of_a_bevel, bevel_object, taper_object, keys_of_a_text, text_on_a_curve, metaballs,
    handler_that_edits, keys_of_a_curve)
if bpy.app.version >= (5, 0):       # whose grease pencil has nodes
    ALL += (nodes_of_a_drawing,)
