# SPDX-License-Identifier: GPL-3.0-or-later
"""What a proof is and what comes of it."""
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

KEPT = 5        # wrong answers that are printed, of each part


@dataclass
class Outcome:
    """asked: questions with an exact answer. wrong: how many answers broke the promise; examples: the first of them,
    ready to be pasted into a test. worst: largest values seen, by name. counted: sums, by name."""

    asked: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)
    worst: dict[str, float] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)

    def fail(self, what: str) -> None:
        self.wrong += 1
        if len(self.examples) < KEPT:
            self.examples.append(what)

    def measure(self, name: str, value: float) -> None:
        self.worst[name] = max(self.worst.get(name, 0.0), float(value))

    def count(self, name: str, number: int = 1) -> None:
        self.counted[name] = self.counted.get(name, 0) + int(number)

    def add(self, other: "Outcome") -> None:
        self.asked += other.asked
        self.wrong += other.wrong
        self.examples += other.examples
        for name, value in other.worst.items():
            self.measure(name, value)
        for name, number in other.counted.items():
            self.count(name, number)


@dataclass(frozen=True)
class Proof:
    """goal: what is promised, as a number of the goals and in words. count: questions of the whole proof; part: as many
    of them at a time. run(count, seed) -> Outcome asks about `count` questions, other ones for another seed."""

    goal: str
    title: str
    count: int
    part: int
    run: Callable[[int, int], Outcome]


def shared_out(count: int, names, rng, rare: dict | None = None) -> dict:
    """`count` questions over these classes, evenly; what does not divide goes to random ones.

    rare: for classes whose oracle is slow, by what factor they get fewer.
    """
    names = list(names)
    weights = np.array([1 / (rare or {}).get(name, 1) for name in names])
    numbers = (count * weights / weights.sum()).astype(int)
    np.add.at(numbers, rng.choice(len(names), count - numbers.sum(), p=weights / weights.sum()), 1)
    return {name: int(number) for name, number in zip(names, numbers) if number}
