# SPDX-License-Identifier: GPL-3.0-or-later
"""How collisions are looked for: the method, what it does, where it comes from, its options."""
from ...core.declarations import declarations
from .layout import paragraph


def draw_method(layout, context, settings) -> None:
    """The list of methods, and below it, where it is open, the chosen one."""
    header, body = layout.panel("touchpoint_method", default_closed=False)
    header.prop(settings, "method", text="Method")
    chosen = next((each for each in declarations() if each.id == settings.method), None)
    if body is None or chosen is None:      # None: saved by a version that had another method
        return
    column = body.column(align=True)
    paragraph(column, context, f"{chosen.summary}.")
    if chosen.document:
        paragraph(column, context, chosen.document, "BOOKMARKS")
    if chosen.options:
        column = body.column()
        column.use_property_split = True
        column.use_property_decorate = False
        for option in chosen.options:
            column.prop(getattr(settings.options, chosen.id), option.name)
