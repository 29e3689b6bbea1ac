# SPDX-License-Identifier: GPL-3.0-or-later
"""Which methods, with which options, are asked about which scene. What one declares changes nothing for the others."""
import zlib
from dataclasses import dataclass, field

# Methods that take long: (most triangles, most objects, one scene in so many).
LIMITS = {"exact": (600, 20, 3), "saga": (2_000, 30, 1), "hull_points": (12_000, 200, 1)}
UNLIMITED = (1 << 62, 1 << 62, 1)
OPTIONS_EACH = 5        # options other than the defaults: one scene in so many


@dataclass(frozen=True)
class Variant:
    """A method with options; those that are not named have their defaults."""

    method: str
    options: dict = field(default_factory=dict)

    def __str__(self):
        return " ".join([self.method, *(f"{name}={value}" for name, value in self.options.items())])

    def settings(self) -> dict:
        """As `detect` takes them."""
        return {"method": self.method, **({"options": dict(self.options)} if self.options else {})}


def variants(methods) -> list[Variant]:
    """Every method of `touchpoint.core.methods` as it comes, and with each value of each option."""
    found = []
    for method in methods.ids():
        needs = getattr(methods.load(method), "needs", ())          # an older checkout's need nothing
        if {"interval", "gpu"} & set(needs):                        # there are none
            continue
        found.append(Variant(method))
        found += [Variant(method, {option.name: value}) for option in methods.load(method).options
                  for value in values_of(option) if value != option.default]
    return found


def values_of(option) -> list:
    """All choices, a switch both ways, of a number the least ones and one in the middle."""
    if isinstance(option.default, bool):
        return [False, True]
    if option.choices:
        return [value for value, _ in option.choices]
    kind, low, high = type(option.default), option.minimum, option.maximum
    steps = [low, low + 1, low + 2, low + 3, (low + high) / 2]
    return list(dict.fromkeys(kind(value) for value in steps if abs(value) < float("inf") and value <= high))


def chosen(everyone: list[Variant], number: int, triangles: int, objects: int) -> list[Variant]:
    """Those that scene `number`, so large, is put to."""
    found = []
    for variant in everyone:
        most_triangles, most_objects, each = LIMITS.get(variant.method, UNLIMITED)
        if variant.options:
            each *= OPTIONS_EACH
        if triangles <= most_triangles and objects <= most_objects and (number + phase(variant)) % each == 0:
            found.append(variant)
    return found


def phase(variant: Variant) -> int:
    """Some number that is always the same."""
    return zlib.crc32(str(variant).encode())
