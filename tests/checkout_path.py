# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the checkout is, and a folder in which other processes find it under its name."""
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def import_path(tmp_path):
    """A folder in which this checkout is found as `touchpoint`."""
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / "touchpoint").symlink_to(ROOT)
    return folder
