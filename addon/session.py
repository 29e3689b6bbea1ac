# SPDX-License-Identifier: GPL-3.0-or-later
"""What lives as long as Blender does, and is not saved: the run that is going on, the last report, and which results
the scene has moved away from. Touched by the main thread only."""
import uuid
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .worker import Progress

IDLE = Progress("", 0.0)
FOLLOWERS = 2       # questions whose trees are kept: each takes about as much memory as its scene


@dataclass
class _State:
    run: Any = None                 # run.Run
    message: str = ""               # a refusal or an error, for the panel
    offer: str = ""                 # id of an operator that helps with it
    report: Any = None              # core.Report, whole; the scene keeps what the panel shows of it
    report_run_id: str = ""         # which result of a scene it is
    ledger: Any = None              # core.sequence.resumed.Ledger of the last Check Animation, to go on from
    outdated: set[str] = field(default_factory=set)     # run ids of results after which the scene changed
    writers: int = 0                # > 0 while Touchpoint itself changes the scene
    followers: OrderedDict[tuple, Any] = field(default_factory=OrderedDict)     # scene_read.Follower, the latest last
    file_token: str = field(default_factory=lambda: uuid.uuid4().hex)


_state = _State()
_changes = _replacements = 0        # they outlive other files


def changes() -> int:
    """Grows whenever Blender evaluates a change, undoes, or loads a file, while the add-on is enabled."""
    return _changes


def note_change() -> None:
    global _changes
    _changes += 1


def replacements() -> int:
    """Grows with each undo, redo and file that is loaded: what Python holds of the file is then worth nothing."""
    return _replacements


def note_replacement() -> None:
    global _replacements
    _replacements += 1
    note_change()


def reset() -> None:
    """Another file, or the add-on is disabled: the run is told to stop, and all is forgotten."""
    global _state
    if _state.run is not None:
        _state.run.abandon()
    _state = _State()


def run():
    """The run that is going on, or None."""
    return _state.run


def set_run(new) -> None:
    """Begin or, with None, end a run."""
    _state.run = new


def progress() -> Progress:
    """Of the run that is going on."""
    return IDLE if _state.run is None else _state.run.progress


def follower(key: tuple, new):
    """What follows the scene and question of this key: the one of the last time, or new()."""
    kept = _state.followers
    kept[key] = kept.pop(key, None) or new()
    while len(kept) > FOLLOWERS:
        kept.popitem(last=False)
    return kept[key]


def message() -> str:
    return _state.message


def offer() -> str:
    """The id of the operator that the panel offers below the message, "" for none."""
    return _state.offer


def set_message(text: str, offer: str = "") -> None:
    """offer: as in `offer`."""
    _state.message, _state.offer = text, offer


def file_token() -> str:
    """Changes when a file is loaded: a session_uid that was kept under another token says nothing."""
    return _state.file_token


def keep_report(report, run_id: str) -> None:
    """Remember the whole report of the result with this id."""
    _state.report, _state.report_run_id = report, run_id


def forget_report(run_id: str) -> None:
    """A report can be large: it does not outlive its result."""
    if run_id == _state.report_run_id:
        keep_report(None, "")


def take_ledger():
    """What the next Check Animation can go on from, or None; it is then nobody else's."""
    ledger, _state.ledger = _state.ledger, None
    return ledger


def keep_ledger(ledger) -> None:
    """Remember what the next Check Animation can go on from."""
    _state.ledger = ledger


def report_of(scene):
    """The report behind the result that the scene shows, or None where it came with the file or was undone."""
    shown = scene.touchpoint.result.run_id
    return _state.report if shown and shown == _state.report_run_id else None


def mark_outdated(run_id: str) -> None:
    _state.outdated.add(run_id)


def is_outdated(run_id: str) -> bool:
    """True when the scene changed since the result with this id."""
    return run_id in _state.outdated


@contextmanager
def writing():
    """While Touchpoint itself changes the scene: nothing becomes outdated, no row of the list is followed."""
    state = _state          # another file may be loaded meanwhile
    state.writers += 1
    try:
        yield
    finally:
        state.writers -= 1


def is_writing() -> bool:
    return _state.writers > 0
