# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of verdicts are told apart with any kind of colour vision, from white, and from a selection."""
from itertools import combinations

import numpy as np
import pytest
from touchpoint.addon.style import VERDICT_COLOURS

OTHERS = {"white": (1.0, 1.0, 1.0), "selected": (0.847, 0.095, 0.0), "active": (1.0, 0.352, 0.021)}
# Linear colours as people without one kind of cone see them (Machado, Oliveira, Fernandes 2009, severity 1).
VISIONS = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
FAR = 18.0


def lab(linear):
    """CIELAB of a linear colour."""
    x, y, z = XYZ @ np.clip(linear, 0.0, 1.0) / (0.9505, 1.0, 1.089)
    f, g, h = (np.cbrt(each) if each > 0.008856 else 7.787 * each + 16.0 / 116.0 for each in (x, y, z))
    return np.array([116.0 * g - 16.0, 500.0 * (f - g), 200.0 * (g - h)])


@pytest.mark.parametrize("vision", VISIONS)
def test_they_are_told_apart(vision):
    seen = {name: lab(np.asarray(VISIONS[vision]) @ colour) for name, colour in {**VERDICT_COLOURS, **OTHERS}.items()}
    for one, other in combinations(seen, 2):
        if one in VERDICT_COLOURS or other in VERDICT_COLOURS:
            assert np.linalg.norm(seen[one] - seen[other]) > FAR, (vision, one, other)
