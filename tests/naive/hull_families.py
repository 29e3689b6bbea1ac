# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of hulls of every kind that convex queries must get right, made from a seed."""
import numpy as np

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def turn(rng) -> np.ndarray:
    """A random rotation, orthonormal up to rounding."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def blob(rng, size=(1, 1, 1)) -> np.ndarray:
    return rng.normal(size=(rng.choice([4, 5, 8]), 3)) * size


def apart_by(rng, P, Q, gap):
    """Q moved until a random plane has room for the gap."""
    n = turn(rng)[0]
    return P, Q + n * ((P @ n).max() - (Q @ n).min() + gap)


def face_to_face(rng, gap):
    """Boxes whose faces are parallel, a gap apart, and mostly overlap as seen along it."""
    a, b, R = CUBE * rng.uniform(0.1, 1, 3), CUBE * rng.uniform(0.1, 1, 3), turn(rng)
    b[:, :2] += rng.uniform(-1, 1, 2)
    b[:, 2] += a[:, 2].max() - b[:, 2].min() + gap
    return a @ R.T, b @ R.T


def features(rng, gap):
    """Tetrahedra whose vertex and face, or edge and edge, are a gap apart, in general position."""
    upper = rng.normal(size=(4, 3)) * [1, 1, 0] + [0, 0, 1]
    lower = rng.normal(size=(4, 3)) * [1, 1, 0] - [0, 0, 1]
    if rng.random() < 0.5:
        upper[0] = 0.0, 0.0, gap
        lower[:3] = [[-3, -2, 0], [3, -2, 0], [0, 4, 0]]
    else:
        upper[:2] = [[-1, 0.3, gap], [1, -0.2, gap]]
        lower[:2] = [[0.1, -1, 0], [-0.3, 1, 0]]
    R = turn(rng)
    return upper @ R.T, lower @ R.T


def lattice(rng):
    return rng.integers(-2, 3, (6, 3)) * 1.0, rng.integers(-2, 3, (5, 3)) + rng.integers(-2, 3, 3) * 1.0


def aligned_boxes(rng):
    return CUBE * rng.integers(1, 4, 3) + rng.integers(-2, 3, 3), CUBE * rng.integers(1, 4, 3) + rng.integers(-4, 5, 3)


def on_a_line(rng):
    along = rng.normal(size=3)
    beside = rng.choice([0, 1e-9, 1]) * turn(rng)[0]
    return np.outer(rng.normal(size=5), along), np.outer(rng.normal(size=4), along) + beside


def in_a_plane(rng):
    R = turn(rng) if rng.random() < 0.5 else np.eye(3)
    return blob(rng, (1, 1, 0)) @ R.T, (blob(rng, (1, 1, 0)) + [*rng.normal(size=2), 0]) @ R.T


def near(rng, P, Q):
    return P, Q + rng.normal(size=3) * rng.choice([1.5, 0.1, 1e-6])


def shared_corner(rng):
    P, Q, along = blob(rng), blob(rng), rng.normal(size=3)
    return P, Q - Q[np.argmin(Q @ along)] + P[np.argmax(P @ along)]


FLAT, THIN, NEEDLE = (1, 1, 0), (1, 1, 1e-7), (1, 1e-7, 1e-7)

FAMILIES = {
    "random": lambda rng: near(rng, blob(rng), blob(rng)),
    **{f"room {gap:g}": lambda rng, gap=gap: apart_by(rng, blob(rng), blob(rng), gap) for gap in (0, 1e-9, -1e-9)},
    **{f"faces {gap:g}": lambda rng, gap=gap: face_to_face(rng, gap) for gap in (0, 1e-3, 1e-9, 1e-13, -1e-9)},
    **{f"features {gap:g}": lambda rng, gap=gap: features(rng, gap)
       for gap in (0, 1e-2, 1e-5, 1e-10, 1e-14, -1e-14, -1e-10, -1e-3)},
    "aligned boxes": aligned_boxes,
    "lattice": lattice,
    "shared corner": shared_corner,
    "flat against full": lambda rng: near(rng, blob(rng, FLAT) @ turn(rng).T, blob(rng)),
    "flat against flat": lambda rng: near(rng, blob(rng, FLAT) @ turn(rng).T, blob(rng, FLAT) @ turn(rng).T),
    "in a plane": in_a_plane,
    "segments": lambda rng: near(rng, rng.normal(size=(2, 3)), rng.normal(size=(2, 3))),
    "on a line": on_a_line,
    "point": lambda rng: near(rng, rng.normal(size=(1, 3)), blob(rng)),
    "points": lambda rng: (rng.normal(size=(1, 3)), rng.normal(size=(3, 3)) * rng.integers(0, 2)),
    "repeated": lambda rng: near(rng, np.repeat(blob(rng), 2, 0), np.repeat(blob(rng), 3, 0)),
    "with inner points": lambda rng: near(rng, *(np.vstack([b.mean(0), b, b[:3].mean(0)])
                                                  for b in (blob(rng), blob(rng)))),
    "thin against needle": lambda rng: near(rng, blob(rng, THIN) @ turn(rng).T, blob(rng, NEEDLE) @ turn(rng).T),
    "needles": lambda rng: near(rng, blob(rng, NEEDLE) @ turn(rng).T, blob(rng, NEEDLE) @ turn(rng).T),
    "small": lambda rng: tuple(side * 1e-6 for side in near(rng, blob(rng), blob(rng))),
    "large": lambda rng: tuple(side * 1e6 for side in near(rng, blob(rng), blob(rng))),
    "far from the origin": lambda rng: tuple(side + 1e5 for side in near(rng, blob(rng), blob(rng))),
    "far and narrow": lambda rng: tuple(side + 1e5 for side in features(rng, 1e-6)),
    "large against small": lambda rng: apart_by(rng, blob(rng) * 1e3, blob(rng) * 1e-3, rng.choice([1e-6, -1e-6])),
    "extreme": lambda rng: tuple(side * 10.0 ** rng.choice([-250, 200]) for side in near(rng, blob(rng), blob(rng))),
    "wide span": lambda rng: tuple(rng.normal(size=(4, 3)) * 10.0 ** rng.integers(-150, 150, (4, 3)) for _ in "ab"),
}


def pairs_of(family: str, count: int, seed: int = 0) -> tuple[list[np.ndarray], list[np.ndarray]]:
    rng = np.random.default_rng([seed, *family.encode()])
    made = [FAMILIES[family](rng) for _ in range(count)]
    return [P for P, _ in made], [Q for _, Q in made]
