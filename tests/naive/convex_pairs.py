# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded classes of pairs of point sets whose hulls are asked for, each made to be hard in one way.

CLASSES maps a name to a function (rng, most) -> P, Q, arrays (k,3) and (m,3) float64 of at most `most` points. Contacts
that must be exact are made of small whole numbers; where rounding spoils it, the oracle decides.
"""
import numpy as np


def whole(rng, most, limit=8, least=1):
    return rng.integers(-limit, limit + 1, (rng.integers(least, most + 1), 3)).astype(float)


def turn(rng):
    """(3,3) rotation (not exact: its products round)."""
    return np.linalg.qr(rng.normal(size=(3, 3)))[0]


def clouds(rng, most):
    return tuple(rng.normal(size=(rng.integers(1, most + 1), 3)) + side * rng.uniform(0, 4) * rng.normal(size=3)
                 for side in (0, 1))


def round_bodies(rng, most):
    """Points on two balls that meet or not."""
    sides = [rng.normal(size=(most, 3)) for _ in range(2)]
    P, Q = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides)
    return P, Q * rng.uniform(0.2, 2) + rng.normal(size=3) * rng.uniform(0, 2)


def lattice(limit):
    """Few places: flat, straight and single-point hulls, repeated points, exact contacts."""
    def make(rng, most):
        P, Q = whole(rng, most, limit), whole(rng, most, limit)
        return P, Q + rng.integers(-limit, limit + 1, 3)
    return make


def thin(first, second, together):
    """Hulls of whole points of so many dimensions, 3 for any; together: in one plane or line with each other."""
    def make(rng, most):
        basis, sides = rng.integers(-2, 3, (3, 3)), []
        for dimensions in (first, second):
            if dimensions == 3:
                basis = np.eye(3, dtype=int)
            elif not together:
                basis = rng.integers(-2, 3, (3, 3))
            count = rng.integers(1, most + 1)
            sides.append(rng.integers(-4, 5, (count, dimensions)) @ basis[:dimensions] + 0.0)
        return sides[0], sides[1] + (rng.integers(-2, 3, 3) if rng.random() < 0.3 else 0)
    return make


def touching(gap):
    """The farthest point of P in a direction is the nearest of Q, exactly for gap 0; else ± gap along it."""
    def make(rng, most):
        P, Q = whole(rng, most) * 4, whole(rng, most) * 4
        direction = rng.integers(-3, 4, 3).astype(float)
        length = np.linalg.norm(direction) or 1.0
        ends = [side[np.isclose(side @ direction, best(side @ direction))] for side, best in ((P, np.max), (Q, np.min))]
        points = [(end[rng.integers(len(end))] + end[rng.integers(len(end))]) / 2 for end in ends]
        return P, Q + (points[0] - points[1]) + direction / length * rng.choice((-gap, gap))
    return make


def turned(maker):
    """The same, turned and moved: exact contacts become near ones."""
    def make(rng, most):
        matrix, shift = turn(rng), rng.normal(size=3)
        return tuple(side @ matrix + shift for side in maker(rng, most))
    return make


def nested(rng, most):
    P = rng.normal(size=(most, 3))
    inner = rng.dirichlet(np.ones(most), rng.integers(1, most + 1)) @ P
    return (P, inner) if rng.random() < 0.5 else (inner, P)


def alike(rng, most):
    """The same hull, or one that shares some of its corners."""
    P = np.where(rng.random() < 0.5, rng.normal(size=(most, 3)), whole(rng, most, least=most))
    Q = P[rng.permutation(most)].copy()
    if rng.random() < 0.7:
        Q[rng.integers(1, most):] += rng.integers(-3, 4, 3)
    return P, Q


def boxes(rng, most):
    """Corners of two boxes, in line with the axes or turned, face on face at times."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = [corners * rng.integers(1, 5, 3) + rng.integers(-4, 5, 3) for _ in range(2)]
    pick = rng.integers(3)
    if pick:
        sides[1] = sides[1] @ turn(rng)
    return (sides[0] @ turn(rng) if pick == 2 else sides[0])[:most], sides[1][:most]


def needles(rng, most):
    """1e-7 as thick as long."""
    return tuple(side * (1, 1e-7, 1e-7) @ turn(rng) + rng.normal(size=3) * rng.choice((0, 1e-7, 0.3))
                 for side in clouds(rng, most))


