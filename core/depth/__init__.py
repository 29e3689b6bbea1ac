# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep solids reach into each other: `detect(depth=True)`. Definition and bounds: docs/depth.md."""
