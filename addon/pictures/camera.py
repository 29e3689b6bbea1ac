# SPDX-License-Identifier: GPL-3.0-or-later
"""From where a picture is taken. Nothing here knows Blender."""
from dataclasses import dataclass

import numpy as np

FIELD = np.radians(35.0)    # from the left edge of a picture to the right one
PICTURE_MARGIN = 1.1                # of room around the sphere that is looked at
NEAREST = 0.02              # of the distance: what is closer to the eye is not drawn
SMALLEST = 1e-6             # radius of a sphere, in Blender units
FIRST_SIDE = np.array((0.55, -0.75, 0.4))       # from where one looks unless something stands before the places


@dataclass(frozen=True)
class Camera:
    """Looks at a centre from one side. Where it stands, the centre is the origin."""

    centre: np.ndarray      # (3,), world
    side: np.ndarray        # (3,): unit vector from the centre to the eye
    distance: float         # of the eye from the centre

    def to_view(self) -> np.ndarray:
        """(4,4): from places relative to the centre to those seen by the eye, which looks along -z with y upwards."""
        across = np.cross((0.0, 0.0, 1.0), self.side)
        across = across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-3 else np.array((1.0, 0.0, 0.0))
        turn = np.stack((across, np.cross(self.side, across), self.side))
        view = np.eye(4)
        view[:3, :3] = turn
        view[2, 3] = -self.distance
        return view

    def to_clip(self, reach: float) -> np.ndarray:
        """(4,4): from the eye's space to the cube from -1 to 1 that is drawn. reach: how far one sees beyond the
        centre."""
        near, far = NEAREST * self.distance, self.distance + reach
        clip = np.zeros((4, 4))
        clip[0, 0] = clip[1, 1] = 1.0 / np.tan(0.5 * FIELD)
        clip[2, 2], clip[2, 3] = (near + far) / (near - far), 2.0 * near * far / (near - far)
        clip[3, 2] = -1.0
        return clip


def distance_for(radius: float) -> float:
    """Where the eye has to be so that a sphere fills the picture."""
    return PICTURE_MARGIN * max(radius, SMALLEST) / float(np.sin(0.5 * FIELD))
