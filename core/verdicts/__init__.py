# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → verdicts: what two objects are to each other."""
