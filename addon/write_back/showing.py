# SPDX-License-Identifier: GPL-3.0-or-later
"""`Showing`: one report in one Blender scene, in pieces. What several of them need is looked up once."""
from collections.abc import Generator
from functools import cached_property

import numpy as np

from ...core.codes import VERDICTS
from ..pieces import finished
from ..scene_read.swept import is_swept
from ..style import style_of
from .baked_colours import remove_baked
from .collection import find_results, make_results, remove_copies
from .colours import COLOURED_AT_ONCE, coloured_objects, colouring, colours_wanted, of_scene, restoring, tell_uncoloured
from .colours_over_time import following, is_followed
from .empties import count_marks, empties_of, writing_empties
from .framing import Bounds
from .gap_curve import remove_curves
from .listed_rows import pieces_of_rows
from .listing import end_listing, tell_contacts, writing_listing
from .markers import writing_markers
from .points import chosen_contacts, pieces_of, refuse_while_edited, remove_points, writing_points
from .strays import remove_strays

CONTACTS_PER_STEP = 1 << 16     # of a piece of the point mesh take about as long as the colour of an object …
ROWS_STEP = 100                 # … and a piece of the list as long as that of so many objects


class Showing:
    """Each method is a generator that ends a piece of a few milliseconds at each `yield`; where there are many millions
    of contacts, an attribute of the point mesh takes a tenth of a second."""

    def __init__(self, report, scene):
        """report: with its Snapshot as `source`; scene: the Blender scene that it is shown in."""
        self.report, self.scene = report, scene
        self.style = style_of(scene)
        self._collection = find_results(scene)
        self._empties_left = self._points_left = True     # are still those of an earlier result, or only begun

    def everything(self) -> Generator[float, None, None]:
        """All of it; yields the fraction done. What may be large comes last."""
        refuse_while_edited(self.scene)
        remove_strays()
        remove_copies(self.scene)
        remove_curves(self.scene)
        remove_baked(self.scene)
        contacts = 0 if self.bounds.fixed else len(self.report.contacts)
        step = 1 + self.points_wanted // CONTACTS_PER_STEP
        total = (pieces_of_rows(len(self.rows), contacts) * ROWS_STEP + self.empties_wanted
                 + len(self.report.objects) // COLOURED_AT_ONCE * COLOURED_AT_ONCE
                 + pieces_of(self.points_wanted) * step)
        done = 0
        # The list comes first: whenever this is stopped, none of an earlier result is left to be taken for this one's.
        for pieces, size in ((self.listing(), ROWS_STEP), (self.restored_colours(), 0),
                             (self.colours(), COLOURED_AT_ONCE), (self.markers(), 0), (self.empties(), 1),
                             (self.points(), step)):
            for _ in pieces:
                done += size
                yield min(1.0, done / total)
        self.end()

    def end(self) -> None:
        """The result is whole, as far as its report is."""
        if hasattr(self.scene, "touchpoint"):
            end_listing(self.scene.touchpoint, self.report)

    def drop_unfinished(self) -> None:
        """After a piece, when no more is wanted: what an earlier result left would be wrong, and a point mesh without
        all of its attributes of no use."""
        if self._empties_left:
            finished(writing_empties({}, self.scene, None))
        if self._points_left:
            remove_points(self.scene)

    @cached_property
    def rows(self) -> np.ndarray:
        """(n,) rows of Report.pairs, the worst first."""
        return self.report.worst_first()

    @cached_property
    def marked(self) -> np.ndarray:
        """(k,) those of `rows` whose contacts are marked."""
        shown = np.array([self.style.is_shown(verdict) for verdict in VERDICTS])
        return self.rows[shown[self.report.pairs["verdict"][self.rows]]]

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds(self.report.source.boxes, fixed=not is_swept(self.report))

    @cached_property
    def marks(self) -> np.ndarray:
        """(k,) int64: how many empties each of `marked` is to have."""
        return count_marks(self.report, self.marked, self.style.empties)

    @property
    def empties_wanted(self) -> int:
        return int(self.marks.sum())

    @property
    def points_wanted(self) -> int:
        """How many contacts become points."""
        return min(self._markable, self.style.points) if self.style.show_points else 0

    @property
    def points_told(self) -> int:
        """The same where the settings leave contacts of these pairs out, else 0: nobody need look for what no view
        draws."""
        return self.points_wanted if self._markable > self.style.points else 0

    @cached_property
    def _markable(self) -> int:
        """Contacts of the pairs whose contacts are marked."""
        return int(self.report.pairs["contacts"][self.marked].sum())

    def restored_colours(self) -> Generator[None, None, None]:
        """Give objects back the colours that an earlier result took from them; not those that `colours` would give the
        same one again, and keep at all frames."""
        yield from restoring(coloured_objects(self.scene), None if is_swept(self.report) else self._wanted())

    def listing(self) -> Generator[None, None, None]:
        """The list in the panel, which says that the result is partial until `end`."""
        if hasattr(self.scene, "touchpoint"):
            yield from writing_listing(self.scene.touchpoint, self.report, self.rows, self.empties_wanted,
                                       self.points_told, self.bounds)

    def tell_contacts(self) -> None:
        """Say in the panel how many empties and points there are now."""
        if hasattr(self.scene, "touchpoint"):
            tell_contacts(self.scene.touchpoint, self.report, self.empties_wanted, self.points_told)

    def markers(self) -> Generator[None, None, None]:
        """Markers on the timeline at first contacts, where the settings say so."""
        settings = getattr(self.scene, "touchpoint", None)
        if is_swept(self.report) and settings is not None and settings.animation.markers:
            yield from writing_markers(self.report, self.rows, self.scene)

    def colours(self) -> Generator[None, None, None]:
        """Colour the objects, where the settings say so; those of an animation while they meet."""
        if is_swept(self.report) and is_followed(self.scene):
            yield from following(self.scene)
        else:
            tell_uncoloured(self.scene, (yield from colouring(self._wanted())))

    def _wanted(self) -> dict:
        """Which colours objects are to have at all frames. Looked up when it is asked: what is there may be deleted
        between two pieces."""
        if not self.style.colour_objects or is_swept(self.report) and is_followed(self.scene):
            return {}
        return colours_wanted(self.report, of_scene(self.scene, self.report.source.find_objects()), self.style)

    def empties(self) -> Generator[None, None, None]:
        """An empty at as many places as the settings ask for; none of an earlier result is left."""
        wanted, collection = {}, None
        if self.empties_wanted:
            wanted, collection = empties_of(self.report, self.marked, self.marks, self.bounds), self._results()
        for _ in writing_empties(wanted, self.scene, collection):
            self._empties_left = False
            yield

    def points(self) -> Generator[None, None, None]:
        """The mesh with contacts, or none, as the settings say."""
        if not self.style.show_points:
            remove_points(self.scene)
        elif self.points_wanted or self._collection:
            chosen = chosen_contacts(self.report, self.marked, self.style.points)
            yield from writing_points(self.report, chosen, self.scene, self._results(),
                                      self.style.draw_points)
        self._points_left = False

    def _results(self):
        """The results collection, made when there is none."""
        if self._collection is None:
            self._collection = make_results(self.scene)
        return self._collection
