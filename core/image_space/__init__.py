# SPDX-License-Identifier: GPL-3.0-or-later
"""Do convex pieces meet, by pictures of them: `port.py` says what draws, `pictures.py` what the pictures mean,
`hulls/` how a mesh comes apart into pieces, `stages.py` makes stages of a `Method` of it."""
