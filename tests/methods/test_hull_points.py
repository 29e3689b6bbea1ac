# SPDX-License-Identifier: GPL-3.0-or-later
"""PointClouds of points by their hulls, against rational arithmetic: extremes, hulls that meet, points in hulls."""
import numpy as np
import pytest
from naive.convex_pairs import CLASSES, draw
from naive.rational_convex import hulls_meet, separating_move
from touchpoint.core import Refused, Scene, detect
from touchpoint.core.contacts import POINT
from touchpoint.core.convex.point_clouds import extremes as extremes_module
from touchpoint.core.convex.point_clouds import point_clouds as clouds_module
from touchpoint.core.convex.point_clouds.extremes import Extremes, octahedron
from touchpoint.core.convex.point_clouds.point_clouds import BORDER, NO_POINT_SHARED, VOLUME, PointClouds

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
NO_FACES = np.zeros((0, 3), np.int32)


@pytest.fixture(autouse=True)
def small_clouds_are_looked_at_too(monkeypatch):
    monkeypatch.setattr(extremes_module, "FEW_EXTREME_POINTS", 0)


@pytest.fixture(params=["few", "many"])
def corners(request, monkeypatch):
    """Hulls are taken as those of few corners or of many."""
    monkeypatch.setattr(clouds_module, "MANY_CORNERS", 0 if request.param == "many" else 1 << 30)


def in_hull(point, cloud):
    return hulls_meet([tuple(point)], [*map(tuple, cloud)])


def blob(rng, n):
    """Points in a ball, most of them inside."""
    points = rng.normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1)[:, None] * rng.uniform(0, 1, (n, 1)) ** 0.4


def clouds_of(*points, threads=1):
    return PointClouds(len(points), points.__getitem__, threads)


def scene_of(*clouds):
    scene = Scene()
    for cloud in clouds:
        scene.add_object(scene.add_mesh(np.asarray(cloud, float), NO_FACES))
    return scene


@pytest.mark.parametrize("level", range(4))
def test_directions_cover_the_sphere(level):
    directions, triangles = octahedron(level)
    assert (len(directions), len(triangles)) == (4 * 4 ** level + 2, 8 * 4 ** level)
    assert np.allclose(np.linalg.norm(directions, axis=1), 1.0)
    volumes = np.linalg.det(directions[triangles])
    assert (np.abs(volumes) > 0).all()
    middles = directions[triangles].sum(axis=1)
    assert ((middles < 0) @ (4, 2, 1) == np.arange(len(triangles)) % 8).all()       # by octants
    edges, uses = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0, return_counts=True)
    assert (uses == 2).all() and len(directions) - len(edges) + len(triangles) == 2


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_out_is_no_corner(seed):
    """Every point that is left out lies in the hull of those that are kept."""
    cloud = blob(np.random.default_rng(seed), 150) * (1, 1, 10.0 ** -seed)
    found = Extremes(cloud)
    left_out = np.setdiff1d(np.arange(len(cloud)), found.corners)
    assert len(left_out) > 30 and set(found.extreme) <= set(found.corners)
    assert all(in_hull(point, cloud[found.corners]) for point in cloud[left_out])


@pytest.mark.parametrize("name", CLASSES)
def test_certainly_inside_and_outside_are_certain(name):
    for cloud, points in zip(*draw(name, 8, 3, most=24)):
        found = Extremes(cloud)
        inside = [in_hull(point, cloud) for point in points]
        assert not (found.certainly_inside(points) & ~np.array(inside)).any()
        assert not (found.certainly_outside(points) & np.array(inside)).any()


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
def test_flat_clouds_in_line_with_the_axes(axes, corners):
    """Of those in a plane, on a line and at a point nothing but the inner points is left out; others are not inside."""
    rng = np.random.default_rng(sum(axes))
    cloud = np.round(blob(rng, 150) * 40)
    cloud[:, axes] = 7.0
    found = Extremes(cloud)
    left_out = np.setdiff1d(np.arange(len(cloud)), found.corners)
    assert len(left_out) > 40 or len(axes) == 3
    assert all(in_hull(point, cloud[found.corners]) for point in cloud[left_out])
    points = np.concatenate([cloud[:40], cloud[:40] + 1e-9 * np.eye(3)[axes[0]], cloud[:40] * 2])
    inside = np.array([in_hull(point, cloud) for point in points])
    sure = found.certainly_inside(points)
    assert not (sure & ~inside).any() and not (found.certainly_outside(points) & inside).any()
    assert sure[:40].sum() > 20 or len(axes) == 3
    assert clouds_of(cloud).inside(points, 0).tolist() == inside.tolist()


