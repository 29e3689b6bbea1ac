# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(tolerance=…)`: against exact depths and gaps in Fractions, on flush parts in single precision; monotone."""
import math

import numpy as np
import pytest
from naive.scenes import build, crowd, pose, touching_grid, transformed
from naive.shapes import ball, box, grid, joined, moved
from naive.signed_gaps import SignedGap
from touchpoint.core import Refused, Scene, Unsupported, detect
from touchpoint.core.codes import VERDICTS
from touchpoint.core.tolerance import AUTOMATIC
from touchpoint.core.tolerance.asked import MULTIPLE, roundings

pytestmark = pytest.mark.scenes

# A wall with an opening, and a frame that fits into it: neither lies on one side of a plane.
WALL = np.array([(x, y, z) for y in (0.0, 0.2) for x, z in ((0, 0), (4, 0), (4, 3), (0, 3), (1, 1), (2, 1), (2, 2),
                                                            (1, 2))], float)
RING = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def ring(points):
    """A closed ring of four-sided section. points: (16,3): outer and inner corners in front, then behind."""
    quads = [*RING, *([8 + i for i in quad[::-1]] for quad in RING)]
    for k in range(4):
        following = (k + 1) % 4
        quads += [(following, k, 8 + k, 8 + following), (4 + k, 4 + following, 12 + following, 12 + k)]
    return points, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], np.int32)


def l_shape(arm=3.0):
    """Two boxes' worth of solid around a corner, as one surface."""
    outline = np.array([(0, 0), (arm, 0), (arm, 1), (1, 1), (1, arm), (0, arm)], float)
    points = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in outline])
    faces = [(0, 3, 1), (1, 3, 2), (0, 5, 3), (3, 5, 4)]
    sides = [(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
    faces += [tuple(6 + i for i in face[::-1]) for face in faces]
    return points, np.array(faces + [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))], np.int32)


def scene_of(*meshes):
    scene = Scene()
    for mesh in meshes:
        scene.add_object(scene.add_mesh(*mesh))
    return scene


def verdict_of(a, b, tolerance, **asked):
    report = detect(scene_of(a, b), tolerance=tolerance, **asked)
    return report.verdict(0) if len(report.pairs) else "clear"


def turned(mesh, rng):
    return mesh[0] @ np.linalg.qr(rng.normal(size=(3, 3)))[0].T, mesh[1]

SOLIDS = [box(), box((0, 0, 0), (3, 0.2, 2)), l_shape(), ball(6, 4, 0.8), ring(WALL)]


@pytest.mark.parametrize("seed", range(24))
def test_verdicts_are_those_of_exact_depths_and_gaps(seed):
    rng = np.random.default_rng(seed)
    a, b = (SOLIDS[i] for i in rng.integers(0, len(SOLIDS), 2))
    if seed % 2:
        a, b = turned(a, rng), turned(b, rng)
    b = moved(b, rng.uniform(-1.0, 2.5, 3))
    gap = SignedGap(a, b)
    middle = float(gap.lower) ** 0.5
    for tolerance in (0.0, 1e-9, *(middle * rng.uniform(0.3, 3.0, 4)), 10.0 ** rng.uniform(-4, 0)):
        verdict = verdict_of(a, b, tolerance)
        assert gap.allows(verdict, tolerance), (gap.exact, verdict, tolerance, middle)
        assert verdict_of(b, a, tolerance) == verdict


@pytest.mark.parametrize("deep", [0.1, 1e-3, 1e-5])
@pytest.mark.parametrize("a, b", [
    (box(), lambda deep: box((1 - deep, 0.2, 0.2), (2, 0.8, 0.8))),          # a move along an axis frees it
    (l_shape(), lambda deep: box((1 - deep, 1.2, 0.2), (2, 2, 0.8))),        # none that is so short does
    (l_shape(), lambda deep: box((0.5 - deep, 0.5, 1 - deep), (3, 0.7, 2))),
    (grid(4, 4), lambda deep: grid(1, 1, (1.5, 1.5, -deep), v=(0, 0, 1)))])
def test_exactly_the_depth_is_tolerated(deep, a, b):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        turn = pose(np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.uniform(-2, 2, 3)) if seed else np.eye(4)
        scene = Scene()
        for mesh in (a, b(deep)):
            scene.add_object(scene.add_mesh(*mesh), turn)
        assert detect(scene, tolerance=deep * (1 - 2e-3)).verdict(0) == "crossing"
        assert detect(scene, tolerance=deep * (1 + 2e-3)).verdict(0) == "touching"


