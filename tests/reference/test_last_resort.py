# SPDX-License-Identifier: GPL-3.0-or-later
"""Where floats cannot decide: what the product says there, against a second oracle that it never calls
(docs/decisions/0008)."""
import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import touchpoint
from naive import plain_contacts, slices, wide_spans
from naive.scenes import build, pose
from naive.shapes import grid
from touchpoint.core import detect
from touchpoint.core.codes import A_IN_B, CLEAR, CONTAINED, CROSSING, NEITHER, OK, OVERLAP, TOUCHING
from touchpoint.core.contacts import AREA, FILTERED, POINT, SEGMENT
from touchpoint.core.narrow_phase.triangle_pairs import contacts_at, corners_of_pairs
from touchpoint.core.queries import points_in_mesh
from touchpoint.core.reference import last_resort

CORE = Path(touchpoint.__file__).parent / "core"
ASKS_ALL_OF_IT = {CORE / "methods" / "exact.py"}


@pytest.fixture
def asked(monkeypatch):
    """How often each question was asked of the last resort."""
    number = Counter()

    def count(name, right):
        monkeypatch.setattr(last_resort, name, lambda *given: number.update([name]) or right(*given))

    for name in ("contact", "crosses", "verdict", "sides"):
        count(name, getattr(last_resort, name))
    return number


def contact_of(a, b):
    """The contact of two triangles (3,3), none or one."""
    return contacts_at(np.zeros((1, 3), np.int32), np.zeros(1, np.int32), *corners_of_pairs(a[None], b[None]), 1,
                       lambda done: None)


def wrong_contacts(how, n, kinds=None):
    """What is wrong with the contacts of n pairs of each class, but for those of which the float filter is sure."""
    wrong = []
    for name in wide_spans.TRIANGLES:
        for a, b in wide_spans.draw_triangles(name, how, n, 1):
            found = contact_of(a, b)
            if len(found) and found.status[0] == FILTERED:
                continue
            wrong += plain_contacts.differences(a.tolist(), b.tolist(), found)
            if kinds is not None:
                kinds[(int(found.kind[0]), bool(found.proper[0])) if len(found) else 0] += 1
    return wrong


def wrong_verdicts(how, n, verdicts=None):
    """What is wrong with the verdicts of n pairs of small solids of each family."""
    wrong = []
    for name in wide_spans.SOLIDS:
        for i, (a, b) in enumerate(wide_spans.draw_solids(name, how, n, 1)):
            report = detect(build(([a, b], [(0, pose()), (1, pose())])))
            given = [(row["verdict"], row["inner"]) for row in report.pairs] or [(CLEAR, NEITHER)]
            expected = slices.verdict(a, b)
            if given != [expected]:
                wrong.append(f"{name} {i}: {given}, not {expected}")
            if verdicts is not None:
                verdicts[expected[0]] += 1
    return wrong


def test_contacts_of_every_kind(asked):
    kinds = Counter()
    for how in wide_spans.WIDENED:
        assert wrong_contacts(how, 24, kinds) == []
    # All that meet are asked about; of those that do not, comparisons or planes part some.
    assert asked["contact"] > 200 and kinds.total() - kinds[0] <= asked["contact"]
    assert min(kinds[kind] for kind in (0, (POINT, False), (SEGMENT, False), (SEGMENT, True), (AREA, False))) >= 5


def test_verdicts_of_every_sort(asked):
    verdicts = Counter()
    for how in wide_spans.WIDENED:
        assert wrong_verdicts(how, 5, verdicts) == []
    assert min(verdicts[verdict] for verdict in (CLEAR, TOUCHING, CONTAINED, OVERLAP, CROSSING)) >= 4
    assert asked["contact"] > 1000 and asked["verdict"] > 20 and asked["crosses"] > 10


@pytest.mark.parametrize("name", ["anyhow", "pushed"])
def test_points_in_solids(name, asked):
    """Corners, middles of edges, points of faces and points anywhere."""
    vertices, faces = wide_spans.draw_solids(name, "own units", 1, 3)[0][0]
    corners, size = vertices[faces], np.abs(vertices).max(axis=0)
    points = np.concatenate([vertices, (corners[:, 0] + corners[:, 1]) / 2,
                             np.einsum("nij,i->nj", corners, (0.25, 0.375, 0.375)),
                             np.random.default_rng(5).integers(-4, 5, (60, 3)) * size / 4])
    given = points_in_mesh(vertices, faces, points).tolist()
    assert given == [slices.side(point, (vertices, faces)) for point in points.tolist()]
    assert set(given) == {-1, 0, 1} and asked["sides"] == 1


SPOILED = {
    "contact": lambda contacts, row, a, b: contacts.kind.__setitem__(row, 0),
    "verdict": lambda one, other, found: (CONTAINED, OK, A_IN_B),
    "crosses": lambda one, other, found: True,
}


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_answers_are_noticed(name, monkeypatch):
    monkeypatch.setattr(last_resort, name, SPOILED[name])
    assert wrong_contacts("own units", 2) if name == "contact" else wrong_verdicts("own units", 3)


@pytest.mark.parametrize("scale", [2.0 ** -600, 2.0 ** -300, 2.0 ** 300, 2.0 ** 600])
def test_what_is_only_small_or_large_is_left_to_the_kernels(scale, asked):
    """A wall through a floor along its grid lines: crossing by its edges alone."""
    meshes = [grid(4, 4), grid(4, 2, (0, 1, -1), v=(0, 0, 1))]
    report = detect(build((meshes, [(0, pose(scale)), (1, pose(scale))])))
    assert report.pairs["verdict"].tolist() == [CROSSING] and not asked


def test_stages_ask_through_one_module():
    """Whoever imports more of core/reference than its last resort is another way to the slow answer."""
    others = []
    for path in CORE.rglob("*.py"):
        if path in ASKS_ALL_OF_IT or CORE / "reference" in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and "reference" in (node.module or "").split("."):
                if [alias.name for alias in node.names] != ["last_resort"]:
                    others.append(path.relative_to(CORE))
    assert others == []