def test_almost_flat_is_not_flat(corners):
    """A thickness that underflows beside the size: a pyramid, whose top is inside the outline of its base."""
    cloud = np.array([[-1e300, -1e300, 0], [1e300, -1e300, 0], [0, 1e300, 0], [0, 0, 1e-30], [0, 0, 0]])
    assert 3 in Extremes(cloud).corners
    assert clouds_of(cloud).inside(np.array([[0, 0, 1e-30], [0, 0, 2e-30], [0, 0, 5e-31]]), 0).tolist() == [
        True, False, True]


def test_points_off_a_turned_plate_are_decided_by_its_own_axes():
    rng = np.random.default_rng(3)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    plate = rng.uniform(-1, 1, (2000, 3)) * (1, 1, 1e-12) @ turn
    points = rng.uniform(-1, 1, (2000, 3)) * (0.9, 0.9, 0.05) @ turn
    found = Extremes(plate)
    assert (found.certainly_outside(points) | found.certainly_inside(points)).mean() > 0.99


def test_most_points_are_decided_by_extremes():
    rng = np.random.default_rng(1)
    found = Extremes(blob(rng, 20_000))
    assert len(found.corners) < 4000
    points = rng.uniform(-2, 2, (5000, 3))
    assert (found.certainly_inside(points) | found.certainly_outside(points)).mean() > 0.97


@pytest.mark.parametrize("name", CLASSES)
def test_what_hulls_share(name):
    P, Q = draw(name, 12, 5)
    clouds = clouds_of(*P, *Q)
    a, b = np.arange(12), np.arange(12) + 12
    shared, _ = clouds.shared(a, b)
    for k, (p, q) in enumerate(zip(P, Q)):
        meet = hulls_meet(p.tolist(), q.tolist())
        deep = meet and separating_move(p.tolist(), q.tolist())[0] > 0
        assert shared[k] == (VOLUME if deep else BORDER if meet else NO_POINT_SHARED)
        assert clouds.boxes_meet(a[k:k + 1], b[k:k + 1])[0] or not meet
    assert np.array_equal(clouds.shared(b, a)[0], shared)


@pytest.mark.parametrize("name", CLASSES)
def test_points_in_hulls(name, corners):
    for p, q in zip(*draw(name, 5, 6, most=16)):
        clouds = clouds_of(p, q)
        for k, points in ((0, q), (1, p), (0, p)):
            expected = [in_hull(point, (p, q)[k]) for point in points]
            assert clouds.inside(points, k).tolist() == expected


@pytest.mark.parametrize("threads", [1, 3])
def test_points_in_a_large_cloud(threads, corners):
    rng = np.random.default_rng(2)
    cloud = np.round(blob(rng, 400) * 6)        # many points of its border are on the same faces and repeated
    points = np.concatenate([rng.integers(-7, 8, (60, 3)), cloud[:40]]).astype(float)
    clouds = clouds_of(cloud, threads=threads)
    assert clouds.inside(points, 0).tolist() == [in_hull(point, np.unique(cloud, axis=0)) for point in points]


def report_of(*clouds, **settings):
    report = detect(scene_of(*clouds), "hull_points", **settings)
    return {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}, report


def test_verdicts_by_hand():
    clouds = [CUBE, CUBE + (0.5, 0.5, 0.5), CUBE + (1, 1, 1), 0.5 * CUBE + 0.25, CUBE + (9, 0, 0), CUBE[:1],
              CUBE[[0, 7]], CUBE + (9, 0, 0)]
    found, report = report_of(*clouds)
    assert found == {(0, 1): "overlap", (0, 2): "touching", (0, 3): "contained", (0, 5): "touching",
                     (0, 6): "contained", (1, 2): "overlap", (1, 3): "overlap", (1, 6): "overlap", (2, 6): "touching",
                     (3, 6): "overlap", (4, 7): "overlap", (5, 6): "touching"}
    assert [report.inner(i) for i in range(len(report.pairs)) if report.verdict(i) == "contained"] == [3, 6]


def test_contacts_are_the_points_in_the_other_hull():
    _, report = report_of(CUBE, CUBE + 0.5)
    found = report.contacts_of(0)
    assert found.point[:, 0].tolist() == [[1, 1, 1], [0.5, 0.5, 0.5]]      # the point of a, then that of b
    assert (found.point[:, 0] == found.point[:, 1]).all() and (found.kind == POINT).all()
    assert (found.triangle_a == -1).all() and (found.triangle_b == -1).all() and not found.proper.any()


