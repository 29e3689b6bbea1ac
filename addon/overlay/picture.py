# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to draw of a pair, as plain arrays. Nothing here draws."""
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...core.contacts import AREA, POINT, SEGMENT
from ..limits import USUAL, Limits
from .patches import shared_triangles

if TYPE_CHECKING:
    from ...core.report import Report
    from ...core.scene import Scene

SAME_RELATIVE = 1e-6                 # of the largest coordinate: points closer to each other than that are one
SEEN, HIDDEN_BEHIND = 0.85, 0.10   # how much of a tint covers what is seen of an object, and what other things hide
SEEN_AROUND, HIDDEN_INSIDE = 0.20, 0.50     # of an object that contains the other one; of the one inside
LIGHT = np.array((0.3, -0.5, 0.8))          # where it comes from in tints
DARKEST = 0.45
HEAT_LIGHT = 0.35           # how much of a heat map's colours the light takes at most: forms are seen, and colours kept
BARB, SPREAD = 0.2, 0.35    # of an arrow: length of its barbs by its own, and how far they open by their length


@dataclass(eq=False)
class Tint:
    """An object in its colour."""

    vertices: np.ndarray    # (n,3) float32, world
    triangles: np.ndarray   # (m,3) int32
    shades: np.ndarray      # (m,) float32, 0 to 1: how bright each triangle is
    side: str               # "a" or "b"
    seen: float             # how much it covers what is seen of the object …
    hidden: float           # … and what lies behind something else
    one_sided: bool = False     # only triangles whose corners turn left, seen from the eye, are drawn

    @property
    def corners(self) -> np.ndarray:
        """(m,3,3) float32, world."""
        return self.vertices[self.triangles]


@dataclass(eq=False)
class Heat:
    """An object in the colours of a heat map."""

    corners: np.ndarray     # (m,3,3) float32, world
    colours: np.ndarray     # (m,3,3) float32, sRGB, of each corner
    inside: np.ndarray      # (m,3) bool: corners in the other object's solid


@dataclass(eq=False)
class Picture:
    """What is drawn of one pair, in world coordinates, float32."""

    tints: list[Tint] = field(default_factory=list)
    heat: list[Heat] = field(default_factory=list)      # in place of tints
    lines: np.ndarray = field(default_factory=lambda: np.zeros((0, 2, 3), np.float32))      # the intersection curve
    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))        # where only points meet
    patches: np.ndarray = field(default_factory=lambda: np.zeros((0, 3, 3), np.float32))    # where faces lie flush
    arrow: np.ndarray = field(default_factory=lambda: np.zeros((0, 2, 3), np.float32))      # its shaft first
    label: str = ""     # the length of the arrow, which is the gap or the depth
    title: str = ""     # of the legend: the verdict
    names: list[tuple[str, str]] = field(default_factory=list)      # (side, name) of what is tinted, for the legend


def picture_of(report: "Report", row: int, core: "Scene | None", length: str,
               limits: Limits = USUAL) -> Picture:
    """What to draw of a row of Report.pairs.

    core: the Scene that was tested, None where there is none any more; without it there are no tints and patches.
    length: the gap or depth as a text, "" where there is none; limits: of what is drawn.
    """
    contacts = report.contacts_of(row).take(slice(0, limits.contacts))
    picture = Picture(points=_alone(contacts).astype(np.float32))
    lines = contacts.kind == SEGMENT
    if core is None:
        lines |= contacts.kind == AREA
    else:
        picture.tints = _tints(report, row, core, limits.triangles)
        picture.patches = _patches(report.pairs[row], contacts.take(contacts.kind == AREA), core).astype(np.float32)
    picture.lines = contacts.point[lines].astype(np.float32)
    _measure(picture, report, row, length)
    return picture


def _alone(contacts) -> np.ndarray:
    """(p,3) float64: points of contact, each once, but for those where a line or a patch ends, up to rounding."""
    point = contacts.point.reshape(-1, 3)
    if len(point) == 0:
        return point
    step = SAME_RELATIVE * max(float(np.abs(point).max()), 1e-300)
    places, first, same = np.unique((point / step).round().astype(np.int64), axis=0, return_index=True,
                                    return_inverse=True)
    ends = np.zeros(len(places), bool)
    ends[same.reshape(-1)[np.repeat(contacts.kind != POINT, 2)]] = True
    return point[first[~ends]]


