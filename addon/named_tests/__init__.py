# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests: what is asked again and again, kept with a scene, run one by one or all together."""
