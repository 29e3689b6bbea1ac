# SPDX-License-Identifier: GPL-3.0-or-later
"""What a new process does before it can import anything of the checkout; so this module imports nothing."""


def give_name() -> None:
    """Make the checkout importable as `touchpoint`."""
    import conftest  # noqa: F401
