# SPDX-License-Identifier: GPL-3.0-or-later
"""Where 3D viewports look from: at a pair, and back."""
