# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons with other libraries, run side by side: `touchpoint bench`."""
