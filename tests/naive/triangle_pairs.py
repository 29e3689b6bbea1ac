# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded classes of triangle pairs, each made to be hard in one way.

CLASSES maps a name to a function (rng, n) -> A, B, both (n,3,3) float64. Inputs that must touch exactly are made of
small whole numbers, so that the floats say exactly what is meant; where rounding spoils it, the oracle decides.
"""
import numpy as np

PERMUTATIONS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


def arrangements(a, b):
    """Yield the 72 ways to hand over two triangles (or n of them): each corner order of each, and both swapped."""
    for first, second in ((a, b), (b, a)):
        for p in PERMUTATIONS:
            for q in PERMUTATIONS:
                yield first[..., p, :], second[..., q, :]


def whole(rng, n, limit=16, corners=3):
    """(n,corners,3) whole numbers from -limit to limit."""
    return rng.integers(-limit, limit + 1, (n, corners, 3)).astype(float)


def rotations(rng, n):
    """(n,3,3) rotations (not exact: their products round)."""
    return np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]


def random(rng, n):
    return rng.normal(size=(n, 3, 3)), rng.normal(size=(n, 3, 3))


def lattice(rng, n):
    """Coordinates 0 … 3: every degenerate case at once, zero area included."""
    return whole(rng, n, 2), whole(rng, n, 2)


def unit_lattice(rng, n):
    return rng.integers(0, 2, (n, 3, 3)).astype(float), rng.integers(0, 2, (n, 3, 3)).astype(float)


def near(distance):
    """A corner that stands before a face, or an edge before an edge, at ± distance along the normal."""
    def make(rng, n):
        flat = rng.normal(size=(n, 3, 3)) * (1, 1, 0)
        weights = rng.dirichlet((1, 1, 1), n)
        base = np.einsum("ni,nij->nj", weights, flat)
        other = base[:, None] + rng.normal(size=(n, 3, 3)) * (1, 1, 0)
        other[..., 2] = rng.uniform(0.1, 1, (n, 3))
        other[:, 0] = base
        crossing = rng.random(n) < 0.5          # an edge from the far side of the border: edge before edge
        other[crossing, 1] = 2 * flat[crossing, 0] - base[crossing]
        other[:, 0, 2] = rng.choice((-distance, distance), n)
        other[crossing, 1, 2] = other[crossing, 0, 2]
        turn, shift = rotations(rng, n), rng.normal(size=(n, 1, 3))
        return flat @ turn + shift, other @ turn + shift
    return make


def touching(feature_a, feature_b):
    """B's corner 0 stands exactly on a corner, an edge or the face of A, or their edges meet; the rest is random."""
    def make(rng, n):
        a, b = whole(rng, n) * 16, whole(rng, n) * 16
        share = rng.integers(1, 15, n)[:, None] / 16
        place = {"vertex": a[:, 0], "edge": a[:, 0] + (a[:, 1] - a[:, 0]) * share,
                 "face": a[:, 0] + (a[:, 1] - a[:, 0]) * share / 2 + (a[:, 2] - a[:, 0]) / 4}[feature_a]
        if feature_b == "edge":
            b[:, 1] = 2 * place - b[:, 0]
        else:
            b[:, 0] = place
        return a, b
    return make


def coplanar(rng, n, limit=6):
    """Whole numbers in a plane through the origin that is tilted, or one of x = 0, y = 0, z = 0."""
    u, v = whole(rng, n, 2, 1), whole(rng, n, 2, 1)
    a, b = (rng.integers(-limit, limit + 1, (2, n, 3, 1)) * u + rng.integers(-limit, limit + 1, (2, n, 3, 1)) * v)
    return a, b


def coplanar_nested(rng, n):
    a, _ = coplanar(rng, n)
    a = a * 8
    middle = (2 * a[:, :1] + a[:, 1:2] + a[:, 2:]) / 4
    return a, middle + (a - middle) * rng.choice((-0.25, 0.125, 0.5, 1.0), (n, 1, 1))


