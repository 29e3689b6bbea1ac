# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of `touchpoint compare --html`: names from strangers' files are text in them, and nothing runs."""
import importlib.util
from collections import Counter
from html.parser import HTMLParser

from . import Drill, picked
from .names import a_name

TAGS = ("<script>alert(1)</script>", "</title><script>", '"><img src=x onerror=alert(1)>', "<svg/onload=alert(1)>",
        "<!--", "-->", "]]>", "{{ 7 * 7 }}", "{% raw %}", "{#", "&lt;script&gt;", "&#60;script&#62;", "<style>", "$x_$",
        "\x00<")


class Seen(HTMLParser):
    """How often each element is in a page, the attributes of all, and the text outside of styles."""

    def __init__(self, page: str):
        super().__init__()
        self.elements, self.attributes, self.text, self.comments = Counter(), set(), [], 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.comments += 1


def hostile(random) -> str:
    """A name with an order to a browser or to the template, among letters of any kind."""
    return picked(random, ("", a_name(random))) + picked(random, TAGS) + picked(random, ("", a_name(random)))


def compared(names):
    """A comparison that says each of these ten names somewhere."""
    from touchpoint.core.codes import Skipped
    from touchpoint.core.comparison import Comparison, Difference, Row

    lists = ("missed", "invented", "differing")
    pairs = {which: [Difference(0, 1, names[2 * number], names[2 * number + 1], "crossing", "clear")]
             for number, which in enumerate(lists)}
    row = Row("rapid", "RAPID", "exact", {}, reason="not drawn", expected=2, compared=True, notes=[names[6]], **pairs)
    return Comparison("touchpoint", [row], objects=2, notes=[names[7]], scene=names[8], frame=1.0,
                      skipped=[Skipped(None, names[9], "no triangles")])


def names_are_text(random, _folder):
    """The page of hostile names has the elements of the page of plain ones, and says the names as they are shown."""
    from touchpoint.addon.cli.compare_page import page
    from touchpoint.core.shown import shown

    names = [hostile(random) for _ in range(10)]
    plain, found = Seen(page(compared(["a name"] * 10))), Seen(page(compared(names)))
    assert found.elements == plain.elements and found.attributes == plain.attributes, (names, found.elements)
    assert found.comments == plain.comments == 0, names
    text = "".join(found.text)
    pairs = [f"{a} × {b}" for a, b in zip(names[:6:2], names[1:6:2])]
    assert all(shown(name) in text for name in (*pairs, *names[6:9])), names


DRILLS = []
if all(importlib.util.find_spec(name) for name in ("jinja2", "matplotlib")):
    DRILLS.append(Drill("hostile names, F19", "names that a browser would obey, in pages", names_are_text, 50))