def plates(rng, most):
    """1e-9 as thick as wide, nearly parallel."""
    return tuple(side * (1, 1, 1e-9) + (0, 0, height) for side, height in zip(clouds(rng, most), (0, rng.choice(
        (0.0, 1e-9, 1e-8)))))


def any_of(*makers):
    return lambda rng, most: makers[rng.integers(len(makers))](rng, most)


ORDINARY = any_of(clouds, lattice(3), touching(0.0), touching(1e-9), turned(touching(0.0)), thin(2, 3, False), nested,
                  boxes)


def scaled(factor):
    return lambda rng, most: tuple(side * factor for side in ORDINARY(rng, most))


def moved(distance):
    def make(rng, most):
        shift = rng.normal(size=3) * distance
        return tuple(side + shift for side in ORDINARY(rng, most))
    return make


def one_step_off(rng, most):
    """Exact contacts divided by three, some coordinates moved to the next float."""
    sides = any_of(touching(0.0), thin(2, 2, True), thin(1, 2, True), thin(1, 3, True), lattice(2))(rng, most)
    towards = [rng.choice((-np.inf, np.inf), side.shape) for side in sides]
    return tuple(np.where(rng.random(side.shape) < 0.1, np.nextafter(side / 3, end), side / 3)
                 for side, end in zip(sides, towards))


def stretched(rng, most):
    """Every axis in units of its own, 1e-150 … 1e150."""
    units = 2.0 ** rng.integers(-500, 500, 3)
    return tuple(side * units for side in any_of(ORDINARY, lattice(2), touching(0.0))(rng, most))


def subnormal(rng, most):
    """Whole multiples of the smallest float: every product underflows."""
    return tuple(np.round(side) * 5e-324 for side in any_of(lattice(4), touching(0.0), thin(2, 3, True))(rng, most))


def single_precision(rng, most):
    matrix, shift = turn(rng) * rng.uniform(0.1, 3), rng.normal(size=3)
    return tuple(side.astype(np.float32).astype(float) @ matrix + shift for side in ORDINARY(rng, most))


def huge_and_tiny(rng, most):
    P, Q = touching(0.0)(rng, most)
    at = P[rng.integers(len(P))]
    return P, (Q - Q[0]) * 10.0 ** rng.uniform(-15, -3) + at


def every_exponent(exponent):
    def make(rng, most):
        sides = [10.0 ** rng.uniform(-exponent, exponent, (rng.integers(1, most + 1), 3)) for _ in range(2)]
        return tuple(side * rng.choice((-1.0, 0.0, 1.0), side.shape) for side in sides)
    return make


CLASSES = {
    "clouds": clouds, "round": round_bodies, "lattice 1": lattice(1), "lattice 3": lattice(3),
    "touching": touching(0.0), "touching, turned": turned(touching(0.0)),
    **{f"apart or into by {gap:g}": turned(touching(gap)) for gap in (1e-3, 1e-6, 1e-9, 1e-12, 1e-15)},
    **{f"{first} and {second} dimensions{where}": thin(first, second, together)
       for first, second in ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3))
       for where, together in ((" together", True), ("", False))},
    "2 and 2 dimensions together, turned": turned(thin(2, 2, True)),
    "nested": nested, "alike": alike, "boxes": boxes, "needles": needles, "plates": plates,
    **{f"scale {factor:g}": scaled(factor) for factor in (1e-150, 1e-30, 1e-6, 1e6, 1e30, 1e150)},
    "far 1e5": moved(1e5), "far 1e12": moved(1e12), "single precision": single_precision,
    "huge and tiny": huge_and_tiny, "one step off": one_step_off, "stretched": stretched, "subnormal": subnormal,
    **{f"every exponent {exponent}": every_exponent(exponent) for exponent in (20, 60, 300)},
}


def draw(name, n, seed, most=8):
    """n pairs of the class `name`: two lists of arrays (k,3), the same for the same seed."""
    rng = np.random.default_rng([*np.atleast_1d(seed), *name.encode()])
    pairs = [CLASSES[name](rng, most) for _ in range(n)]
    return tuple([np.array(pair[side], float) for pair in pairs] for side in (0, 1))
