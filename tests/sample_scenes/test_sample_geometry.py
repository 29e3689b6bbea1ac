# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the sample scenes that need no Blender."""
from collections import Counter

import numpy as np
import pytest
from touchpoint.sample_scenes import dominoes, ramp_ball, robot_cell, shapes, walk
from touchpoint.sample_scenes.mine import STATIC_TRIANGLES, TOTALS, mine


def open_edges(triangles) -> int:
    """Directed edges without exactly one partner the other way round."""
    edges = Counter((int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3))
    return sum(count != 1 or edges.get((b, a)) != 1 for (a, b), count in edges.items())


def volume(vertices, triangles) -> float:
    corners = vertices[triangles]
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)


def fan(faces) -> np.ndarray:
    """Faces with any number of corners as triangles; good enough for volumes and edges."""
    return np.array([(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)])


@pytest.mark.parametrize("fragments", TOTALS)
def test_mine_has_the_published_number_of_triangles(fragments):
    scene = mine(fragments)
    assert sum(len(body.triangles) for body in scene.static) == STATIC_TRIANGLES
    assert scene.triangle_count == TOTALS[fragments]
    assert len(scene.fragments) == fragments


def test_mine_bodies_are_closed_and_face_outward():
    scene = mine(100)
    ground, *closed = scene.static + scene.fragments
    assert open_edges(ground.triangles) > 0
    for body in closed:
        assert open_edges(body.triangles) == 0, body.name
        assert volume(body.vertices, body.triangles) > 0, body.name


def test_mine_is_seeded():
    one, same, other = mine(50, seed=3), mine(50, seed=3), mine(50, seed=4)
    assert np.array_equal(one.poses(7), same.poses(7))
    assert all(np.array_equal(a.vertices, b.vertices) for a, b in zip(one.fragments, same.fragments))
    assert not np.array_equal(one.centres, other.centres)


def test_every_step_moves_every_fragment_rigidly():
    scene = mine(50)
    before, after = scene.poses(0), scene.poses(1)
    turns = after[:, :3, :3]
    assert np.allclose(turns @ turns.transpose(0, 2, 1), np.eye(3), atol=1e-6)
    assert np.all(np.abs(after - before).max(axis=(1, 2)) > 1e-3)


def test_mine_needs_a_fragment():
    with pytest.raises(ValueError):
        mine(0)


@pytest.mark.parametrize("shape", [
    shapes.box((0, 0, 0), (1, 2, 3)), shapes.beam(((0, 0), (1, 1), 0), ((2, 2), (3, 3), 4)),
    shapes.prism([(0, 0), (2, 0), (2, 1), (0, 1)], 0, 1), shapes.lathe([(0, 0), (1, 0), (1, 1), (0, 1)]),
    shapes.lathe([(1, 0), (1, 1)]), shapes.lathe([(2, 0), (2, 1), (1, 1), (1, 0)], hollow=True), shapes.ball(1.5),
    shapes.rod((0, 0, 0), (1, 2, 3), 0.2), shapes.facing_y(shapes.lathe([(1, 0), (1, 1)])),
    dominoes.ramp(), dominoes.domino(), ramp_ball.globe(), *(walk.part(name)[:2] for name in walk.PARTS), walk.bag(),
    *robot_cell.links(), *(shape for shape, _ in robot_cell.fixtures().values()),
])
def test_shapes_are_closed_and_face_outward(shape):
    vertices, faces = shape
    assert open_edges(fan(faces)) == 0
    assert volume(vertices, fan(faces)) > 0


def test_dominoes_fall_one_after_the_other():
    move = dominoes.motion()
    times = [frame for *_, frame in move.contacts]
    assert len(times) == dominoes.COUNT and times == sorted(times)
    assert not move.angles[0].any()
    # Nobody presses deeper into the next one than `PRESS`, and in the end everybody presses that deep.
    depth = dominoes.pressed(move.angles[:, :-1], move.angles[:, 1:])
    assert depth.max() < dominoes.PRESS + 1e-12
    assert np.allclose(depth[-1], dominoes.PRESS)


def test_ball_stays_clear_of_floor_and_ramp():
    move = dominoes.motion()
    x, z = move.ball[:, 0], move.ball[:, 2]
    assert z.min() >= dominoes.RADIUS + dominoes.RIDE
    cos, sin = np.cos(dominoes.SLOPE), np.sin(dominoes.SLOPE)
    along = (x - dominoes.RAMP_START) * cos + z * sin           # of the foot of the centre on the ramp's plane
    away = z * cos - (x - dominoes.RAMP_START) * sin
    over_ramp = (along > 0) & (along < (dominoes.RAMP_END - dominoes.RAMP_START) / cos)
    assert over_ramp.sum() > 5
    assert away[over_ramp].min() >= dominoes.RADIUS + dominoes.RIDE - 1e-12


def test_ball_on_the_ramp_flies_off_and_comes_down():
    """Steady in place and turn, clear of floor and ramp until it lands in the right frame, at rest in the end."""
    move = ramp_ball.motion()
    x, z = move.ball[:, 0], move.ball[:, 2]
    landing = ramp_ball.LANDING_FRAME - 1
    assert z[:landing].min() >= dominoes.RADIUS + 1e-3
    assert z[landing] == pytest.approx(dominoes.RADIUS - dominoes.PRESS, abs=1e-12) == z.min()
    cos, sin = np.cos(dominoes.SLOPE), np.sin(dominoes.SLOPE)
    along = (x - dominoes.RAMP_START) * cos + z * sin
    away = z * cos - (x - dominoes.RAMP_START) * sin
    over_ramp = (along > 0) & (along < (dominoes.RAMP_END - dominoes.RAMP_START) / cos)
    assert over_ramp.sum() > 20 and away[over_ramp].min() >= dominoes.RADIUS + dominoes.RIDE - 1e-12
    assert np.abs(np.diff(move.ball, axis=0)).max() < 0.1 and np.abs(np.diff(move.angle)).max() < 0.2
    assert not np.diff(move.ball[-20:], axis=0).any() and x[-1] < 24.0
    assert landing < move.contacts[0][2] < landing + 1


def test_dominoes_at_another_rate_fall_alike():
    usual, fine = dominoes.front_path(), dominoes.front_path(100, 4 * (dominoes.BLOW_FRAME - 1) + 1, 4 * 199 + 1)
    assert fine[::4] == usual


def test_the_figure_keeps_its_soles_off_the_floor():
    for frame in (1, 10, 40, 96):
        parts = walk.vertices_at(frame).values()
        assert min(vertices[:, 2].min() for vertices in parts) == pytest.approx(walk.CLEAR, abs=1e-12)


def test_the_arm_never_gets_as_far_as_the_cabinet():
    """While it moves along, its points stay within a circle that ends before the cabinet."""
    links = robot_cell.links()
    placed = [vertices @ pose[:3, :3].T + pose[:3, 3] for frame in (44, 50, 52.3, 60)
              for (vertices, _), pose in zip(links, robot_cell.poses(frame))]
    (cabinet, _), _ = robot_cell.fixtures()["Cabinet"]
    gap = cabinet[:, 0].min() - np.linalg.norm(np.concatenate(placed)[:, :2], axis=1).max()
    assert gap == pytest.approx(robot_cell.GAP, abs=1e-12)
