# SPDX-License-Identifier: GPL-3.0-or-later
"""When do moving things first meet? Time of impact over the interval [0, 1]."""