def coplanar_identical(rng, n):
    a = np.where(rng.random((n, 1, 1)) < 0.5, whole(rng, n), rng.normal(size=(n, 3, 3)))
    return a, a[np.arange(n)[:, None], rng.permuted(np.tile([0, 1, 2], (n, 1)), axis=1)]


def coplanar_rotated(rng, n):
    """In one plane up to rounding: some meet, some miss by a rounding error, areas become segments or points."""
    a, b = rng.normal(size=(2, n, 3, 3)) * (1, 1, 0)
    nested = rng.random(n) < 0.3
    b[nested] = a[nested] * 0.5 + a[nested].mean(axis=1, keepdims=True) * 0.5
    turn, shift = rotations(rng, n), rng.normal(size=(n, 1, 3))
    return a @ turn + shift, b @ turn + shift


def coplanar_side_by_side(rng, n):
    """In one plane with a common border line, or one rounding step off it."""
    a, b = rng.integers(-6, 7, (2, n, 3, 3)) * (1.0, 1.0, 0.0)
    a[..., 0], b[..., 0] = np.abs(a[..., 0]), -np.abs(b[..., 0])
    a[:, :2, 0] = b[:, :2, 0] = 0
    a[..., 0] += rng.choice((0, 0, 5e-324, 1e-300, 1e-16), (n, 1))
    axes = rng.permuted(np.tile([0, 1, 2], (n, 1)), axis=1)[:, None]
    return np.take_along_axis(a, axes, 2), np.take_along_axis(b, axes, 2)


def near_parallel(rng, n):
    """Planes that meet at an angle of 1e-6 … 1e-15."""
    a, b = rng.normal(size=(2, n, 3, 3)) * (1, 1, 0)
    b[..., 2] = b[..., 0] * 10.0 ** rng.uniform(-15, -6, (n, 1))
    turn = rotations(rng, n)
    return a @ turn, b @ turn


def shared(count):
    """The first `count` corners of both are the same; the third of B sometimes in A's plane."""
    def make(rng, n):
        a, b = rng.normal(size=(2, n, 3, 3))
        exact = rng.random(n) < 0.5
        a[exact], b[exact] = whole(rng, int(exact.sum())), whole(rng, int(exact.sum()))
        b[:, :count] = a[:, :count]
        flat = rng.random(n) < 0.3
        b[flat, 2] = a[flat, 2] + rng.integers(-3, 4, (int(flat.sum()), 1)) * (a[flat, 1] - a[flat, 0])
        return a, b
    return make


def sliver(rng, n):
    """The third corner 1e-6 … 1e-16 off the long edge; both cross near the middle."""
    a, b = rng.normal(size=(2, n, 3, 3))
    for triangle in (a, b):
        share = rng.uniform(0.2, 0.8, (n, 1))
        triangle[:, 2] = triangle[:, 0] * share + triangle[:, 1] * (1 - share)
        triangle[:, 2] += rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-16, -6, (n, 1))
    b += a[:, 2:] - b[:, 2:] + rng.normal(size=(n, 1, 3)) * 10.0 ** rng.uniform(-16, -6, (n, 1, 1))
    ordinary = rng.random(n) < 0.5
    b[ordinary] = a[ordinary, 2:] + rng.normal(size=(int(ordinary.sum()), 3, 3))
    return a, b


def needle(rng, n):
    """Two corners 1e-6 … 1e-16 apart, the needle through the other triangle."""
    a, b = rng.normal(size=(2, n, 3, 3))
    b[:, 1] = b[:, 0] + rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-16, -6, (n, 1))
    weights = rng.dirichlet((1, 1, 1), n)
    through = np.einsum("ni,nij->nj", weights, a)
    b[:, 2] = b[:, 0] + (through - b[:, 0]) * rng.choice((0.9, 1.0, 1.5, 2.0), (n, 1))
    return a, b


