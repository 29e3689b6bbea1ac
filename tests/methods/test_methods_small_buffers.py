# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers, blocks and budgets so small that they are full again and again: the answers are the same."""
import pytest
from long.methods import alone, kept
from naive.asked import exact_variants
from touchpoint.core.broad_phase import cell_register, sweep, topological_grid
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.methods import tsgo
from touchpoint.core.mid_phase import obb_descend
from touchpoint.core.narrow_phase import triangle_pairs
from touchpoint.core.search import edge_volume, stream, task_tree
from touchpoint.core.trees.balanced import build as balanced_build
from touchpoint.core.trees.balanced import trees as balanced
from touchpoint.core.trees.bvh import placed
from touchpoint.core.trees.obb import trees as obb

pytestmark = pytest.mark.scenes

SEEDS = (2, 13, 26, 38, 53) if COMPILED else (0, 3)
SMALL = {       # name: (its value here, the modules that have it)
    "BUFFER": (96, (triangle_pairs, edge_volume, task_tree)),
    "MAX_TASKS_PER_CALL": (40, (stream, task_tree)),
    "MAX_OBB_TASKS_PER_CALL": (40, (obb_descend,)),
    "MAX_TESTS_PER_CALL": (40, (edge_volume,)),
    "MAX_ITEMS_PER_CALL": (40, (balanced_build,)),
    "MAX_COMPARISONS_PER_CALL": (40, (cell_register,)),
    "FIRST_CANDIDATES": (33, (edge_volume, task_tree)),
    "EDGES_PER_BLOCK": (24, (edge_volume,)),
    "OBB_TASKS_AT_ONCE": (24, (obb_descend,)),
    "MIN_TASK_WEIGHT": (2, (edge_volume,)),
    "TRIANGLES_PER_CHUNK": (2, (task_tree,)),
    "PAIRS_PER_BLOCK": (40, (cell_register, topological_grid)),
    "CONTACTS_AT_ONCE": (40, (triangle_pairs,)),
    "MAX_ENTRIES": (100, (cell_register,)),
    "PAIRS_AT_ONCE": (20, (sweep,)),
    "FITTED_PER_THREAD": (10, (balanced,)),
    "VERTICES_PER_THREAD": (10, (placed,)),
    "WORTH_A_THREAD": (2, (tsgo,)),
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for name, (value, modules) in SMALL.items():
        for module in modules:
            monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(obb, "MAX_TREE_BYTES", 1 << 13)     # so that most objects use the boxes of another tree


@pytest.mark.parametrize("variant", exact_variants(), ids=str)
def test_answers_are_the_same(variant):
    assert [problem for seed in SEEDS if (problem := alone(variant, seed))] == []
    assert kept([variant], SEEDS[-1]) == ""
