# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m tests.long [--scale F] [--only WORD] [--seed N] [--processes N]: all proofs, one table.

--scale 1 asks as many questions as the goals name (hours); 0.001 is a try. Exit status 1 where an answer was wrong.
"""
import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from long.outcome import Outcome, Proof  # noqa: E402
from long.parts import PROOFS, ask  # noqa: E402


def prove(pool, index: int, scale: float, seed: int) -> tuple[Outcome, float]:
    """All parts of a proof, and the seconds they took."""
    proof, start, outcome = PROOFS[index], time.perf_counter(), Outcome()
    count = max(1, round(proof.count * scale))
    parts = -(-count // proof.part)
    sizes = [count // parts + (i < count % parts) for i in range(parts)]
    for part in pool.map(ask, [index] * parts, sizes, [seed + i for i in range(parts)]):
        outcome.add(part)
        for example in part.examples:
            print("\n   ", example, flush=True)
        print(f"\r{proof.goal}: {outcome.asked:,} of {count:,}, {outcome.wrong} wrong", end="", flush=True)
    print()
    return outcome, time.perf_counter() - start


def line(proof: Proof, outcome: Outcome, seconds: float) -> str:
    notes = [f"{name} {value:.1e}" for name, value in outcome.worst.items()]
    notes += [f"{name} {number:,}" for name, number in outcome.counted.items()]
    return (f"| {proof.goal} | {proof.title} | {outcome.asked:,} | {outcome.wrong:,} | {', '.join(notes)} | "
            f"{seconds:,.0f} |")


def main() -> int:
    parser = argparse.ArgumentParser(prog="proof", description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="", help="a word of the goal or the title")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    lines, wrong = [], 0
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for index, proof in enumerate(PROOFS):
            if options.only.lower() not in f"{proof.goal} {proof.title}".lower():
                continue
            outcome, seconds = prove(pool, index, options.scale, options.seed)
            wrong += outcome.wrong
            lines.append(line(proof, outcome, seconds))
    print("\n| goal | what | questions | wrong | largest and counts | seconds |\n|---|---|---|---|---|---|")
    print("\n".join(lines))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
