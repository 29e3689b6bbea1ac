# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules as they are kept with a scene: pointers, which follow whatever is renamed."""