def zero_area(kind_a, kind_b):
    """Triangles without area on whole numbers, many of them exactly on the other."""
    def make(rng, n):
        a, b = flattened(rng, whole(rng, n) * 8, kind_a), flattened(rng, whole(rng, n) * 8, kind_b)
        meeting = rng.random(n) < 0.6           # b's first corner, or its middle, onto a point of a
        onto = a[:, 0] + (a[:, 1] - a[:, 0]) * rng.integers(0, 5, (n, 1)) / 8 + (a[:, 2] - a[:, 0]) / 4
        of_b = b[np.arange(n), rng.integers(0, 3, n)]
        b[meeting] += (onto - of_b)[meeting, None]
        along = rng.random(n) < 0.2             # and some along the same line
        b[along] = a[along, :1] + (a[along, 1:2] - a[along, :1]) * rng.integers(-8, 16, (int(along.sum()), 3, 1)) / 8
        return a, flattened(rng, b, kind_b)
    return make


def flattened(rng, triangles, kind):
    """The triangles made a point, a segment with a repeated corner, or three different corners on a line."""
    if kind == "point":
        return triangles[:, [0, 0, 0]]
    if kind == "segment":
        return triangles[:, [0, 1, 1]]
    if kind == "collinear":
        flat = triangles.copy()
        flat[:, 2] = flat[:, 0] + (flat[:, 1] - flat[:, 0]) * rng.choice((0.25, 0.5, 2, -1), (len(flat), 1))
        return flat
    return triangles


def any_of(*makers):
    """A mixture: each pair from one of the classes."""
    def make(rng, n):
        parts = [maker(rng, n) for maker in makers]
        pick = rng.integers(0, len(parts), n)
        return tuple(np.stack([part[side] for part in parts])[pick, np.arange(n)] for side in (0, 1))
    return make


ORDINARY = any_of(random, lattice, near(1e-9), touching("vertex", "edge"), touching("face", "vertex"), coplanar,
                  coplanar_rotated, shared(2), sliver, zero_area("segment", "triangle"))


def scaled(factor, maker=ORDINARY):
    def make(rng, n):
        a, b = maker(rng, n)
        return a * factor, b * factor
    return make


def moved(distance, maker=ORDINARY):
    """Far from the origin, where the coordinates keep few digits of the shape."""
    def make(rng, n):
        a, b = maker(rng, n)
        shift = rng.normal(size=(n, 1, 3)) * distance
        return a + shift, b + shift
    return make


def huge_and_tiny(rng, n):
    """B is 1e-3 … 1e-30 of A and stands on a corner, an edge or the face of A, or a little above."""
    a, b = ORDINARY(rng, n)
    places = np.array([(1, 0, 0), (0.5, 0.5, 0), (0, 0.25, 0.75), (0.25, 0.25, 0.5)])
    onto = np.einsum("ni,nij->nj", rng.choice(places, n), a)
    b -= np.where(rng.random((n, 1, 1)) < 0.5, b[:, :1], b.mean(axis=1, keepdims=True))
    return a, b * 10.0 ** rng.uniform(-30, -3, (n, 1, 1)) + onto[:, None]


def every_exponent(exponent):
    """Each coordinate of its own magnitude, 10**±exponent, or zero."""
    def make(rng, n):
        size = 10.0 ** rng.uniform(-exponent, exponent, (2, n, 3, 3))
        a, b = size * rng.choice((-1.0, 0.0, 1.0), size.shape)
        same = rng.random((n, 3, 1)) < 0.3
        return a, np.where(same, a, b)
    return make


def one_step_off(maker):
    """Divided by three and, at some coordinates, moved to the next float."""
    def make(rng, n):
        thirds = [side / 3 for side in maker(rng, n)]
        towards = [rng.choice((-np.inf, np.inf), side.shape) for side in thirds]
        return tuple(np.where(rng.random(side.shape) < 0.1, np.nextafter(side, end), side)
                     for side, end in zip(thirds, towards))
    return make


