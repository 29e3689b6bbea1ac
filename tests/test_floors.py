# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of core/ import downwards only: "The floors" of docs/ARCHITECTURE.md, held against the sources."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from source_tree import Tree  # noqa: E402


def floors() -> dict[str, int]:
    """Folder, or module of core/ itself → its line from the top."""
    drawn = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## The floors")[1].split("```")[1]
    return {name.strip().removesuffix("/"): line for line, names in enumerate(drawn.strip().splitlines())
            for name in names.split("·")}


def test_all_imports_lead_down():
    floor, upward, missing = floors(), [], set()
    for importer, imported in Tree(ROOT, ("core",)).imports.items():
        for each in imported:
            above, below = (f"{name}..".split(".")[1] for name in (importer, each))
            if not above or not below:          # the package itself, which hands on names of others
                continue
            missing |= {above, below} - set(floor)
            if not missing and floor[below] < floor[above]:
                upward.append(f"{importer} imports {each}")
    assert not missing and not upward
