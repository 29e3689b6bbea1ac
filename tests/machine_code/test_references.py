# SPDX-License-Identifier: GPL-3.0-or-later
"""Records go into kernels as one pointer, and what kernels read of them is what they hold."""
import numpy as np
import pytest
from numba.core.errors import TypingError
from touchpoint.core.depth.search import search_pairs
from touchpoint.core.machine_code.jit import COMPILED, kernel, signatures
from touchpoint.core.machine_code.references import Reference
from touchpoint.core.records import ExactScratch, Motions, NeighbourScratch

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@kernel
def _expansion_size(exact):
    return exact.expansion.shape[0]


@kernel
def _first_of_all(scratch):
    scratch.exact.side[0] = scratch.corners[1, 2]
    return scratch.points[0, 3], scratch.exact.rows[5], _expansion_size(scratch.exact)


@kernel
def _shared(motions, out):
    """Both fields may be one array, and what is written there is read."""
    out[0] = motions.start[0, 0, 0]
    motions.end[0, 0, 0] = 7.0
    out[1] = motions.start[0, 0, 0]


@kernel
def _no_such_field(motions):
    return motions.middle


def neighbour_scratch():
    numbers = iter(range(1, 100))
    return NeighbourScratch(*(np.full(shape, next(numbers), np.float64) for shape in ((6, 3), (7, 4))),
                            ExactScratch(np.arange(6), np.zeros(6), np.zeros((3, 3)), np.zeros((4, 3)), np.zeros(11)))


def test_fields_are_read_and_written_through_a_pointer():
    scratch = neighbour_scratch()
    assert _first_of_all(scratch) == (2.0, 5, 11)
    assert scratch.exact.side[0] == 1.0
    assert [type(argument) for argument in signatures(_expansion_size)[0]] == [Reference]


def test_arrays_that_share_memory():
    start, out = np.zeros((1, 4, 3)), np.zeros(2)
    _shared(Motions(start, start), out)
    assert out.tolist() == [0.0, 7.0]


def test_unknown_field():
    with pytest.raises(TypingError):
        _no_such_field(Motions(np.zeros((1, 4, 3)), np.zeros((1, 4, 3))))


def test_names_in_machine_code_do_not_spell_out_records():
    """The 31 arrays of one record alone would be 2000 letters, at each call."""
    from touchpoint.core import detect
    from touchpoint.core.scene.tiny import boxes_of_all_kinds

    detect(boxes_of_all_kinds(), depth=True)
    [found] = search_pairs.overloads.values()
    assert len(found.fndesc.mangled_name) < 600


def test_depths_alone_compile_what_detect_calls():
    from touchpoint.core import detect
    from touchpoint.core.scene.tiny import boxes_of_all_kinds
    from touchpoint.core.warm_up import depths_alone

    depths_alone()
    detect(boxes_of_all_kinds(), depth=True)
    assert len(search_pairs.signatures) == 1
