# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in, numbers out."""
