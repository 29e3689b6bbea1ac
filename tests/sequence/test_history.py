# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept of pairs from frame to frame, against lists and dictionaries that say the same at length."""
import math

import numpy as np
import pytest
from touchpoint.core.codes import CANNOT_TELL, CLEAR, NEAR
from touchpoint.core.contacts import Contacts
from touchpoint.core.findings import BLANK, Findings, badness
from touchpoint.core.rules.applied import NO_RULE
from touchpoint.core.sequence.history import FIRST, FIRST_MET, ITS_RULE, WORST_FRAME, History
from touchpoint.core.sequence.rows import Rows


def test_rows_are_those_of_a_dictionary():
    rng, rows, known = np.random.default_rng(5), Rows(), {}
    for _ in range(200):
        count = int(rng.integers(0, 9))
        codes = rng.choice(300, count, replace=False)
        a, b = codes // 17, 100 + codes % 17
        for pair in sorted({*zip(a.tolist(), b.tolist())} - {*known}):
            known[pair] = len(known)
        turned = rng.random(count) < 0.5
        found = rows.of(np.where(turned, b, a).astype(np.int32), np.where(turned, a, b).astype(np.int32))
        # Of new pairs only that each has a row of its own is promised.
        assert len(rows) == len(known) and len({*found.tolist()}) == count
        for pair, row in zip(zip(a.tolist(), b.tolist()), found.tolist()):
            known[pair] = row
    assert sorted(known.values()) == list(range(len(known)))
    assert rows.ordered().tolist() == [known[pair] for pair in sorted(known)]


def some_pairs(rng, count):
    """A frame's pairs, as reports have them: numbers that repeat, and NaN, infinity aside."""
    pairs = np.repeat(BLANK, count)
    codes = np.sort(rng.choice(36, count, replace=False))
    pairs["a"], pairs["b"] = codes // 6, 10 + codes % 6
    pairs["verdict"] = rng.integers(CLEAR + 1, CANNOT_TELL + 1, count)
    pairs["depth"] = rng.choice([np.nan, 0.0, 0.5, 1.0], count)
    pairs["depth_upper"] = pairs["depth"] + rng.choice([0.0, 0.25, 0.75, np.nan], count)
    pairs["gap"] = np.where(pairs["verdict"] == NEAR, rng.choice([0.1, 0.2], count), np.nan)
    pairs["contacts"], pairs["unlisted"] = rng.integers(0, 3, count), rng.integers(0, 2, count)
    pairs["contact_start"] = np.cumsum(pairs["contacts"]) - pairs["contacts"]
    contacts = Contacts.empty(int(pairs["contacts"].sum()))
    contacts.pair = np.repeat(np.arange(count, dtype=np.int32), pairs["contacts"])
    contacts.triangle_a = rng.integers(0, 1000, len(contacts)).astype(np.int32)
    return Findings("", {}, [], [], pairs, contacts)


class Plain:
    """The same history, a dictionary per pair."""

    def __init__(self):
        self.pairs, self.closed = {}, []

    def take(self, frame, before, found, rules, rests):
        bad, seen = badness(found.pairs), set()
        for row, pair in enumerate(found.pairs):
            key = int(pair["a"]), int(pair["b"])
            seen.add(key)
            known = self.pairs.setdefault(key, {"first": frame, "met": math.nan, "limit": None, "open": None})
            known["rule"] = int(rules[row])
            if known["open"] is None:
                known["open"] = {"start": frame, "limit": None, "verdict": None}
            if pair["verdict"] != NEAR and math.isnan(known["met"]):
                known["met"] = frame
            for this in (known, known["open"]):
                if this["limit"] is None or tuple(bad[row]) < this["limit"]:
                    this["limit"], this["verdict"] = self.limit(pair, bad[row]), int(pair["verdict"])
                    if this is known:
                        known["worst"], known["contacts"] = frame, found.contacts_of(row).triangle_a.tolist()
        for key, known in self.pairs.items():
            if known["open"] is not None and key not in seen and not (rests[key[0]] and rests[key[1]]):
                self.closed.append((key, known["open"]["start"], before, known["open"]["verdict"]))
                known["open"] = None

    @staticmethod
    def limit(pair, bad):
        if not math.isfinite(bad[1]):
            return tuple(bad)
        return bad[0], -float(np.fmax(pair["depth"], pair["depth_upper"])), *(3 * [-math.inf])


@pytest.mark.parametrize("seed", range(8))
def test_frames_one_after_the_other(seed):
    rng, history, plain = np.random.default_rng(seed), History(), Plain()
    for frame in range(40):
        found = some_pairs(rng, int(rng.choice([0, 0, 3, 12])))
        rules = rng.choice([NO_RULE, 0, 1], len(found.pairs)).astype(np.int32)
        rests = rng.random(16) < rng.choice([0.0, 0.8, 1.0])
        history.add(float(frame), frame - 1.0, found, rules, rests)
        plain.take(float(frame), frame - 1.0, found, rules, rests)
    order, pairs, contacts = history.worst()
    keys = sorted(plain.pairs)
    assert list(zip(pairs["a"].tolist(), pairs["b"].tolist())) == keys
    for row, key, pair in zip(order.tolist(), keys, pairs):
        known, numbers = plain.pairs[key], history.numbers[row]
        assert (numbers[FIRST], numbers[WORST_FRAME]) == (known["first"], known["worst"])
        assert numbers[FIRST_MET] == known["met"] or math.isnan(numbers[FIRST_MET]) and math.isnan(known["met"])
        assert history.whole[row, ITS_RULE] == known["rule"] and pair["verdict"] == known["verdict"]
        start = int(pair["contact_start"])
        assert contacts.triangle_a[start:start + int(pair["contacts"])].tolist() == known["contacts"]
    row_of = dict(zip(keys, order.tolist()))
    expected = [(row_of[key], *rest) for key, *rest in plain.closed]
    expected += [(row_of[key], each["open"]["start"], 39.0, each["open"]["verdict"])
                 for key, each in plain.pairs.items() if each["open"] is not None]
    assert sorted(map(tuple, history.intervals(39.0).tolist())) == sorted(expected)
