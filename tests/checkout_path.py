# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the checkout is, and a folder in which other processes find it under its name."""
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def import_path(tmp_path) -> Path:
    """A folder in which this checkout is found as `touchpoint`."""
    folder = tmp_path / "packages"
    if not folder.exists():
        folder.mkdir()
        (folder / "touchpoint").symlink_to(ROOT, target_is_directory=True)
    return folder
