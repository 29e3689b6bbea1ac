# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from touchpoint.core.mid_phase import thin_objects


@pytest.fixture
def nothing_thin(monkeypatch):
    """Thin objects are not looked for: whether that is worth it, and so what is compared, depends on how large a batch
    of pairs is."""
    for name in ("FEW_PAIRS", "FEW_TRIANGLE_PAIRS"):
        monkeypatch.setattr(thin_objects, name, 1 << 60)
