# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways in which a method can be asked: every combination of its declared choices."""
from dataclasses import dataclass, field
from itertools import product
from math import isfinite

from touchpoint.core import methods
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.method import needs_with

# All methods that promise the exact answer of an instant. Without compilation each takes minutes, and what the others
# share with these two is asked of these two.
EXACT = [name for name in methods.ids() if not methods.load(name).needs
         and methods.load(name).answer == "exact" and (COMPILED or name in ("touchpoint", "exact"))]
SHARES = (0.0, 0.25, 0.5)       # of the way from a number's least to its greatest value: tried besides its default


@dataclass(frozen=True)
class Variant:
    """A method and its options; those that are not named have their defaults."""

    method: str
    options: dict = field(default_factory=dict, hash=False)

    def __str__(self):
        return " ".join([self.method, *(f"{name}={value}" for name, value in self.options.items())])

    @property
    def exact(self) -> bool:
        """Does it promise the answers of the reference?"""
        return methods.load(self.method).promise(self.options) == "exact"

    def settings(self) -> dict:
        """As `detect` takes them."""
        return {"method": self.method, **({"options": dict(self.options)} if self.options else {})}


def variants(method: str) -> list[Variant]:
    """The method's options in combinations, all choices, switches both ways, some values of numbers: every combination
    with at most two that are not at their defaults. Those that say the same as the defaults are asked, too: they take
    another way through the checks. What needs a GPU is not asked."""
    options = methods.load(method).options
    names, defaults = [option.name for option in options], [option.default for option in options]
    chosen = [values for values in product(*map(values_of, options))
              if sum(value != default for value, default in zip(values, defaults)) <= 2]
    asked = [Variant(method)] + [Variant(method, dict(zip(names, values))) for values in chosen if names]
    return [each for each in asked if "gpu" not in needs_with(methods.load(method), each.options)]


def values_of(option) -> list:
    if isinstance(option.default, bool):
        return [False, True]
    if option.choices:
        return [value for value, _ in option.choices]
    if not (isfinite(option.minimum) and isfinite(option.maximum)):
        return [option.default]
    span = option.maximum - option.minimum
    found = [option.default, *(type(option.default)(option.minimum + span * share) for share in SHARES)]
    return list(dict.fromkeys(found))


def exact_variants(without=("exact", "touchpoint")) -> list[Variant]:
    """Those of all methods that must say the same as the default method."""
    return [variant for name in methods.ids() if name not in without and not methods.load(name).needs
            for variant in variants(name) if variant.exact]


def other_variants() -> list[Variant]:
    """Those of methods that answer something else than the default: conservative and approximate ones."""
    return [variant for name in methods.ids() if methods.load(name).answer != "exact" for variant in variants(name)]


def lossy_variants() -> list[Variant]:
    """Those of exact methods that are published so that they may lose pairs."""
    return [variant for name in methods.ids() if methods.load(name).answer == "exact" and not methods.load(name).needs
            for variant in variants(name) if not variant.exact]
