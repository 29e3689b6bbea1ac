# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a filter or an exact kernel that leaves a question to the next, slower one (docs/decisions/0008).

It means the same everywhere: nothing was guessed. Its value fits beside other answers and among bits.
"""
UNDECIDED = 2
