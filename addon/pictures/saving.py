# SPDX-License-Identifier: GPL-3.0-or-later
"""From a report to the files of its pictures."""
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import Refused, Unsupported
from ...core.files import Outputs
from .. import gpu_backend
from ..overlay.picture import picture_of
from ..scene_read.swept import is_swept
from ..views.obstruction import Sight
from ..views.sides import best_side, samples_of
from ..write_back.framing import Bounds, view_of_pair
from .camera import FIRST_SIDE, Camera, distance_for
from .names import MOST_PICTURES, folder_named, names_of
from .offscreen import Offscreen
from .png import png_bytes
from .surroundings import drawn_around

if TYPE_CHECKING:
    from ...core.report import Report
    from ..write_back.framing import View

OF_ONE_FRAME = "Pictures show one frame: test that frame by itself"


def save_pictures(report: "Report", folder: str | Path, most: int = MOST_PICTURES,
                  context: bpy.types.Context | None = None) -> list[Path]:
    """The files that were written into a folder, which is made where there is none: one PNG for each of the worst pairs
    of a report of `detect`.

    most: pictures, at most. context: whose scene shows what could stand before a pair; `bpy.context` by default.
    All files are replaced together, or none. Raises Unsupported where there is no GPU, Refused for a report of many
    frames and a folder without a name, OSError where a file cannot be written.
    """
    folder, names = folder_named(folder), names_of(report, most)
    for _ in saved_in_pieces(report, folder, names, context):
        pass
    return [folder / name for name in names.values()]


def saved_in_pieces(report: "Report", folder: Path, names: dict[int, str],
                    context: bpy.types.Context | None = None) -> Generator[int, None, None]:
    """Draws a picture at each step and gives how many there are by then; at its end the files are in the folder. Closed
    before that, it leaves nothing. With the errors of `save_pictures`; names: of `names.names_of`."""
    check_gpu()
    with Outputs() as outputs:
        for number, _ in enumerate(drawn_into(outputs, report, folder, names, context), 1):
            yield number


def why_none(report: "Report") -> str:
    """Why no pictures can be drawn of a report, "" where they can. Does not look for a GPU."""
    if is_swept(report):
        return OF_ONE_FRAME
    return "" if len(report.pairs) else "There is no pair to draw"


def check_gpu() -> None:
    """Find out whether there is a GPU. Raises Unsupported where there is none; on the main thread."""
    found = gpu_backend.obtain()
    if isinstance(found, str):
        raise Unsupported(f"Pictures are drawn by the GPU. {found}")


def drawn_into(outputs: Outputs, report: "Report", folder: Path, names: dict[int, str],
               context: bpy.types.Context | None = None) -> Iterator[tuple[int, bytes]]:
    """Draws a picture at each step, adds its file to `outputs` and gives (row, PNG). names: of `names.names_of`. After
    `check_gpu`, and with its errors."""
    if names:
        outputs.folder(folder)
    for row, png in drawn(report, names, context):
        with outputs.file(folder / names[row], may_be_device=False) as file:
            file.write(png)
        yield row, png


def drawn(report: "Report", rows: Iterable[int],
          context: bpy.types.Context | None = None) -> Iterator[tuple[int, bytes]]:
    """(row of `Report.pairs`, PNG) of one pair after the other, each drawn when it is asked for. After `check_gpu`, and
    with its errors."""
    if is_swept(report):
        raise Refused(f"{OF_ONE_FRAME}.")
    found, offscreen = gpu_backend.obtain(), Offscreen()
    if isinstance(found, str):
        raise Unsupported(found)
    for row in rows:
        with found.drawing("There are no pictures without it"):
            pixels = _pixels(report, row, offscreen, context or bpy.context)
        yield row, png_bytes(pixels)


def _pixels(report, row: int, offscreen: Offscreen, context) -> np.ndarray:
    source, pair = report.source, report.pairs[row]
    own = list(dict.fromkeys(int(pair[side]) for side in "ab"))
    core = source.core
    length = float(pair["gap"] if report.is_apart(row) else pair["depth"])
    picture = picture_of(report, row, core, "arrow" if length > 0.0 else "")
    camera = camera_of(context, report, row, view_of_pair(Bounds(source.boxes), report, row))
    triangles = np.array([len(each.triangles) for each in core.meshes])[core.layout.mesh]
    drawn, reach = drawn_around(source.boxes, triangles, camera.centre, own)
    return offscreen.draw(picture, core, drawn, camera, reach)


def camera_of(context: bpy.types.Context, report: "Report", row: int, view: "View") -> Camera:
    """Where to stand so that nothing is before the places where a pair meets, or comes closest. view: its
    `framing.View`. Where one object holds the other, one looks through it."""
    pair, source = report.pairs[row], report.source
    places = pair["gap_points"] if report.is_apart(row) else report.contacts_of(row).middle
    known = len(places) > 0 and bool(np.isfinite(places).all())
    own = [source.rows[int(pair[side])].find() for side in "ab"]
    sight = Sight(context, None, samples_of(places) if known else view.centre[None], view.centre, view.radius, own,
                  through_own=not known)
    distance, first = distance_for(view.radius), FIRST_SIDE / np.linalg.norm(FIRST_SIDE)
    return Camera(view.centre, best_side(first, lambda side: sight.seen(side, distance), lambda: True), distance)
