# SPDX-License-Identifier: GPL-3.0-or-later
"""What 3D viewports show of the chosen pair. Nothing of it is written into the file."""
