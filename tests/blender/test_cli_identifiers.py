# SPDX-License-Identifier: GPL-3.0-or-later
"""A property beside names, and how many points are written."""
import pytest
from command_line import detect, refused
from scene_building import add_collection_instance, add_cube, new_collection


def test_objects_are_identified_by_a_property_and_points_capped(save, tmp_path):
    add_cube("A")["GlobalId"] = "1x2"
    add_cube("B", (1, 0.25, 0.5))["GlobalId"] = 7
    add_cube("C", (0.5, 0.5, -0.5))
    data = detect(save(), tmp_path, "--identify-by", "GlobalId", "--points", "2", code=1)
    assert {each["name"]: each["identifier"] for each in data["objects"]} == {"A": "1x2", "B": "7", "C": None}
    assert all(len(pair["points"]) == 2 < pair["contacts"] for pair in data["pairs"])
    assert (data["settings"]["identified_by"], data["settings"]["points"]) == ("GlobalId", 2)


def test_instances_have_the_identifier_of_what_they_show(save, tmp_path):
    collection = new_collection("Parts")
    add_cube("Bolt", collection=collection)["GlobalId"] = "bolt"
    add_collection_instance("Left", collection)
    add_cube("Plate", (0.5, 0.5, 0.5))
    data = detect(save(), tmp_path, "--identify-by", "GlobalId", code=1)
    assert {each["identifier"] for each in data["objects"]} == {"bolt", None}


@pytest.mark.parametrize("points", ["-1", "x", "1.5"])
def test_numbers_of_points_that_make_no_sense_are_refused(crossing, capsys, points):
    assert "is not a number of points" in refused(capsys, "detect", crossing, "--points", points)
