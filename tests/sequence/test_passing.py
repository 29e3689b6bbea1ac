# SPDX-License-Identifier: GPL-3.0-or-later
"""What passes through something for an instant, and touches in all moments that are tested: folded sheets."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import grid
from test_between_frames import from_to, only, scene_of
from touchpoint.core import sweep

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


def folded(height):
    """Sheets along x that have more than one nearest place when one flies through the other: a funnel, and folds."""
    rim = np.array([(np.cos(angle), np.sin(angle)) for angle in np.linspace(0, 2 * np.pi, 7, endpoint=False)])
    funnel = np.concatenate([np.insert(0.3 * rim, 0, 0.0, axis=1), np.insert(rim, 0, height, axis=1)])
    quads = np.array([(k, (k + 1) % 7, 7 + (k + 1) % 7, 7 + k) for k in range(7)])
    vertices, faces = grid(6, 2, (0, -1, -1), (0, 1 / 3, 0), (0, 0, 1))
    vertices[:, 0] = height * (np.round(3 * vertices[:, 1]).astype(int) % 2)
    return (funnel, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])), (vertices, faces)


@pytest.mark.parametrize("how", [{}, {"tolerance": "auto"}])
@pytest.mark.parametrize("turn", [False, True])
def test_folded_sheets_that_fly_through_each_other(how, turn):
    """Before they are flush, they may be nearest on one side of a fold, and after that on the other one."""
    linear = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0] if turn else np.eye(3)
    for height in (1.0, 3.0, 6.0):
        for mesh in folded(height):
            scene = scene_of(Bullet=mesh, Wall=mesh)
            scene.set_poses([1], [pose(linear)])
            for places in ((-1, 1), (-1, 2.3), (0.7, -3.1), (-10, 9), (0.3, -0.2)):
                poses = [pose(linear, linear @ (place, 0, 0)) for place in places]
                assert only(sweep(from_to(scene, *poses), continuous=True, **how))[0] == "crossing"
