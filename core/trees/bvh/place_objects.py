# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of a Forest: which objects are not placed yet, placing them, the boxes around them."""
from ...machine_code.jit import kernel, unsigned
from ..bounds import bounds_of_points
from .refit import EMPTY_BOX_EDGE, fit_triangles, move_vertices, round_vertices


@kernel
def missing_objects(a, b, have, wanted, which):
    """which[:k] = the objects in a or b that are not in `have`, ascending; returns k. a, b: (pairs,) int32; have:
    (n,) bool; wanted: (n,) bool, scratch, all False; which: (n,) int64."""
    for k in range(a.shape[0]):
        wanted[a[k]] = True
        wanted[b[k]] = True
    count = 0
    for i in range(have.shape[0]):
        if wanted[i] and not have[i]:
            which[count] = i
            count += 1
    return count


@kernel
def place_objects(which, placement, scratch):
    """Move the vertices of some objects into the world and fit their trees to them. which: (k,) int64; placement:
    Placement; scratch: RefitScratch for the largest of them."""
    rounded = scratch.rounded
    for k in range(which.shape[0]):
        i = which[k]
        vertices = placement.vertex_count[i]
        place_vertices(i, 0, vertices, placement, rounded)
        for x in range(8):
            rounded[vertices, x] = EMPTY_BOX_EDGE
        fit_triangles(i, 0, placement.node_count[i], placement, scratch)


@kernel
def place_vertices(obj, first, last, placement, rounded):
    """Move the vertices first … last-1 of an object into the world, and round them."""
    trees = placement.trees
    world = trees.corners.world
    world_start = trees.corners.world_start[obj]
    move_vertices(placement.poses, obj, placement.vertices, placement.vertex_start[obj] + first, last - first, world,
                  world_start + first)
    round_vertices(world, world_start, first, last, trees.quantization, rounded)


@kernel
def bound_objects(which, vertex_count, world_start, world, bounds):
    """bounds[i] = lo x y z hi x y z of the placed triangles of object i, for i in which."""
    for k in range(which.shape[0]):
        i = which[k]
        box = bounds_of_points(world, world_start[i], world_start[i] + vertex_count[i])
        for x in range(6):
            bounds[i, x] = box[x]


@kernel
def gather_triangles(objects, triangles, slots, corners, found):
    """found[k] = the corners of triangles[k] of objects[k], which is placed. objects, triangles: (n,) int64, the
    triangles by their numbers in their meshes; slots: (…,) int32, of each triangle, as in MeshTreeArrays; corners:
    Corners; found: (n,3,3) float64."""
    for k in range(unsigned(objects.shape[0])):
        place_triangle(objects[k], triangles[k], slots, corners, found[k], 0)


@kernel
def place_triangle(obj, triangle, slots, corners, P, row):
    """P[row … row+2] = the corners of a triangle, by its number in the mesh, of an object that is placed. Other
    arguments as of `gather_triangles`."""
    start = unsigned(corners.triangle_start[obj])
    slot = start + unsigned(slots[start + unsigned(triangle)])
    for i in range(unsigned(3)):
        vertex = unsigned(corners.world_start[obj] + corners.triangles[slot, i])
        for x in range(3):
            P[unsigned(row) + i, x] = corners.world[vertex, x]
