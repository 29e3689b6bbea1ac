# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of XML and HTML; text is escaped when they are written. No Blender here."""
from xml.etree.ElementTree import Element, indent, tostring

from ...core.shown import shown


def element(tag: str, *content: "Element | str", **attributes: str | int) -> Element:
    """An element with texts and elements in it. Names from a scene are shown escaped, as on a terminal. A trailing _
    of an attribute's name is dropped, and another one is a hyphen."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): shown(str(value)) for name, value in attributes.items()})
    for each in content:
        if isinstance(each, Element):
            made.append(each)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + shown(each)
        else:
            made.text = (made.text or "") + shown(each)
    return made


def xml_bytes(root: Element) -> bytes:
    """The document, with line ends between elements."""
    indent(root)
    return tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
