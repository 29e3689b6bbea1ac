# SPDX-License-Identifier: GPL-3.0-or-later
"""Live: what collides is shown while objects are dragged, posed or scrubbed. Nothing of it is written into the file."""
