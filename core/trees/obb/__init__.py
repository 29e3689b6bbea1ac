# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of oriented boxes, of the methods `rapid`, `hybrid`, `tsgo` and `particle`."""
