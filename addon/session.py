# SPDX-License-Identifier: GPL-3.0-or-later
"""What lives as long as Blender does, and is not saved: the run that is going on, the last report, and which results
the scene has moved away from. Touched by the main thread only."""
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .worker import Progress

if TYPE_CHECKING:
    import bpy

    from ..core.report import Report
    from ..core.sequence.resumed import Ledger

IDLE = Progress("", 0.0)
WATCHES = 8         # results of which it is known what changed
FOLLOWERS = 2       # questions whose trees are kept: each takes about as much memory as its scene


@dataclass
class _State:
    run: Any = None                 # run.Run
    message: str = ""               # a refusal or an error, for the panel
    offer: str = ""                 # id of an operator that helps with it
    report: Any = None              # core.Report, whole; the scene keeps what the panel shows of it
    report_of: tuple[int, str] = (0, "")    # which result it is, as of `_which`
    heat_map: Any = None            # overlay.heat.Wanted, of a row of that result
    single: Any = None              # see `single`
    ledger: Any = None              # core.sequence.resumed.Ledger of the last Check Animation, to go on from
    outdated: set[str] = field(default_factory=set)     # run ids of results that were found with other rules or shells
    other_rules: set[bool] = field(default_factory=set)     # see `note_other_rules`
    writers: int = 0                # > 0 while Touchpoint itself changes the scene
    watches: dict[tuple[int, str], Any] = field(default_factory=dict)       # watch.Watch by `_which`, the latest last
    touched: dict[int, tuple[int, int]] = field(default_factory=dict)       # of the run: see `touched`
    followers: OrderedDict[tuple, Any] = field(default_factory=OrderedDict)     # scene_read.Follower, the latest last
    last_read: int = 0      # session_uid of the scene that was read last
    file_token: str = field(default_factory=lambda: uuid.uuid4().hex)


Followed = TypeVar("Followed")

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
    set_heat_map(None)
    note_change()


def reset() -> None:
    """Another file, or the add-on is disabled: the run is told to stop, and all is forgotten."""
    global _state
    if _state.run is not None:
        _state.run.abandon()
    set_heat_map(None)
    _state = _State()


def run() -> Any:
    """The run that is going on, or None."""
    return _state.run


def set_run(new: Any) -> None:
    """Begin or, with None, end a run."""
    _state.run, _state.other_rules = new, set()
    if new is not None:
        _state.touched = {}


def progress() -> Progress:
    """Of the run that is going on."""
    return IDLE if _state.run is None else _state.run.progress


def follower(key: tuple, new: Callable[[], Followed]) -> Followed:
    """What follows the scene and question of this key, which begins with the scene's session_uid: the one of the last
    time, or new()."""
    kept = _state.followers
    kept[key] = kept.pop(key, None) or new()
    while len(kept) > FOLLOWERS:
        kept.popitem(last=False)
    return kept[key]


def note_reading(scene: "bpy.types.Scene", scenes: "Iterable[bpy.types.Scene]") -> bool:
    """Note that a scene is read. True where that of the last reading is not among these, all that there are: another
    file was opened, which handlers tell only while the add-on is enabled. What followed its scenes goes."""
    last, _state.last_read = _state.last_read, scene.session_uid
    there = {each.session_uid for each in scenes}
    if not last or last in there:
        return False
    for key in [key for key in _state.followers if key[0] not in there]:
        del _state.followers[key]
    return True


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


def _which(kept: Any) -> tuple[int, str]:
    """Tells results and comparisons apart. kept: where one is kept. A copy of a scene has its run id, but objects of
    its own."""
    return kept.id_data.session_uid, kept.run_id


def keep_report(report: "Report", result: Any) -> None:
    """Remember the whole report of a result. A heat map of the one before goes."""
    _state.report, _state.report_of, _state.single = report, _which(result), None
    set_heat_map(None)


def forget_report(result: Any) -> None:
    """A report can be large: it does not outlive its result."""
    if _which(result) == _state.report_of:
        _state.report, _state.report_of, _state.single = None, (0, ""), None
        set_heat_map(None)


def keep_single(found: "tuple[Any, Report, int] | None") -> None:
    """Remember the report of one pair alone: the `chosen.Chosen` that it is of, and its number in the report."""
    _state.single = found


def single() -> Any:
    """What was kept last."""
    return _state.single


def heat_map() -> Any:
    """The `overlay.heat.Wanted` that is switched on, or None."""
    return _state.heat_map


def set_heat_map(new: Any) -> None:
    """Switch one on, in place of the one before, whose measuring ends."""
    before, _state.heat_map = _state.heat_map, new
    if before is not None:
        before.cancel()


def take_ledger() -> "Ledger | None":
    """What the next Check Animation can go on from, or None; it is then nobody else's."""
    ledger, _state.ledger = _state.ledger, None
    return ledger


def ledger() -> "Ledger | None":
    """What the next Check Animation can go on from, to look at."""
    return _state.ledger


def keep_ledger(ledger: "Ledger | None") -> None:
    """Remember what the next Check Animation can go on from."""
    _state.ledger = ledger


def report_of(scene: "bpy.types.Scene") -> Any:
    """The report behind the result that the scene shows, or None where it came with the file or was undone."""
    result = scene.touchpoint.result
    return _state.report if result.run_id and _which(result) == _state.report_of else None


def keep_watch(kept: Any, watch: Any) -> None:
    """Remember what is watched for a result or a comparison; of earlier ones some, as undo may bring them back."""
    _state.watches.pop(_which(kept), None)
    _state.watches[_which(kept)] = watch
    while len(_state.watches) > WATCHES:
        del _state.watches[next(iter(_state.watches))]


def watch(kept: Any) -> Any:
    """The `watch.Watch` of a result or a comparison, or None."""
    return _state.watches.get(_which(kept))


def touch(uid: int, moved: bool, deformed: bool) -> None:
    """Blender has evaluated an object anew while a run is going on."""
    before = _state.touched.get(uid, (0, 0))
    _state.touched[uid] = _changes if moved else before[0], _changes if deformed else before[1]


def touched() -> dict[int, tuple[int, int]]:
    """By session_uid: `changes()` when objects were last moved and deformed, since the run began."""
    return _state.touched


def mark_outdated(run_id: str) -> None:
    """Rules or shells are not those that a result was found with."""
    _state.outdated.add(run_id)


def note_other_rules(*of_tests: bool) -> None:
    """Rules, shells or clearances were changed. of_tests: whether they are those of tests; both for what both ask."""
    if _state.run is not None:
        _state.other_rules.update(of_tests)


def other_rules() -> set[bool]:
    """Whether those of tests (True), and others (False), were changed since the run began that is going on."""
    return _state.other_rules


def has_other_rules(run_id: str) -> bool:
    """True when rules, shells or clearances changed since the result with this id."""
    return run_id in _state.outdated


def is_outdated(kept: Any) -> bool:
    """True when these, or what was tested, changed since a result."""
    watched = watch(kept)
    return has_other_rules(kept.run_id) or watched is not None and watched.is_stale


@contextmanager
def writing() -> Iterator[None]:
    """While Touchpoint itself changes the scene: nothing is marked as changed, no row of the list is followed."""
    state = _state          # another file may be loaded meanwhile
    state.writers += 1
    try:
        yield
    finally:
        state.writers -= 1


def is_writing() -> bool:
    return _state.writers > 0
