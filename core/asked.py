# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run is asked: `Question`, as the caller of `detect` says it, and `Asked`, the same once it makes sense. All
that is refused before a run begins is refused here."""
import math
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from . import methods
from .arrays import as_length
from .broad_phase.all_pairs import allowed_pairs
from .distance.asked import Clearance
from .errors import NothingToTest, Refused, Unsupported
from .method import Measure, Method
from .rules import RuleSet
from .rules.applied import Applied
from .run import Run
from .scene import Scene
from .scene.select import Selection, select
from .self_collision.known import SelfReference
from .tolerance import AUTOMATIC, NO_TOLERANCE
from .tolerance.asked import Tolerance
from .tolerance.asked import checked as checked_tolerance


class Question(NamedTuple):
    """The arguments of `pipeline.detect` that say what to find out; there is what they mean."""

    scene: Scene
    method: str
    options: dict | None
    pairs: Any
    rules: Any
    resting: Any
    contacts: bool
    clearance: float
    tolerance: float | str
    weld: float
    depth: bool
    volume: bool
    self_collisions: bool
    self_reference: SelfReference | None
    regions: bool
    gpu: Any


class Asked(NamedTuple):
    """What stages and report read of a question that makes sense."""

    recipe: Method                      # the method, which says what does each stage
    scene: Scene
    selection: Selection                # the tested objects, and which pairs of them
    self_collisions: bool               # whether objects are tested with themselves, too
    self_reference: SelfReference | None    # what of that is known already
    contacts: bool                      # whether the report lists them
    near: Clearance                     # which gaps are near
    tolerance: Tolerance | None         # None: verdicts are exact
    measures: tuple[Measure, ...]       # further numbers per pair, in the order in which they are measured
    regions: bool                       # whether pairs are divided into regions
    settings: dict                      # what the report says of tolerance and measures

    @property
    def gaps(self) -> bool:
        """True where pairs that do not meet are asked how far apart they are."""
        return self.near.is_asked or self.tolerance is not None

    @property
    def shares(self) -> float | np.ndarray:
        """By how much the box of each object (n,), or of all, must grow so that boxes of pairs overlap whose gap is
        asked for."""
        return self.near.shares if self.tolerance is None else np.maximum(self.near.shares, self.tolerance.shares)

    def reach(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(pairs,) float64: gaps up to it are asked for. a, b: (pairs,) positions in the selection."""
        near = self.near.of_pairs(a, b)
        return near if self.tolerance is None else np.maximum(near, self.tolerance.of_pairs(a, b))


def checked(question: Question, progress, threads: int | None, main_thread) -> tuple[Asked, Run]:
    """The question as the stages take it, and the Run that they share. Raises what `pipeline.detect` raises where the
    question makes no sense, or the method cannot answer it. progress, threads, main_thread: as there."""
    scene, recipe = question.scene, methods.load(question.method)
    rules = RuleSet.of(question.rules)
    applied = rules.applied(scene.layout.names, scene.layout.group, scene.layout.groups)
    if question.regions or (applied is not None and applied.needs_depths):
        question = question._replace(depth=True)
    _refuse(question, recipe)
    run = Run(progress, threads, question.contacts, recipe.chosen(question.options), main_thread, question.gpu)
    run.weld = float(question.weld)
    selection = select(scene, question.pairs, rules.groups, recipe.takes_points, question.self_collisions)
    if applied is not None:
        selection = _with_rules(selection, applied, question.self_collisions)
    if question.resting is not None:
        resting = np.asarray(question.resting)
        if resting.dtype != bool or resting.shape != (len(scene.objects),):
            raise ValueError(f"resting must be truth values, one for each of the {len(scene.objects)} objects, not "
                             f"{resting.dtype} {resting.shape}")
        selection = selection.with_resting(resting[selection.objects])
    if scene.frames is not None:
        selection = selection.in_frames(scene.frames)
    near = Clearance.of(question.clearance, scene.layout, selection.objects)
    if near.is_asked and recipe.clearances is None:
        raise Unsupported(f"The method {recipe.title} cannot measure clearances.")
    tolerance = _tolerated(question, recipe, selection, run)
    if tolerance is not None:
        question = question._replace(depth=True)                # what is deep is not tolerated
    # Depths are measured by contacts, and what is new among self-collisions is found among all of them.
    run.contacts_wanted = question.contacts or question.depth or question.self_reference is not None
    return Asked(recipe, scene, selection, question.self_collisions, question.self_reference, question.contacts, near,
                 tolerance, _measures(question, recipe, selection), question.regions,
                 _settings(question, tolerance)), run


