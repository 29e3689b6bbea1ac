# SPDX-License-Identifier: GPL-3.0-or-later
"""The version: written in blender_manifest.toml and nowhere else."""
import functools
from pathlib import Path

MANIFEST = Path(__file__).resolve().parents[1] / "blender_manifest.toml"


@functools.cache
def version() -> str:
    """Such as "0.1.0". A package installed by pip has no manifest beside it; its metadata then tells."""
    if not MANIFEST.exists():
        import importlib.metadata  # only who asks for the version loads what reads it
        return importlib.metadata.version("touchpoint")
    import tomllib
    return tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["version"]
