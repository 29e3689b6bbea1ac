# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls, boxes, clouds of points and linear motions, of batch queries and convex methods."""
from typing import NamedTuple

import numpy as np


class Hulls(NamedTuple):
    """Convex hulls of points. Hull k has counts[k] rows of `points` from row starts[k] on."""

    points: np.ndarray              # (…,3) float64
    starts: np.ndarray              # (N,) int64
    counts: np.ndarray              # (N,) int64, at least 1

    def of(self, k: int) -> list[list[float]]:
        """The points of one hull."""
        return self.points[self.starts[k]:self.starts[k] + self.counts[k]].tolist()


class HullAnswers(NamedTuple):
    """Where the search of each pair of hulls ended (convex/gjk/gjk.py)."""

    answer: np.ndarray              # (N,) uint8: APART, MEET or UNDECIDED
    corners: np.ndarray             # (N,8) int32: up to four corners of the last simplex, each the number of a point of


class HullScratch(NamedTuple):
    """What one thread needs to search pairs of hulls (convex/gjk/)."""

    packed_p: np.ndarray            # (≥ 3 · (count + LANES),) float64, the points of a hull as support.py packs them
    packed_q: np.ndarray
    simplex: np.ndarray             # (6,5) float64, see simplex.py
    nearest: np.ndarray             # (3,) float64, the point of the simplex closest to the origin
    weights: np.ndarray             # (4,) float64, of its corners
    expansion: np.ndarray           # (SIMPLEX_TERMS,) float64, see exact_simplex.py


class PolytopeScratch(NamedTuple):
    """A closed surface of triangles between corners of the set of differences P − Q (convex/gjk/penetration.py)."""

    corners: np.ndarray             # (MOST_CORNERS,3) float64
    numbers: np.ndarray             # (MOST_CORNERS,2) int64, of the points of P and Q that corners are differences of
    faces: np.ndarray               # (MOST_FACES,3) int64, their corners, counterclockwise from outside
    planes: np.ndarray              # (MOST_FACES,7) float64
    edges: np.ndarray               # (3 · MOST_FACES,2) int64, of faces that are replaced
    balance: np.ndarray             # (MOST_CORNERS,MOST_CORNERS) int8, zeros between calls


class Parallelepipeds(NamedTuple):
    """Boxes whose edges may have any directions: centre + axes @ x with |x| ≤ half size (convex/boxes.py)."""

    centres: np.ndarray             # (N,3) float64
    axes: np.ndarray                # (N,3,3) float64, a column per edge
    half_sizes: np.ndarray          # (N,3) float64


class BoxScratch(NamedTuple):
    """Two boxes, ready to be compared along axes (convex/boxes.py)."""

    directions: np.ndarray          # (6,3) float64, edges of the first box and of the second
    half_edges: np.ndarray          # (7,3) float64; row 6: the sum of their absolute values
    offset: np.ndarray              # (3,3) float64: from centre to centre in two terms; row 2: the axis at hand
    expansion: np.ndarray           # (BOX_TERMS,) float64


class PointTree(NamedTuple):
    """A complete binary tree of boxes over points: node 1 is the root, nodes 2 i and 2 i + 1 are the children of i
    (convex/point_clouds/support_tree.py). The last half of the nodes are leaves, with as many points each."""

    points: np.ndarray              # (…,3) float64, leaf after leaf
    boxes: np.ndarray               # (2 · leaves,6) float64, lo x y z hi x y z


class Population(NamedTuple):
    """Two hulls and the individuals that convex/annealing/evolve.py breeds: weights of the hulls' points."""

    points: np.ndarray              # (points,3) float64, those of P first
    count_p: int                    # how many are of P
    weights: np.ndarray             # (individuals + 1,points) float64; the last row is scratch
    states: np.ndarray              # (individuals + 1,COLUMNS) float64, see evolve.py
    random_state: np.ndarray        # (2,) int64


class Motions(NamedTuple):
    """Queries of four points each that move linearly (continuous/)."""

    start: np.ndarray               # (N,4,3) float64, at t = 0
    end: np.ndarray                 # (N,4,3) float64, at t = 1


class PointRows(NamedTuple):
    """Which of the four points of a query make what: one record per kind of query (continuous/toi.py)."""

    sides: np.ndarray               # (5,) int64: two points of one side, three of the other, some of them repeated
    vectors: np.ndarray             # (3,2) int64: the vectors e, f and w go from the second point to the first one
    triangles: np.ndarray           # (6,) int64: the sides as triangles, one of them or both without area


class Impacts(NamedTuple):
    """When the two sides of each query first meet (continuous/first_contact.py)."""

    toi: np.ndarray                 # (N,) float64; where undecided, a time before which there is no contact
    status: np.ndarray              # (N,) uint8: MISS, HIT, UNDECIDED, INVALID or HIT_AT_END
