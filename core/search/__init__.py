# SPDX-License-Identifier: GPL-3.0-or-later
"""Mid and narrow phase driven together: pairs of objects → contacts."""
