# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → one verdict per pair of objects."""
import numpy as np

from ..report import CLEAR, CROSSING, TOUCHING


def surface_verdicts(objects, a, b, contacts, run) -> np.ndarray:
    """(pairs,) int8 codes: crossing where triangles pass through each other, touching where they only meet."""
    verdict = np.full(len(a), CLEAR, np.int8)
    verdict[contacts.pair] = TOUCHING
    verdict[contacts.pair[contacts.proper]] = CROSSING
    return verdict
