# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded classes of moving vertices and faces and of moving edges, each made to be hard in one way.

CLASSES maps a name to a function (rng, n, kind) -> X0, X1, both (n,4,3) float64: where the four corners are at t = 0
and t = 1. Contacts that must be exact are made of small whole numbers; where rounding spoils it, the oracle decides.
"""
import numpy as np

from .triangle_pairs import rotations

KINDS = ("vertex_face", "edge_edge")


def first_feature(kind):
    """The corners of the vertex, or of the first edge."""
    return slice(0, 1 if kind == "vertex_face" else 2)


def through(at, velocity, time):
    """The corners are at `at` at the time, (n,1,1), and move evenly."""
    return at - time * velocity, at + (1 - time) * velocity


def weights(rng, n, kind, outside=None):
    """(n,4) of the corners; those of each feature sum up to 1, so that they name a point of each.

    outside: None for points inside the features; else one of the two is that far beyond its border, 0 on it.
    """
    u, v = rng.random((2, n))
    if outside is not None:
        u = rng.choice((-outside, 1 + outside), n)
        v[rng.random(n) < 0.3] = rng.choice((0.0, 1.0))
    if kind == "edge_edge":
        return np.stack([1 - u, u, 1 - v, v], axis=1)
    u = -np.abs(outside) * np.ones(n) if outside is not None else u
    corners = rng.permuted(np.stack([u, (1 - u) * v, (1 - u) * (1 - v)], axis=1), axis=1)
    return np.concatenate([np.ones((n, 1)), corners], axis=1)


def brought_together(X, kind, share):
    """The first feature moved so that the two points with these weights are one."""
    first = first_feature(kind)
    meeting = [np.einsum("nk,nkj->nj", share[:, part], X[:, part]) for part in (first, slice(first.stop, 4))]
    X = X.copy()
    X[:, first] += (meeting[1] - meeting[0])[:, None]
    return X


def random(rng, n, kind):
    return rng.normal(size=(n, 4, 3)), rng.normal(size=(n, 4, 3))


def meeting(outside=None, speed=1.0):
    """At a random time the features meet inside, or pass each other that far outside the border."""
    def make(rng, n, kind):
        at = brought_together(rng.normal(size=(n, 4, 3)), kind, weights(rng, n, kind, outside))
        return through(at, rng.normal(size=(n, 4, 3)) * speed, rng.random((n, 1, 1)))
    return make


def whole_meeting(times):
    """An exact contact at one of these times: whole corners, velocities and multiples of 1/4 as weights."""
    def make(rng, n, kind):
        u = rng.integers(0, 5, n)
        v = rng.integers(0, 5 - u) if kind == "vertex_face" else rng.integers(0, 5, n)
        share = np.stack([4 - u, u, 4 - v, v] if kind == "edge_edge" else [4 + 0 * u, 4 - u - v, u, v], axis=1) / 4
        at = brought_together(rng.integers(-8, 9, (n, 4, 3)) * 4.0, kind, share)
        return through(at, rng.integers(-4, 5, (n, 4, 3)) * 8.0, rng.choice(times, (n, 1, 1)))
    return make


def grazing(distance):
    """The four corners come into a plane and turn back, or miss it by the distance: nearly a double root."""
    def make(rng, n, kind):
        X0, X1 = meeting()(rng, n, kind)
        times = np.linspace(0, 1, 65)[1:-1]
        heights = np.stack([height(X0 + t * (X1 - X0), kind)[0] for t in times])
        before, after = heights[1:-1] - heights[:-2], heights[2:] - heights[1:-1]
        t = times[np.where(before * after < 0, np.abs(heights[1:-1]), np.inf).argmin(axis=0) + 1]
        for step in (1e-2, 1e-3, 1e-3):         # to the top of the parabola through three samples
            below, here, above = (height(X0 + (t + d)[:, None, None] * (X1 - X0), kind)[0] for d in (-step, 0, step))
            bend = above - 2 * here + below
            t = np.clip(t - step * (above - below) / (2 * np.where(bend == 0, 1, bend)), 0, 1)
        here, normal = height(X0 + t[:, None, None] * (X1 - X0), kind)
        move = (normal * (rng.choice((-distance, distance), n) - here)[:, None])[:, None]
        for X in (X0, X1):
            X[:, first_feature(kind)] += move
        return X0, X1
    return make


def height(X, kind):
    """(n,) of the vertex over the face, or of the first edge over the second along their normal; unit normals (n,3)."""
    if kind == "vertex_face":
        normal, gap = np.cross(X[:, 2] - X[:, 1], X[:, 3] - X[:, 1]), X[:, 0] - X[:, 1]
    else:
        normal, gap = np.cross(X[:, 1] - X[:, 0], X[:, 3] - X[:, 2]), X[:, 0] - X[:, 2]
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    return np.einsum("ni,ni->n", normal, gap), normal


def lattice(limit):
    """Few places for many corners: every degenerate case at once, at one end and throughout."""
    def make(rng, n, kind):
        X0, X1 = rng.integers(0, limit + 1, (2, n, 4, 3)).astype(float)
        return X0, np.where(rng.random((n, 4, 1)) < 0.2, X0, X1)
    return make


def in_plane(rng, n, kind):
    """In one tilted plane throughout, whole numbers: that they are coplanar says nothing."""
    u, v = rng.integers(-2, 3, (2, n, 1, 3))
    a, b = rng.integers(-4, 5, (2, 2, n, 4, 1))
    X0, X1 = a * u + b * v
    return X0.astype(float), X1.astype(float)


def in_plane_rounded(rng, n, kind):
    """In one plane up to rounding."""
    X0, X1 = rng.normal(size=(2, n, 4, 3)) * (1, 1, 0)
    turn, shift = rotations(rng, n), rng.normal(size=(n, 1, 3))
    return X0 @ turn + shift, X1 @ turn + shift


def in_line(rng, n, kind):
    """Along one line throughout."""
    X0, X1 = rng.integers(-9, 10, (2, n, 4, 1)) * rng.integers(-2, 3, (n, 1, 3))
    return X0.astype(float), X1.astype(float)


def parallel(rng, n, kind):
    """Edges that stay parallel; a vertex that stays in the plane of its face."""
    X0, X1 = rng.integers(-4, 5, (2, n, 4, 3)).astype(float)
    factor = rng.choice((-1.0, 0.5, 1.0, 2.0), (n, 1))
    for X in (X0, X1):
        if kind == "edge_edge":
            X[:, 3] = X[:, 2] + (X[:, 1] - X[:, 0]) * factor
        else:
            X[:, 0] = X[:, 1] + (X[:, 2] - X[:, 1]) * factor + (X[:, 3] - X[:, 1]) * factor / 2
    return X0, X1


def at_rest(rng, n, kind):
    """Nothing moves, or everything the same way."""
    X0, _ = any_of(lattice(2), whole_meeting((0.0,)), meeting(), meeting(1e-12))(rng, n, kind)
    return X0, X0 + rng.integers(-3, 4, (n, 1, 3)) * rng.choice((0.0, 1.0), (n, 1, 1))


def without_extent(rng, n, kind):
    """Faces and edges that are segments or points, throughout or at one moment, on whole numbers, often meeting."""
    X0, X1 = any_of(lattice(3), whole_meeting((0.25, 0.5, 1.0)), in_plane)(rng, n, kind)
    ends, throughout = rng.integers(0, 3, n), rng.random(n) < 0.5
    pick = np.arange(n)
    source = first_feature(kind).stop
    for X, chosen in ((X0, throughout | (ends == 0)), (X1, throughout | (ends == 1))):
        X[chosen, 3] = X[chosen, source]
        both = chosen & (pick % 3 == 0)
        X[both, 2 if kind == "vertex_face" else 1] = X[both, 1 if kind == "vertex_face" else 0]
    return X0, X1


def collapsing(rng, n, kind):
    """A face that turns inside out through a segment, edges that become parallel, at the moment of contact."""
    at = rng.integers(-4, 5, (n, 4, 3)) * 4.0
    share = rng.integers(0, 5, (n, 1)) / 4
    along = at[:, 2] - at[:, 1]
    if kind == "vertex_face":
        at[:, 3] = at[:, 1] + along * rng.choice((-0.5, 0.5, 1.5), (n, 1))
        at[:, 0] = at[:, 1] + along * share * rng.choice((1, 1.25), (n, 1))
    else:
        at[:, 3] = at[:, 2] + (at[:, 1] - at[:, 0]) * rng.choice((-1.0, 0.5, 1.0), (n, 1))
        at[:, :2] += (at[:, 2] - at[:, 0] + (at[:, 1] - at[:, 0]) * share)[:, None] - (at[:, 1] - at[:, 0])[:, None]
    return through(at, rng.integers(-4, 5, (n, 4, 3)) * 4.0, rng.choice((0.25, 0.5, 0.75, 1.0), (n, 1, 1)))


def any_of(*makers):
    """A mixture: each query from one of the classes."""
    def make(rng, n, kind):
        parts = [maker(rng, n, kind) for maker in makers]
        pick = rng.integers(0, len(parts), n)
        return tuple(np.stack([part[side] for part in parts])[pick, np.arange(n)] for side in (0, 1))
    return make


ORDINARY = any_of(random, lattice(3), meeting(), meeting(1e-9), meeting(0.0), whole_meeting((0.5,)), grazing(1e-9),
                  in_plane_rounded, without_extent)


def scaled(factor):
    def make(rng, n, kind):
        X0, X1 = ORDINARY(rng, n, kind)
        return X0 * factor, X1 * factor
    return make


def moved(distance):
    """Far from the origin, where the coordinates keep few digits of the shape."""
    def make(rng, n, kind):
        X0, X1 = ORDINARY(rng, n, kind)
        shift = rng.normal(size=(n, 1, 3)) * distance
        return X0 + shift, X1 + shift
    return make


def one_step_off(rng, n, kind):
    """Exact contacts divided by three, some coordinates moved to the next float; or hardly any motion at all."""
    X0, X1 = (X / 3 for X in any_of(whole_meeting((0.0, 0.5, 1.0)), in_plane, parallel, collapsing)(rng, n, kind))
    X0, X1 = (np.where(rng.random(X.shape) < 0.1, np.nextafter(X, rng.choice((-np.inf, np.inf), X.shape)), X)
              for X in (X0, X1))
    resting = rng.random((n, 1, 1)) < 0.3
    return X0, np.where(resting, np.nextafter(X0, rng.choice((-np.inf, 0.0, np.inf), X0.shape)), X1)


def stretched(rng, n, kind):
    """Every axis in units of its own, 1e-150 … 1e150."""
    X0, X1 = any_of(ORDINARY, whole_meeting((0.5,)), in_plane)(rng, n, kind)
    units = 2.0 ** rng.integers(-500, 500, (n, 1, 3))
    return X0 * units, X1 * units


def subnormal(rng, n, kind):
    """Whole multiples of the smallest float: every product underflows."""
    X0, X1 = any_of(lattice(3), whole_meeting((0.25, 0.5)), in_plane, parallel)(rng, n, kind)
    return X0 * 5e-324, X1 * 5e-324


def single_precision(rng, n, kind):
    """float32 coordinates, one pose with rotation and scale at each end."""
    ends = []
    for X in ORDINARY(rng, n, kind):
        turn, shift = rotations(rng, n) * rng.uniform(0.1, 3, (n, 1, 1)), rng.normal(size=(n, 1, 3))
        ends.append(X.astype(np.float32).astype(float) @ turn + shift)
    return tuple(ends)


def tiny_before_huge(rng, n, kind):
    """The first feature 1e-3 … 1e-12 of the second; a vertex is moved that slowly."""
    X, velocity = rng.normal(size=(2, n, 4, 3))
    first, factor = first_feature(kind), 10.0 ** rng.uniform(-12, -3, (n, 1, 1))
    X[:, first] *= factor
    velocity[:, first] *= factor
    outside = rng.choice((0.25, -1e-6, 1e-6))
    return through(brought_together(X, kind, weights(rng, n, kind, outside)), velocity, rng.random((n, 1, 1)))


def every_exponent(exponent):
    """Each coordinate of its own magnitude, 10**±exponent, or zero."""
    def make(rng, n, kind):
        size = 10.0 ** rng.uniform(-exponent, exponent, (2, n, 4, 3))
        X0, X1 = size * rng.choice((-1.0, 0.0, 1.0), size.shape)
        return X0, np.where(rng.random((n, 4, 1)) < 0.3, X0, X1)
    return make


CLASSES = {
    "random": random, "lattice 2": lattice(1), "lattice 4": lattice(3), "meeting": meeting(),
    "on the border": meeting(0.0),
    **{f"beside by {distance:g}": meeting(distance) for distance in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15)},
    **{f"grazing by {distance:g}": grazing(distance) for distance in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15)},
    "whole meeting": whole_meeting(np.arange(9) / 8), "at the start": whole_meeting((0.0,)),
    "at the end": whole_meeting((1.0,)),
    "in a plane": in_plane, "in a plane, rounded": in_plane_rounded, "in a line": in_line, "parallel": parallel,
    "at rest": at_rest, "without extent": without_extent, "collapsing": collapsing,
    "fast": meeting(speed=1e4), "fast beside by 1e-6": meeting(1e-6, 1e4), "slow": meeting(speed=1e-6),
    "tiny before huge": tiny_before_huge,
    **{f"scale {factor:g}": scaled(factor) for factor in (1e-150, 1e-30, 1e-6, 1e6, 1e30, 1e150)},
    "far 1e5": moved(1e5), "far 1e12": moved(1e12), "single precision": single_precision,
    "one step off": one_step_off, "stretched": stretched, "subnormal": subnormal,
    **{f"every exponent {exponent}": every_exponent(exponent) for exponent in (20, 60, 300)},
}


def draw(name, kind, n, seed):
    """n queries of the class `name`: X0, X1 (n,4,3), the same for the same seed."""
    X0, X1 = CLASSES[name](np.random.default_rng([*np.atleast_1d(seed), *name.encode()]), n, kind)
    return np.ascontiguousarray(X0), np.ascontiguousarray(X1)
