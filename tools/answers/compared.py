# SPDX-License-Identifier: GPL-3.0-or-later
"""What two folders of answers differ in, by name. Columns and keys that only the second has are no difference."""
import json
from collections import Counter

import numpy as np

from .archive import Reader

SHOWN = 3       # differing rows of a column


class Comparison:
    """differences: {question: [what differs]}; added: how often the second folder has a field that the first lacks."""

    def __init__(self, first: Reader, second: Reader):
        self.first, self.second = first, second
        self.differences: dict[str, list[str]] = {}
        self.added: Counter = Counter()
        self.only_second = sorted(second.index.keys() - first.index.keys())
        self.compared = 0
        for question in first.index:
            self.compared += 1
            found = self._differing(question)
            if found:
                self.differences[question] = found

    def _differing(self, question: str) -> list[str]:
        one, other = self.first.index[question], self.second.index.get(question)
        if other is None:
            return ["was not asked the second time"]
        if one["question"] != other["question"]:
            return ["the input was another one"]
        self.added.update(f"{name} (all of it)" for name in other.keys() - one.keys())
        found = []
        for name, entry in one.items():
            if name not in other:
                found.append(f"{name} is missing")
            elif entry != other[name]:
                found += self._differences(name, self.first.value(entry), self.second.value(other[name]))
        return found

    def _differences(self, name: str, one, other) -> list[str]:
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            return self._of_tables(name, one, other) if one.dtype.names else of_arrays(name, one, other)
        if isinstance(one, bytes) and isinstance(other, bytes):
            return self._of_files(name, one, other)
        return list(self._of_values(name, one, other))

    def _of_tables(self, name: str, one: np.ndarray, other: np.ndarray) -> list[str]:
        names = other.dtype.names or ()
        self.added.update(f"{name}.{column}" for column in names if column not in one.dtype.names)
        if names and len(one) != len(other):
            return [f"{name}: {len(one)} rows before, {len(other)} now"]
        found = []
        for column in one.dtype.names:
            if column not in names:
                found.append(f"{name}.{column} is missing")
            else:
                found += of_arrays(f"{name}.{column}", one[column], other[column])
        return found

    def _of_files(self, name: str, one: bytes, other: bytes) -> list[str]:
        if name.endswith(".json"):
            told = [json.loads(each) for each in (one, other)]
            versions = [each.pop("touchpoint", None) for each in told]
            before = self.added.total()
            found = list(self._of_values(name, *told))
            if found or self.added.total() > before or versions[0] != versions[1]:
                return found
        lines = one.splitlines(), other.splitlines()
        first = next((i for i, (a, b) in enumerate(zip(*lines)) if a != b), min(map(len, lines)))
        return [f"{name}: other bytes from line {first + 1} on"]

    def _of_values(self, name: str, one, other):
        """Differences of what JSON can hold, all numbers to the last bit."""
        if isinstance(one, dict) and isinstance(other, dict):
            self.added.update(f"{name}.{key}" for key in other.keys() - one.keys())
            for key, value in one.items():
                if key in other:
                    yield from self._of_values(f"{name}.{key}", value, other[key])
                else:
                    yield f"{name}.{key} is missing"
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                yield f"{name}: {len(one)} items before, {len(other)} now"
            for i, pair in enumerate(zip(one, other)):
                yield from self._of_values(f"{name}[{i}]", *pair)
        elif repr(one) != repr(other):
            yield f"{name}: {one!r} before, {other!r} now"


def of_arrays(name: str, one: np.ndarray, other: np.ndarray) -> list[str]:
    """Bit by bit: NaN is equal to itself, and -0.0 is not 0.0."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return [f"{name}: {one.dtype} {one.shape} before, {other.dtype} {other.shape} now"]
    if one.size == 0:
        return []
    rows = [np.ascontiguousarray(each).reshape(len(each) if each.ndim else 1, -1) for each in (one, other)]
    bits = [each.view(np.uint8).reshape(len(each), -1) for each in rows]
    differing = np.flatnonzero((bits[0] != bits[1]).any(axis=1))
    if len(differing) == 0:
        return []
    shown = "; ".join(f"row {row}: {rows[0][row].tolist()} before, {rows[1][row].tolist()} now"
                      for row in differing[:SHOWN].tolist())
    return [f"{name}: {len(differing)} of {len(rows[0])} rows. {shown}"]