def _measures(question: Question, recipe: Method, selection: Selection) -> tuple[Measure, ...]:
    """Those of the method, and those that are asked for."""
    measures = recipe.measures
    if question.depth and recipe.depths is not None:
        measures += (recipe.depths,)
    if question.volume:
        from .volume.volumes import volumes  # a session that does not ask for it loads nothing of it

        measures += (Measure("volumes", partial(volumes, question.scene, selection)),)
    return measures


def _settings(question: Question, tolerance: Tolerance | None) -> dict:
    """What the report says of the measures that are asked for."""
    settings = {} if tolerance is None else tolerance.settings
    for name, asked in (("depth", question.depth), ("regions", question.regions),
                        ("self_collisions", question.self_collisions), ("volume", question.volume)):
        if asked:
            settings[name] = True
    if question.self_reference is not None:
        settings["self_reference"] = question.self_reference.title
    return settings


def _refuse(question: Question, recipe: Method) -> None:
    """Raise Refused for lengths that are none, Unsupported for what the method cannot do."""
    for length, what in ((question.clearance, "clearance"), (question.weld, "weld distance")):
        if math.isnan(as_length(length)):
            raise Refused(f"The {what} must be a length of zero or more, not {length!r}.")
    if question.weld > 0.0 and not recipe.welds:
        raise Unsupported(f"The method {recipe.title} cannot weld borders.")
    if question.regions and recipe.regions is None:
        raise Unsupported(f"The method {recipe.title} cannot measure depths of regions.")
    if question.depth and recipe.depths is None:
        raise Unsupported(f"The method {recipe.title} cannot measure depths.")
    if question.self_collisions and recipe.within is None:
        raise Unsupported(f"The method {recipe.title} cannot look for self-collisions.")
    if question.self_reference is not None and not question.self_collisions:
        raise Refused("A reference of self-collisions is given, and no self-collisions are asked for.")
    if recipe.needs:
        recipe.refuse_unless_met(question.scene, question.gpu, question.options)


def _with_rules(selection: Selection, applied: Applied, self_collisions: bool) -> Selection:
    """The selection without what the rules take away. Raises NothingToTest where they leave no pair."""
    selection = replace(selection, rules=applied)
    alone = self_collisions and len(selection.alone())
    if len(selection.objects) >= 2 and not alone and not any(len(a) for a, _ in allowed_pairs(selection)):
        raise NothingToTest("There is no pair of objects to test: the rules take all of them away.")
    applied.forget()        # else pairs that the line above asked about would be counted twice
    return selection


def _tolerated(question: Question, recipe: Method, selection: Selection, run: Run) -> Tolerance | None:
    """What is tolerated of each pair; None where verdicts are exact, which a note says where it was not asked for."""
    tolerance = checked_tolerance(question.tolerance)
    if recipe.shallow is None and tolerance == AUTOMATIC:
        run.note(f"{NO_TOLERANCE}: the method {recipe.title} measures no depths.")
    elif recipe.shallow is None and tolerance:
        raise Unsupported(f"The method {recipe.title} cannot judge with a tolerance: it measures no depths.")
    elif tolerance:
        return Tolerance.of(tolerance, question.scene, selection)
    return None
