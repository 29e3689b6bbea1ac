# SPDX-License-Identifier: GPL-3.0-or-later
"""One process of `same_answers.py make`: asks the checkout that is importable as `touchpoint` and keeps the answers.

    python -m answers.child FOLDER fuzzed 0/8       the scenes 0, 8, 16 …
    python -m answers.child FOLDER queries
    python -m answers.child FOLDER samples PATH     the scene files in a folder; needs bpy

Prints a line for each answer that depends on the number of threads and for each error that is no refusal, and then
exits with 1.
"""
import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import traceback
from functools import partial
from pathlib import Path

import numpy as np
import touchpoint
from touchpoint.core import Scene, TouchpointError, detect, methods

from .archive import Writer
from .batches import batches
from .fuzzed import COUNT, Fuzzed, fuzzed
from .plan import LIMITS, Variant, chosen, phase, variants
from .reports import FROM_RUN_TO_RUN, fields_of

DEFAULT = "touchpoint"
QUESTIONS = ("with contacts", "verdicts only", "with clearance")
STEPS = ("as drawn", "moved", "deformed")
TWO_THREADS_EACH = 4        # scenes, of methods other than the default
SAMPLE_LIMITS = {"exact": 5_000, "saga": 40_000}        # triangles
PROBLEMS: list[str] = []


def problem(text: str) -> None:
    PROBLEMS.append(text)
    print(text, flush=True)


def keep(writer: Writer, name: str, question: str, ask, two_threads: bool = False) -> None:
    """Keep what ask(threads) returns of one thread. question: changes with the input. two_threads: ask on two threads,
    too, and say so where the report is another one."""
    fields = report_or_refusal(name, ask, 1)
    writer.add(name, {"question": question, **fields})
    if two_threads:
        other = report_or_refusal(name, ask, 2)
        wrong = sorted(field for field in fields.keys() | other.keys() if field not in FROM_RUN_TO_RUN
                       and not same(fields.get(field), other.get(field)))
        if wrong:
            problem(f"DIFFERS between one thread and two: {name}: {', '.join(wrong)}")


def report_or_refusal(name: str, ask, threads: int) -> dict:
    report, refusal = answer(name, lambda: ask(threads))
    return refusal or fields_of(report)


def answer(name: str, call) -> tuple:
    """(what a call returns, {}) or (None, the refusal or error that it ended in)."""
    try:
        return call(), {}
    except TouchpointError as refusal:
        return None, {"refusal": f"{type(refusal).__name__}: {refusal}"}
    except Exception as error:      # of a checkout that is broken: the other answers are wanted all the same
        traceback.print_exc()
        problem(f"FAILED: {name}")
        return None, {"error": f"{type(error).__name__}: {error}"}


def same(first, second) -> bool:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.dtype == second.dtype and first.tobytes() == second.tobytes()
    return type(first) is type(second) and first == second


def ask_fuzzed(writer: Writer, start: int, step: int) -> None:
    everyone = variants(methods)
    for number in range(start, COUNT, step):
        each = fuzzed(number)
        for variant in chosen(everyone, number, each.triangles, each.objects):
            two_threads = variant.method == DEFAULT or (number + phase(variant)) % TWO_THREADS_EACH == 0
            ask_scene(writer, each, variant, two_threads)
        if number % 10 == 5:
            ask_in_turn(writer, each, [one for one in everyone if not one.options and one.method not in LIMITS])


def ask_scene(writer: Writer, each: Fuzzed, variant: Variant, two_threads: bool) -> None:
    """One method, on a scene that is kept while it changes: the default is asked everything at each step, the others
    one thing. What two threads are asked is a scene of their own."""
    scenes = {threads: each.build(Scene()) for threads in (1, 2)[:1 + two_threads]}
    for step, changed in enumerate(STEPS):
        for scene in scenes.values():
            each.apply(step, scene)
        for words in QUESTIONS if variant.method == DEFAULT else QUESTIONS[step:step + 1]:
            settings = {**variant.settings(), **each.drawn.asked, "contacts": words != "verdicts only",
                        "clearance": each.clearance if words == "with clearance" else 0.0}
            keep(writer, f"scene {each.name}, {changed}, {words}: {variant}", each.digest,
                 lambda threads, settings=settings: detect(scenes[threads], threads=threads, **settings), two_threads)


