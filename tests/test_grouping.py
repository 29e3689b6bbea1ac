# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs in groups, beside their definition."""
import csv
import io
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from naive import groups as naive
from touchpoint.core import Refused, Report
from touchpoint.core.codes import A_IN_B, B_IN_A, CANNOT_TELL, CONTAINED, CROSSING, NEITHER, TOUCHING, VERDICTS
from touchpoint.core.contacts import Contacts
from touchpoint.core.findings import BLANK, ObjectInfo
from touchpoint.core.grouping import spots_of

SCHEMA = json.loads((Path(__file__).resolve().parents[1] / "docs" / "report.schema.json").read_text(encoding="utf-8"))


def report_of(pairs, objects, contacts=None):
    return Report("touchpoint", {"contacts": True}, [ObjectInfo(i, f"O{i}", 12) for i in range(objects)], [], pairs,
                  Contacts.empty() if contacts is None else contacts)


def random_report(seed):
    """Pairs of a few objects, some with themselves, some contained, with depths, gaps or contacts, or nothing."""
    rng = np.random.default_rng(seed)
    objects = int(rng.integers(1, 12))
    sides = sorted({tuple(sorted(each)) for each in rng.integers(0, objects, (int(rng.integers(0, 40)), 2)).tolist()})
    pairs = np.repeat(BLANK, len(sides))
    contacts = Contacts.empty(2 * len(sides))
    contacts.point[:] = rng.integers(-6, 7, contacts.point.shape)
    for row, (a, b) in enumerate(sides):
        pair = pairs[row]
        pair["a"], pair["b"], pair["verdict"] = a, b, rng.integers(1, len(VERDICTS))
        if pair["verdict"] == CONTAINED:
            pair["inner"] = rng.choice([A_IN_B, B_IN_A])
        elif pair["verdict"] == CANNOT_TELL:
            pair["inner"] = rng.choice([NEITHER, A_IN_B, B_IN_A])
        if rng.random() < 0.5:
            pair["depth"], pair["depth_points"] = rng.integers(0, 4), rng.integers(-6, 7, (2, 3))
        elif rng.random() < 0.3:
            pair["gap"], pair["gap_points"] = rng.random(), rng.integers(-6, 7, (2, 3))
        pair["contacts"] = rng.integers(0, 3)
    count = pairs["contacts"]
    pairs["contact_start"] = np.cumsum(count) - count
    kept = contacts.take(np.arange(int(count.sum())))
    kept.pair = np.repeat(np.arange(len(sides)), count).astype(np.int32)
    return report_of(pairs, objects, kept)


def spots_by_hand(report):
    """The point of each pair by its rule, None where there is none."""
    spots = []
    for row, pair in enumerate(report.pairs):
        two = next((pair[name] for name in ("depth_points", "gap_points") if not np.isnan(pair[name]).any()), None)
        ends = report.contacts_of(row).point.reshape(-1, 3)
        if two is None and len(ends):
            two = np.stack([ends.min(axis=0), ends.max(axis=0)])
        spots.append(None if two is None else (0.5 * two[0] + 0.5 * two[1]).tolist())
    return spots


def titles(groups):
    return [title for title, _ in groups]


def lists(groups):
    return [rows.tolist() for _, rows in groups]


