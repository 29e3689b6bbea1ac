# SPDX-License-Identifier: GPL-3.0-or-later
"""R2, R12: every exact method, with every combination of its options, says to the last bit what the default says."""
from functools import lru_cache

import numpy as np
from naive.answers import ask, contact_keys, difference, in_order, kinds, verdict_table
from naive.asked import Variant, exact_variants, lossy_variants, other_variants
from naive.varied import FEW, SOME, Story, draw_varied
from touchpoint.core import queries
from touchpoint.core.reference import Surface

from .outcome import Outcome, Proof

STEPS = 5           # of a story


@lru_cache(1024)
def drawn(seed: int):
    """A varied scene, and what the default method says of it."""
    varied = draw_varied(seed)
    return varied, ask(varied.build(), "touchpoint", threads=1, **varied.asked)


def alone(variant: Variant, seed: int) -> str:
    """What the variant says otherwise of a new scene: with contacts, on three threads, without contacts, with a
    clearance, its objects in another order; "" where nothing."""
    varied, expected = drawn(seed)
    scene = varied.build()
    questions: list[dict] = [{"threads": 1}, {"threads": 3}, {"contacts": False}]
    if len(varied.things) < SOME[1]:        # gaps of hundreds of pairs take long
        questions.append({"clearance": size_of(varied) * 0.05})
    for settings in questions:
        wanted = expected
        if "threads" not in settings:
            wanted = ask(varied.build(), "touchpoint", **settings, **varied.asked)
        problem = difference(wanted, ask(scene, **variant.settings(), **settings, **varied.asked))
        if problem:
            return f"{variant}, varied scene {seed}, {settings}: {problem}"
    return shuffled(variant, seed)


def shuffled(variant: Variant, seed: int) -> str:
    varied, expected = drawn(seed)
    if "pairs" in varied.asked or isinstance(expected, str):
        return ""
    order = np.random.default_rng(seed).permutation(len(varied.things))
    report = ask(varied.build(order), **variant.settings(), **varied.asked)
    if isinstance(report, str):
        return f"{variant}, varied scene {seed} in the order {order.tolist()}: {report}"
    if in_order(report, order) != (verdict_table(expected), kinds(expected)):
        return f"{variant}, varied scene {seed}: other answers in the order {order.tolist()}"
    return ""


def size_of(varied) -> float:
    """A length of the scene's own order: the median edge of its meshes as they are placed."""
    sizes = [np.abs(thing.pose[:3, :3]).max() * np.ptp(varied.meshes[thing.mesh][0]) for thing in varied.things]
    size = float(np.median(sizes))
    return size if np.isfinite(size) else 0.0


def kept(chosen: list[Variant], seed: int, steps: int = STEPS) -> str:
    """The same of a scene that is kept while it changes: all variants ask the one Scene in turn, so that one finds what
    another has left in the cache. Each answer must be that to a new scene."""
    story = Story(seed)
    for step in range(steps):
        asked = story.state.asked
        expected = ask(story.state.build(), "touchpoint", **asked)
        for variant in chosen:
            problem = interrupted(variant, story, expected) if story.rng.random() < 0.5 else ""
            problem = problem or difference(expected, ask(story.scene, **variant.settings(), **asked))
            if problem:
                return f"{', '.join(map(str, chosen))}: {variant} in step {step} of story {seed}: {problem}"
        story.go_on()
    return ""


def own(variant: Variant, seed: int) -> str:
    """A method that is not exact: does it say the same on three threads, of objects in another order, of a kept scene
    that changes? And does it find every pair that meets? What is conservative takes more for meeting; what is
    approximate says "cannot tell" where it has no proof."""
    varied, expected = drawn(seed)
    mine = ask(varied.build(), threads=1, **variant.settings(), **varied.asked)
    problem = difference(mine, ask(varied.build(), threads=3, **variant.settings(), **varied.asked))
    if not problem and not isinstance(expected, str):
        lost = sorted(set(verdict_table(expected)) - set(verdict_table(mine)))
        problem = f"lost {lost[:3]}" if lost else ""
    if not problem and "pairs" not in varied.asked and not isinstance(mine, str):
        order = np.random.default_rng(seed).permutation(len(varied.things))
        other = ask(varied.build(order), **variant.settings(), **varied.asked)
        if in_order(other, order)[0] != verdict_table(mine):
            problem = f"other verdicts in the order {order.tolist()}"
    if problem:
        return f"{variant}, varied scene {seed}: {problem}"
    story = Story(seed)
    for step in range(STEPS):
        asked = {**variant.settings(), **story.state.asked}
        problem = difference(ask(story.state.build(), **asked), ask(story.scene, **asked))
        if problem:
            return f"{variant}, step {step} of story {seed}: {problem}"
        story.go_on()
    return ""


