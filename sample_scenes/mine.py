# SPDX-License-Identifier: GPL-3.0-or-later
"""The mine of the 2017 experiment, rebuilt from its description: five strata, a tunnel, falling rock.

Needs numpy only, so that benchmarks can run it without Blender. `mine(100)` is what mine.blend holds.
The counts of triangles are those of the published table; the shapes are ours.

    scene = mine(fragments=600)
    scene.static[0].vertices, scene.static[0].triangles     # stays where it is
    scene.fragments[0].vertices, ...                        # moves: scene.poses(step)[0]
"""
from dataclasses import dataclass

import numpy as np

from .meshes import rotations, single

STATIC_TRIANGLES = 93_079
TOTALS = {50: 94_847, 100: 95_723, 200: 97_427, 300: 99_159, 400: 100_859, 500: 102_615, 600: 104_319}

LENGTH, WIDTH = (-60.0, 60.0), (-19.0, 41.0)        # of the modelled block, x and y, in metres
# (name, height of the upper side, height of the lower side); the tunnel runs between Sandstone and Shale.
SLABS = (("Stratum 2 Clay", -4.0, -10.0), ("Stratum 3 Sandstone", -11.0, -18.0),
         ("Stratum 4 Shale", -27.0, -34.0), ("Stratum 5 Limestone", -35.0, -44.0))
SLAB_CELLS = (72, 54)
GROUND_CELLS = (96, 72)
SEAM = -22.5                                        # height of the tunnel's axis where the strata are not folded
AROUND, RINGS_OUTSIDE, RINGS_INSIDE = 42, 90, 89    # points of a tunnel ring; rings along the tunnel
BORE, WALL, FLOOR = 2.6, 0.35, -1.7                 # radius, thickness, height of the flat floor below the axis


@dataclass(frozen=True, eq=False)
class Body:
    """A named triangle mesh; coordinates are whole float32 numbers, so a .blend file keeps them exactly."""

    name: str
    vertices: np.ndarray        # (n,3) float64, metres
    triangles: np.ndarray       # (m,3) int32


