# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles and small solids whose numbers span more than exact kernels take: rational arithmetic must decide.

Each case is drawn in small whole numbers, where everything touches, coincides or shares planes, and then made wide.
"""
import numpy as np

from . import triangle_pairs
from .scenes import TETRAHEDRON
from .shapes import box, joined, moved

WEDGE = (np.array([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (0, 2, 2)], float),
         np.array([(0, 2, 1), (3, 4, 5), (0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4), (2, 0, 3), (2, 3, 5)], np.int32))
HAIR = 2.0 ** -280  # nothing beside any other number, and something beside 0
MOST = 250          # binary orders of magnitude that exact kernels take


def own_units(rng, sides):
    """Each axis in a unit of its own, so that each corner spans at least 2^300: nothing that is asked changes."""
    units = 2.0 ** (rng.permutation((-1, 0, 1)) * int(rng.integers(300, 480)))
    return [side * units for side in sides]


def by_a_hair(rng, sides):
    """One of the two moved by a hair, where a coordinate is 0: what touches comes apart, or overlaps."""
    step = rng.choice((-HAIR, HAIR), 3) * (rng.random(3) < 0.6)
    return [sides[0], sides[1] + step]


def tiny(rng, sides):
    """One of the two 2^-500 as large, around the origin."""
    return [sides[0], sides[1] * 2.0 ** -500]


WIDENED = {"own units": own_units, "by a hair": by_a_hair, "tiny": tiny}
TRIANGLES = {name: triangle_pairs.CLASSES[name] for name in (
    "lattice", "unit lattice", "coplanar lattice", "coplanar nested", "shared vertex", "shared edge")}


def draw_triangles(name, how, n, seed):
    """n pairs of triangles (3,3) float64 of a class of triangle_pairs.py, widened."""
    rng, found = np.random.default_rng([seed, *name.encode(), *how.encode()]), []
    while len(found) < n:
        pairs = [WIDENED[how](rng, [np.round(a), np.round(b)]) for a, b in zip(*TRIANGLES[name](rng, n))]
        found += [pair for pair in pairs if spans(np.concatenate(pair)) > MOST]
    return found[:n]


def spans(numbers) -> int:
    """How many binary orders of magnitude lie between the smallest and the largest number that is not 0."""
    exponents = np.frexp(numbers[numbers != 0])[1]
    return int(np.ptp(exponents)) if len(exponents) else 0


def tetrahedron(rng, limit=3):
    """Corners in whole numbers, with a volume, turned outward."""
    while True:
        corners = rng.integers(-limit, limit + 1, (4, 3)).astype(float)
        volume = np.linalg.det(corners[1:] - corners[0])
        if abs(volume) > 0.5:
            return (corners if volume > 0 else corners[[0, 2, 1, 3]]), TETRAHEDRON[1]


def anyhow(rng):
    return tetrahedron(rng, 2), tetrahedron(rng, 2)


def at_a_corner(rng):
    """A solid, and the same half as large around one of its corners, on the same side or the other one."""
    vertices, faces = (tetrahedron(rng), WEDGE)[rng.integers(2)]
    corner = vertices[0]
    b = corner + (vertices - corner) * (rng.choice((0.5, 1.0, 2.0, -0.5, -1.0)))
    return (vertices - corner, faces), turned_outward((b - corner, faces))


def turned_outward(mesh):
    """The same mesh, inside where the winding number is 1."""
    vertices, faces = mesh
    volume = np.linalg.det(vertices[faces]).sum()
    return mesh if volume > 0 else (vertices, faces[:, ::-1].copy())


def face_to_face(rng):
    """Two tetrahedra with a common face, on one side of it or on both."""
    while True:
        corners = rng.integers(-3, 4, (5, 3)).astype(float)
        both = [(corners[[0, 1, 2, other]] - corners[0], TETRAHEDRON[1]) for other in (3, 4)]
        if all(abs(np.linalg.det(vertices[1:])) > 0.5 for vertices, _ in both):
            return tuple(turned_outward(mesh) for mesh in both)


def around_an_edge(rng):
    """Two tetrahedra with a common edge, or a part of it."""
    while True:
        along, u, v, w, x = rng.integers(-2, 3, (5, 3)).astype(float)
        both = [(np.array([(0, 0, 0), share * along, p, q]), TETRAHEDRON[1])
                for share, p, q in ((1, u, v), (rng.choice((0.5, 1, 2)), w, x))]
        if all(abs(np.linalg.det(vertices[1:])) > 0.2 for vertices, _ in both):
            return tuple(turned_outward(mesh) for mesh in both)


def pushed(rng):
    """Two wedges, or a box and a wedge, along common planes."""
    shift = rng.integers(-4, 5, 3) * 0.5 * (rng.random(3) < 0.5)
    return (WEDGE, box((0, 0, 0), (2, 2, 2)))[rng.integers(2)], moved(WEDGE, shift)


def nested(rng):
    """A small solid strictly inside a large one, alone or with another part outside."""
    small = tetrahedron(rng)
    inside = small[0] * 2.0 ** -4 + (0.5, 0.5, 0.5), small[1]
    other = moved(inside, (9.0, 0.0, 0.0))
    return (inside, joined(inside, other), other)[rng.integers(3)], moved((WEDGE[0] * 2, WEDGE[1]), (-0.25, -0.25, -1))


SOLIDS = {each.__name__: each for each in (anyhow, at_a_corner, face_to_face, around_an_edge, pushed, nested)}


def draw_solids(name, how, n, seed):
    """n pairs of small closed meshes, widened."""
    rng = np.random.default_rng([seed, *name.encode(), *how.encode()])
    pairs = []
    for _ in range(n):
        a, b = SOLIDS[name](rng)
        first, second = WIDENED[how](rng, [a[0], b[0]])
        pairs.append(((first, a[1]), (second, b[1])))
    return pairs