@pytest.mark.parametrize("seed", range(6))
def test_a_larger_tolerance_never_makes_a_row_worse(seed):
    rng = np.random.default_rng(100 + seed)
    made = transformed((touching_grid, crowd)[seed % 2](rng), 10.0 ** rng.integers(-3, 4), rng.uniform(-9, 9, 3))
    scene = build(made)
    size = np.ptp(scene.poses[:, :3, 3])
    before: dict = {}
    exact = None
    for tolerance in (0.0, *np.sort(size * 10.0 ** rng.uniform(-9, 0.5, 12))):
        report = detect(scene, tolerance=tolerance)
        now = {(int(pair["a"]), int(pair["b"])): VERDICTS[pair["verdict"]] for pair in report.pairs}
        exact = exact or now
        for pair, verdict in now.items():
            assert verdict == "touching" or verdict == exact[pair]       # nothing else that was not so before
            assert verdict == "touching" or before.get(pair, verdict) == verdict
        for pair, verdict in before.items():        # and what touches goes on to touch
            assert now[pair] in ("touching", verdict)
        before = now


def test_no_tolerance_is_the_exact_verdict(tmp_path):
    scene = build(crowd(np.random.default_rng(1)))
    files = []
    for number, asked in enumerate(({}, {"tolerance": 0.0}, {"tolerance": 0})):
        report = detect(scene, **asked)
        assert np.array_equal(report.pairs["exact"], report.pairs["verdict"]) and not report.pairs["tolerance"].any()
        assert "tolerance" not in report.settings and "depth" not in report.settings
        report.to_json(tmp_path / str(number))
        files.append((tmp_path / str(number)).read_bytes())
    assert files[0] == files[1] == files[2] and b'"exact"' not in files[0]


@pytest.mark.parametrize("tolerance", [-1.0, -1e-300, math.nan, math.inf, -math.inf, "", "much", "1", None, True, [1.0],
                                       1 << 2000])
def test_what_is_no_tolerance_is_refused(tolerance):
    with pytest.raises(Refused, match="tolerance"):
        detect(scene_of(box(), box()), tolerance=tolerance)


def test_methods_without_depths_refuse_a_length_and_say_that_they_are_exact():
    scene = scene_of(box(), moved(box(), (1 - 1e-9, 0.1, 0.1)))
    for method in ("exact", "tsgo"):
        with pytest.raises(Unsupported, match="tolerance"):
            detect(scene, method, tolerance=0.1)
        report = detect(scene, method, tolerance=AUTOMATIC)
        assert report.verdict(0) == "crossing" and "tolerance" not in report.settings
        assert report.notes[0].startswith("Verdicts are exact, without a tolerance: the method ")
        assert detect(scene, method).notes == report.notes[1:]
    assert detect(scene, tolerance=AUTOMATIC).verdict(0) == "touching"


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("clearance", [0.0, 0.02, 0.2])
def test_gaps_touch_then_are_near_then_clear(tolerance, clearance):
    gaps = [0.005, 0.015, 0.1, 0.25, 0.5]
    scene = scene_of(box(), *(moved(box(), (x, y, z)) for x, y, z in
                              ((1 + gaps[0], 0, 0), (-1 - gaps[1], 0, 0), (0, 1 + gaps[2], 0), (0, -1 - gaps[3], 0),
                               (0, 0, 1 + gaps[4]))))
    report = detect(scene, tolerance=tolerance, clearance=clearance, pairs=[(0, k) for k in range(1, 6)])
    found = {int(pair["b"]) - 1: pair for pair in report.pairs}
    for k, gap in enumerate(gaps):
        expected = "touching" if gap <= tolerance else "near" if gap <= clearance else "clear"
        exact = "near" if gap <= clearance else "clear"
        assert expected == "clear" if k not in found else VERDICTS[found[k]["verdict"]] == expected
        if k in found:
            assert VERDICTS[found[k]["exact"]] == exact and found[k]["gap"] == pytest.approx(gap)
            assert np.isfinite(found[k]["gap_points"]).all() and found[k]["tolerance"] == tolerance
    assert ("tolerance" in report.settings) == (tolerance > 0.0)


def test_solids_that_coincide_are_no_touch():
    for mesh in (box(), l_shape(), ring(WALL), ball(12, 8), joined(box(), moved(l_shape(), (5, 0, 0)))):
        for shift in (0.0, 1e-7, 3e-4):
            other = mesh[0] + shift * np.array((0.3, 0.5, 0.8)), mesh[1]
            assert verdict_of(mesh, other, 1e-3) in ("overlap", "crossing", "contained")
            assert verdict_of(other, mesh, 1e-3) in ("overlap", "crossing", "contained")
    part = joined(moved(box(), (0, 0, 9)), box((0, 0, 0), (0.1, 2, 2)))       # one component is that of another mesh
    assert verdict_of(part, moved(box((0, 0, 0), (0.1, 2, 2)), (1e-6, 1e-6, 0)), 1e-3) == "crossing"
    sheet = box((0, 0, 0), (4, 4, 1e-4))
    assert verdict_of(sheet, sheet, 1e-3) == "touching"        # a move by its thickness frees it


