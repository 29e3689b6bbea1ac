# SPDX-License-Identifier: GPL-3.0-or-later
"""R2, R10, R12, R13: whole scenes against the rational reference, themselves, and how they were made."""
from itertools import combinations

import numpy as np
from naive.scenes import SCENES, build, draw, pose, random_linear
from naive.shapes import ball, box, joined
from touchpoint.core import detect

from .outcome import Outcome, Proof, shared_out


def verdicts(report) -> dict:
    """{(a, b): (verdict, which one is inside)}"""
    return {(int(row["a"]), int(row["b"])): (report.verdict(i), int(row["inner"]))
            for i, row in enumerate(report.pairs)}


def kinds(report) -> dict:
    """{(a, b, triangle a, triangle b): (kind, proper)}"""
    found = report.contacts
    a, b = report.pairs["a"][found.pair].tolist(), report.pairs["b"][found.pair].tolist()
    keys = zip(a, b, found.triangle_a.tolist(), found.triangle_b.tolist())
    return dict(zip(keys, zip(found.kind.tolist(), found.proper.tolist())))


def bits(report) -> tuple:
    """Everything that a report says, to the last bit."""
    found = report.contacts
    return (report.pairs.tobytes(), *(getattr(found, name).tobytes() for name in found.__dataclass_fields__))


def agree(count: int, seed: int) -> Outcome:
    """Verdicts, and every pair of triangles that meets, of scenes of all families."""
    rng, outcome = np.random.default_rng([seed, 2]), Outcome()
    for name, number in shared_out(count, SCENES, rng).items():
        for index in range(number):
            scene = build(draw(name, 1000 * seed + 100 + index))
            exact, report = detect(scene, method="exact"), detect(scene)
            outcome.asked += 1
            outcome.count("object pairs", len(scene.objects) * (len(scene.objects) - 1) // 2)
            outcome.count("face pairs", len(exact.contacts))
            for what in (verdicts, kinds):
                expected, got = what(exact), what(report)
                if expected != got:
                    wrong = sorted(set(expected.items()) ^ set(got.items()))[0]
                    outcome.fail(f"{name}, seed {1000 * seed + 100 + index}: {what.__name__} {wrong}")
    return outcome


def same_again(count: int, seed: int) -> Outcome:
    """The same bits for 1 to 5 threads and a second run; the same answers for another order of the objects."""
    rng, outcome = np.random.default_rng([seed, 12]), Outcome()
    for name, number in shared_out(count, SCENES, rng).items():
        for index in range(number):
            drawn = draw(name, 1000 * seed + 500 + index)
            expected = detect(build(drawn), threads=1)
            outcome.asked += 1
            for threads in (1, 2, 5):
                if bits(detect(build(drawn), threads=threads)) != bits(expected):
                    outcome.fail(f"{name}, seed {1000 * seed + 500 + index}: other bits with {threads} threads")
            order = rng.permutation(len(drawn[1]))
            report = detect(build(drawn, order), threads=2)
            if renamed(verdicts(report), order) != verdicts(expected) or len(kinds(report)) != len(kinds(expected)):
                outcome.fail(f"{name}, seed {1000 * seed + 500 + index}: other answers in the order {order.tolist()}")
    return outcome


def renamed(found: dict, order) -> dict:
    """Verdicts under the numbers that the objects had before they were put in this order."""
    swapped = {0: 0, 1: 2, 2: 1}
    return {(min(p, q), max(p, q)): (verdict, inner if p < q else swapped[inner])
            for (a, b), (verdict, inner) in found.items() for p, q in [(int(order[a]), int(order[b]))]}


def filtered(count: int, seed: int) -> Outcome:
    """Balls and boxes that cross anyhow: the float filter must settle 99.9 % of the pairs of triangles."""
    rng, outcome = np.random.default_rng([seed, 13]), Outcome()
    meshes = [ball(24, 16), ball(12, 8, 0.7), box()]
    for _ in range(count):
        objects = [(int(rng.integers(3)), pose(random_linear(rng, kind), rng.uniform(0, 3, 3)))
                   for kind in ("turned", "stretched", "sheared") * 8]
        report = detect(build((meshes, objects)))
        outcome.asked += 1
        outcome.count("pairs", report.counts["triangle_pairs"])
        outcome.count("exact", report.counts["exact_decisions"])
        if report.counts["exact_decisions"] > 0.001 * report.counts["triangle_pairs"]:
            outcome.fail(f"{report.counts}")
    return outcome


def nested(count: int, seed: int) -> Outcome:
    """Closed shapes in each other, up to four deep, with flipped faces, and shapes in the holes of others: known."""
    rng, outcome = np.random.default_rng([seed, 10]), Outcome()
    for _ in range(count):
        meshes, objects, parent = [], [], []
        for chain in range(3):
            centre, size = np.array([12.0 * chain, 0, 0]), 4.0
            for depth in range(rng.integers(1, 5)):
                parent.append(len(objects) - 1 if depth else None)
                flip = rng.random() < 0.3
                vertices, faces = [ball(8, 6), box((-0.57,) * 3, (0.57,) * 3)][rng.integers(2)]
                objects.append((len(meshes), pose(random_linear(rng, "turned") * size, centre)))
                meshes.append((vertices, faces[:, ::-1] if flip else faces))
                size *= 0.4
                centre = centre + rng.uniform(-0.05, 0.05, 3) * size
            if rng.random() < 0.5:      # hollow it: what was inside is in the cavity, no longer in the wall
                row = next(i for i in range(len(objects) - 1, -1, -1) if parent[i] is None)
                vertices, faces = meshes[row]
                meshes[row] = joined((vertices, faces), (vertices * 0.8, faces[:, ::-1]))
                parent = [None if up == row else up for up in parent]
        report = detect(build((meshes, objects)))
        outcome.asked += 1
        expected = {}
        for a, b in combinations(range(len(objects)), 2):
            up = parent[b]
            while up is not None and up != a:
                up = parent[up]
            if up == a:
                expected[a, b] = ("contained", 2)
        outcome.count("contained", len(expected))
        if verdicts(report) != expected:
            wrong = sorted(set(expected.items()) ^ set(verdicts(report).items()))[0]
            scene = [(meshes[m][0].tolist(), meshes[m][1].tolist(), matrix.tolist()) for m, matrix in objects]
            outcome.fail(f"{wrong} of {scene}")
    return outcome


PROOF = Proof("R2", "whole scenes: verdicts and face pairs", 1_700, 34, agree)
PROOF_OF_NESTING = Proof("R10", "closed shapes inside each other and in hollows", 20_000, 500, nested)
PROOF_OF_SAMENESS = Proof("R12", "threads, second run, order of objects", 17_000, 340, same_again)
PROOF_OF_FILTER = Proof("R13", "share of pairs that the filter leaves to exact arithmetic", 400, 20, filtered)
