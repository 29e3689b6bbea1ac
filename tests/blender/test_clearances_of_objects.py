# SPDX-License-Identifier: GPL-3.0-or-later
"""Clearances that objects and collections ask for by themselves: kept with them, read for every run."""
import bpy
import pytest
from scene_building import add_collection_instance, add_cube, new_collection
from touchpoint.addon import api, session

pytestmark = pytest.mark.usefixtures("registered")


def verdicts(report) -> dict:
    return {(report.name(pair["a"]), report.name(pair["b"])): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


@pytest.fixture
def in_a_row(registered):
    """Cubes of size 1 in a row, 0.25 apart; the last one is in a collection of its own, in another one."""
    screws = new_collection("Screws", new_collection("Parts", bpy.context.scene.collection))
    return [add_cube(name, (1.25 * number, 0, 0), size=1.0, **({"collection": screws} if name == "C" else {}))
            for number, name in enumerate("ABC")]


def test_an_object_asks(in_a_row):
    assert verdicts(api.detect()) == {}
    in_a_row[0].touchpoint.clearance = 0.3
    report = api.detect()
    assert verdicts(report) == {("A", "B"): "near"}
    assert [each.clearance for each in report.objects] == [0.3, 0.0, 0.0]
    in_a_row[0].touchpoint.clearance = 0.0
    assert verdicts(api.detect()) == {}


@pytest.mark.parametrize("name", ["Screws", "Parts"])
def test_a_collection_asks_for_what_is_in_it_and_in_its_children(in_a_row, name):
    bpy.data.collections[name].touchpoint.clearance = 0.3
    assert verdicts(api.detect()) == {("B", "C"): "near"}


def test_of_object_collection_and_run_the_largest_counts(in_a_row):
    bpy.data.collections["Screws"].touchpoint.clearance = 0.1
    in_a_row[2].touchpoint.clearance = 2.0
    assert verdicts(api.detect(clearance=0.05)) == {("B", "C"): "near", ("A", "C"): "near"}


def test_instances_ask_for_what_they_show_and_for_who_makes_them(registered):
    shown = new_collection("Shown")
    source = add_cube("Source", size=1.0, collection=shown)
    makers = [add_collection_instance(name, shown, (2.0 * number, 0, 5)) for number, name in enumerate(("L", "M", "R"))]
    assert verdicts(api.detect()) == {}
    makers[0].touchpoint.clearance = 1.0
    assert len(verdicts(api.detect())) == 1
    makers[0].touchpoint.clearance = 0.0
    source.touchpoint.clearance = 1.0
    assert len(verdicts(api.detect())) == 2


def test_a_new_wish_makes_the_result_outdated(in_a_row):
    bpy.ops.touchpoint.detect()
    result = bpy.context.scene.touchpoint.result
    assert not session.is_outdated(result)
    in_a_row[0].touchpoint.clearance = 0.3
    assert session.is_outdated(result)


def test_without_the_add_on_nobody_asks(in_a_row):
    from touchpoint.addon import own_properties

    assert own_properties.clearance_of(bpy.context.scene) == 0.0
    assert own_properties.clearance_of(None) == 0.0