def ask_in_turn(writer: Writer, each: Fuzzed, everyone: list[Variant]) -> None:
    """All methods on one scene, so that each finds what the others have left in its cache."""
    scene = each.build(Scene())
    for step, changed in enumerate(STEPS):
        each.apply(step, scene)
        for variant in everyone:
            settings = {**variant.settings(), **each.drawn.asked}
            keep(writer, f"scene {each.name}, shared, {changed}: {variant}", each.digest,
                 lambda threads, settings=settings: detect(scene, threads=threads, **settings))


def ask_queries(writer: Writer) -> None:
    from touchpoint.core import queries

    for name, function, arguments, warm in batches():
        if not hasattr(queries, function):      # an older checkout that has no such query
            continue
        question = hashlib.sha256(function.encode())
        for array in flattened(arguments):
            question.update(repr((array.dtype, array.shape)).encode() + array.tobytes())
        named = {} if warm is None else {"warm": warm}
        for again in ("", ", again") if named else ("",):
            full_name = f"query {function}, {name}{again}"
            found, fields = answer(full_name, partial(getattr(queries, function), *arguments, **named))
            if not fields:
                parts = found if isinstance(found, tuple) else (found,)
                fields = {f"result {i}": np.asarray(np.nan if part is None else part) for i, part in enumerate(parts)}
            writer.add(full_name, {"question": question.hexdigest(), **fields, **named})


def flattened(values):
    """The arrays in lists and tuples of them."""
    if isinstance(values, np.ndarray):
        yield values
    else:
        for each in values:
            yield from flattened(each)


def ask_samples(writer: Writer, folder: Path) -> None:
    import bpy
    from touchpoint.addon import api

    for path in sorted(folder.glob("*.blend")):
        question = hashlib.sha256(path.read_bytes()).hexdigest()
        writer.add(f"{path.name}, command line", {"question": question, **by_command_line(path)})
        with contextlib.redirect_stdout(sys.stderr):
            bpy.ops.wm.open_mainfile(filepath=str(path))
        triangles = sum(each.triangles for each in api.detect().objects)
        first, last = bpy.context.scene.frame_start, bpy.context.scene.frame_end
        able = [each for each in variants(methods) if triangles <= SAMPLE_LIMITS.get(each.method, triangles)]
        for frame in sorted({first, (first + last) // 2, min(last, first + 23)}):
            asked = {str(each): each.settings() for each in able if frame == first or each == Variant(DEFAULT)}
            asked |= {"verdicts only": {"contacts": False}, "with clearance": {"clearance": 0.01}}
            for words, settings in asked.items():
                ask = partial(api.detect, frame=frame, **settings)
                keep(writer, f"{path.name}, frame {frame}: {words}", question,
                     lambda threads, ask=ask: ask(threads=threads), words == DEFAULT or "method" not in settings)


def by_command_line(path: Path) -> dict:
    """`touchpoint detect` in a process of its own: files and exit code."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in ("report.json", "report.csv")}
        call = [sys.executable, "-m", "touchpoint", "detect", str(path), "--json", str(files["report.json"]), "--csv",
                str(files["report.csv"])]
        done = subprocess.run(call, stdout=subprocess.DEVNULL)
        if done.returncode > 2:
            problem(f"FAILED: {' '.join(call)}")
        return {"exit code": done.returncode,
                **{name: file.read_bytes() for name, file in files.items() if file.exists()}}


def main(arguments: list[str]) -> int:
    if Path(touchpoint.__path__[0]).resolve() != Path("touchpoint").resolve():
        raise SystemExit(f"another touchpoint was imported: {touchpoint.__path__[0]}")
    folder, what, *which = arguments
    part = which[0].replace("/", "-") if what == "fuzzed" else ""
    writer = Writer(Path(folder), f"{what}{part}")
    if what == "fuzzed":
        ask_fuzzed(writer, *map(int, which[0].split("/")))
    elif what == "queries":
        ask_queries(writer)
    else:
        ask_samples(writer, Path(which[0]))
    writer.close()
    print(f"{what} {part}: {len(writer.index):,} answers", flush=True)
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)          # the bpy module may crash when Python takes it down
