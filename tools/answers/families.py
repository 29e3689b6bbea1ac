# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of scenes, each hard in a way of its own: functions rng → Drawn, in sizes around 1."""
from dataclasses import dataclass, field

import numpy as np

from .shapes import ball, box, fan, joined, linear_of, moved, pose, rotation, sheet, tetrahedron, torus

KINDS = ("turned", "mirrored", "stretched", "sheared")


@dataclass
class Thing:
    """One object."""

    mesh: int
    pose: np.ndarray
    static: bool = False
    group: str | None = None


@dataclass
class Drawn:
    """Meshes as in `shapes`, objects, and how `detect` is asked: pairs or rules."""

    meshes: list
    things: list[Thing]
    asked: dict = field(default_factory=dict)


def solids():
    """Closed, convex and not, in one piece and in two."""
    return [box(), ball(), torus(), tetrahedron(), joined(box(), moved(box(), (1.0, 1.0, 0.0)))]


def strewn(rng, meshes, count, room, size=1.0):
    """Objects of these meshes at random poses of every kind."""
    return [Thing(int(rng.integers(len(meshes))),
                  pose(linear_of(rng, KINDS[i % 4]) * size, rng.uniform(0.0, room, 3))) for i in range(count)]


def crowd(rng):
    meshes = solids()
    return Drawn(meshes, strewn(rng, meshes, int(rng.integers(6, 18)), 2.5))


def crossing(rng):
    """Two or three larger bodies through each other."""
    meshes = [ball(14, 10, 0.8), torus(16, 8), box()]
    things = [Thing(i % 3, pose(linear_of(rng, "turned"), rng.normal(size=3) * 0.3)) for i in range(rng.integers(2, 4))]
    return Drawn(meshes, things)


def flush(rng):
    """Unit boxes that fill a block: faces, edges and corners touch; some are mirrored, some doubled."""
    places = [(x, y, z) for x in range(3) for y in range(2) for z in range(2)]
    signs = [np.where(rng.random(3) < 0.2, -1.0, 1.0) for _ in places]
    things = [Thing(0, pose(sign, place)) for sign, place in zip(signs, places)]
    return Drawn([box()], things + [Thing(0, things[rng.integers(len(things))].pose.copy())])


def lattice(rng):
    """Boxes with whole corners: flush, nested, edge on edge, through each other."""
    low = rng.integers(0, 4, (9, 3)).astype(float)
    return Drawn([box(corner, corner + size) for corner, size in zip(low, rng.integers(1, 4, (9, 3)))],
                 [Thing(i, pose()) for i in range(9)])


def nested(rng):
    """Shells within shells, some of them inside out, two of which may meet."""
    inside_out = ball(9, 7)[0], ball(9, 7)[1][:, ::-1]
    things = [Thing(i % 2, pose(rotation(rng) * 0.72 ** i, rng.normal(size=3) * 0.01 * 0.72 ** i)) for i in range(6)]
    return Drawn([ball(9, 7), inside_out], things + [Thing(0, pose(0.2, (0.3, 0.0, 0.0)))])


def walls(rng):
    """Open sheets through a floor and on it, along its lines and between them."""
    meshes = [sheet(5, 5), sheet(4, 2, (0, 0, -1), v=(0, 0, 1)), sheet(3, 1, (0, 0, 0), v=(0, 0, 2)),
              box((0, 0, 0), (1, 1, 1))]
    things = [Thing(0, pose())]
    for _ in range(9):
        things.append(Thing(int(rng.integers(1, 4)), pose(1.0, rng.integers(-2, 17, 3) * (0.25, 0.25, 0.5))))
    return Drawn(meshes, things)


def soup(rng):
    """Triangles with whole corners, many without area, no two of which need share a vertex."""
    meshes = [(rng.integers(0, 4, (12, 3)).astype(float), rng.integers(0, 12, (8, 3)).astype(np.int32))
              for _ in range(6)]
    return Drawn(meshes, [Thing(i, pose()) for i in range(6)] + [Thing(0, pose((1, -1, 1), (0, 3, 0)))])


