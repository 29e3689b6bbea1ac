# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m touchpoint …`"""
from .addon.cli import entry_point

if __name__ == "__main__":
    entry_point()
