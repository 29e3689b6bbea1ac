# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation: which frames are tested, the run over them, and its answer on the timeline."""
