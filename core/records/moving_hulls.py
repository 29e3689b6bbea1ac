# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of objects that move during an interval, and what following a pair of them needs (continuous/hulls/)."""
from typing import NamedTuple

import numpy as np

from .hulls import HullAnswers, Hulls, HullScratch


class MovingHulls(NamedTuple):
    """A row per object. Faces and edges are those of bodies that are certainly convex."""

    starts: np.ndarray              # (n,) int64, the first row of `begin` and `end`
    counts: np.ndarray              # (n,) int64
    begin: np.ndarray               # (…,3) float64, points in the world at t = 0
    end: np.ndarray                 # (…,3) float64, at t = 1
    local_starts: np.ndarray        # (n,) int64, the first row of `local`
    local: np.ndarray               # (…,3) float64, in the object's own coordinates
    face_starts: np.ndarray         # (n,) int64
    face_counts: np.ndarray         # (n,2) int64: all, and how many at the front are parallel to no other one
    faces: np.ndarray               # (…,3) int32: three points of the object, counterclockwise from outside
    edge_starts: np.ndarray         # (n,) int64
    edge_counts: np.ndarray         # (n,2) int64: in the same way
    edges: np.ndarray               # (…,4) int32: two points, and two faces of the object


class MovingHullScratch(NamedTuple):
    """What one thread needs to follow a pair of hulls."""

    now_p: Hulls                    # one hull: where the first object is
    now_q: Hulls
    later_p: np.ndarray             # (…,3) float64, at a time that is tried
    later_q: np.ndarray
    swept: Hulls                    # one hull: both ends of a way
    gjk: HullScratch
    found: HullAnswers              # of one pair
    nearest: np.ndarray             # (1,3) float64
    pose: np.ndarray                # (1,3,4) float64
    chosen: np.ndarray              # (3,) float64: a unit vector that may part the two
    leaving: np.ndarray             # (3,) float64: one that may part them later
    axis: np.ndarray                # (3,) float64: one that is looked at
    limits: np.ndarray              # (6,) float64, see continuous/moving_triangles.py and continuous/hulls/axes.py
    stats: np.ndarray               # (2,) int64, counted up: times at which pairs were looked at; axes
