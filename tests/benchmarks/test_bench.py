# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench`: the tables are made and the answers compared rightly. Times are not tested."""
import json
import time

import numpy as np
import pytest
from touchpoint.addon.cli import main
from touchpoint.benchmarks import animations, cases, measure, peers, run, tables
from touchpoint.benchmarks.peers.sweep import meeting_boxes
from touchpoint.benchmarks.questions import Answer, Pair, Scene, compare, judge
from touchpoint.sample_scenes import bullets, meshes

# One case of each tiny question.
DIFFERENT = list({(case.asks, case.quick.func, case.quick.args): case for case in cases.CASES}.values())


@pytest.mark.slow       # without compilation
def test_every_question_can_be_asked_of_us_alone():
    results: dict = {}
    for case, entry in run.run(DIFFERENT, results, quick=True, names=("ours",)):
        assert all(set(times) == {peers.OURS} for times in entry["cores"].values())
        assert case.title in tables.text(case, entry)
    text = tables.markdown(DIFFERENT, json.loads(json.dumps(results)))
    assert all(f"### {case.id}: " in text for case in DIFFERENT)


def test_ids_are_different():
    assert len({case.id for case in cases.CASES}) == len(cases.CASES)


@pytest.mark.slow       # without compilation
def test_command_goes_on_where_it_stopped(tmp_path, capsys):
    figures, page = tmp_path / "figures.json", tmp_path / "page.md"
    arguments = ["bench", "--quick", "--only", "W8-boxes-1k", "--json", str(figures), "--markdown", str(page)]
    assert main(arguments) == 0
    first = json.loads(figures.read_text())
    assert "### W8-boxes-1k:" in page.read_text() and "touchpoint" in capsys.readouterr().out
    page.write_text(f"By hand.\n{tables.MARK}\nOld.\n")
    assert main([*arguments[:3], "W8-boxes-1k,W8-boxes-100k", *arguments[4:]]) == 0
    assert page.read_text().startswith(f"By hand.\n{tables.MARK}") and "Old." not in page.read_text()
    assert "### W8-boxes-100k:" in page.read_text()
    second = json.loads(figures.read_text())
    assert list(second["cases"]) == ["W8-boxes-1k", "W8-boxes-100k"]
    assert second["cases"]["W8-boxes-1k"] == first["cases"]["W8-boxes-1k"]


@pytest.mark.parametrize("arguments, reason", [
    (["--table", "nothing"], "peers"),
    (["--only", "W99"], "W1"),
])
def test_command_refuses(arguments, reason, capsys):
    assert main(["bench", "--quick", *arguments]) == 3
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("content", ["[]", "{", '{"made": {}, "cases": []}',
                                     '{"made": {"machine": "another"}, "cases": {}}'])
def test_command_refuses_other_results(content, tmp_path, capsys):
    path = tmp_path / "figures.json"
    path.write_text(content)
    assert main(["bench", "--quick", "--only", "W8-boxes-1k", "--json", str(path)]) == 3
    assert "figures.json" in capsys.readouterr().err and path.read_text() == content


def test_answers_are_compared():
    ours = Answer(pairs=np.array([1, 2, 5]))
    assert compare(ours, Answer(pairs=np.array([2, 5, 6, 7]))) == {"found": 3, "missed": 1, "invented": 2}
    ours = Answer(flags=np.array([True, True, False]), times=np.array([0.5, 0.25, np.nan]))
    theirs = Answer(flags=np.array([True, False, True]), times=np.array([0.25, 1.0, 0.5]))
    assert compare(ours, theirs) == {"found": 2, "missed": 1, "invented": 1, "later by": 0.0, "earlier by": 0.25}
    assert compare(Answer(numbers=np.array([1.0, 2.0])), Answer(numbers=np.array([1.0, 4.0])))["difference"] == 0.5


def test_exact_arithmetic_judges_who_is_right():
    corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [3, 1, -1]], float)
    faces = np.array([[0, 1, 2], [3, 4, 5]], np.int32)
    lifted = np.eye(4)
    lifted[2, 3] = 8.0
    pair = Pair((corners, faces), (corners, faces))
    scene = Scene([(corners, faces)] * 3, 1, [np.stack([np.eye(4), lifted])])
    everything = pair.codes([(0, 0), (0, 1), (1, 0), (1, 1)])
    assert judge(pair, Answer(pairs=everything), Answer(pairs=everything[:3])) == {"judged": 1, "right": 1}
    assert judge(pair, Answer(pairs=everything[:1]), Answer(pairs=everything)) == {"judged": 3, "right": 0}
    near, far = scene.codes([0], [1], [0], [1]), scene.codes([0], [2], [0], [1])
    assert judge(scene, Answer(pairs=near), Answer(pairs=far)) == {"judged": 2, "right": 2}
    assert judge(scene, Answer(pairs=near), Answer(pairs=near)) == {}


