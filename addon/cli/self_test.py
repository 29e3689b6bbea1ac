# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions whose answers are known, asked of the installed kernels. The docstring of a check is its name."""
import numpy as np

from ...core import Scene, detect, methods
from ...core.method import without
from ...core.queries import triangle_intersections

FLOOR = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
CUBE_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                  [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
NONE, POINT, SEGMENT, AREA = range(4)


def crossing_triangles() -> bool:
    """two triangles cross in a segment with known ends"""
    kind, ends = _meeting([[1, 1, -1], [1, 1, 1], [3, 1, -1]])
    return kind == SEGMENT and {tuple(end) for end in ends.tolist()} == {(1, 1, 0), (2, 1, 0)}


def touching_triangles() -> bool:
    """a corner that touches a triangle is a point"""
    kind, ends = _meeting([[1, 1, 0], [1, 1, 1], [2, 1, 1]])
    return kind == POINT and ends.tolist() == [[1, 1, 0], [1, 1, 0]]


def coplanar_triangles() -> bool:
    """two triangles in one plane share an area"""
    return _meeting([[1, 1, 0], [5, 1, 0], [1, 5, 0]])[0] == AREA


def near_miss() -> bool:
    """a triangle 1e-15 above another one does not meet it"""
    return _meeting([[1, 1, 1e-15], [2, 1, 1e-15], [1, 2, 1e-15]])[0] == NONE


def degenerate_triangle() -> bool:
    """a triangle without area is the segment that it is"""
    return _meeting([[1, 1, -1], [1, 1, 1], [1, 1, 3]])[0] == POINT


def exact_arithmetic() -> bool:
    """what rounding would hide is decided by exact arithmetic"""
    far = 2.0 ** 26
    point = [far + 1.0, far + 1.0, 0.0]
    above = [point, [far, far + 2.0, 0.0], [far + 2.0, far, np.nextafter(0.0, 1.0)]]
    base = [[far, far, 0.0], [far + 2.0, far, 0.0], [far, far + 2.0, 0.0]]
    kind, _ = triangle_intersections(np.array([base]), np.array([above]))
    swapped, _ = triangle_intersections(np.array([above]), np.array([base]))
    return kind[0] == swapped[0] == SEGMENT


def _meeting(triangle) -> tuple[int, np.ndarray]:
    """Kind and ends of what FLOOR and a triangle share; NONE unless both orders agree."""
    here, there = np.array([FLOOR], float), np.array([triangle], float)
    kind, ends = triangle_intersections(here, there)
    swapped, _ = triangle_intersections(there, here)
    return (int(kind[0]) if kind[0] == swapped[0] else -1), ends[0]


def cubes() -> bool:
    """of four cubes one pair crosses, one touches, all others are clear"""
    return _verdicts(methods.DEFAULT) == {("first", "second"): "crossing", ("second", "third"): "touching"}


def methods_agree() -> bool:
    """all exact methods of an instant give the same answer"""
    exact = [method for method in methods.ids()
             if methods.load(method).answer == "exact" and not methods.load(method).follows]
    return all(_verdicts(method, options=without(methods.load(method), "gpu")) == _verdicts(methods.DEFAULT)
               for method in exact)


def one_thread() -> bool:
    """one thread gives the same answer as many"""
    return _verdicts(methods.DEFAULT, threads=1) == _verdicts(methods.DEFAULT, threads=4)


def bad_coordinates() -> bool:
    """an object with NaN is left out, the others are judged"""
    scene = _cubes()
    scene.add_object(scene.add_mesh(np.where(CUBE_CORNERS == 1, np.nan, CUBE_CORNERS), FACES), name="broken")
    report = detect(scene)
    return [each.name for each in report.skipped] == ["broken"] and len(report.pairs) == 2 and report.exit_code() == 1


def _cubes() -> Scene:
    """Cubes of edge 1 at x = 0, 0.5, 1.5 and 4, the second moved along y and z to cross the first properly."""
    scene = Scene()
    mesh = scene.add_mesh(CUBE_CORNERS, FACES)
    for name, place in (("first", (0, 0, 0)), ("second", (0.5, 0.25, 0.25)), ("third", (1.5, 0.5, 0.5)),
                        ("fourth", (4, 0, 0))):
        pose = np.eye(4)
        pose[:3, 3] = place
        scene.add_object(mesh, pose, name=name)
    return scene


def _verdicts(method: str, threads: int | None = None, options: dict | None = None) -> dict[tuple[str, str], str]:
    report = detect(_cubes(), method, threads=threads, options=options)
    return {(report.name(pair["a"]), report.name(pair["b"])): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


CHECKS = (crossing_triangles, touching_triangles, coplanar_triangles, near_miss, degenerate_triangle, exact_arithmetic,
          cubes, methods_agree, one_thread, bad_coordinates)
