# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders import downwards only: the drawings in "The floors" of docs/ARCHITECTURE.md, held against the sources."""
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from source_tree import Tree  # noqa: E402

DRAWN = ("core", "addon")       # in this order


def floors(top: str) -> dict[str, int]:
    """Folder, or module that lies in `top` itself → its line from the top of the drawing."""
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## The floors")[1].split("\n## ")[0]
    drawing = text.split("```")[1::2][DRAWN.index(top)]
    return {name.strip().removesuffix("/"): line for line, names in enumerate(drawing.strip().splitlines())
            for name in names.split("·")}


def part(name: str) -> str:
    """The folder or module of its top that a module is of, "" for the top itself, which hands on names of others."""
    return f"{name}.".split(".")[1]


@pytest.mark.parametrize("top", DRAWN)
def test_all_imports_lead_down(top):
    tree, floor = Tree(ROOT, DRAWN), floors(top)
    modules = tree.below(top)
    assert {part(module.name) for module in modules} - {""} == set(floor)
    upward = [f"{module.name} imports {each}" for module in modules for each in sorted(tree.imports[module.name])
              if each.split(".")[0] == top and part(module.name) and part(each)
              and floor[part(each)] < floor[part(module.name)]]
    assert not upward


def test_the_core_knows_no_add_on():
    tree = Tree(ROOT, DRAWN)
    assert not [(module.name, each) for module in tree.below("core") for each in tree.imports[module.name]
                if each.startswith("addon")]
