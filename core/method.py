# SPDX-License-Identifier: GPL-3.0-or-later
"""What a method declares. A method is a recipe of stages; the pipeline runs them and asks for no method by name."""
import math
from collections.abc import Callable
from dataclasses import dataclass

from .errors import Refused, Unsupported
from .scene import Scene


@dataclass(frozen=True)
class Option:
    """A setting of a method: the sidebar, the command line and Python offer what is declared here.

    Its kind is that of the default: bool, int, float, or str, which is one of the choices. choices: (value, sentence)
    each. minimum, maximum: of a number, both included. may_lose: values with which the method may lose pairs, so that
    its answer is not exact, whatever it promises otherwise. may_invent: values with which it may report pairs that do
    not meet. spares: (value, need) each, a word of NEEDS that the method does not need with that value. automatic: the
    number with which the method chooses, None: it never does. Written out in literals: declarations.py reads them off
    the source.
    """

    name: str
    title: str
    text: str                       # one sentence for the user
    default: bool | int | float | str
    choices: tuple[tuple[str, str], ...] = ()
    minimum: float = -math.inf
    maximum: float = math.inf
    may_lose: tuple = ()
    may_invent: tuple = ()
    spares: tuple[tuple[str, str], ...] = ()
    automatic: int | float | None = None

    def checked(self, value):
        """The value in the option's kind. Raises Refused for one that it cannot take."""
        if self.choices:
            names = [name for name, _ in self.choices]
            if value not in names:
                raise Refused(f"{self.title} must be one of {', '.join(names)}, not {value!r}.")
            return value
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise Refused(f"{self.title} is on or off (True or False), not {value!r}.")
            return value
        kind: type[int] | type[float] = int if isinstance(self.default, int) else float
        try:
            number = kind(value)
            whole = number == float(value) and not isinstance(value, bool)
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not (whole and self.minimum <= number <= self.maximum):
            what = "a whole number" if kind is int else "a number"
            raise Refused(f"{self.title} must be {what} from {self.minimum:g} to {self.maximum:g}, not {value!r}.")
        return number


NEEDS = {
    "gpu": "a GPU that Blender can draw with",
    "convex": "convex objects; others are taken as their hulls",
    "interval": "objects that move during an interval",
}
# Of every method that needs a GPU.
DEVICE = Option("device", "Device", "What draws and counts.", "gpu",
                (("gpu", "The GPU, by Blender's own drawing"),
                 ("cpu", "The processor, by the same rules, without a GPU")),
                spares=(("cpu", "gpu"),))


def needs_with(declared, options: dict | None) -> tuple[str, ...]:
    """Words of NEEDS: what a method needs with these options. declared: a `Method`, or its `Declaration`."""
    given = options or {}
    spared = {need for option in declared.options for value, need in option.spares
              if given.get(option.name, option.default) == value}
    return tuple(need for need in declared.needs if need not in spared)


def without(declared, need: str) -> dict:
    """Options with which a method does not need this, as far as it has such."""
    return {option.name: value for option in declared.options for value, spared in option.spares if spared == need}