@pytest.mark.parametrize("seed", range(60))
def test_groups_are_those_of_the_definition(seed):
    report = random_report(seed)
    pairs, order = report.pairs, report.worst_first().tolist()
    sides = list(zip(pairs["a"].tolist(), pairs["b"].tolist()))
    assert lists(report.groups("object")) == naive.by_object(sides, order)

    outer = [None if inner == NEITHER else (sides[row][inner == A_IN_B], pairs["verdict"][row])
             for row, inner in enumerate(pairs["inner"].tolist())]
    assert lists(report.groups("container")) == naive.by_key(outer, order)

    assembly = [None if i % 3 == 0 else f"M{i % 3}" for i in range(len(report.objects))]
    names = [own or f"O{i}" for i, own in enumerate(assembly)]
    keys = [tuple(sorted((names[a], names[b]))) for a, b in sides]
    assert lists(report.groups("assembly", assembly)) == naive.by_key(keys, order)

    spots = spots_by_hand(report)
    assert [None if np.isnan(each).any() else each.tolist() for each in spots_of(report)] == spots
    some = np.random.default_rng(seed).permutation(len(pairs))[:len(pairs) // 2]
    assert np.array_equal(spots_of(report, some), spots_of(report)[some], equal_nan=True)
    for distance in (None, 0.0, 3.0, 1e300):
        reach = naive.share_of_all(spots) if distance is None else distance
        groups = report.groups("space", distance=distance)
        assert lists(groups) == naive.by_place(spots, order, reach) and groups.distance == pytest.approx(reach)


@pytest.mark.parametrize("by", ["object", "space", "container"])
def test_every_pair_is_in_one_group(by):
    for seed in range(20):
        report = random_report(seed)
        groups = report.groups(by)
        assert sorted(groups.rows.tolist()) == list(range(len(report.pairs)))
        number = groups.number
        assert all((number[rows] == place).all() for place, (_, rows) in enumerate(groups))


def hall():
    """A wall through three pipes, the deepest last; two chairs in a room; two parts that touch."""
    pairs = np.repeat(BLANK, 6)
    pairs["a"], pairs["b"] = [0, 0, 0, 4, 4, 7], [1, 2, 3, 5, 6, 8]
    pairs["verdict"] = [CROSSING, CROSSING, CROSSING, CONTAINED, CONTAINED, TOUCHING]
    pairs["depth"], pairs["inner"] = [1, 2, 3, 4, 5, np.nan], [0, 0, 0, B_IN_A, B_IN_A, 0]
    report = report_of(pairs, 9)
    for number, name in enumerate(("Wall", "P1", "P2", "P3", "Room", "C1", "C2", "Nut", "Bolt")):
        report.objects[number] = ObjectInfo(number, name, 12)
    return report


def test_titles_say_what_pairs_share():
    report = hall()
    assert titles(report.groups("object")) == ["Wall", "Room", "Nut × Bolt"]
    assert titles(report.groups("container")) == ["Wall × P3", "Wall × P2", "Wall × P1", "inside Room", "Nut × Bolt"]
    assembly = [None, "Pipes", "Pipes", "Pipes", None, "Chairs", "Chairs", "Kit", "Kit"]
    assert titles(report.groups("assembly", assembly)) == ["Wall × Pipes", "Room × Chairs", "Nut × Bolt"]
    report.pairs["depth_points"] = 1.0
    assert titles(report.groups("space")) == ["around Wall × P3"]


def test_what_seems_to_be_inside_stands_by_itself():
    """In one room things are for certain, and others as far as rays tell, for example of open meshes."""
    pairs = np.repeat(BLANK, 6)
    pairs["a"], pairs["b"] = [0, 0, 0, 0, 0, 6], [1, 2, 3, 4, 5, 7]
    pairs["verdict"] = [CANNOT_TELL, CONTAINED, CANNOT_TELL, CONTAINED, CANNOT_TELL, CANNOT_TELL]
    pairs["inner"] = [B_IN_A, B_IN_A, B_IN_A, B_IN_A, NEITHER, NEITHER]
    groups = report_of(pairs, 8).groups("container")
    assert {title: rows.tolist() for title, rows in groups} == {
        "inside O0": [1, 3], "perhaps inside O0": [0, 2], "O0 × O5": [4], "O6 × O7": [5]}


def test_files_name_the_groups(tmp_path):
    report = hall()
    report.unit_scale = 0.5
    report.pairs["depth_points"] = np.array([0.0, 1.0, 16.0, 0.0, 1.0, 3.0])[:, None, None]
    report.grouping = report.groups("space", distance=2.0)
    report.to_json(tmp_path / "r.json")
    data = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert data["grouped_by"] == {"kind": "space", "distance": 1.0} and data["summary"]["groups"] == 3
    assert [each["pairs"] for each in data["groups"]] == [[2], [1, 0, 4, 3], [5]]
    assert [each["group"] for each in data["pairs"]] == [1, 1, 0, 1, 1, 2]
    report.to_csv(tmp_path / "r.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text(encoding="utf-8"))))
    assert [row["group"] for row in rows[1:3]] == ["around Wall × P2", "Wall × P3"]
    report.grouping = None
    report.to_json(tmp_path / "r.json")
    assert not {"grouped_by", "groups"} & set(json.loads((tmp_path / "r.json").read_text(encoding="utf-8")))


def test_groupings_that_make_no_sense_are_refused():
    report = hall()
    with pytest.raises(Refused, match="no grouping by"):
        report.groups("colour")
    for distance in (-1.0, np.nan, np.inf):
        with pytest.raises(Refused, match="must be a length"):
            report.groups("space", distance=distance)
    for assembly in (None, ["A"]):
        with pytest.raises(ValueError, match="for each of report.objects"):
            report.groups("assembly", assembly)
