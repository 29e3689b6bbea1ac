# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the worst pairs of a report, as PNG files, drawn off screen. docs/pictures.md."""
