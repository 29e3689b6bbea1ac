# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said instead of an answer. Every message is a sentence for the user."""


class TouchpointError(Exception):
    """Base of all errors whose message may be shown to the user as it is."""


class Refused(TouchpointError):
    """The question itself makes no sense (empty scope, one object, NaN tolerance): never answered with "clear"."""


class NothingToTest(Refused):
    """The scene, or what the rules leave of it, has no pair to test. Of several frames, others may have one."""


class Unsupported(TouchpointError):
    """The chosen method cannot answer this question."""


class TooLarge(Unsupported):
    """There is not the memory to answer this question; said before the memory is gone."""


class Cancelled(TouchpointError):
    """Raised inside the pipeline when the progress callback asks to stop; `detect` turns it into a partial report."""
