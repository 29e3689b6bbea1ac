# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands between places and the eye, in a scene as it is shown."""
import numpy as np
from mathutils import Vector

OFF_SURFACE = 1e-3      # of the size of what is looked at: where rays start, in front of a surface with the place in it
MOST_PASSED = 16        # things that one ray passes: the two objects, and what hides nothing
ONE_UNSEEN = 0.25       # what a side is worth, in parts, from which one of the two objects is not seen at all
SEE_THROUGH = {"WIRE", "BOUNDS"}


class Sight:
    """What is seen of some places where two objects meet, and of the two."""

    def __init__(self, context, space, places: np.ndarray, centre, radius: float, own=(), through_own=False):
        """places: (n,3), in the world. centre, radius: of the sphere that is looked at. space: the 3D view, None for a
        look at the scene by itself. own: the two Blender objects. through_own: True where they hide nothing."""
        self._scene, self._depsgraph = context.scene, context.evaluated_depsgraph_get()
        self._local_view = space if space is not None and space.local_view else None
        self._places, self._centre, self._radius = places, np.array(centre, float), radius
        self._own, self._hidden_by_own = own, 1.0 if through_own else 0.0
        self._spots = [] if through_own else _spots_of(own)

    def seen(self, side: np.ndarray, distance: float, aside: np.ndarray | float = 0.0) -> float:
        """From 1, where all places are seen from a side, over 0, where the two objects themselves hide them, to -1,
        where something else stands before all of them; a part of it where one of the two is not seen at all. distance:
        of the eye from the centre; aside: (3,), how far it stands beside the line from there to the side."""
        eye = self._centre + distance * side + aside
        seen = sum(self._is_seen(place, eye) for place in self._places) / len(self._places)
        hides_one = seen > 0.0 and any(all(self._is_behind(spot, eye, each) for spot in spots)
                                       for each, spots in self._spots)
        return ONE_UNSEEN * seen if hides_one else seen

    def _is_seen(self, place: np.ndarray, eye: np.ndarray) -> float:
        along = (eye - place) / np.linalg.norm(eye - place)
        step = OFF_SURFACE * self._radius
        start, found = place + step * along, 1.0
        for _ in range(MOST_PASSED):
            hit, where, normal, _, obstacle, _ = self._scene.ray_cast(self._depsgraph, Vector(start), Vector(along))
            if not hit:
                break
            own = obstacle.original in self._own
            if (eye - np.array(where)) @ along <= 0.0:
                if own and np.array(normal) @ along > 0.0:      # the eye is inside
                    found = self._hidden_by_own
                break
            if own:
                found = self._hidden_by_own
            elif self._hides(obstacle.original):
                return -1.0
            start = np.array(where) + step * along
        return found

    def _is_behind(self, spot: np.ndarray, eye: np.ndarray, each) -> bool:
        """True where something else than the object stands between the eye and a spot of it."""
        start, end = Vector(eye.tolist()), Vector(spot.tolist())
        along = (end - start).normalized()
        for _ in range(MOST_PASSED):
            hit, where, _, _, obstacle, _ = self._scene.ray_cast(self._depsgraph, start, along,
                                                                 distance=(end - start).length)
            if not hit or obstacle.original == each:
                return False
            if obstacle.original in self._own or self._hides(obstacle.original):
                return True
            start = where + OFF_SURFACE * self._radius * along
        return False

    def _hides(self, obstacle) -> bool:
        if obstacle.display_type in SEE_THROUGH:
            return False
        return self._local_view is None or obstacle.local_view_get(self._local_view)


def _spots_of(own) -> list[tuple]:
    """(object, (9,3) spots) of the two objects of a pair: the middle of each, and around it. None where they are not
    two, and of what instances others, which rays do not know."""
    if len({*own}) < 2 or any(each is None or each.is_instancer or each.type == "EMPTY" for each in own):
        return []
    found = []
    for each in own:
        corners = np.array([each.matrix_world @ Vector(corner) for corner in each.bound_box])
        middle = corners.mean(axis=0)
        found.append((each, np.concatenate([middle[None], 0.5 * (middle + corners)])))
    return found
