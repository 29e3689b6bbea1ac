# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tolerated need not be measured closely: how deep it is at most is enough, and verdicts are the same."""
import numpy as np
import pytest
from naive.shapes import ball, circle, moved, pipe, prism
from touchpoint.core import Scene, detect
from touchpoint.core.rules import Ref, Rule, RuleSet

pytestmark = pytest.mark.scenes

CLOSE = 1e-8


def scene_of(*meshes):
    scene = Scene()
    for number, mesh in enumerate(meshes):
        scene.add_object(scene.add_mesh(*mesh), name=str(number))
    return scene


def lumpy(seed):
    """A ball whose vertices are pulled outward and pushed inward."""
    vertices, faces = ball(10, 7)
    return vertices * np.random.default_rng(seed).uniform(0.7, 1.2, (len(vertices), 1)), faces


def fit(press):
    """A rod in a ring whose hole is so much smaller, and turned, so that all facets reach through each other."""
    turned = np.array([(np.cos(0.03), np.sin(0.03)), (-np.sin(0.03), np.cos(0.03))])
    return prism(circle(32, 1.0 + press) @ turned, 1.0), pipe(circle(32, 1.0), circle(32, 2.0), 0.0, 1.0)


def one(report):
    assert len(report.pairs) == 1
    return report.pairs[0]


def test_a_fit_that_is_tolerated_takes_few_points():
    closely, tolerated = (detect(scene_of(*fit(0.01)), threads=1, **asked)
                          for asked in ({"depth": True}, {"tolerance": 0.05}))
    assert tolerated.verdict(0) == "touching" and one(tolerated)["exact"] == one(closely)["verdict"]
    assert one(tolerated)["depth"] <= one(closely)["depth_upper"] <= one(tolerated)["depth_upper"] + CLOSE
    assert one(tolerated)["depth_upper"] <= 0.05
    assert 2 * tolerated.counts["depth_tests"] < closely.counts["depth_tests"]


@pytest.mark.parametrize("seed", range(40))
def test_verdicts_are_those_of_close_bounds(seed):
    """Bounds that end where enough is known say "touching" where close ones do, whatever is tolerated."""
    random = np.random.default_rng(seed)
    if seed % 2:
        meshes = fit(10.0 ** random.uniform(-5, -1.5))
    else:
        meshes = lumpy(seed), moved(lumpy(seed + 1), random.uniform(0.6, 1.3, 3) * (1, 0.3, 0.2))
    report = detect(scene_of(*meshes), depth=True)
    if not len(report.pairs) or not report.pairs["depth_upper"][0] > 0.0:
        return
    upper = report.pairs["depth_upper"][0]
    for share in (0.3, 0.9, 1.0 - 1e-6, 1.0 + 1e-6, 1.1, 3.0):
        again = detect(scene_of(*meshes), tolerance=share * upper)
        assert (again.verdict(0) == "touching") == (share > 1.0), share
        if share < 1.0:     # what is listed as a collision is measured as without a tolerance
            for name in ("depth", "depth_upper"):
                assert again.pairs[name][0] == report.pairs[name][0]
        else:
            assert again.pairs["depth"][0] <= upper and upper <= again.pairs["depth_upper"][0] + CLOSE
            assert again.pairs["depth_upper"][0] <= share * upper


def test_copies_are_measured_closely():
    """Nothing of a copy is deep, and it stays an overlap."""
    body = lumpy(3)
    copies = body, moved(body, (1e-5, 0, 0))
    closely, tolerated = (detect(scene_of(*copies), **asked) for asked in ({"depth": True}, {"tolerance": 1e-3}))
    assert tolerated.verdict(0) == closely.verdict(0) != "touching"
    for name in ("depth", "depth_upper"):
        assert one(tolerated)[name] == one(closely)[name]


def test_another_tolerance_is_asked_anew():
    """A scene that is kept has measured what was enough for the last tolerance."""
    meshes = fit(1e-3)
    kept = scene_of(*meshes)
    for asked in ({"tolerance": 0.01}, {"tolerance": 2e-4}, {"tolerance": 0.01}, {"depth": True}, {"tolerance": 1e-3}):
        report, new = detect(kept, **asked), detect(scene_of(*meshes), **asked)
        assert report.verdict(0) == new.verdict(0)
        assert one(report)["depth"] <= one(new)["depth_upper"] and one(new)["depth"] <= one(report)["depth_upper"]
        if report.verdict(0) == "crossing":
            assert one(report)["depth_upper"] - one(report)["depth"] < CLOSE


def test_a_rule_that_allows_less_than_is_tolerated_gets_its_depth():
    """Two copies do not touch, so that a rule decides by how deep they are."""
    body = lumpy(3)
    meshes = body, moved(body, (1e-5, 0, 0))
    upper = one(detect(scene_of(*meshes), depth=True))["depth_upper"]
    for share, taken in ((0.5, 0), (1.5, 0)):
        rule = Rule("pairs", "a fit", allowed_depth=share * upper, pairs=((Ref("0"), Ref("1")),))
        reports = [detect(scene_of(*meshes), rules=RuleSet([rule]), tolerance=tolerance)
                   for tolerance in (0.0, 100.0 * upper)]
        assert len({len(report.pairs) for report in reports}) == 1, share
        assert [len(report.rules.taken) for report in reports] == [taken, taken]
