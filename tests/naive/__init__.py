# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain second opinions and seeded inputs for the tests."""