def flat(rng):
    """Dots, lines, needles, repeated corners, and shapes with scale zero in some directions."""
    line = rng.integers(-2, 3, (6, 1)) * (rng.integers(-1, 2, 3) + 0.0), rng.integers(0, 6, (5, 3)).astype(np.int32)
    needle = tetrahedron()[0] * (1.0, 1e-4, 1e-4), tetrahedron()[1]
    dot = np.zeros((3, 3)), np.array([(0, 1, 2)], np.int32)
    repeated = box()[0], np.where(rng.random((12, 3)) < 0.2, 0, box()[1]).astype(np.int32)
    meshes = [box(), line, needle, dot, repeated, ball(4, 3)]
    things = [Thing(int(rng.integers(6)), pose(np.diag(rng.integers(0, 2, 3)) @ np.diag(rng.choice([1.0, 0.5], 3)),
                                               rng.integers(0, 4, 3) * 0.25)) for _ in range(10)]
    return Drawn(meshes, things + [Thing(0, pose()), Thing(2, pose(rotation(rng)))])


def sizes(rng):
    """From 1e-6 to 1e3, small ones on the surface of large ones."""
    meshes = solids()
    things = strewn(rng, meshes, 4, 2.0)
    for _ in range(8):
        host = things[rng.integers(4)]
        vertices, faces = meshes[host.mesh]
        spot = host.pose[:3, :3] @ vertices[faces[rng.integers(len(faces))]].mean(axis=0) + host.pose[:3, 3]
        things.append(Thing(int(rng.integers(5)), pose(rotation(rng) * 10.0 ** rng.uniform(-6, -1), spot)))
    return Drawn(meshes, things + [Thing(0, pose(1e3)), Thing(1, pose(1e3, (0.0, 0.0, 600.0)))])


def spans(rng):
    """Numbers of very different magnitude in one mesh: triangles each a thousandth of the one before."""
    meshes = []
    for _ in range(3):
        steps = 1e3 ** -np.arange(float(rng.integers(2, 30)))
        vertices = (steps[:, None, None] * (rng.normal(size=(3, 3)) + (1.0, 0.0, 0.0))).reshape(-1, 3)
        meshes.append((vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)))
    wide = rng.normal(size=(9, 3)) * 10.0 ** rng.integers(-160, 2, (9, 3)), np.arange(9, dtype=np.int32).reshape(3, 3)
    return Drawn([*meshes, wide], [Thing(i % 4, pose((1.0, -1.0, 1.0) if i > 3 else 1.0)) for i in range(6)])


def instances(rng):
    """Many of one mesh on a lattice, most of them a little out of place: a tree of objects."""
    places = np.stack(np.meshgrid(*3 * [np.arange(5.0)]), axis=-1).reshape(-1, 3)
    off = np.where(rng.random((len(places), 1)) < 0.3, 0.0, rng.normal(size=places.shape) * 0.02)
    return Drawn([box()], [Thing(0, pose(1.0, place)) for place in places + off])


def ruled(rng):
    """Groups, rules that speak about them, static objects."""
    drawn = crowd(rng)
    for thing in drawn.things:
        thing.static, thing.group = bool(rng.random() < 0.4), str(rng.choice(["red", "green", "blue"]))
    drawn.things[-1].static = False
    rules = [[("red", "green"), ("blue", "blue")], [("red", "red"), ("green", "blue")], None, [("violet", "red")]]
    drawn.asked = {"rules": rules[int(rng.choice(4, p=(0.4, 0.3, 0.2, 0.1)))]}
    return drawn


def chosen(rng):
    """Only some pairs are asked about, in either order, some of them twice."""
    drawn = crowd(rng)
    pairs = rng.integers(0, len(drawn.things), (3 * len(drawn.things), 2))
    drawn.asked = {"pairs": pairs[pairs[:, 0] != pairs[:, 1]]}
    return drawn


def near(rng):
    """In a row, a little apart from each other: by 1e-12 to 0.1, or not at all."""
    gaps = rng.choice([0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.1], 10)
    meshes = [box(), ball(8, 6, 0.5)]
    return Drawn(meshes, [Thing(i % 2 * int(rng.random() < 0.6), pose(1.0, (x, *rng.normal(size=2) * 0.1)))
                          for i, x in enumerate(np.cumsum(1.0 + gaps))])


