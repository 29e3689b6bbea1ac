# SPDX-License-Identifier: GPL-3.0-or-later
"""Batch queries, N at a time, without a scene: float64 in, arrays out. Closed sets: touching counts as intersecting."""
from .continuous import edge_edge_toi as edge_edge_toi
from .continuous import rigid_toi as rigid_toi
from .continuous import vertex_face_toi as vertex_face_toi
from .convex import boxes_overlap as boxes_overlap
from .convex import convex_distance as convex_distance
from .convex import convex_intersect as convex_intersect
from .convex import convex_penetration as convex_penetration
from .distance import mesh_distance as mesh_distance
from .distance import surface_distances as surface_distances
from .meshes import colliding_pairs as colliding_pairs
from .meshes import contained_pairs as contained_pairs
from .meshes import mesh_triangle_pairs as mesh_triangle_pairs
from .meshes import points_in_mesh as points_in_mesh
from .meshes import segments_hit_triangles as segments_hit_triangles
from .triangles import triangle_intersections as triangle_intersections
from .triangles import triangles_intersect as triangles_intersect
from .volume import overlap_volume as overlap_volume
from .within import self_intersections as self_intersections
