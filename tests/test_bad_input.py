# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad and borderline input: a clear refusal, or the right answer for the healthy objects, never a false "clear"."""
import threading

import numpy as np
import pytest
from naive.asked import EXACT as METHODS
from naive.scenes import build, draw, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Cancelled, Refused, Scene, TouchpointError, detect
from touchpoint.core.codes import CANCELLED, OK, VERDICTS
from touchpoint.core.search import contact_search

VERTICES, TRIANGLES = box()


def two_boxes(scene=None):
    """Objects 0 and 1 cross."""
    scene = scene or Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    scene.add_object(mesh, name="left")
    scene.add_object(mesh, pose(1, (0.5, 0.25, 0.125)), name="right")
    return scene


def words(report):
    return {(int(row["a"]), int(row["b"])): report.verdict(i) for i, row in enumerate(report.pairs)}


def bad_vertex(value):
    vertices = VERTICES.copy()
    vertices[3, 1] = value
    return vertices


NOT_FINITE = {
    "one NaN": (bad_vertex(np.nan), np.eye(4)),
    "one infinity": (bad_vertex(-np.inf), np.eye(4)),
    "all NaN": (np.full((8, 3), np.nan), np.eye(4)),
    "NaN pose": (VERTICES, pose(1, (np.nan, 0, 0))),
    "infinite scale": (VERTICES, pose((1, np.inf, 1))),
    "overflow in the world": (bad_vertex(1e300), pose(1e100)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NOT_FINITE)
def test_object_that_is_not_finite_is_left_out_by_name(method, name):
    vertices, matrix = NOT_FINITE[name]
    scene = Scene()
    scene.add_object(scene.add_mesh(vertices, TRIANGLES), matrix, name="broken")
    report = detect(two_boxes(scene), method=method)
    assert words(report) == {(1, 2): "crossing"}
    assert [(s.index, s.name, s.judged) for s in report.skipped] == [(0, "broken", False)] and report.skipped[0].reason
    assert [info.name for info in report.objects] == ["left", "right"]
    assert report.exit_code(fail_on=()) == 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("vertices", [np.zeros((0, 3)), VERTICES], ids=["empty mesh", "no faces"])
def test_object_without_faces_is_left_out_and_judged(method, vertices):
    scene = Scene()
    scene.add_object(scene.add_mesh(vertices, np.zeros((0, 3), np.int32)), name="nothing")
    report = detect(two_boxes(scene), method=method)
    assert words(report) == {(1, 2): "crossing"}
    assert [(s.index, s.name, s.judged) for s in report.skipped] == [(0, "nothing", True)] and report.skipped[0].reason
    assert report.exit_code(fail_on=()) == 0


@pytest.mark.parametrize("method", METHODS)
def test_vertices_that_no_face_uses_do_not_matter(method):
    scene = Scene()
    vertices = np.concatenate([VERTICES, [(0.5, 0.5, 9.0)]])
    scene.add_object(scene.add_mesh(vertices, TRIANGLES))
    scene.add_object(scene.add_mesh(*box((0, 0, 8), (1, 1, 10))))
    assert words(detect(scene, method=method)) == {}


@pytest.mark.parametrize("method", METHODS)
def test_fewer_than_two_objects_are_refused(method):
    scene = Scene()
    with pytest.raises(Refused):
        detect(scene, method=method)
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    scene.add_object(mesh)
    with pytest.raises(Refused):
        detect(scene, method=method)
    scene.add_object(scene.add_mesh(VERTICES, np.zeros((0, 3), np.int32)))
    with pytest.raises(Refused):
        detect(scene, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_one_healthy_object_beside_a_broken_one_is_not_called_clear(method):
    scene = Scene()
    scene.add_object(scene.add_mesh(VERTICES, TRIANGLES))
    scene.add_object(scene.add_mesh(bad_vertex(np.nan), TRIANGLES), name="broken")
    report = detect(scene, method=method)
    assert len(report.pairs) == 0 and [s.name for s in report.skipped] == ["broken"] and report.exit_code() == 2


@pytest.mark.parametrize("method", METHODS)
def test_questions_without_sense_are_refused(method):
    scene = two_boxes()
    for clearance in (np.nan, -1.0, np.inf, -np.inf):
        with pytest.raises(Refused):
            detect(scene, method=method, clearance=clearance)
    for pairs in ([], np.zeros((0, 2), int), [(0, 0)], [(1, 1)]):
        with pytest.raises(Refused):
            detect(scene, method=method, pairs=pairs)
    for rules in ([], [("A", "B")], [(None, "A")]):
        with pytest.raises(Refused):
            detect(scene, method=method, rules=rules)


def test_unknown_method_is_refused():
    for method in ("", "no such method", "../touchpoint"):
        with pytest.raises(Refused, match="method"):
            detect(two_boxes(), method=method)


def test_refusals_are_sentences_for_the_user():
    for scene, question in ((Scene(), {}), (two_boxes(), {"clearance": -1}), (two_boxes(), {"pairs": []}),
                            (two_boxes(), {"method": "x"})):
        with pytest.raises(TouchpointError) as caught:
            detect(scene, **question)
        message = str(caught.value)
        assert message[0].isupper() and message.endswith(".") and "!" not in message


def test_wrong_arrays_are_named():
    scene = Scene()
    for vertices, triangles in ((VERTICES[:, :2], TRIANGLES), (VERTICES, TRIANGLES[:, :2]), (VERTICES, TRIANGLES + 1),
                                (VERTICES, TRIANGLES - 1), (VERTICES, TRIANGLES * 1.0), (VERTICES[:0], TRIANGLES)):
        with pytest.raises(ValueError):
            scene.add_mesh(vertices, triangles)
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    for matrix in (np.eye(3), np.zeros((4, 4)), np.ones((4, 4))):
        with pytest.raises(ValueError):
            scene.add_object(mesh, matrix)
    for index in (-1, 1):
        with pytest.raises(IndexError):
            scene.add_object(index)
    with pytest.raises(ValueError):
        scene.set_vertices(mesh, VERTICES[:5])
    assert scene.objects == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pairs", [[(0, 2)], [(-1, 0)], [0, 1], [(0, 1, 1)], [(0.0, 1.0)]])
def test_pairs_that_name_no_objects_are_errors(method, pairs):
    with pytest.raises(ValueError):
        detect(two_boxes(), method=method, pairs=pairs)


@pytest.mark.parametrize("method", METHODS)
def test_only_wanted_pairs_are_tested(method):
    drawn = draw("touching grid", 0)
    everything = words(detect(build(drawn), method=method))
    wanted = [(5, 4), (0, 1), (1, 0), (0, 11), (3, 3)]
    report = detect(build(drawn), method=method, pairs=wanted)
    assert words(report) == {pair: everything[pair] for pair in ((0, 1), (4, 5))}


@pytest.mark.parametrize("method", METHODS)
def test_rules_and_static_objects_select_pairs(method):
    def scene(groups, static):
        result = Scene()
        mesh = result.add_mesh(VERTICES, TRIANGLES)
        for group, fixed in zip(groups, static):
            result.add_object(mesh, group=group, static=fixed)
        return result

    def tested(groups, rules=None, static=(False,) * 4):
        return set(words(detect(scene(groups, static), method=method, rules=rules)))

    assert tested("AABB") == {(a, b) for a in range(4) for b in range(a + 1, 4)}
    assert tested("AABB", [("B", "A")]) == {(0, 2), (0, 3), (1, 2), (1, 3)}
    assert tested("AABC", [("A", "A"), ("B", "C")]) == {(0, 1), (2, 3)}
    assert tested((None, "A", None, "B"), [(None, "A")]) == {(0, 1), (1, 2)}
    assert tested("AABB", static=(True, True, False, True)) == {(0, 2), (1, 2), (2, 3)}
    with pytest.raises(Refused):
        detect(scene("AABB", (True,) * 4), method=method)
    with pytest.raises(Refused):
        detect(scene("AABB", (True, True, False, True)), method=method, rules=[("A", "A")])


ODD_TRIANGLES = {
    "repeated corner": np.concatenate([TRIANGLES, [(0, 0, 5), (7, 7, 7)]]),
    "duplicated faces": np.concatenate([TRIANGLES, TRIANGLES[::-1]]),
    "flipped faces": TRIANGLES[:, ::-1],
    "open": TRIANGLES[:-3],
    "only points": np.repeat(np.arange(8)[:, None], 3, axis=1),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ODD_TRIANGLES)
def test_odd_faces_are_judged_like_others(method, name):
    scene = Scene()
    scene.add_object(scene.add_mesh(VERTICES, ODD_TRIANGLES[name].astype(np.int32)))
    scene.add_object(scene.add_mesh(*grid(4, 4, (-1.5, -1.5, 1))))
    scene.add_object(scene.add_mesh(*grid(4, 4, (-1.5, -1.5, 0.3))))
    report = detect(scene, method=method)
    through = {} if name == "only points" else {(0, 2): "crossing"}
    assert words(report) == {(0, 1): "touching", **through} and not report.skipped


@pytest.mark.parametrize("method", METHODS)
def test_scale_zero_leaves_the_segment_or_the_point(method):
    scene = Scene()
    mesh = scene.add_mesh(VERTICES, TRIANGLES)
    floor = scene.add_object(scene.add_mesh(*grid(2, 2)))
    for linear, offset in (((1, 1, 0), (0.5, 0.5, 0)), ((0, 0, 1), (0.25, 0.5, -0.5)), (0, (1, 1, 0)),
                           (0, (1, 1, 0.01))):
        scene.add_object(mesh, pose(linear, offset))
    met = words(detect(scene, method=method))
    assert {b for a, b in met if a == floor} == {1, 2, 3} and set(met.values()) == {"touching"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e290])
def test_extreme_sizes_are_right(method, scale):
    scene = build(([box(), ball()], [(0, pose(scale)), (0, pose(scale, (scale, 0, 0))), (1, pose(scale, (0, 0, scale))),
                                     (1, pose(scale, (0, 5 * scale, 0)))]))
    assert words(detect(scene, method=method)) == {(0, 1): "touching", (0, 2): "crossing", (1, 2): "touching"}


@pytest.mark.parametrize("method", METHODS)
def test_inputs_are_neither_changed_nor_needed_in_one_form(method):
    expected = words(detect(two_boxes(), method=method))
    read_only = VERTICES.copy(), TRIANGLES.copy()
    for array in read_only:
        array.flags.writeable = False
    for vertices, triangles in (read_only, (VERTICES.astype(np.float32), TRIANGLES.astype(np.uint32)),
                                (np.asfortranarray(VERTICES), TRIANGLES.astype(np.int64)[::1]),
                                (VERTICES.tolist(), TRIANGLES.tolist())):
        scene = Scene()
        mesh = scene.add_mesh(vertices, triangles)
        for offset in (0, (0.5, 0.25, 0.125)):
            scene.add_object(mesh, pose(1, offset))
        assert words(detect(scene, method=method)) == expected
    assert np.array_equal(VERTICES, box()[0]) and np.array_equal(TRIANGLES, box()[1])


@pytest.mark.parametrize("method", METHODS)
def test_progress_goes_from_nothing_to_done_in_the_calling_thread(method):
    calls = []
    detect(build(draw("crowd", 0)), method=method, threads=2,
           progress=lambda stage, fraction: calls.append((stage, fraction, threading.get_ident())))
    assert calls and {thread for _, _, thread in calls} == {threading.get_ident()}
    assert all(isinstance(stage, str) and 0 <= fraction <= 1 for stage, fraction, _ in calls)
    for stage in {stage for stage, _, _ in calls}:
        fractions = [fraction for name, fraction, _ in calls if name == stage]
        assert fractions == sorted(fractions)


def stop_after(calls):
    """A progress callback that asks to stop when it has been called so often."""
    left = iter(range(calls))
    return lambda stage, fraction: next(left, None) is not None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("few", [False, True])
def test_cancelled_at_any_moment_the_report_is_partial_and_the_next_run_right(method, threads, few, monkeypatch):
    if few:         # of many hits a cancelled run makes some contacts only
        monkeypatch.setattr(contact_search, "MAX_CANCELLED_CONTACTS", 7)
    scene = build(draw("crowd", 0))
    calls = []
    full = words(detect(scene, method=method, threads=threads, progress=lambda *call: calls.append(call)))
    for last in range(0, len(calls), max(1, len(calls) // 12)):
        report = detect(scene, method=method, threads=threads, progress=stop_after(last))
        if not report.cancelled:        # threads may need fewer calls than in the full run
            assert words(report) == full
            continue
        assert report.exit_code(fail_on=()) == 2
        found = words(report)
        assert all(verdict in ("cannot tell", full.get(pair, "clear")) for pair, verdict in found.items())
        if len(report.pairs):
            assert found.keys() >= full.keys()
        told = report.pairs["verdict"] != VERDICTS.index("cannot tell")
        assert (report.pairs["status"] == np.where(told, OK, CANCELLED)).all()
        assert words(detect(scene, method=method, threads=threads)) == full


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2])
def test_where_nothing_is_wanted_any_more_there_is_no_report_and_the_next_run_is_right(method, threads):
    scene = build(draw("crowd", 0))
    calls = []
    full = words(detect(scene, method=method, threads=threads, progress=lambda *call: calls.append(call)))
    for last in range(0, len(calls), max(1, len(calls) // 8)):
        left = iter(range(last))
        ended = []

        def progress(stage, fraction, left=left, ended=ended):
            if next(left, None) is None:
                ended.append(stage)
                raise Cancelled

        try:
            detect(scene, method=method, threads=threads, progress=progress)
        except Cancelled:
            assert len(ended) == 1
        else:
            assert not ended            # threads may need fewer calls than in the full run
        assert words(detect(scene, method=method, threads=threads)) == full


@pytest.mark.parametrize("threads", [1, 2])
def test_where_nothing_is_wanted_any_more_no_contacts_are_made(threads, monkeypatch):
    """Of millions of hits that takes seconds."""
    monkeypatch.setattr(contact_search, "canonical_order", lambda *_: pytest.fail("contacts are put in order"))

    def progress(stage, fraction):
        if stage == "contacts":
            raise Cancelled

    for method in METHODS:
        with pytest.raises(Cancelled):
            detect(build(draw("crowd", 0)), method=method, threads=threads, progress=progress)


@pytest.mark.parametrize("method", METHODS)
def test_after_a_cancelled_run_objects_may_have_smaller_meshes(method):
    """What was reserved for meshes that were not finished is not taken for what is there."""
    for last in range(12):
        scene = two_boxes()
        small = scene.objects[0].mesh
        scene.objects[0].mesh = scene.add_mesh(*ball(8, 6))
        scene.objects[1].mesh = scene.add_mesh(*ball(8, 6))
        detect(scene, method=method, threads=1, progress=stop_after(last))
        scene.objects[0].mesh = scene.objects[1].mesh = small
        assert words(detect(scene, method=method, threads=1)) == {(0, 1): "crossing"}


@pytest.mark.parametrize("stage", ["contacts", "verdicts"])
def test_what_was_finished_before_the_cancel_is_kept(stage):
    """The reference looks at one pair after the other, so half way about half of them are known."""
    report = detect(build(draw("crowd", 0)), method="exact", progress=lambda name, done: name != stage or done < 0.5)
    assert report.cancelled and len(report.contacts) > 0
    assert "crossing" in words(report).values() and "cannot tell" in words(report).values()


@pytest.mark.parametrize("method", METHODS)
def test_error_in_the_progress_callback_reaches_the_caller(method):
    scene = build(draw("crowd", 0))

    def fail(stage, fraction):
        raise ZeroDivisionError(stage)

    with pytest.raises(ZeroDivisionError):
        detect(scene, method=method, progress=fail)
    assert words(detect(scene, method=method)) == words(detect(build(draw("crowd", 0)), method=method))
