# SPDX-License-Identifier: GPL-3.0-or-later
"""The package that the add-on is in, as Blender or a checkout calls it, and its folder."""
from pathlib import Path

ROOT_PACKAGE = __package__.rpartition(".")[0]
ROOT_FOLDER = Path(__file__).resolve().parents[1]
