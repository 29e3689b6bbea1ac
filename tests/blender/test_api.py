# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint.addon.api`, as scripts and other add-ons call it."""
import threading

import bpy
import numpy as np
import pytest
from scene_building import add_cube, add_instances, add_nodes, add_text, edit, new_collection
from touchpoint.addon import api
from touchpoint.addon.names import is_result
from touchpoint.core import Cancelled, Refused, TouchpointError


def found(report):
    """Verdict per pair of names."""
    return {(report.name(pair["a"]), report.name(pair["b"])): report.verdict(row)
            for row, pair in enumerate(report.pairs)}


@pytest.fixture
def three_cubes(empty_file):
    """A crosses B; C touches B; D stands alone."""
    return (add_cube("A"), add_cube("B", (1, 0.25, 0.5)), add_cube("C", (3, 0.75, 0.75)), add_cube("D", (9, 9, 9)))


CROSSING_AND_TOUCHING = {("A", "B"): "crossing", ("B", "C"): "touching"}


def test_a_report_of_what_is_visible(three_cubes):
    report = api.detect()
    assert found(report) == CROSSING_AND_TOUCHING
    assert (report.scene, report.frame, report.unit_scale, report.method) == ("Scene", 1, 1, "touchpoint")
    assert report.stages[0].name == "read" and report.stages[0].seconds == report.source.seconds > 0
    assert [row.name for row in report.source.rows] == ["A", "B", "C", "D"]
    assert report.exit_code() == 1


def test_pairs_within_a_clearance(three_cubes):
    three_cubes[3].location = (5.25, 0.75, 0.75)
    report = api.detect(clearance=0.25)
    assert found(report) == {**CROSSING_AND_TOUCHING, ("C", "D"): "near"}
    assert report.pairs["gap"][2] == 0.25 and report.pairs["gap_points"][2, :, 0].tolist() == [4.0, 4.25]
    assert found(api.detect(clearance=0.24)) == CROSSING_AND_TOUCHING


def test_contacts_lie_where_the_objects_meet(three_cubes):
    report = api.detect()
    points = report.contacts_of(0).point.reshape(-1, 3)
    assert (points >= (0, -0.75, -0.5)).all() and (points <= (1, 1, 1)).all()


def test_both_methods_agree(three_cubes):
    assert found(api.detect(method="exact")) == CROSSING_AND_TOUCHING


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(threads, three_cubes):
    one, other = api.detect(threads=1), api.detect(threads=threads)
    assert found(one) == found(other) == CROSSING_AND_TOUCHING
    assert np.array_equal(one.contacts.point, other.contacts.point)


def test_given_objects(three_cubes):
    assert found(api.detect([three_cubes[0], three_cubes[2]])) == {}
    assert found(api.detect(list(three_cubes[:2]))) == {("A", "B"): "crossing"}


def test_collections(three_cubes):
    a, b = (new_collection(name, bpy.context.scene.collection) for name in ("Side A", "Side B"))
    for each, collection in zip(three_cubes, (a, a, b, b)):
        collection.objects.link(each)
    report = api.detect(scope="COLLECTIONS", collection_a=a, collection_b="Side B")
    assert found(report) == {("B", "C"): "touching"}
    b.objects.link(three_cubes[1])
    report = api.detect(scope="COLLECTIONS", collection_a=a, collection_b=b)
    assert found(report) == CROSSING_AND_TOUCHING


def test_another_frame(three_cubes):
    three_cubes[0].driver_add("location", 2).driver.expression = "frame * 3"
    assert ("A", "B") not in found(api.detect(frame=2))
    assert found(api.detect(frame=0)) == CROSSING_AND_TOUCHING
    assert api.detect(frame=2).frame == 2 and bpy.context.scene.frame_current == 1


def test_instances_collide_one_by_one(empty_file):
    tree = add_cube("Tree", (0, 50, 0), size=1)
    add_nodes(add_cube("Forest", (0, 0, 20)), lambda nodes, _start, end: nodes.links.new(
        add_instances(nodes, tree, count=3), end))
    add_cube("Car", (8.25, 0.25, 20.25), size=1)
    assert found(api.detect()) == {("Car", "Forest ▸ Tree #3"): "crossing"}


def test_text_crosses_like_anything_else(empty_file):
    add_text("Text", "H")
    add_cube("Cube", size=0.5)
    assert found(api.detect()) == {("Cube", "Text"): "crossing"}


