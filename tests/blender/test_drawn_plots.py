# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench --plots`: the pictures, where matplotlib is there."""
import pytest
from touchpoint.benchmarks.documents.plots import Plot, svg, write_plots

PLOT = Plot("name", "A title", "cubes", "ms", {"One": ([1, 2], [3.0, 5.0]), "Other": ([1, 2], [4.0, 4.5])},
            {"Published": ([2], [4.9])}, [("it flies off", 1.5)])


def test_the_same_figures_give_the_same_picture(tmp_path):
    pytest.importorskip("matplotlib")
    path, = write_plots(tmp_path / "new", [PLOT])
    text = path.read_bytes()
    assert path.name == "name.svg" and text == svg(PLOT) and b"<dc:date>" not in text
    for words in (b"A title", b"cubes", b"ms", b"One", b"Other", b"Published", b"it flies off"):
        assert words in text
