# SPDX-License-Identifier: GPL-3.0-or-later
"""Heat maps: how far the surfaces of a pair are from each other, as colours in 3D viewports. docs/heat-map.md."""
