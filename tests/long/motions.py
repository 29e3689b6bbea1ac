# SPDX-License-Identifier: GPL-3.0-or-later
"""R9: first contacts of whole meshes that move and deform, against an oracle that samples the motion."""
import numpy as np
from naive.moving_bodies import CLASSES, draw
from naive.whole_motions import Body, distance, first_meeting
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.run import Run

from .outcome import Outcome, Proof, shared_out

BEFORE = 10.0 ** np.arange(-9, -1)      # the reported time, at which nothing may have met
SHORTEST = 1 / 400                      # step of the oracle, where the surfaces are that near
FAR, NEAR = 1e-11, 2e-9                 # what the tolerance may be of the numbers, and of the smaller body


def run(count: int, seed: int) -> Outcome:
    outcome = Outcome()
    for name, number in shared_out(count, CLASSES, np.random.default_rng([seed, 9])).items():
        rng = np.random.default_rng([seed, 9, CLASSES.index(name)])
        for row in range(number):
            judge(f"{name} {[seed, 9, CLASSES.index(name)]} {row}", draw(rng, name), outcome)
    return outcome


def instants(bodies: tuple[Body, Body]) -> tuple[Instant, Instant]:
    """The product's start and end of two bodies."""
    scene, ends = Scene(), []
    for body in bodies:
        vertices, first, last, vertices_end = body.given
        scene.add_object(scene.add_mesh(vertices, body.triangles), first)
        ends.append((last, vertices_end))
    start = Instant.of(scene)
    scene.set_poses([0, 1], np.stack([last for last, _ in ends]))
    for mesh, (_, vertices) in enumerate(ends):
        if vertices is not None:
            scene.set_vertices(mesh, vertices)
    return start, Instant.of(scene)


def asked(bodies: tuple[Body, Body], between=None) -> tuple[float | None, float]:
    """(time, tolerance) that the product gives for two bodies; None where they do not meet. between: see
    `Method.between`; None: `contacts_between`."""
    found = (between or contacts_between)(*instants(bodies), allows=None, run=Run(None, 1, False, {}))
    return (float(found.toi[0]), float(found.tolerance[0])) if len(found.toi) else (None, 0.0)


def judge(case: str, bodies: tuple[Body, Body], outcome: Outcome, shortest: float = SHORTEST,
          between=None) -> None:
    """One answer of `between` (see `asked`): never missed, never late, and the surfaces within the tolerance then."""
    time, tolerance = asked(bodies, between)
    outcome.asked += 1
    outcome.count("contacts", time is not None)
    if all(np.array_equal(*body.ends) for body in bodies):
        if time is not None:
            outcome.fail(f"met at {time} though neither moves: {case}")
        return
    oracle = first_meeting(*bodies, until=1.0 if time is None else time, shortest=shortest)
    if time is None:
        if oracle is not None:
            outcome.fail(f"missed, they meet at {oracle}: {case}")
        return
    size = max(np.abs(each).max() for body in bodies for each in body.ends)
    smallest = min(np.ptp(body.ends[0], axis=0).max() for body in bodies)
    before = [time - each for each in BEFORE if each < time and distance(*bodies, time - each) == 0.0]
    away = distance(*bodies, min(max(time, 0.0), 1.0))
    outcome.measure("tolerance", tolerance / max(smallest, 1e-3 * size))
    if not 0.0 <= time <= 1.0:
        outcome.fail(f"time {time}: {case}")
    elif before or (oracle is not None and oracle < time - BEFORE[0]):
        outcome.fail(f"late, {time} where they meet at {min([oracle or time, *before])}: {case}")
    elif away > tolerance + 1e-14 * size:
        outcome.fail(f"early, at {time} they are {away} apart, and {tolerance} is said: {case}")
    elif tolerance > NEAR * max(smallest, 1e-3 * size) + FAR * size:
        outcome.fail(f"tolerance {tolerance}: {case}")


PROOF = Proof("R9", "first contacts of moving meshes: none missed, none late, within the tolerance", 20_000, 400, run)
