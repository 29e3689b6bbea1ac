# SPDX-License-Identifier: GPL-3.0-or-later
"""One run at a time on a Scene: what is kept between runs is worked on in place."""
import functools
import os
import threading


class Turn:
    """A context manager that one thread at a time is in; others wait. The same thread again, as from a progress
    callback, raises RuntimeError. A copy, also by pickle, is a new one, and so is that of a forked process."""

    def __init__(self):
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None
        self.has_looked = False         # what the scene is has been found in this turn
        self._process = os.getpid()

    def __enter__(self):
        if self._process != os.getpid():    # who was in it is not in this process
            self._begin()
        if self._owner == threading.get_ident():
            raise RuntimeError("This scene is in the middle of a run of the same thread.")
        self._lock.acquire()
        self._owner = threading.get_ident()

    def look(self) -> None:
        """Note that what the scene is has been found, where somebody is in it."""
        self.has_looked = self._owner is not None

    def __exit__(self, *_):
        self._owner, self.has_looked = None, False
        self._lock.release()

    def __reduce__(self):
        return Turn, ()


def in_turn(function):
    """A function whose first argument is a Scene, as one that waits until no other run is on that scene."""
    @functools.wraps(function)
    def waits(scene, *arguments, **options):
        with scene.turn:
            return function(scene, *arguments, **options)
    return waits
