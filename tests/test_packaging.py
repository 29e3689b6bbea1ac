# SPDX-License-Identifier: GPL-3.0-or-later
"""What an installed copy must have in common with the checkout."""
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text())


def test_every_package_is_listed():
    found = {"touchpoint"}
    for top in ("addon", "benchmarks", "core", "sample_scenes"):
        for module in (ROOT / top).rglob("*.py"):
            found.add(".".join(("touchpoint", *module.parent.relative_to(ROOT).parts)))
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found


def test_versions_agree():
    assert PROJECT["project"]["version"] == MANIFEST["version"]


def test_manifest_ships_the_numba_that_is_required():
    pins = [pin for pin in PROJECT["project"]["dependencies"] if "==" in pin]
    assert sorted(pin.partition("==")[0] for pin in pins) == ["llvmlite", "numba"]
    for pin in pins:
        name, _, version = pin.partition("==")
        wheels = [wheel for wheel in MANIFEST["wheels"] if f"/{name}-" in wheel]
        assert wheels and all(f"/{name}-{version}-" in wheel for wheel in wheels)
