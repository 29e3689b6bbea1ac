# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart surfaces are, and where they come nearest. Formulas and error bounds: docs/distance.md."""