@dataclass(frozen=True, eq=False)
class Mine:
    """`static` is in world coordinates; fragment i stands at `poses(step)[i]`."""

    static: list[Body]
    fragments: list[Body]
    centres: np.ndarray         # (n,3) float64, where a fragment swings about
    swings: np.ndarray          # (n,3) float64, how far
    axes: np.ndarray            # (n,3) float64, unit axis of rotation
    phases: np.ndarray          # (n,) float64, radians

    @property
    def triangle_count(self) -> int:
        return sum(len(body.triangles) for body in self.static + self.fragments)

    def placements(self, step: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Locations (n,3) and unit quaternions w x y z (n,4) of the fragments, float32 numbers in float64."""
        turn = self.phases + 0.31 * step
        location = self.centres + self.swings * np.sin(turn)[:, None]
        quaternion = np.column_stack([np.cos(turn), np.sin(turn)[:, None] * self.axes])
        return single(location), single(quaternion)

    def poses(self, step: int = 0) -> np.ndarray:
        """(n,4,4) float64: local to world. Every step moves and turns every fragment."""
        location, quaternion = self.placements(step)
        poses = np.tile(np.eye(4), (len(location), 1, 1))
        poses[:, :3, :3] = rotations(quaternion)
        poses[:, :3, 3] = location
        return poses


def mine(fragments: int, seed: int = 0) -> Mine:
    """The six static bodies and this many rock fragments. Same numbers, same mine."""
    rng = np.random.default_rng(seed)
    counts = fragment_triangles(fragments, rng)
    # The same rock, broken into more pieces: so the size of a piece falls as their number grows.
    radii = 0.65 * (50 / fragments) ** (1 / 3) * (0.75 + 0.5 * rng.random(fragments))
    rocks = [Body(f"Fragment {i + 1:03d}", *rock(int(counts[i]), radii[i], rng)) for i in range(fragments)]
    axes = rng.random((fragments, 3)) - 0.5
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return Mine(static_bodies(), rocks, fragment_centres(fragments, rng), 1.6 * rng.random((fragments, 3)) - 0.8,
                axes, 2 * np.pi * rng.random(fragments))


def static_bodies() -> list[Body]:
    """Ground, four slabs, tunnel: `STATIC_TRIANGLES` triangles, none of them touching another body."""
    slabs = [Body(name, *slab(top, bottom)) for name, top, bottom in SLABS]
    return [Body("Stratum 1 Ground", *ground()), *slabs, Body("Tunnel", *tunnel())]


def fold(x, y):
    """Height by which all strata are folded at a place, metres."""
    return 2.4 * np.sin(x / 13.0 + 0.6 * np.sin(y / 17.0)) + 1.7 * np.sin(y / 11.0 + 1.0)


def ripple(x, y, height):
    """Small unevenness of one surface; surfaces at other heights get another one. At most 0.3 m."""
    return 0.18 * np.sin(x / 2.3 + height) * np.sin(y / 2.9 - height) + 0.12 * np.sin(x / 5.1 - y / 4.3 + 2 * height)


def surface(cells: tuple[int, int], height: float):
    """A wavy sheet over the block: vertices ((w+1)·(h+1),3) in rows along x, triangles (2wh,3) facing up."""
    w, h = cells
    y, x = (each.ravel() for each in np.meshgrid(np.linspace(*WIDTH, h + 1), np.linspace(*LENGTH, w + 1)))
    vertices = np.column_stack([x, y, height + fold(x, y) + ripple(x, y, height)])
    corner = (np.arange(w)[:, None] * (h + 1) + np.arange(h)).ravel()
    a, b, c, d = corner, corner + h + 1, corner + h + 2, corner + 1
    return vertices, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def ground():
    """The open surface. A closed body has an even number of triangles and the published sum is odd, so one is open,
    and one corner of it was not surveyed."""
    vertices, triangles = surface(GROUND_CELLS, 0.0)
    x, y = vertices[:, :2].T
    vertices[:, 2] += 2.5 * np.exp(-((x - 25) ** 2 + (y - 20) ** 2) / 300)      # a hill
    return single(vertices), triangles[:-1].astype(np.int32)


def slab(top: float, bottom: float):
    """A closed stratum between two wavy sheets."""
    upper, triangles = surface(SLAB_CELLS, top)
    lower, _ = surface(SLAB_CELLS, bottom)
    n, (w, h) = len(upper), SLAB_CELLS
    grid = np.arange(n).reshape(w + 1, h + 1)
    rim = np.concatenate([grid[:-1, 0], grid[-1, :-1], grid[:0:-1, -1], grid[0, :0:-1]])    # once around, from above
    ahead = np.roll(rim, -1)
    sides = np.concatenate([np.column_stack([rim, rim + n, ahead + n]), np.column_stack([rim, ahead + n, ahead])])
    faces = np.concatenate([triangles, triangles[:, ::-1] + n, sides])
    return single(np.concatenate([upper, lower])), faces.astype(np.int32)


def axis_point(u: np.ndarray) -> np.ndarray:
    """The axis of the tunnel from its mouth (u = 0) to the working face (u = 1): (n,3)."""
    x = -58.0 + 108.0 * u
    y = 9.0 * np.sin(5.0 * u) - 4.0 * u
    return np.column_stack([x, y, SEAM + fold(x, y)])


def ring(u: float, radius: float, floor: float) -> np.ndarray:
    """One cross-section: an arch on a flat floor, upright and square to the axis seen from above. (AROUND,3)"""
    here, ahead = axis_point(np.array([u, u + 1e-3]))
    along = (ahead - here)[:2] / np.linalg.norm((ahead - here)[:2])
    angle = 2 * np.pi * np.arange(AROUND) / AROUND
    sideways, up = radius * np.cos(angle), np.maximum(radius * np.sin(angle), floor)
    return here + np.column_stack([sideways * along[1], -sideways * along[0], up])


def tunnel():
    """A thick tube, open at the mouth and closed at the working face: one closed surface, drawn as one row of rings
    from the end of the outside to the mouth and back on the inside."""
    outside = [ring(u, BORE + WALL, FLOOR - WALL) for u in np.linspace(1.0, 0.0, RINGS_OUTSIDE)]
    inside = [ring(u, BORE, FLOOR) for u in np.linspace(0.0, 1.0 - 0.5 / 108.0, RINGS_INSIDE)]
    rings = outside + inside
    faces = []
    first = np.arange(AROUND)
    ahead = np.roll(first, -1)
    for k in range(len(rings) - 1):
        a, b, c, d = (k * AROUND + first, k * AROUND + ahead, (k + 1) * AROUND + ahead, (k + 1) * AROUND + first)
        faces += [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    fan = np.column_stack([np.zeros(AROUND - 2, int), first[2:], first[1:-1]])
    faces += [fan, fan[:, ::-1] + (len(rings) - 1) * AROUND]
    return single(np.concatenate(rings)), np.concatenate(faces).astype(np.int32)


def fragment_triangles(fragments: int, rng) -> np.ndarray:
    """(n,) how many triangles each fragment has: even numbers, the sum is the table's (between its rows, in line)."""
    if fragments < 1:
        raise ValueError("a mine needs at least one fragment")
    known = np.array(sorted(TOTALS))
    per_fragment = np.array([(TOTALS[n] - STATIC_TRIANGLES) / n for n in known])
    halves = round(float(np.interp(fragments, known, per_fragment)) * fragments / 2)
    counts = np.full(fragments, halves // fragments)
    counts[:halves % fragments] += 1
    change = rng.integers(0, 3, fragments)
    return 2 * (counts + change - np.roll(change, 1))


def rock(triangles: int, radius: float, rng):
    """A lumpy closed stone with exactly this even number of triangles."""
    points = spread_directions(triangles // 2 + 2, rng)
    faces = hull_of_directions(points)
    lumps = radius * (0.75 + 0.4 * rng.random(len(points)))
    return single(points * lumps[:, None] * (1.0, 0.85, 0.7)), faces.astype(np.int32)


def spread_directions(n: int, rng) -> np.ndarray:
    """(n,3) unit vectors, evenly spread, a little disturbed."""
    k = np.arange(n) + 0.5
    polar, azimuth = np.arccos(1 - 2 * k / n), np.pi * (1 + 5 ** 0.5) * k
    points = np.column_stack([np.cos(azimuth) * np.sin(polar), np.sin(azimuth) * np.sin(polar), np.cos(polar)])
    points += (rng.random((n, 3)) - 0.5) * 0.8 / n ** 0.5
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def hull_of_directions(points: np.ndarray) -> np.ndarray:
    """Convex hull of few unit vectors, by trying every triple: (2n-4,3), outward."""
    n = len(points)
    i, j, k = np.array([(i, j, k) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]).T
    normal = np.cross(points[j] - points[i], points[k] - points[i])
    height = normal @ points.T - np.sum(normal * points[i], axis=1)[:, None]
    height[np.arange(len(i))[:, None], np.column_stack([i, j, k])] = 0
    below, above = np.all(height <= 0, axis=1), np.all(height >= 0, axis=1)
    return np.concatenate([np.column_stack([i, j, k])[below], np.column_stack([i, k, j])[above]])


def fragment_centres(fragments: int, rng) -> np.ndarray:
    """(n,3): two falls of rock, inside the tunnel and around it, up to the strata above and below."""
    fall = np.where(rng.random(fragments) < 0.65, 0.74, 0.32)
    u = fall + 0.2 * (rng.random(fragments) + rng.random(fragments) - 1)
    angle, reach = 2 * np.pi * rng.random(fragments), 4.6 * np.sqrt(rng.random(fragments))
    return axis_point(u) + np.column_stack([0 * u, reach * np.cos(angle), 0.9 * reach * np.sin(angle)])