def left_out(rng):
    """Objects that cannot be tested among healthy ones: no faces, no points, NaN, infinity, overflow."""
    broken = box()[0].copy()
    broken[3, 1] = rng.choice([np.nan, np.inf])
    cloud = rng.normal(size=(20, 3)), np.zeros((0, 3), np.int32)
    meshes = [*solids(), (broken, box()[1]), cloud, (np.zeros((0, 3)), np.zeros((0, 3), np.int32))]
    things = [Thing(mesh, pose(rotation(rng), rng.normal(size=3) * 0.5)) for mesh in range(len(meshes))]
    things += [Thing(0, pose(1.0, (np.nan, 0.0, 0.0))), Thing(0, pose(1e308)), Thing(6, pose(0.5))]
    return Drawn(meshes, [things[i] for i in rng.permutation(len(things))])


def doubles(rng):
    """The same object several times: as another mesh, inside out, mirrored onto itself, every triangle twice."""
    turn = pose(rotation(rng), rng.normal(size=3))
    meshes = [box(), (box()[0].copy(), box()[1][::-1].copy()), (box()[0], box()[1][:, ::-1].copy()),
              (box()[0], np.concatenate([box()[1], box()[1]]))]
    return Drawn(meshes, [Thing(i, turn.copy()) for i in (0, 0, 1, 2, 3)] + [Thing(0, turn @ pose((-1, 1, 1)))])


def waves(rng):
    """Sheets through each other in many places; large ones are what threads share."""
    phase, n = rng.uniform(0.0, 6.0, 3), int(rng.choice([64, 24], p=(0.3, 0.7)))
    meshes = [sheet(n, n, height=lambda x, y, p=p: np.sin(0.3 * x + p) + np.cos(0.2 * y)) for p in phase]
    return Drawn(meshes, [Thing(i, pose(1.0, (0.0, 0.0, 0.1 * i))) for i in range(3)])


def swarm(rng):
    """Two hundred small rings."""
    meshes = [torus(6, 4), torus(6, 4, 0.5, 0.3), torus(6, 4, 0.4, 0.1)]
    return Drawn(meshes, strewn(rng, meshes, 200, 9.0))


def containers(rng):
    """Small shapes in and around large ones, which are closed, hollow, leaky or inside out."""
    large = joined(box((0, 0, 0), (4, 4, 4)), box((5, 0, 0), (7, 2, 2)))
    cavity = box((1, 1, 1), (3, 3, 3))
    hollow = joined(large, (cavity[0], cavity[1][:, ::-1]))
    meshes = [large, hollow, (large[0], large[1][1:]), (large[0], large[1][:, ::-1]), *solids()]
    things = [Thing(mesh, pose(1.0, (0.0, 9.0 * mesh, 0.0))) for mesh in range(4)]
    for i in range(20):
        things.append(Thing(4 + i % 5, pose(linear_of(rng, KINDS[i % 4]) * rng.uniform(0.1, 0.4),
                                            rng.uniform(0, (7, 4, 4)) + (0.0, 9.0 * (i % 4), 0.0))))
    return Drawn(meshes, things)


def worn(rng):
    """One body that is deformed out of all shape, and others around it: a tree that must be built anew."""
    return Drawn([ball(20, 14, 1.0), box()], [Thing(0, pose()), Thing(0, pose(rotation(rng), (0.8, 0.3, 0.1))),
                                              Thing(1, pose(linear_of(rng, "sheared"), (-0.5, 0.0, 0.5)))])


def edges(rng):
    """Wings around one edge, each an object of its own, and solids that meet in edges and corners."""
    meshes = [fan(angles) for angles in ([0, 90], [90, 180], [45, 200], [135, 300], [10], [0, 120, 240])]
    things = [Thing(i, pose(1.0, rng.integers(-1, 2, 3) * 0.5)) for i in range(6)]
    things += [Thing(6, pose(1.0, rng.integers(0, 3, 3) * 0.5)) for _ in range(4)]
    return Drawn([*meshes, box()], things)


def refused(rng):
    """Questions without sense: one object, nothing that moves, no pair."""
    kind = int(rng.integers(3))
    things = [Thing(0, pose(), static=kind == 1), Thing(0, pose(), static=kind == 1)]
    return Drawn([box()], things[:1] if kind == 0 else things, {"pairs": [(0, 0)]} if kind == 2 else {})


FAMILIES = (crowd, crossing, flush, lattice, nested, walls, soup, flat, sizes, spans, instances, ruled, chosen, near,
            left_out, doubles, waves, swarm, containers, worn, edges, refused)