def _tints(report, row: int, core, most: int) -> list[Tint]:
    """Both objects in their colours. What contains the other one lets it be seen, and has its colour from outside only:
    in a room, all would have it. An object with itself has one, and none that has more than `most` triangles."""
    inner, found = report.inner(row), []
    for side, index in tinted_sides(report, row, core, most):
        triangles = core.meshes[core.layout.mesh[index]].triangles
        vertices, around = world_vertices(core, index), inner not in (None, index)
        corners = vertices[triangles]
        if around and volume_of(corners) < 0.0:     # mirrored, or a room whose faces look inwards
            triangles = triangles[:, ::-1]
        found.append(Tint(vertices.astype(np.float32), triangles.astype(np.int32),
                          shades_of(corners, core.poses[index]), side, SEEN_AROUND if around else SEEN,
                          HIDDEN_INSIDE if inner == index else HIDDEN_BEHIND, one_sided=around))
    return found


def tinted_sides(report: "Report", row: int, core: "Scene | None", most: int) -> list[tuple[str, int]]:
    """("a" or "b", number of the object) of what a picture has in colour. core, most: as in `picture_of`."""
    pair = report.pairs[row]
    sides = [] if core is None else [(side, int(pair[side])) for side in ("a" if pair["a"] == pair["b"] else "ab")]
    return [(side, index) for side, index in sides
            if len(core.meshes[core.layout.mesh[index]].triangles) <= most]


def world_vertices(core: "Scene", index: int) -> np.ndarray:
    """(n,3) float64: vertices of an object of a core Scene, in the world."""
    pose = core.poses[index]
    return core.meshes[core.layout.mesh[index]].vertices @ pose[:3, :3].T + pose[:3, 3]


def world_triangles(core: "Scene", index: int, chosen: slice | np.ndarray = slice(None)) -> np.ndarray:
    """(m,3,3) float64: corners of triangles of an object of a core Scene, in the world. chosen: of which ones."""
    mesh, pose = core.meshes[core.layout.mesh[index]], core.poses[index]
    corners = mesh.vertices[mesh.triangles[chosen]]
    return corners @ pose[:3, :3].T + pose[:3, 3]


def volume_of(corners: np.ndarray) -> float:
    """What closed triangles (m,3,3) enclose; negative where their corners, seen from outside, turn right."""
    from_one = corners - corners[:1, :1]        # far from the origin little would be left of the differences
    return float(np.einsum("ij,ij", np.cross(from_one[:, 0], from_one[:, 1]), from_one[:, 2])) / 6.0


def shades_of(corners: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """(m,) float32 from DARKEST to 1: how much light falls on each triangle. pose: of their object; a mirrored one
    turns its triangles round."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1) * np.linalg.norm(LIGHT) * np.sign(np.linalg.det(pose[:3, :3]) or 1.0)
    towards = np.divide(across @ LIGHT, length, out=np.zeros(len(corners)), where=length != 0.0)
    return (DARKEST + (1.0 - DARKEST) * 0.5 * (1.0 + towards)).astype(np.float32)


def heated(vertices: np.ndarray, triangles: np.ndarray, colours: np.ndarray, inside: np.ndarray,
           pose: np.ndarray) -> Heat:
    """An object with colours (n,3) at its vertices (n,3). inside: (n,) bool. pose: as in `shades_of`."""
    corners = vertices[triangles]
    light = 1.0 - HEAT_LIGHT * (1.0 - shades_of(corners, pose)) / (1.0 - DARKEST)
    return Heat(corners.astype(np.float32), (colours[triangles] * light[:, None, None]).astype(np.float32),
                inside[triangles])


def _patches(pair, areas, core) -> np.ndarray:
    a, b = (world_triangles(core, int(pair[side]), getattr(areas, f"triangle_{side}")) for side in "ab")
    return shared_triangles(a, b)


def _measure(picture: Picture, report, row: int, length: str) -> None:
    """The arrow from one object to the other and its length: of the gap, both ways; of the depth, inwards."""
    apart = report.is_apart(row)
    ends = report.pairs["gap_points" if apart else "depth_points"][row]
    if length and np.isfinite(ends).all():
        picture.arrow = arrow(ends[0], ends[1], both_ways=apart).astype(np.float32)
        picture.label = length


def arrow(start: np.ndarray, end: np.ndarray, both_ways: bool) -> np.ndarray:
    """(n,2,3): the lines of an arrow, its shaft first, then four barbs at its end, and at its start where it points
    both ways. They open in two planes, so that the tip is seen from every side."""
    along = end - start
    sideways = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    sideways *= np.linalg.norm(along) / max(float(np.linalg.norm(sideways)), 1e-300)
    upwards = np.cross(along, sideways) / max(float(np.linalg.norm(along)), 1e-300)
    lines = [(start, end)]
    for tip, back in ((end, -along), (start, along))[:1 + both_ways]:
        lines += [(tip, tip + BARB * (back + SPREAD * open)) for open in (sideways, -sideways, upwards, -upwards)]
    return np.array(lines)
