# SPDX-License-Identifier: GPL-3.0-or-later
"""What a method may ask of the pipeline beyond the common stages: further columns, the main thread, what it needs."""
import queue
import threading
from dataclasses import replace

import numpy as np
import pytest
from touchpoint.core import Cancelled, Scene, Unsupported, detect, methods
from touchpoint.core.codes import CANCELLED, CANNOT_TELL, CROSSING
from touchpoint.core.method import DEVICE, Measure, needs_with, without
from touchpoint.core.pair_table import PairTable
from touchpoint.core.run import Run
from touchpoint.core.scene.tiny import one_box_at


@pytest.fixture
def method(monkeypatch):
    """Changes the default method for this test."""
    def changed(**fields):
        made = replace(methods.load(methods.DEFAULT), **fields)
        monkeypatch.setattr(methods, "load", lambda name: made)
    return changed


def three_boxes():
    """Objects 0 and 1 cross, 1 and 2 touch."""
    return one_box_at((0, 0, 0), (0.5, 0.25, 0.125), (1.5, 0.25, 0.125))


def product_of_numbers(objects, table, run):
    """A column that can be told from all others: a times ten plus b."""
    return {"depth": 10.0 * table.a + table.b}


def test_a_measure_is_a_column_of_the_report(method):
    method(measures=(Measure("numbers", product_of_numbers),))
    report = detect(three_boxes())
    assert report.pairs["depth"].tolist() == [1.0, 12.0]
    assert [stage.name for stage in report.stages][-1] == "numbers" and np.isnan(report.pairs["toi"]).all()


def test_measures_see_verdicts_and_clearances(method):
    seen = {}

    def look(objects, table, run):
        seen.update(crossing=int((table.verdict == CROSSING).sum()), measured=set(table.measured))
        return {}

    method(measures=(Measure("look", look),))
    detect(three_boxes(), clearance=0.1)
    assert seen == {"crossing": 1, "measured": {"gap", "gap_points"}}


def cancel(objects, table, run):
    raise Cancelled


def test_a_run_cancelled_in_a_measure_tells_nothing(method):
    method(measures=(Measure("cancel", cancel),))
    report = detect(three_boxes())
    assert report.cancelled and (report.pairs["verdict"] == CANNOT_TELL).all()
    assert (report.pairs["status"] == CANCELLED).all() and len(report.contacts) == 0


def test_stages_run_on_the_thread_that_they_ask_for(method):
    where = {}

    def prepare(scene, selection, run):
        where["prepare"] = threading.get_ident()
        return methods_prepare(scene, selection, run)

    def columns(objects, table, run):
        where["columns"] = threading.get_ident()
        return {}

    methods_prepare = methods.load(methods.DEFAULT).prepare
    method(prepare=prepare, main_thread=("prepare",), measures=(Measure("here", columns, ("columns",)),))
    asked, reports = queue.Queue(), []

    def main_thread(work):
        answer = queue.Queue()
        asked.put((work, answer))
        return answer.get(timeout=60)

    thread = threading.Thread(target=lambda: reports.append(detect(three_boxes(), main_thread=main_thread)))
    thread.start()
    for _ in range(2):
        work, answer = asked.get(timeout=60)
        answer.put(work())
    thread.join(60)
    assert where == {"prepare": threading.get_ident(), "columns": threading.get_ident()}
    assert [reports[0].verdict(row) for row in range(2)] == ["crossing", "touching"]


def test_without_a_main_thread_all_stages_run_here(method):
    where = []

    def columns(objects, table, run):
        where.append(threading.get_ident())
        return {}

    method(main_thread=("prepare",), measures=(Measure("here", columns, ("columns",)),))
    assert len(detect(three_boxes()).pairs) == 2 and where == [threading.get_ident()]


def test_a_method_that_needs_an_interval(method):
    method(needs=("interval",))
    with pytest.raises(Unsupported, match="move during an interval"):
        detect(three_boxes())
    scene = Scene()
    source = three_boxes()
    mesh = scene.add_mesh(source.meshes[0].vertices, source.meshes[0].triangles)
    for place in (0.0, 0.5):
        pose = np.eye(4)
        pose[0, 3] = place
        scene.add_object(mesh, pose, pose_end=pose)
    assert len(detect(scene).pairs) == 1


def test_a_method_that_needs_a_gpu(method):
    method(needs=("gpu",))
    with pytest.raises(Unsupported, match="needs a GPU"):
        detect(three_boxes())
    with pytest.raises(Unsupported, match=r"needs a GPU that Blender can draw with\. It is broken\."):
        detect(three_boxes(), gpu="It is broken.")
    assert len(detect(three_boxes(), gpu=object()).pairs) == 2


def test_an_option_that_spares_a_gpu(method):
    method(needs=("gpu", "convex"), options=(DEVICE,))
    recipe = methods.load(methods.DEFAULT)
    assert len(detect(three_boxes(), options={"device": "cpu"}, gpu="There is none.").pairs) == 2
    with pytest.raises(Unsupported, match="needs a GPU"):
        detect(three_boxes(), options={"device": "gpu"})
    assert needs_with(recipe, None) == ("gpu", "convex")
    assert needs_with(recipe, without(recipe, "gpu")) == ("convex",)


def test_slices_run_on_the_main_thread():
    handed = []

    def main_thread(work):
        handed.append(1)
        return work()

    assert Run(None, 1, True, {}, main_thread=main_thread).on_main_thread(lambda: 7) == 7 and handed == [1]
    assert Run(None, 1, True, {}).on_main_thread(lambda: 8) == 8


def test_unfinished_pairs_are_named_unless_they_cross():
    table = PairTable(np.arange(3, dtype=np.int32), np.arange(1, 4, dtype=np.int32))
    table.put({"verdict": np.array([CROSSING, 0, 0], np.int8)})
    table.finished[2] = True
    table.mark_unfinished()
    assert table.verdict.tolist() == [CROSSING, CANNOT_TELL, 0] and table.status.tolist() == [0, CANCELLED, 0]