def beyond(variant: Variant, seed: int) -> str:
    """Pairs that an approximate method takes for meeting though their hulls are farther apart than its tolerance."""
    varied = draw_varied(seed, (FEW, SOME))
    scene = varied.build()
    report = ask(scene, **variant.settings(), **varied.asked)
    if isinstance(report, str):
        return ""
    tolerance = 1e-6 * variant.options.get("tolerance", 1)
    for row, pair in enumerate(report.pairs):
        if report.verdict(row) == "cannot tell":
            continue
        hulls = [corners.reshape(-1, 3) for corners in (Surface.of(scene, int(pair[side])).corners for side in "ab")]
        size = np.ptp(np.concatenate(hulls), axis=0).max()
        gap = queries.convex_distance([hulls[0]], [hulls[1]])[0][0]
        if gap > tolerance * size * (1 + 1e-9):
            return f"{variant}, varied scene {seed}: {report.verdict(row)} {pair['a'], pair['b']}, {gap} apart"
    return ""


def invented(variant: Variant, seed: int) -> tuple[str, int, int]:
    """Of a variant that may lose pairs: what it has found that is not there ("" where nothing), how many pairs of
    objects and of triangles it has lost."""
    varied, expected = drawn(seed)
    report = ask(varied.build(), **variant.settings(), **varied.asked)
    if isinstance(expected, str) or isinstance(report, str):
        return difference(expected, report), 0, 0
    problem, lost = "", []
    for what in (lambda report: set(verdict_table(report)), lambda report: set(contact_keys(report))):
        there, found = what(expected), what(report)
        lost.append(len(there - found))
        if found - there:
            problem = f"{variant}, varied scene {seed}: invented {sorted(found - there)[:3]}"
    return problem, *lost


def interrupted(variant: Variant, story: Story, expected) -> str:
    """Ask the kept scene and stop at some moment: what is said by then must be right. What a run that was stopped has
    left in the cache, the next one meets."""
    left = int(2.0 ** story.rng.uniform(0, 8))

    def progress(stage, fraction):
        nonlocal left
        left -= 1
        return left > 0

    report = ask(story.scene, progress=progress, **variant.settings(), **story.state.asked)
    if isinstance(report, str) or not report.cancelled:
        return difference(expected, report)
    right, told = verdict_table(expected), verdict_table(report)
    wrong = [pair for pair, (verdict, *_) in told.items()
             if verdict != "cannot tell" and (pair not in right or right[pair][0] != verdict)]
    if wrong or not set(contact_keys(report)) <= set(contact_keys(expected)):
        return f"stopped after a while: {[(pair, told[pair], right.get(pair)) for pair in wrong[:3]]}"
    return ""


def reference(seed: int) -> str:
    """What the default says otherwise than rational arithmetic of a varied scene that is small enough."""
    varied = draw_varied(seed, (FEW, SOME))
    report = ask(varied.build(), "touchpoint", **varied.asked)
    exact = ask(varied.build(), "exact", **varied.asked)
    if isinstance(exact, str) or isinstance(report, str):
        return "" if exact == report else f"varied scene {seed}: {exact!r}, {report!r}"
    for what in (verdict_table, kinds):
        if what(exact) != what(report):
            wrong = sorted(set(what(exact).items()) ^ set(what(report).items()))[0]
            return f"varied scene {seed}: {what.__name__} {wrong}"
    return ""


def run(count: int, seed: int) -> Outcome:
    """Each scene by every method with one combination of options; each third one as a story of all methods, too."""
    rng, outcome, everyone = np.random.default_rng([seed, 21]), Outcome(), exact_variants()
    by_method: dict[str, list[Variant]] = {}
    for variant in everyone:
        by_method.setdefault(variant.method, []).append(variant)
    for index in range(count):
        number = 100_000 * seed + index
        chosen = [options[rng.integers(len(options))] for options in by_method.values()]
        problems = [reference(number), *(alone(variant, number) for variant in chosen)]
        if index % 3 == 0:
            order = rng.permutation(len(chosen))
            problems += [kept([chosen[i]], number) for i in order] + [kept([chosen[i] for i in order], number)]
        problems += [own(variant, number) for variant in other_variants()]
        problems += [beyond(variant, number) for variant in other_variants() if variant.method == "saga"]
        lossy = lossy_variants()
        for variant in rng.choice(lossy, min(1, len(lossy))):
            problem, pairs, _ = invented(variant, number)
            problems.append(problem)
            outcome.count("pairs lost as published", pairs)
        outcome.asked += 1
        expected = drawn(number)[1]
        if not isinstance(expected, str):
            outcome.count("object pairs", expected.counts["possible_pairs"])
            outcome.count("face pairs", len(expected.contacts))
        for problem in filter(None, problems):
            outcome.fail(problem)
    return outcome


PROOF = Proof("R2 R12", "every method and option: the bits of the default, kept scenes", 4_000, 40, run)
