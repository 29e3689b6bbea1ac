# SPDX-License-Identifier: GPL-3.0-or-later
"""The linear BVH of the default method: build, refit, overlap tests, and the forest of all tested objects."""
