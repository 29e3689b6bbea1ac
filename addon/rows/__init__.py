# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a result: pairs of objects, as arrays that are kept with the scene as one text."""
