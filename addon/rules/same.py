# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the rules of two frames are the same ones, about objects that belong together in the same way."""
from dataclasses import fields

import numpy as np

from ...core.rules import RuleSet


def same_rules(one: object, other: object) -> bool:
    """True where both, as `core.detect` takes them, take the same pairs away from objects of the same names."""
    if not (isinstance(one, RuleSet) and isinstance(other, RuleSet)):
        return one is other or one == other
    if list(one.rules) != list(other.rules) or one.groups != other.groups:
        return False
    a, b = one.relations, other.relations
    if a is None or b is None:
        return a is b
    return all(_same(getattr(a, each.name), getattr(b, each.name)) for each in fields(a))


def _same(one, other) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    return one is other or (type(one) is type(other) and not isinstance(one, np.ndarray) and one == other)
