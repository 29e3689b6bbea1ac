# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed meshes that are thin beside their triangles, or of one shape: what people stack and lay over one another."""
import numpy as np

from .shapes import ball, halves


def cloth(across, thick, high=0.1, seed=0):
    """A square sheet from -1 to 1 with waves, `across` vertices along each side, and its copy `thick` below."""
    rng = np.random.default_rng(seed)
    along = np.linspace(-1.0, 1.0, across)
    x, y = (each.ravel() for each in np.meshgrid(along, along, indexing="ij"))
    waves = sum(np.sin(rng.uniform(2, 6) * x + rng.uniform(2, 6) * y + rng.uniform(0, 6)) for _ in range(3))
    top = np.c_[x, y, high / 3 * waves + thick / 2]
    number = np.arange(across ** 2).reshape(across, across)
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1).reshape(-1, 4)
    rim = np.concatenate([number[:-1, 0], number[-1, :-1], number[:0:-1, -1], number[0, :0:-1]])
    after = np.roll(rim, -1)
    below = across ** 2
    faces = np.concatenate([halves(quads), halves(quads[:, ::-1] + below),
                            halves(np.c_[rim, rim + below, after + below, after])])
    return np.concatenate([top, top - (0, 0, thick)]), faces


def cup(around, rings, thick, slope=0.1):
    """A cup of height 2, radius 1 at its foot, with walls and a floor so thick, open above."""
    up = np.linspace(0.0, 2.0, rings + 1)
    outer = np.c_[1.0 + slope * up, up]
    inner = outer[::-1] - (thick, 0.0)
    inner[-1, 1] = thick
    profile = np.concatenate([outer, inner])
    turns = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    vertices = np.stack([np.outer(profile[:, 0], np.cos(turns)), np.outer(profile[:, 0], np.sin(turns)),
                         np.repeat(profile[:, 1:], around, axis=1)], axis=-1).reshape(-1, 3)
    number = np.arange(len(vertices)).reshape(-1, around)
    after = np.roll(number, -1, axis=1)
    walls = halves(np.stack([number[:-1], after[:-1], after[1:], number[1:]], axis=-1).reshape(-1, 4))
    foot, floor = len(vertices), len(vertices) + 1
    caps = np.concatenate([np.c_[after[0], number[0], np.full(around, foot)],
                           np.c_[number[-1], after[-1], np.full(around, floor)]])
    return np.concatenate([vertices, [(0, 0, 0), (0, 0, thick)]]), np.concatenate([walls, caps]).astype(np.int32)


def lump(columns, rows, seed=0):
    """A ball with waves, the same shape with any number of triangles: a model, its remesh, its low-poly twin."""
    rng = np.random.default_rng(seed)
    vertices, faces = ball(columns, rows)
    waves = np.sin(vertices @ rng.normal(0.0, 2.0, (3, 6)) + rng.uniform(0.0, 6.0, 6)).mean(axis=1, keepdims=True)
    return vertices * (1.0 + 0.3 * waves), faces