def test_hulls_may_meet_without_any_point_in_both():
    needles = [np.array([[-1.0, 0, 0], [1, 0, 0], [0, 0.1, 0.1]]), np.array([[0, -1.0, 0], [0, 1, 0], [0.1, 0, 0.1]])]
    found, report = report_of(*needles)
    assert list(found) == [(0, 1)] and len(report.contacts) == 0


def test_verdicts_alone_are_the_same():
    rng = np.random.default_rng(8)
    clouds = [blob(rng, 60) * rng.uniform(0.1, 1) + rng.normal(size=3) * 0.7 for _ in range(14)]
    found, report = report_of(*clouds)
    alone, short = report_of(*clouds, contacts=False)
    assert alone == found and {"overlap", "contained"} <= set(found.values())
    assert len(short.contacts) == 0 and report.pairs["inner"].tolist() == short.pairs["inner"].tolist()


def test_contacts_against_every_point_in_fractions(corners):
    rng = np.random.default_rng(9)
    clouds = [np.round(blob(rng, 40) * 4 + rng.normal(size=3) * 2) / 4 for _ in range(6)]
    found, report = report_of(*clouds, threads=2)
    for a in range(6):
        for b in range(a + 1, 6):
            expected = [p for k, other in ((a, b), (b, a)) for p in clouds[k] if in_hull(p, clouds[other])]
            if (a, b) in found:
                row = list(found).index((a, b))
                assert report.contacts_of(row).point[:, 0].tolist() == [point.tolist() for point in expected]
            else:
                assert not expected


def test_gaps_of_clouds():
    found, report = report_of(CUBE, CUBE + (1.25, 0, 0), CUBE + (5, 0, 0), clearance=0.25)
    assert found == {(0, 1): "near"} and report.pairs["gap"][0] == 0.25
    assert (report.pairs["gap_points"][0, :, 0] == [1.0, 1.25]).all()


def test_clouds_beside_meshes_and_poses():
    """Points without faces, a mesh, one cloud twice at poses of its own."""
    scene = scene_of(CUBE)
    turned = np.array([[0.0, -1, 0, 0.5], [1, 0, 0, 0.5], [0, 0, 2, 0.5], [0, 0, 0, 1]])
    scene.add_object(0, turned)
    scene.add_object(scene.add_mesh(CUBE - 0.9, np.array([[0, 1, 3]])))
    report = detect(scene, "hull_points")
    expected = CUBE @ turned[:3, :3].T + turned[:3, 3]
    points = report.contacts_of(0).point[:, 0]
    inside = [p for p in expected if in_hull(p, CUBE)]
    assert [row["verdict"] for row in report.pairs].count(report.pairs["verdict"][0]) == 2 and len(report.pairs) == 2
    assert all(point in points.tolist() for point in np.array(inside).tolist()) and len(inside) == 1


def test_other_methods_still_leave_points_out():
    scene = scene_of(CUBE, CUBE + 0.5)
    with pytest.raises(Refused, match="with faces"):
        detect(scene)
    assert len(detect(scene, "hull_points").pairs) == 1
    with pytest.raises(Refused, match="with faces"):
        detect(scene)


def test_objects_without_points_are_named():
    report = detect(scene_of(CUBE, np.zeros((0, 3)), CUBE + 0.5, CUBE * np.nan), "hull_points")
    assert [(each.index, each.reason) for each in report.skipped] == [
        (1, "it has no points"), (3, "it has coordinates that are not numbers (NaN or infinite)")]
    assert len(report.pairs) == 1
    with pytest.raises(Refused, match="with points"):
        detect(scene_of(CUBE, np.zeros((0, 3))), "hull_points")


def test_what_is_cancelled_is_not_judged():
    clouds = [CUBE + 0.1 * k for k in range(5)]
    for stop in range(1, 400, 3):
        left = iter(range(stop))
        report = detect(scene_of(*clouds), "hull_points", progress=lambda *_, left=left: next(left, -1) >= 0)
        verdicts = {report.verdict(row) for row in range(len(report.pairs))}
        assert verdicts <= {"overlap", "cannot tell"}
        for row in range(len(report.pairs)):
            if report.verdict(row) == "overlap":
                assert report.pairs["contacts"][row] > 0
        if not report.cancelled:
            break
    assert not report.cancelled and verdicts == {"overlap"} and len(report.pairs) == 10
