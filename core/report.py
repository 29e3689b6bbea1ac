# SPDX-License-Identifier: GPL-3.0-or-later
"""`Report`: what `detect` returns, the findings of a run with the files that they can be written to."""
from . import export
from .findings import Findings


class Report(Findings):
    """See `Findings` for what is in it."""

    def to_json(self, path, points: int | None = None) -> None:
        """Write the documented JSON (docs/report.schema.json): lengths in metres, the same bytes for the same input.
        points: how many of each pair are listed at most (None: all, 0: none)."""
        export.write_json(self, path, points)

    def to_csv(self, path) -> None:
        """Write one line per pair that is not clear, lengths in metres."""
        export.write_csv(self, path)
