# SPDX-License-Identifier: GPL-3.0-or-later
"""A few questions of each of the long proofs (see long/), so that they are in order when they are needed."""
import pytest
from long import real_meshes
from long.outcome import Outcome
from long.proofs import PROOFS


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.title.partition(":")[0])
def test_short_form(proof):
    if proof is real_meshes.PROOF and real_meshes.reason_to_skip():
        pytest.skip(real_meshes.reason_to_skip())
    outcome = proof.run(min(proof.part, max(1, proof.count // 20_000)), 0)
    assert outcome.asked > 0 and outcome.wrong == 0, outcome.examples


def test_parts_add_up():
    one, other = Outcome(), Outcome()
    one.asked, other.asked = 3, 4
    one.measure("late", 0.5)
    other.measure("late", 0.25)
    other.fail("this")
    other.count("hits", 2)
    one.add(other)
    assert (one.asked, one.wrong, one.examples, one.worst, one.counted) == (7, 1, ["this"], {"late": 0.5}, {"hits": 2})