def stretched(maker):
    """Every axis in units of its own, 1e-150 … 1e150: exact where the units are powers of two."""
    def make(rng, n):
        a, b = maker(rng, n)
        units = 2.0 ** rng.integers(-500, 500, (n, 1, 3))
        return a * units, b * units
    return make


def subnormal(rng, n):
    """Whole multiples of the smallest float: every product underflows."""
    a, b = any_of(lattice, coplanar, touching("edge", "vertex"), touching("edge", "edge"))(rng, n)
    return a * 16 * 5e-324, b * 16 * 5e-324


def single_precision(rng, n):
    """float32 coordinates under a pose with rotation and scale, as Blender hands them over."""
    a, b = ORDINARY(rng, n)
    turn, shift = rotations(rng, n) * rng.uniform(0.1, 3, (n, 1, 1)), rng.normal(size=(n, 1, 3))
    return tuple(triangle.astype(np.float32).astype(float) @ turn + shift for triangle in (a, b))


CLASSES = {
    "random": random, "lattice": lattice, "unit lattice": unit_lattice,
    **{f"near {distance:g}": near(distance) for distance in (1e-6, 1e-9, 1e-12, 1e-15)},
    "touching vertex-vertex": touching("vertex", "vertex"), "touching vertex-edge": touching("edge", "vertex"),
    "touching vertex-face": touching("face", "vertex"), "touching edge-edge": touching("edge", "edge"),
    "edge through corner": touching("vertex", "edge"), "edge through face": touching("face", "edge"),
    "coplanar lattice": coplanar, "coplanar nested": coplanar_nested, "coplanar identical": coplanar_identical,
    "coplanar rotated": coplanar_rotated, "coplanar side by side": coplanar_side_by_side,
    "near parallel": near_parallel, "shared edge": shared(2), "shared vertex": shared(1), "sliver": sliver,
    "needle": needle,
    **{f"scale {factor:g}": scaled(factor) for factor in (1e-300, 1e-160, 1e-100, 1e-15, 1e-6, 1e15, 1e100, 1e150)},
    "scale 1e300": scaled(1e297),               # coordinates reach a few hundred
    "subnormal": subnormal,
    "far 1e5": moved(1e5), "far 1e5 near 1e-6": moved(1e5, near(1e-6)), "far 1e12": moved(1e12),
    **{f"zero area {a}, {b}": zero_area(a, b)
       for a, b in (("point", "triangle"), ("segment", "triangle"), ("collinear", "triangle"), ("point", "point"),
                    ("point", "collinear"), ("segment", "segment"), ("collinear", "collinear"))},
    "huge and tiny": huge_and_tiny, "every exponent 20": every_exponent(20), "every exponent 300": every_exponent(300),
    **{f"every exponent {exponent}": every_exponent(exponent) for exponent in (40, 80)},
    "single precision": single_precision,
    "one step off touching": one_step_off(any_of(*(touching(a, b) for a, b in (
        ("vertex", "vertex"), ("edge", "vertex"), ("face", "vertex"), ("edge", "edge"), ("face", "edge"))))),
    "one step off coplanar": one_step_off(any_of(coplanar, coplanar_nested, coplanar_identical, shared(2), shared(1))),
    "one step off zero area": one_step_off(any_of(zero_area("collinear", "triangle"), zero_area("segment", "collinear"),
                                                  zero_area("point", "collinear"))),
    "stretched": stretched(any_of(ORDINARY, coplanar, near_parallel)), "stretched lattice": stretched(lattice),
}


def draw(name, n, seed):
    """n pairs of the class `name`: (n,3,3) A and B, the same for the same seed."""
    a, b = CLASSES[name](np.random.default_rng([*np.atleast_1d(seed), *name.encode()]), n)
    return np.ascontiguousarray(a), np.ascontiguousarray(b)