def test_edit_mode_open(three_cubes):
    edit(three_cubes[0])
    assert found(api.detect()) == CROSSING_AND_TOUCHING
    assert three_cubes[0].mode == "EDIT"


def test_one_broken_object_does_not_spoil_the_others(three_cubes):
    three_cubes[3].data.vertices[0].co.y = float("nan")
    add_cube("Lost").location.y = float("nan")
    report = api.detect()
    assert found(report) == CROSSING_AND_TOUCHING
    assert [each.name for each in report.skipped] == ["D", "Lost"]
    assert report.exit_code(fail_on=()) == 2


def test_only_broken_objects_is_not_clear(empty_file):
    for name in "AB":
        add_cube(name).data.vertices[0].co.y = float("nan")
    report = api.detect()
    assert len(report.pairs) == 0 and len(report.skipped) == 2 and report.exit_code() == 2


def test_everything_left_out_is_named_in_order(three_cubes):
    three_cubes[1].data.vertices[0].co.y = float("nan")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Bare", bpy.data.meshes.new("Bare")))
    assert [each.name for each in api.detect().skipped] == ["B", "Bare"]


@pytest.mark.parametrize("arguments", [{"method": "magic"}, {"scope": "ALL"}, {"clearance": float("nan")},
                                       {"clearance": -1.0}, {"frame": float("nan")},
                                       {"scope": "SELECTED"}, {"objects": []}])
def test_what_makes_no_sense_is_refused(arguments, three_cubes):
    with pytest.raises(TouchpointError) as refused:
        api.detect(**arguments)
    assert str(refused.value).endswith(".")


def test_progress_and_cancelling(three_cubes):
    stages = []

    def progress(stage, fraction):
        stages.append(stage)
        assert 0.0 <= fraction <= 1.0
        return stage != "contacts"

    report = api.detect(progress=progress)
    assert report.cancelled and "contacts" in stages
    assert report.exit_code() == 2
    assert set(found(report).values()) <= {"cannot tell"}


def test_progress_is_told_in_the_calling_thread(three_cubes):
    threads = set()
    api.detect(progress=lambda *_: threads.add(threading.current_thread()))
    assert threads == {threading.current_thread()}


def test_cancelled_while_it_is_read(three_cubes):
    with pytest.raises(Cancelled):
        api.detect(progress=lambda *_: False)


def test_what_progress_raises_comes_out(three_cubes):
    def fail(stage, _):
        if stage == "contacts":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.detect(progress=fail)
    assert found(api.detect()) == CROSSING_AND_TOUCHING


def test_from_a_handler(three_cubes):
    reports = []

    def handler(scene, _depsgraph=None):
        reports.append(api.detect())

    bpy.app.handlers.frame_change_post.append(handler)
    bpy.context.scene.frame_set(7)
    assert [each.frame for each in reports] == [7] and found(reports[0]) == CROSSING_AND_TOUCHING


def test_detect_in_runs_in_a_thread(three_cubes):
    api.prepare()
    snapshot, reports = api.read_scene(), []
    thread = threading.Thread(target=lambda: reports.append(api.detect_in(snapshot)))
    thread.start()
    thread.join()
    assert found(reports[0]) == CROSSING_AND_TOUCHING


def test_objects_deleted_between_reading_and_writing(three_cubes):
    report = api.detect()
    bpy.data.objects.remove(three_cubes[0])
    api.write_back(report)
    assert report.source.find_objects()[0] is None


def test_write_back_and_clear(three_cubes):
    before = set(bpy.data.objects), [tuple(each.color) for each in three_cubes]
    api.write_back(api.detect())
    assert any(is_result(each) for each in bpy.data.objects)
    assert tuple(three_cubes[0].color) != tuple(three_cubes[3].color)
    again = api.detect()
    assert found(again) == CROSSING_AND_TOUCHING and len(again.objects) == 4
    api.clear()
    assert (set(bpy.data.objects), [tuple(each.color) for each in three_cubes]) == before


def test_write_back_into_a_scene_that_is_gone(three_cubes):
    report = api.detect()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with pytest.raises(TouchpointError, match="not open any more"):
        api.write_back(report)
    assert len(bpy.data.objects) == 0


def test_refusals_are_those_of_the_core(empty_file):
    with pytest.raises(Refused):
        api.detect()
