# SPDX-License-Identifier: GPL-3.0-or-later
"""What `tools/same_answers.py` asks of a checkout, and how it keeps and compares the answers.

Of the checkout only public names are used: `Scene`, `detect`, `methods` and `queries` of `touchpoint.core`,
`touchpoint.addon.api` and the command line. So a checkout whose modules lie elsewhere can be asked the same.
"""
