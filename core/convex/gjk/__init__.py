# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hulls: distance, meeting and penetration by GJK, with exact decisions."""
