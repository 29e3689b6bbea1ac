# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of the documents as pictures: `touchpoint bench --table pcs --plots FOLDER`. Needs the extra `compare`."""
import importlib.util
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...core.errors import TouchpointError
from ...core.files import replaced

# Okabe and Ito's palette: told apart by everybody, and in grey.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")

Curve = tuple[Sequence[float], Sequence[float]]     # x, y


@dataclass(frozen=True)
class Plot:
    """One picture. name: of its file, without .svg."""

    name: str
    title: str
    x: str
    y: str
    curves: Mapping[str, Curve]
    published: Mapping[str, Curve] = field(default_factory=dict)       # figures of the document, drawn as points
    events: Sequence[tuple[str, float]] = ()                        # what happens, and where on x
    signed: bool = False                                            # y may be negative


def check_packages() -> None:
    """Raises TouchpointError, saying what to install, where matplotlib is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise TouchpointError("Plots need matplotlib, which is not installed here. Install with: "
                              "pip install 'touchpoint[compare]'")


def write_plots(folder: Path, plots: list[Plot]) -> list[Path]:
    """Draw each as an SVG file in the folder, which is made. Returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{plot.name}.svg" for plot in plots]
    for path, plot in zip(paths, plots):
        with replaced(path) as file:
            file.write(svg(plot))
    return paths


def svg(plot: Plot) -> bytes:
    """The same figures give the same bytes: no date, no random ids."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {"svg.fonttype": "none", "svg.hashsalt": plot.name, "font.size": 10, "axes.spines.top": False,
                "axes.spines.right": False, "axes.axisbelow": True}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(8.0, 4.0), layout="constrained")
        _draw(figure.add_subplot(), plot)
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
        text = io.StringIO()
        FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None, "Creator": None})
    return text.getvalue().encode()


def _draw(axes, plot: Plot) -> None:
    marker = "." if max(len(x) for x, _ in plot.curves.values()) < 50 else ""
    for (label, curve), colour in zip(plot.curves.items(), COLOURS):
        axes.plot(*curve, color=colour, marker=marker, label=label)
    for (label, curve), shape in zip(plot.published.items(), "Ds^"):
        axes.plot(*curve, shape, color="black", label=label)
    for what, where in plot.events:
        axes.axvline(where, color="#bbbbbb", linestyle="--", linewidth=1)
        axes.text(where, 1.0, what, transform=axes.get_xaxis_transform(), rotation=90, ha="right", va="top",
                  color="#555555", fontsize=8, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    if not plot.signed:
        axes.set_ylim(bottom=0.0)
    axes.grid(axis="y", color="#dddddd")
    axes.set_title(plot.title, loc="left", fontsize=11)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
