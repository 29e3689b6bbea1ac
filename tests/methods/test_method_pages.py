# SPDX-License-Identifier: GPL-3.0-or-later
"""Every method has its page, which names code that is there and says what its counts are."""
import re
from pathlib import Path

import pytest
from touchpoint.core import methods

DOCS = Path(__file__).resolve().parents[2] / "docs"
CORE = DOCS.parent / "core"


@pytest.mark.parametrize("method", methods.ids())
def test_every_method_has_a_page(method):
    page = (DOCS / "methods" / f"{method}.md").read_text(encoding="utf-8")
    assert f"`{method}`" in page.splitlines()[0]
    assert re.search(r"^\*\*Broad tests\*\* .*: .{9,}", page, re.M)


def test_no_page_is_of_nobody():
    assert {page.stem for page in (DOCS / "methods").glob("*.md")} == set(methods.ids())


@pytest.mark.parametrize("method", methods.ids())
def test_files_that_a_page_names_are_there(method):
    """Written as folder/file.py or as file.name, in backquotes."""
    page = (DOCS / "methods" / f"{method}.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)", page))
    missing = [each for each in named if not any((root / each).exists() for root in (CORE.parent, CORE))]
    assert missing == []
    functions = re.findall(r"`(?:[a-z_]+/)*([a-z_0-9]+)\.([a-z_]+)`", page)
    for module, name in functions:
        files = list(CORE.rglob(f"{module}.py"))
        if files and name not in ("py", "md"):
            assert any(re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) for file in files), (module, name)
