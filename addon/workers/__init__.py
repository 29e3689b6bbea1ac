# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation in several processes, each of which opens the file itself."""
