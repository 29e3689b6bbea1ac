# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read off the sources of the methods is what they declare."""
import subprocess
import sys
from pathlib import Path

import pytest
from touchpoint.core import Refused, declarations, methods
from touchpoint.core.declarations import Declaration, declaration
from touchpoint.core.method import Option

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("method", methods.ids())
def test_a_declaration_says_what_the_method_does(method):
    recipe = methods.load(method)
    assert declaration(method) == Declaration(*(getattr(recipe, name) for name in Declaration._fields))
    assert recipe.id == method and recipe.answer in ("exact", "conservative", "approximate", "image")
    assert recipe.promise() == recipe.answer        # nothing is lost where nothing was chosen
    assert recipe.title and recipe.summary and len(recipe.summary.splitlines()) == 1


@pytest.mark.parametrize("option", [each for method in methods.ids() for each in methods.load(method).options],
                         ids=lambda option: option.name)
def test_options_can_be_shown(option):
    assert option.name.isidentifier() and option.name != "name" and option.title and option.text
    assert option.checked(option.default) == option.default
    assert bool(option.choices) == isinstance(option.default, str)
    assert all(value and sentence for value, sentence in option.choices)
    assert all(option.checked(value) == value for value in option.may_lose)


def test_an_unknown_method_is_refused():
    with pytest.raises(Refused, match="The methods are: touchpoint"):
        declaration("magic")


def test_methods_in_their_order():
    assert tuple(each.id for each in declarations.declarations()) == methods.ids()
    assert declarations.declarations()[0].id == methods.DEFAULT


METHOD = """
import math
from ..method import Method, Option
from ..shared import LIMIT, DEPTH as OTHER

TEXT = "A sentence " "in two parts, " + "and a third"
HALF: float = -0.5
METHOD = Method(id="made", title="Made", document="", summary=TEXT, answer="exact", prepare=print,
                options=(OTHER,) + (Option("cells", "Cells", TEXT, "a", (("a", "A"), ("b", "B"))),
                         Option("shift", "Shift", "t", HALF, maximum=math.inf, minimum=-LIMIT)))
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Writes a method of this text and reads it off."""
    (tmp_path / "methods").mkdir()
    (tmp_path / "shared.py").write_text('_, LIMIT = 2, 3\nDEPTH = Option("depth", "Depth", "t", 2, minimum=1)\n')
    monkeypatch.setattr(methods, "__path__", [str(tmp_path / "methods")])
    monkeypatch.setattr(methods, "ids", lambda: ("made",))

    def read(text):
        (tmp_path / "methods" / "made.py").write_text(text)
        declaration.cache_clear()
        return declaration("made")

    yield read
    declaration.cache_clear()


def test_constants_sums_and_imports(made):
    read = made(METHOD)
    depth, cells, shift = read.options
    assert read.summary == "A sentence in two parts, and a third"
    assert depth == Option("depth", "Depth", "t", 2, minimum=1)
    assert (cells.default, cells.choices) == ("a", (("a", "A"), ("b", "B")))
    assert (shift.default, shift.minimum) == (-0.5, -3)
    assert read.defaults == {"depth": 2, "cells": "a", "shift": -0.5}


@pytest.mark.parametrize("old, new", [("TEXT = ", "TEXT = str() + "), ("summary=TEXT", "summary=NOWHERE"),
                                      ("summary=TEXT", 'summary="%s" % 1'), ("METHOD = M", "METHOD = 1; M = M")])
def test_what_cannot_be_read_off_is_named(made, old, new):
    with pytest.raises(ValueError, match="made.py"):
        made(METHOD.replace(old, new, 1))


def test_reading_needs_no_numba():
    code = ("import sys; sys.path.insert(0, 'tests'); import conftest; from touchpoint.core import declarations;"
            "assert declarations.declarations(); assert 'numba' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