def test_missed_goals_say_by_how_much():
    case = cases.Case("X-1", "", "pairs", dict, dict, (cases.Goal("FCL", 8.0, 2.0), cases.Goal("warp", 3.0)))
    times = {name: measure.Times.of([seconds], [seconds]).as_dict() for name, seconds in
             (("touchpoint", 1.0), ("FCL", 4.0))}
    assert tables.verdicts(case, {"cores": {"1": times}}, "1") == [
        "FCL: 4 ×, at least 8 ×: missed by a factor of 2", "FCL: 4 ×, goal 2 ×: reached", "warp: not measured"]


class Counting:
    def __init__(self):
        self.steps = []

    def run(self, step):
        self.steps.append(step)
        return step

    def answer(self, result):
        return result


def test_sides_take_turns():
    sides = {"one": Counting(), "other": Counting()}
    times, answers = measure.take_turns(sides, budget=10.0, most=4)
    assert sides["one"].steps == sides["other"].steps == [0, 1, 2, 3, 4]
    assert answers == {"one": 0, "other": 0} and times["one"].runs == 4


class Settling(Counting):
    """Leaves all work for later."""

    def settle(self):
        time.sleep(0.01 * len(self.steps))
        self.steps.append("settled")


def test_steps_that_leave_work_for_later_are_timed_together():
    side = Settling()
    times, _ = measure.take_turns({"one": side}, budget=10.0, most=2, at_once=3)
    assert side.steps == [0, 1, 2, "settled", 3, 4, 5, "settled", 6, 7, 8, "settled"]
    assert times["one"].best >= 0.01 * 7 / 3        # a third of the second run


@pytest.mark.slow       # without compilation
def test_what_is_between_frames_is_found_within_the_run():
    question = animations.flying_bullets(12)
    side = peers.load(("ours",))[0]["touchpoint"].SIDES["rigid motion"](question)
    for steps in (range(11), range(11, 22)):        # there and back
        for step in steps:
            side.run(step)
        frames = side.sweep.report().frames
        assert len(frames) == 12
        side.settle()


def test_sweep_finds_all_boxes():
    rng = np.random.default_rng(3)
    low = rng.random((200, 3))
    high = low + 0.2 * rng.random((200, 3))
    low[1], high[1] = high[0], high[0] + 0.1                # they touch
    expected = {(a, b) for a in range(200) for b in range(a + 1, 200)
                if (low[a] <= high[b]).all() and (low[b] <= high[a]).all()}
    assert (0, 1) in expected
    assert {tuple(pair) for pair in meeting_boxes(low, high).tolist()} == expected
    assert len(meeting_boxes(low[:0], high[:0])) == 0


@pytest.mark.parametrize("vertices, triangles", [
    meshes.knot(600), meshes.octasphere(200), meshes.shell(200, 1), meshes.ring(6, 4, 0)])
def test_meshes_are_closed(vertices, triangles):
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert {tuple(edge) for edge in edges} == {tuple(edge[::-1]) for edge in edges}
    assert len(np.unique(triangles)) == len(vertices) and (meshes.single(vertices) == vertices).all() \
        or len(triangles) == len(meshes.octasphere(200)[1])
    corners = vertices[triangles]
    assert np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() > 0   # faces outward


def test_codes_tell_pairs_apart():
    scene = Scene([(np.zeros((3, 3)), np.zeros((5, 3), int))] * 4, 0, [])
    rows = np.array([(a, b, i, j) for a in range(4) for b in range(a + 1, 4) for i in range(5) for j in range(5)])
    assert len(scene.codes(*rows.T)) == len(rows)
    assert scene.object_codes([1, 3], [2, 0]).tolist() == scene.object_codes([2, 0], [1, 3]).tolist()


def test_animations_go_through_their_frames_and_back():
    question = animations.flying_cubes(3, frames=4)
    assert [question.frame(step) for step in range(9)] == [0, 1, 2, 3, 2, 1, 0, 1, 2]
    assert question.codes([(1, 2, 0)]).tolist() == question.codes([(1, 0, 2)]).tolist()
    rows = [(frame, a, b) for frame in range(4) for a in range(3) for b in range(a + 1, 3)]
    assert len(question.codes(rows)) == len(rows)


@pytest.mark.slow       # without compilation
def test_bullets_are_seen_between_frames_only():
    """What the script says of them, from the side that is measured; frames alone show those that stay in the wall."""
    question = animations.flying_bullets(17)
    modules, _ = peers.load(("ours", "frames_alone"))
    ours, frames = (module.SIDES["rigid motion"](question).answer(None) for module in modules.values())
    walls = {(int(np.ceil(each.meets)) - 2, 0, 3 + number) for number, each in enumerate(bullets.BULLETS)
             if each.meets < 17}
    assert len(walls) == 3 and set(question.codes(list(walls))) <= set(ours.pairs.tolist())
    assert len(frames.pairs) == 0 and ours.flags.sum() == len(np.unique(ours.pairs // len(question.bodies) ** 2))