def test_inverted_and_unoriented_solids_that_coincide():
    vertices, faces = l_shape()
    mixed = faces.copy()
    mixed[::2] = mixed[::2, ::-1]
    for triangles in (faces[:, ::-1].copy(), mixed):
        assert verdict_of((vertices, triangles), (vertices + 1e-7, faces), 1e-3) == "crossing"


def test_a_frame_that_fits_into_an_opening_touches():
    frame = ring(np.array([(x, y, z) for y in (0.0, 0.2) for x, z in ((1, 1), (2, 1), (2, 2), (1, 2), (1.1, 1.1),
                                                                     (1.9, 1.1), (1.9, 1.9), (1.1, 1.9))], float))
    wall, middle = ring(WALL), np.array((1.5, 0.1, 1.5))
    for size, deep in ((1.0, 0.0), (1.0 + 2e-6, 1e-6), (1.0 - 2e-6, -1e-6), (1.0 + 2e-2, 1e-2)):
        other = middle + (frame[0] - middle) * size, frame[1]
        assert verdict_of(wall, other, 1e-5) == ("touching" if deep < 1e-5 else "crossing")
        assert verdict_of(wall, other, 0.015) == "touching"      # at a corner, 0.0141


def test_open_meshes_are_judged_by_the_move_that_parts_them():
    floor, rng = grid(4, 4), np.random.default_rng(3)
    poking = moved(grid(1, 1, v=(0, 0, 1)), (1.5, 1.5, -1e-4))       # a sheet that stands 0.1 mm through the floor
    assert verdict_of(floor, poking, 0.0) == verdict_of(floor, poking, 9e-5) == "crossing"
    assert verdict_of(floor, poking, 1.1e-4) == "touching"
    through = moved(grid(1, 1, v=(0, 0, 1)), (1.5, 1.5, -0.5))
    assert verdict_of(floor, through, 0.4) == "crossing" and verdict_of(floor, through, 0.51) == "touching"
    # Turned together, the coordinate planes of the objects still find it: their meshes are not turned.
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    scene = Scene()
    for mesh in (floor, poking):
        scene.add_object(scene.add_mesh(*mesh), pose(turn, (5, 6, 7)))
    assert detect(scene, tolerance=1.1e-4).verdict(0) == "touching"
    assert detect(scene, tolerance=9e-5).verdict(0) == "crossing"
    # A needle through a sheet is thin, but does not only touch it: its depth proves nothing.
    needle = box((1.5, 1.5, -1.0), (1.501, 1.501, 1.0))
    assert verdict_of(floor, needle, 1e-2) == "crossing"


def test_a_shell_counts_as_open():
    rod, room = box((1.5, 1.5, -1.0), (1.501, 1.501, 1.0)), box((0, 0, 0), (4, 4, 4))
    for shell in (False, True):
        scene = Scene()
        scene.add_object(scene.add_mesh(*room), shell=shell)
        scene.add_object(scene.add_mesh(*rod))
        report = detect(scene, tolerance=1e-2)
        assert report.verdict(0) == "crossing" and (report.pairs["depth_upper"][0] < 1e-2) == shell


def test_what_cannot_be_told_stays_so():
    lid = box()[0], box()[1][:-1]
    inside = box((0.4, 0.4, 0.4), (0.6, 0.6, 0.6))
    leaky = joined((3.0 * lid[0] - 1.0, lid[1]))
    assert verdict_of(leaky, inside, 0.0) == verdict_of(leaky, inside, 1e-3)


# Flush parts as Blender stores them.

def single(values):
    return np.asarray(values, np.float32).astype(np.float64)


def stack(rng, offset, turn):
    """Slabs on walls on slabs …, at odd heights, each stored in single precision about its own origin; the pairs that
    are flush, and pairs that reach 1 mm into each other."""
    scene, flush, clashing, height = Scene(), [], [], 0.0
    for k in range(10):
        thick = rng.uniform(0.1, 3.0)
        sides = rng.uniform(2.0, 9.0, 2)
        clash = 0.001 if k % 4 == 3 else 0.0
        low = np.array([*(-0.5 * sides), height - clash])
        origin = low + rng.uniform(0, 1, 3) * (*sides, thick)
        vertices, faces = box(low - origin, low - origin + (*sides, thick + clash))
        scene.add_object(scene.add_mesh(single(vertices), faces), pose(single(turn), single(turn @ origin + offset)))
        if k:
            (clashing if clash else flush).append((k - 1, k))
        height += thick
    return scene, flush, clashing


