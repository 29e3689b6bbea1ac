# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/house_figures.py on a small tree that breaks every limit, and on one that breaks none."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from house_figures import EXCEPTIONS, figures, main  # noqa: E402
from method_ids import ids_in  # noqa: E402
from source_tree import fewest_against  # noqa: E402

MANY = ", ".join(f"a{i}" for i in range(13))
BROKEN = {
    "core/__init__.py": "",
    "core/methods/__init__.py": "",
    "core/methods/touchpoint.py": "from ..stage import work\nMETHOD = 1\n",
    "core/methods/saga.py": "METHOD = 2\n",
    "core/jit.py": "def kernel(f):\n    from .stage import work\n    return f\n",
    "core/stage.py": f"from .jit import kernel\nimport bpy\nBASE = 1 << 2\nLIMIT = 3 * BASE\n@kernel\ndef work({MANY}):"
                     f"\n    pass\ndef start(run, {MANY}, method='saga'):\n    pass\n",
    "core/trees/build.py": "LIMIT = 13\nSAME = 12\nUNKNOWN = 1\nUNSURE = 1\n",
    "core/trees/place.py": "from .build import LIMIT\nSAME = 6 * 2\n",
    "addon/panel.py": "from ..core.stage import start\nROWS, LIMIT, CLASSES = 2, 1, 1\ndef draw(x): pass\n"
                      "def tell(x: int) -> int:\n    return x\n",
    "addon/menu.py": "ROWS, CLASSES = 3, 2\ndef _long():\n" + "    pass\n" * 61,
    "tests/test_trees.py": "x = 1\n" * 401,
}
KEPT = {
    "core/__init__.py": "",
    "core/methods/__init__.py": "",
    "core/methods/touchpoint.py": "from ..stage import work\n",
    "core/jit.py": "def kernel(f):\n    return f\n",
    "core/stage.py": "from .jit import kernel\n@kernel\ndef work(a, b):\n    pass\nTAB = 'touchpoint'\n",
}


def lay_out(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_what_stands_in_the_way_is_counted_and_named(tmp_path):
    found = {figure.name: figure for figure in figures(lay_out(tmp_path, BROKEN))}
    value = {name: figure.value for name, figure in found.items()}
    assert found["kernels with more than 12 arguments"].items == ["13  core.stage.work"]
    assert found["circles of imports in core and addon"].items == ["2 modules: core.jit, core.stage"]
    assert len(found["upward imports"].items) == 1
    assert found["imports of bpy in core"].items == ["core.stage imports bpy"]
    assert found["ids of methods outside core/methods"].items == ["core/stage.py:8  saga"]
    assert found["files of more than 400 lines"].items == ["401  tests/test_trees.py"]
    assert value["public functions of addon with all type hints"] == "1 of 2"
    assert found["arguments run of core without a type hint"].items == ["core.stage.start"]
    assert found["constants of one name with several values in core"].items == [
        "LIMIT: 12 in core.stage; 13 in core.trees.build"]
    assert found["constants of one name with several values in addon"].items == [
        "ROWS: 3 in addon.menu; 2 in addon.panel"]
    assert value["lines of core that only tests import"] == "6"
    assert value["tests that lie flat in tests/"] == "1"
    assert {name for name, figure in found.items() if figure.broken} == {
        "kernels with more than 12 arguments", "circles of imports in core and addon", "imports of bpy in core",
        "ids of methods outside core/methods", "files of more than 400 lines",
        "constants of one name with several values in core", "constants of one name with several values in addon",
        "public functions of addon with all type hints", "words for what float64 cannot decide in core",
        "other functions of core with more than 12 arguments", "functions of more than 60 lines", "upward imports"}


def test_an_import_of_nothing_is_named(tmp_path):
    lay_out(tmp_path, {**KEPT, "core/trees/build.py": "def f():\n    from ..gone.away import x\nfrom .. import stage\n"
                       "from .place import y\nfrom ...addon import z\n", "core/trees/place.py": "y = 1\n",
                       "tests/test_it.py": "from touchpoint.core.gone import x\nfrom gone import x\n"
                       "from touchpoint.core.trees import place\n"})
    found = {figure.name: figure for figure in figures(tmp_path)}["imports of modules that are not there"]
    assert found.items == ["core.trees.build imports core.gone.away", "tests.test_it imports core.gone"]
    assert found.broken


def test_an_exception_says_how_much_and_why(tmp_path):
    lay_out(tmp_path, {"core/__init__.py": "", "core/ask.py": f"def ask({MANY}): pass\n",
                       "core/long.py": "def long():\n" + "    pass\n" * 61,
                       "core/longer.py": "def longer():\n" + "    pass\n" * 62,
                       "core/first.py": "from ..addon.panel import x\n", "addon/panel.py": "x = 1\n",
                       EXCEPTIONS: """
["functions of more than 60 lines"]
"core.long.long" = [62, "one formula"]
"core.longer.longer" = [62, "was shorter"]
["other functions of core with more than 12 arguments"]
"core.ask.ask" = [13, "asked by all"]
["upward imports"]
"core.first" = "drives it"
"core.gone" = "drove it"
"""})
    found = {figure.name: figure for figure in figures(tmp_path)}
    assert found["functions of more than 60 lines"].items == ["63  core.longer.longer",
                                                              "62  core.long.long: one formula"]
    assert found["upward imports"].items == ["core.first imports addon.panel: drives it"]
    assert found["exceptions to nothing"].items == ["core.gone, upward imports"]
    assert {name for name, figure in found.items() if figure.broken} == {"functions of more than 60 lines",
                                                                         "exceptions to nothing"}


@pytest.mark.parametrize("files, status", [(BROKEN, 1), (KEPT, 0)])
def test_limits(tmp_path, files, status, capsys):
    assert main(["--checkout", str(lay_out(tmp_path, files)), "--limits"]) == status
    assert ("All limits are kept." in capsys.readouterr().out) == (status == 0)


@pytest.mark.parametrize("text, meant", [
    ("FOLDER = 'touchpoint'", []),
    ("def detect(scene, method='touchpoint'): pass", ["touchpoint"]),
    ("def detect(*, reference='touchpoint', text='touchpoint'): pass", ["touchpoint"]),
    ("detect(scene, 'touchpoint')", ["touchpoint"]),
    ("def ask(name, method): pass\nask('touchpoint', 'exact')", ["exact"]),
    ("if answer == 'exact': pass", []),
    ("if method != 'exact': pass", ["exact"]),
    ("if each.id == 'exact': pass", ["exact"]),
    ("BIG = ('touchpoint', 'saga')", ["touchpoint", "saga"]),
    ("for cells in ('exact', 'diagonals'): pass", []),
    ("detect(scene, method='saga')", ["saga"]),
    ("add('--method', default='touchpoint')", ["touchpoint"]),
    ("add('--table', default='touchpoint')", []),
    ("DEFAULT = 'touchpoint'", ["touchpoint"])])
def test_an_id_is_told_from_a_word(text, meant):
    import ast

    assert [value for _, value in ids_in(ast.parse(text), {"touchpoint", "exact", "saga"})] == meant


def test_the_fewest_imports_are_called_upward():
    edges = {("a", "b"): 3, ("b", "a"): 1, ("b", "c"): 2, ("c", "a"): 1, ("d", "a"): 5}
    assert fewest_against(edges) == [("b", "a"), ("c", "a")]
