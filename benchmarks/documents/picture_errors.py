# SPDX-License-Identifier: GPL-3.0-or-later
"""How often pictures of two convex bodies are wrong, over their resolution, which the 2003 thesis leaves open.

The processor draws, by the rules of a GPU: the same pairs give the same figures on every machine.
"""
import time

import numpy as np

from ...core.image_space.cpu_raster import CpuRaster
from ...core.image_space.hulls.hull import convex_hull
from ...core.image_space.pictures import meet
from ...core.image_space.placed_pieces import fit_boxes
from ...core.queries import convex_intersect, convex_penetration
from ...core.records import PlacedPieces
from ...core.trees.obb.nodes import BOX_NUMBERS
from ..tables import milliseconds
from .plots import Plot

RESOLUTIONS = (16, 24, 32, 48, 64, 96, 128, 192, 256)   # pixels along a side
PAIRS, SEED = 5_000, 11
SHALLOW = 0.01              # of bodies of about the size 1
QUICK = (60, (16, 32))      # pairs and resolutions


def body(rng) -> np.ndarray:
    """The corners of a random convex body of about the size 1."""
    points = rng.normal(size=(int(rng.integers(5, 20)), 3))
    points *= rng.uniform(0.3, 1.0, 3) / np.sqrt((points ** 2).sum(axis=1))[:, None]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return points @ turn


def pieces_of(bodies: list[np.ndarray]) -> PlacedPieces:
    """The hulls of some points each, as `pictures.meet` takes them."""
    faces = [convex_hull(points) for points in bodies]
    starts = [np.concatenate([[0], np.cumsum([len(each) for each in some])]).astype(np.int64)
              for some in (bodies, faces)]
    made = PlacedPieces(starts[0], np.concatenate(bodies), starts[1], np.concatenate(faces),
                        np.empty((len(bodies), BOX_NUMBERS)))
    rows = np.stack([starts[0][:-1], starts[0][1:]], axis=1)
    fit_boxes(rows, 0, len(bodies), made.points, np.empty((3, 3)), np.empty((2, 3, 3)), np.empty((2, 2, 3)), made.boxes)
    return made


def random_pairs(seed: int, count: int) -> list[np.ndarray]:
    """Bodies, of which every two after each other are a pair: from deep in each other to clear of each other."""
    rng = np.random.default_rng(seed)
    bodies = []
    for _ in range(count):
        along = rng.normal(size=3)
        bodies += [body(rng), body(rng) + along * rng.uniform(0.3, 1.5) / np.sqrt((along ** 2).sum())]
    return bodies


def meeting(pieces: PlacedPieces, a: np.ndarray, b: np.ndarray, side: int) -> np.ndarray:
    """(k,) bool: by pictures of side · side pixels, pieces a[i] and b[i] meet."""
    return meet(pieces, a.astype(np.int64), b.astype(np.int64), CpuRaster(1), side, lambda work: work())


def errors_by_resolution(quick: bool, gpu) -> dict:
    """What pictures miss and invent."""
    count, resolutions = QUICK if quick else (PAIRS, RESOLUTIONS)
    bodies = random_pairs(SEED, count)
    pieces, a = pieces_of(bodies), np.arange(0, 2 * count, 2)
    exact, depth = (asked(bodies[::2], bodies[1::2]) for asked in (convex_intersect, convex_penetration))
    shallow, sides = exact & (depth < SHALLOW), {}
    for side in resolutions:
        start = time.perf_counter()
        found = meeting(pieces, a, a + 1, side)
        seconds, missed = time.perf_counter() - start, exact & ~found
        sides[str(side)] = {"seconds": seconds, "missed": int(missed.sum()), "invented": int((found & ~exact).sum()),
                            "shallow missed": int((missed & shallow).sum()), "notes": [],
                            "deepest": float(depth[missed].max(initial=0.0))}
    return {"resolutions": list(resolutions), "pairs": count, "meeting": int(exact.sum()),
            "shallow": int(shallow.sum()), "sides": sides}


def error_rows(entry: dict) -> list[tuple[str, ...]]:
    """A row per resolution."""
    apart = entry["pairs"] - entry["meeting"]
    rows: list[tuple[str, ...]] = [("pixels along a side", "missed", f"missed of those less than {SHALLOW} deep",
                                    "deepest one missed", "invented", "µs a pair")]
    for side, each in entry["sides"].items():
        rows.append((side, f"{each['missed']:,} of {entry['meeting']:,}",
                     f"{each['shallow missed']:,} of {entry['shallow']:,}",
                     f"{each['deepest']:.2g}" if each["missed"] else "", f"{each['invented']:,} of {apart:,}",
                     milliseconds(1e3 * each["seconds"] / entry["pairs"])))
    return rows


def error_plot(entry: dict) -> Plot:
    sides, apart = entry["sides"].values(), entry["pairs"] - entry["meeting"]

    def per_cent(what: str, of: int) -> tuple[list[int], list[float]]:
        return entry["resolutions"], [100.0 * each[what] / max(1, of) for each in sides]

    return Plot("ibcd-errors", f"IBCD: what pictures of {entry['pairs']:,} random pairs of convex bodies get wrong",
                "pixels along a side", "per cent",
                {f"missed, of pairs that are less than {SHALLOW} deep": per_cent("shallow missed", entry["shallow"]),
                 "missed, of all that meet": per_cent("missed", entry["meeting"]),
                 "invented, of all that are clear": per_cent("invented", apart)})
