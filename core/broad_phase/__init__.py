# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects → pairs of objects that may meet."""
