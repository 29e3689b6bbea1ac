# SPDX-License-Identifier: GPL-3.0-or-later
"""From the keywords of `detect` to what stages read: each in its place, and what makes no sense refused."""
import inspect

import numpy as np
import pytest
from touchpoint.core import Refused, Scene, Unsupported, detect, pipeline
from touchpoint.core.asked import Question, checked
from touchpoint.core.scene.tiny import one_box_at
from touchpoint.core.self_collision.known import SelfReference

HOW = {"progress", "threads", "main_thread"}        # it is asked, and not what
MEANT = {"method": "touchpoint", "options": None, "pairs": None, "rules": None, "resting": None, "contacts": True,
         "clearance": 0.0, "tolerance": 0.0, "weld": 0.0, "depth": False, "volume": False, "self_collisions": False,
         "self_reference": None, "regions": False, "gpu": None}


class Asked(Exception):
    pass


def question(scene=None, **fields):
    scene = one_box_at((0, 0, 0), (0.5, 0.25, 0.125), (5, 0, 0)) if scene is None else scene
    return checked(Question(scene=scene, **{**MEANT, **fields}), None, 1, None)


def test_each_keyword_arrives_under_its_name(monkeypatch):
    def ask(asked, progress, threads, main_thread):
        raise Asked(asked, progress, threads, main_thread)

    monkeypatch.setattr(pipeline, "checked", ask)
    names = list(inspect.signature(detect).parameters)
    assert names[:5] == ["scene", "method", "clearance", "pairs", "rules"] and set(names) == {*Question._fields, *HOW}
    given = {name: f"this is {name}" for name in names[1:]}
    scene = Scene()
    with pytest.raises(Asked) as raised:
        detect(scene, **given)
    asked, *how = raised.value.args
    assert asked._asdict() == {"scene": scene, **{name: text for name, text in given.items() if name not in HOW}}
    assert how == [given[name] for name in ("progress", "threads", "main_thread")]


def test_the_defaults_ask_for_verdicts_and_contacts_only(monkeypatch):
    monkeypatch.setattr(pipeline, "checked", lambda asked, *how: (_ for _ in ()).throw(Asked(asked, *how)))
    with pytest.raises(Asked) as raised:
        detect(scene := Scene())
    assert raised.value.args == (Question(scene=scene, **MEANT), None, None, None)


@pytest.mark.parametrize("fields, error", [
    ({"clearance": -1.0}, Refused), ({"clearance": np.nan}, Refused), ({"weld": np.inf}, Refused),
    ({"tolerance": "much"}, Refused), ({"method": "nobody"}, Refused), ({"options": {"colour": 1}}, Refused),
    ({"method": "hull_points", "depth": True}, Unsupported), ({"method": "hull_points", "weld": 0.1}, Unsupported),
    ({"method": "hull_points", "tolerance": 0.1}, Unsupported),
    ({"self_reference": SelfReference("frame 1", {})}, Refused),
    ({"method": "rapid", "self_collisions": True}, Unsupported), ({"method": "rapid", "regions": True}, Unsupported)])
def test_what_makes_no_sense_is_refused(fields, error):
    with pytest.raises(error):
        question(**fields)


@pytest.mark.parametrize("fields, measures, contacts", [
    ({}, [], True), ({"contacts": False}, [], False), ({"depth": True}, ["depths"], True),
    ({"depth": True, "contacts": False}, ["depths"], True), ({"tolerance": 0.1}, ["depths"], True),
    ({"regions": True, "contacts": False}, ["depths"], True),
    ({"self_collisions": True, "self_reference": SelfReference("frame 1", {}), "contacts": False}, [], True),
    ({"volume": True, "contacts": False}, ["volumes"], False), ({"depth": True, "volume": True}, ["depths", "volumes"],
                                                               True)])
def test_what_is_measured_and_what_it_needs(fields, measures, contacts):
    asked, run = question(**fields)
    assert [each.name for each in asked.measures] == measures and run.contacts_wanted == contacts
    assert asked.contacts == fields.get("contacts", True)
    settings = set(asked.settings) - {"tolerance", "regions", "self_collisions", "self_reference"}
    assert settings == {{"depths": "depth", "volumes": "volume"}[each] for each in measures}


def test_boxes_grow_by_what_is_asked_of_gaps():
    asked, _ = question(clearance=0.5, tolerance=0.2)
    assert asked.gaps and np.all(asked.shares == 0.25)
    pair = np.array([0]), np.array([1])
    assert asked.reach(*pair) == [0.5]
    asked, _ = question(clearance=0.1, tolerance=0.2)
    assert np.all(asked.shares == 0.1) and asked.reach(*pair) == [0.2]
    asked, _ = question()
    assert not asked.gaps and np.all(asked.shares == 0.0)
