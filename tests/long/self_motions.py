# SPDX-License-Identifier: GPL-3.0-or-later
"""R9: when meshes that deform first meet themselves, against their triangles at random moments.

Sheets, tori through which nothing passes at first, sheets above each other and rolled ones: bent, turned by up to two
radians, carried away, noisy; some in single precision, some with a vertex for each corner, of sizes from 1e-4 to 1e3.
Whether a mesh meets itself at one moment is asked of `self_intersections`, which R2 is about. That times are not early
is left to `tests/self_collision/test_first_contacts.py`: what meets for an instant is not there at the next moment.
"""
import numpy as np
from naive.self_meshes import grid, torus, unwelded
from naive.shapes import joined
from touchpoint.core import Scene
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.queries import self_intersections
from touchpoint.core.run import Run
from touchpoint.core.self_collision.first_contacts import first_self_contacts

from .outcome import Outcome, Proof

MOMENTS = 24
BEFORE = 1e-7           # the reported time nothing may meet,
LATE = 1e-9             # and at no moment that is earlier by more than this
AFTER = 10.0 ** np.arange(-9.0, -2.0)       # it, when what has met mostly still does


def sheet(rng):
    return grid(int(rng.integers(3, 14)))


def ring(rng):
    return torus(int(rng.integers(5, 14)), int(rng.integers(4, 9)), 2.0, rng.uniform(0.3, 0.9))


def two_sheets(rng):
    V, F = grid(int(rng.integers(2, 7)))
    return joined(grid(int(rng.integers(3, 9))), (V + rng.uniform((0.0, 0.0, 0.3), 2.0), F))


def rolled(rng):
    V, F = grid(int(rng.integers(3, 10)))
    radius = V[:, 0].max() / rng.uniform(3.0, 6.0)
    return np.stack([radius * np.sin(V[:, 0] / radius), V[:, 1], radius * np.cos(V[:, 0] / radius)], axis=1), F


KINDS = (sheet, ring, two_sheets, rolled)


def draw(rng):
    """(V0, V1, F): a mesh and where its vertices go."""
    V, F = KINDS[int(rng.integers(len(KINDS)))](rng)
    V = V + rng.choice([0.0, 0.02, 0.1]) * rng.normal(size=V.shape)
    centre = V.mean(axis=0)
    waves = np.sin((V - centre) @ rng.normal(size=3) * rng.uniform(0.3, 2.0))
    W = V - centre + waves[:, None] * rng.uniform(-3.0, 3.0, 3) * rng.choice([0.0, 0.2, 1.0])
    W = W @ turn(rng).T + centre + rng.choice([0.0, 0.05, 0.4]) * rng.normal(size=V.shape)
    W += rng.normal(size=3) * rng.choice([0.0, 1.0, 100.0])
    if rng.random() < 0.3:
        V, W = (each.astype(np.float32).astype(float) for each in (V, W))
    size = 10.0 ** int(rng.integers(-4, 4))
    if rng.random() < 0.2:
        (V, split), (W, F) = unwelded((V, F)), unwelded((W, F))
        assert np.array_equal(split, F)
    return V * size, W * size, F


def turn(rng) -> np.ndarray:
    """By up to two radians about any axis."""
    angle, axis = rng.uniform(0.0, 2.0), rng.normal(size=3)
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def ask(outcome: Outcome, seed: list[int]) -> None:
    """One question: a mesh that does not meet itself at first."""
    rng = np.random.default_rng(seed)
    while True:
        V, W, F = draw(rng)
        if len(self_intersections(V, F)) == 0:
            break

    def meets(t) -> bool:
        return len(self_intersections((1.0 - t) * V + t * W, F)) > 0

    scene, meets_at_end = Scene(), meets(1.0)
    scene.add_object(scene.add_mesh(V, F))
    start = Instant.of(scene)
    scene.set_vertices(0, W)
    found = first_self_contacts(start, Instant.of(scene), np.zeros(1, np.int64), [None], np.array([meets_at_end]),
                                Run(None, 1, False, {}))
    time = float(found.toi[0]) if len(found.toi) else np.inf
    outcome.asked += 1
    outcome.count("meet", time < np.inf)
    seen = next((t for t in np.sort(rng.random(MOMENTS)).tolist() if meets(t)), 1.0 if meets_at_end else np.inf)
    if seen < time - LATE:
        outcome.fail(f"late or missed, {time}, meets at {seen}: {seed}")
    if BEFORE < time < np.inf and meets(time - BEFORE):
        outcome.fail(f"late, {time}: {seed}")
    if time < 1.0 and not any(meets(min(1.0, time + after)) for after in AFTER.tolist()):
        outcome.count("meet for an instant")        # no moment that was tried shows it


def run(count: int, seed: int) -> Outcome:
    outcome = Outcome()
    for number in range(count):
        ask(outcome, [seed, number, 31])
    return outcome


PROOF = Proof("R9", "meshes that deform, with themselves", 40_000, 400, run)