@dataclass(frozen=True)
class Measure:
    """A further number per pair: one more stage, after verdicts and clearances.

    columns(objects, table, run) -> {name: (pairs, …) float64}, NaN where not measured. A name that is a field of
    findings.PAIR_DTYPE is in the report. main_thread: ("columns",) where the stage must run there.
    """

    name: str                       # of the stage, as progress and figures show it
    columns: Callable
    main_thread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Method:
    """One way to find the contacts of a scene; `METHOD` of each module in methods/.

    prepare(scene, selection, run) -> objects           whatever the next stages need, one entry per tested object
    broad_phase(objects, selection, run) -> (a, b)      int32 positions in the selection, a < b, ordered by (a, b)
    contacts(objects, table, run) -> Contacts           of the pairs of the table, `pair` being their row, ordered; sets
        table.finished and, where run.contacts_wanted is False, may set table.crossing instead of giving contacts
    verdicts(objects, table, run) -> columns            verdict (pairs,) int8, and status uint8 and inner int8 where
        they are not all 0; sets table.finished to False for what it did not judge
    clearances(objects, table, rows, run) -> (near, gap, points)
        of the pairs `rows` (k,), which do not meet: (k,) bool, the gap is no more than table.reach; (k,) and (k,2,3)
        float64, the gap and the points of a and of b where it is, NaN for pairs that are not near. Sets table.finished
        to False for what it did not measure. None: the method measures no clearances
    moves(objects, table, rows, run) -> (k,) float64
        of the pairs `rows` (k,), which collide: the length of a move that puts a plane between the objects, an upper
        bound. There is no need to look for one that is shorter than table.measured["tolerance"]
    shallow(objects, table, rows, run) -> (k,) bool
        of the pairs `rows` (k,), which collide and whose depth is no more than that: it is proved that they only touch.
        None: the method gives exact verdicts only
    coincide(objects, table, rows, limits, run) -> (k,) bool
        of the pairs `rows` (k,), whose depth is no more than `limits`, (k,) float64: they are solids, and as far as is
        known share a point that is deeper in one of them. A method with `depths` has it
    regions(objects, table, run) -> (regions, known)
        as `depth.regions.measure_regions`, after `depths`. None: the method divides no pairs into regions
    within(objects, table, run) -> Contacts
        as contacts, of objects with themselves: table.b is table.a, and triangle_a is smaller than triangle_b. None:
        the method does not look for self-collisions
    between(start, end, allows, run, tolerance=None) -> FirstContacts
        as `continuous.contacts_between`. None: the method knows nothing of motion
    warm_up(detect)     calls detect(scene, …) with tiny scenes that reach the kernels which boxes in a scene do not
    """

    id: str
    title: str
    document: str                   # where it comes from
    summary: str                    # one sentence for the user
    answer: str                     # exact, conservative, approximate or image
    prepare: Callable
    broad_phase: Callable
    contacts: Callable
    verdicts: Callable
    clearances: Callable | None = None
    measures: tuple[Measure, ...] = ()
    depths: Measure | None = None   # where `detect(depth=True)` asks for it; None: the method measures no depths
    regions: Callable | None = None
    moves: Callable | None = None
    shallow: Callable | None = None
    coincide: Callable | None = None
    within: Callable | None = None
    between: Callable | None = None
    warm_up: Callable | None = None
    keeps_findings: bool = False    # its verdicts take what `contacts` noted of each row: it is asked about all at once
    welds: bool = False             # its verdicts take run.weld for meshes that are not closed
    options: tuple[Option, ...] = ()        # what the user may set; stages read run.options[name]
    needs: tuple[str, ...] = ()             # words of NEEDS
    main_thread: tuple[str, ...] = ()       # stages that must run on the thread that may draw
    takes_points: bool = False      # objects without faces are tested too, as the clouds of points that they are
    compiled: bool = True           # False: works without numba
    slow: bool = False              # minutes for what others do in a second: run only where somebody names it

    @property
    def follows(self) -> bool:
        """True where it follows objects during an interval."""
        return "interval" in self.needs

    def refuse_unless_met(self, scene: Scene, gpu, options: dict | None = None) -> None:
        """Raise Unsupported where the scene or the computer lacks what the method needs. gpu: as in
        `pipeline.detect`."""
        if "gpu" in needs_with(self, options) and (gpu is None or isinstance(gpu, str)):
            raise Unsupported(" ".join(filter(None, (f"The method {self.title} needs {NEEDS['gpu']}.", gpu))))
        if self.follows and all(each.pose_end is None for each in scene.objects):
            raise Unsupported(f"The method {self.title} needs {NEEDS['interval']}, as in Check Animation.")

    def promise(self, options: dict | None = None) -> str:
        """What the answer is with these options: `answer`, or "approximate" where pairs may be lost, or "conservative"
        where an exact method may invent some."""
        chosen = self.chosen(options)
        if any(chosen[option.name] in option.may_lose for option in self.options):
            return "approximate"
        invents = any(chosen[option.name] in option.may_invent for option in self.options)
        return "conservative" if invents and self.answer == "exact" else self.answer

    def chosen(self, options: dict | None) -> dict:
        """Every option of the method with its value. Raises Refused for unknown ones and wrong values."""
        if not options and not self.options:
            return {}
        given = dict(options or {})
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                has = f"Its options are: {', '.join(known)}." if known else "It has none."
                raise Refused(f"The method {self.title} has no option {name!r}. {has}")
        return {name: option.checked(given.get(name, option.default)) for name, option in known.items()}
