# SPDX-License-Identifier: GPL-3.0-or-later
"""What a detector must say about a scene, noted where the scene is built."""
import json
from dataclasses import dataclass, field


@dataclass
class Expected:
    """Pairs of names as results show them. A pair that is not noted here must be clear."""

    crossing: list[tuple[str, str]] = field(default_factory=list)
    touching: list[tuple[str, str]] = field(default_factory=list)
    contained: list[tuple[str, str]] = field(default_factory=list)      # inner, outer: no surface meets another
    first_contacts: list[tuple[str, str, float]] = field(default_factory=list)      # of an animation, with the frame
    frames: list[tuple[str, str, list]] = field(default_factory=list)       # of an animation: first and last of each
    # run of whole frames in which a pair crosses

    def crosses(self, a: str, *others: str) -> None:
        """The surface of `a` passes through that of each of the others."""
        self.crossing += [(a, b) for b in others]

    def touches(self, a: str, *others: str) -> None:
        """`a` meets each of the others without going in, at coordinates that are exact in binary."""
        self.touching += [(a, b) for b in others]

    def contains(self, outer: str, inner: str) -> None:
        """`inner` lies wholly inside the closed solid `outer`."""
        self.contained.append((inner, outer))

    def write(self, path) -> None:
        """As JSON, one pair per line, in alphabetical order."""
        lists = {"crossing": self.crossing, "touching": self.touching}
        text = {name: sorted(sorted(pair) for pair in pairs) for name, pairs in lists.items()}
        text["contained"] = sorted(map(list, self.contained))
        if self.first_contacts:
            text["first_contacts"] = [[a, b, round(frame, 4)] for a, b, frame in self.first_contacts]
        if self.frames:
            text["frames"] = [list(each) for each in self.frames]
        rows = [f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows) + "\n  ]"
                for name, rows in text.items() if rows]
        path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
