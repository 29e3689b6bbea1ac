# SPDX-License-Identifier: GPL-3.0-or-later
"""How much space two solids share, with proved bounds. docs/volume.md."""
