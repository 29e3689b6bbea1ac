# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiments of the documents made again, our methods side by side in one run: `touchpoint bench --table tsgo`.

A table is a module with

    CASES                   steps.Case each
    case_rows(entry)        header and rows of one case, for the terminal
    chapters(results)       (title, sentence, header and rows) of the whole table, published figures beside ours
    plots(results)          plots.Plot each; where the document has curves that are made again
    ON_GPU                  True where methods on the GPU take part: its cases are measured with it, or without
"""
from importlib import import_module

TABLES = ("tsgo", "fan-parallel", "particle", "pcs", "fccd", "fan-ibcd", "fan-stream")


def load(name: str):
    """The module of a table."""
    return import_module(f".{name.replace('-', '_')}", __package__)