@pytest.mark.parametrize("offset", [0.0, 10.0, 200.0])
@pytest.mark.parametrize("seed", range(8))
def test_flush_parts_touch_and_planted_clashes_stay(seed, offset):
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] if seed % 2 else np.eye(3)
    scene, flush, clashing = stack(rng, offset * rng.uniform(0.5, 1, 3), turn)
    report = detect(scene, tolerance=AUTOMATIC)
    found = {(int(pair["a"]), int(pair["b"])): VERDICTS[pair["verdict"]] for pair in report.pairs}
    assert found == {**dict.fromkeys(flush, "touching"), **dict.fromkeys(clashing, "crossing")}
    assert (report.pairs["depth"][report.pairs["verdict"] == VERDICTS.index("crossing")] > 0.0009).all()
    assert report.settings["tolerance"] == AUTOMATIC
    assert report.pairs["tolerance"].max() <= report.settings["tolerance_at_most"] < 0.001


def test_the_automatic_tolerance_follows_what_single_precision_resolves():
    rng = np.random.default_rng(5)
    for _ in range(200):
        scale, far = 10.0 ** rng.integers(-3, 4, 2)
        meant = rng.uniform(-scale, scale, (20, 3)), rng.normal(size=(3, 3)), rng.uniform(-far, far, 3)
        scene = Scene()
        vertices, linear, place = (single(each) for each in meant)
        scene.add_object(scene.add_mesh(vertices, [(0, 1, 2)]), pose(linear, place))
        moved_by = (vertices @ linear.T + place) - (meant[0] @ meant[1].T + meant[2])
        share = roundings(scene, np.array([0]))[0]
        assert np.linalg.norm(moved_by, axis=1).max() <= share * (1 + 1e-6)
        assert share <= 2.0 ** -22 * (np.abs(linear).sum() * np.abs(vertices).max() + np.abs(place).sum())
    scene = scene_of(box(), moved(box(), (3, 0, 0)), moved(box(), (9, 0, 0)))
    shares = MULTIPLE * roundings(scene, np.arange(3))
    assert detect(scene, tolerance=AUTOMATIC).settings["tolerance_at_most"] == shares[1] + shares[2]


def test_an_object_with_one_vertex_far_off_is_named():
    """It makes the automatic tolerance longer than what it meets, so that a clash only touches."""
    stray = np.vstack([box()[0], [(-1e38, 0.0, 0.0)]]), np.vstack([box()[1], [(0, 0, 8)]])
    scene = scene_of(moved(box(), (5, 0, 0)), moved(box(), (5.5, 0.5, 0.5)), stray, moved(box(), (0.5, 0.5, 0.5)))
    scene.objects[2].name = "Stray\nvertex"
    report = detect(scene, tolerance=AUTOMATIC)
    told = {(pair["a"], pair["b"]): (report.verdict(row), VERDICTS[pair["exact"]])
            for row, pair in enumerate(report.pairs)}
    assert told[0, 1] == ("crossing", "crossing") and told[2, 3] == ("touching", "crossing")
    assert told[0, 2] == told[1, 2] == ("touching", "clear")
    assert [note.startswith(r"Stray\nvertex has coordinates so large") for note in report.notes] == [True]
    scene.hide([2])
    assert detect(scene, tolerance=AUTOMATIC).notes == []
    scene.show([2])
    for length in (0.0, 1e38):
        assert detect(scene, tolerance=length).notes == []      # nobody but the caller is to blame


@pytest.mark.parametrize("far", [1.0, 1e3])
def test_objects_that_are_flush_by_a_small_tolerance_are_not_named(far):
    scene = scene_of(moved(box(), (far, 0, 0)), moved(box(), (far + 1.0 - far * 1e-7, 0, 0)))
    report = detect(scene, tolerance=AUTOMATIC)
    assert report.verdict(0) == "touching" != VERDICTS[report.pairs["exact"][0]] and not report.notes


def test_threads_and_contacts_change_no_verdict():
    scene = build(crowd(np.random.default_rng(8), 20, 3.0))
    reports = [detect(scene, tolerance=0.05, **asked) for asked in ({}, {"threads": 1}, {"contacts": False})]
    for report in reports[1:]:
        for column in ("a", "b", "verdict", "exact"):
            assert np.array_equal(reports[0].pairs[column], report.pairs[column])
    assert (reports[0].pairs["verdict"] != reports[0].pairs["exact"]).any()


def test_a_cancelled_run_makes_nothing_touch_that_is_not_proved():
    scene = scene_of(l_shape(), moved(l_shape(), (0.5, 0.5, 1 - 1e-6)))
    assert detect(scene, tolerance=1e-3).verdict(0) == "touching"
    report = detect(scene, tolerance=1e-3, progress=lambda stage, _: stage != "depths")
    assert report.cancelled
    for row in range(len(report.pairs)):
        assert report.verdict(row) in ("touching", "crossing", "cannot tell")
