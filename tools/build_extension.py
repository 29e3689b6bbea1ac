# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the installable extension: one zip per platform in dist/, with the wheels of numba and llvmlite in it.

The zip for the system that this runs on also gets machine code, so that nothing need be compiled after installing; in
the others kernels are compiled once, at the user's (tools/machine_code.py).

    python3.11 tools/build_extension.py                              all platforms, Python 3.11 and 3.13 (a release)
    python3.11 tools/build_extension.py --platform linux-x64 --python 3.14      for one distribution's Blender
    python3.11 tools/build_extension.py --lock                       after a change of pins: write wheels.lock and the
                                                                     manifest's list anew

Wheels are fetched into wheels/ (kept out of git) and checked against tools/wheels.lock. The zip is made by Blender's
own blender_ext.py, from a bpy module, a Blender or the path given with --blender-ext. Prints the zips' paths.
"""
import argparse
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import environments
import machine_code
from system_packages import SetupError

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "tools" / "wheels.lock"
MANIFEST = ROOT / "blender_manifest.toml"
WHEELS = ROOT / "wheels"
# Blender's name of a platform -> pip's. Older tags are matched by pip as well.
PLATFORMS = {"linux-x64": "manylinux_2_28_x86_64", "windows-x64": "win_amd64", "macos-arm64": "macosx_12_0_arm64"}
RELEASE_PYTHONS = ["3.11", "3.13"]              # official Blender 4.2 to 5.2
LOCKED_PYTHONS = [*RELEASE_PYTHONS, "3.14"]     # and what distributions build with
MUST_BE_IN = ["__init__.py", "__main__.py", "LICENSE", "blender_manifest.toml", "addon/__init__.py",
              "addon/precompile_script.py", "core/pipeline.py", "core/machine_code/jit.py",
              "sample_scenes/workshop.blend"]
MUST_NOT_BE_IN = re.compile(r"(^|/)(\.|__pycache__|tests/|tools/|docs/|benchmarks/|dist/|pyproject\.toml)"
                            r"|\.pyc$|^[^/]*\.md$|^sample_scenes/.*(?<!\.blend)$")


class BuildError(Exception):
    """The extension cannot be built; the message says why."""


def pins():
    """numba and llvmlite as pyproject.toml requires them: ["numba==0.68.1", ...]."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [pin for pin in project["dependencies"] if "==" in pin]


def python_of(wheel):
    """'3.14' of a wheel's name."""
    return re.search(r"-cp3(\d+)-", wheel).expand(r"3.\1")


def platform_of(wheel):
    """Blender's name of a wheel's platform."""
    tags = {"linux-x64": "x86_64.whl", "windows-x64": "win_amd64.whl", "macos-arm64": "arm64.whl"}
    return next(platform for platform, end in tags.items() if wheel.endswith(end))


def download(pin, python, platform):
    """Fetch one wheel into wheels/."""
    call = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--implementation", "cp",
            "--python-version", python, "--platform", PLATFORMS[platform], "--dest", str(WHEELS), pin]
    if subprocess.run(call).returncode:
        raise BuildError(f"pip could not fetch {pin} for Python {python} on {platform}.")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_lock():
    """{file name: sha256} of every wheel that may go into a zip."""
    lines = [line.split() for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]
    return {name: digest for digest, name in lines}


def write_lock():
    """Fetch every wheel for the pins, note its hash, and list those of a release in the manifest."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    for pin in pins():
        for platform in PLATFORMS:
            for python in LOCKED_PYTHONS:
                download(pin, python, platform)
    names = sorted(path.name for path in WHEELS.glob("*.whl"))
    LOCK.write_text("# sha256 and name of each wheel; written by tools/build_extension.py --lock\n"
                    + "".join(f"{sha256(WHEELS / name)}  {name}\n" for name in names))
    release = [name for name in names if python_of(name) in RELEASE_PYTHONS]
    MANIFEST.write_text(with_wheels(MANIFEST.read_text(), release))


def with_wheels(manifest, names):
    """The manifest's text with this list of wheels and their platforms."""
    lines = "".join(f'  "./wheels/{name}",\n' for name in names)
    platforms = [platform for platform in PLATFORMS if platform in map(platform_of, names)]
    manifest = re.sub(r"(?m)^platforms = \[.*\]$", f"platforms = {json.dumps(platforms)}", manifest)
    return re.sub(r"(?ms)^wheels = \[.*?^\]", f"wheels = [\n{lines}]", manifest)


def fetch_wheels(platforms, pythons):
    """The locked wheels for these, present in wheels/ with the right hash. Returns their names."""
    locked = read_lock()
    names = [name for name in locked if platform_of(name) in platforms and python_of(name) in pythons]
    expected = len(pins()) * len(platforms) * len(pythons)
    if len(names) != expected:
        raise BuildError(f"{LOCK.name} has {len(names)} of the {expected} wheels for these platforms and Pythons.")
    for name in names:
        path = WHEELS / name
        if not path.exists():
            distribution, version = name.split("-")[:2]
            download(f"{distribution}=={version}", python_of(name), platform_of(name))
        if not path.exists() or sha256(path) != locked[name]:
            raise BuildError(f"{path} is not the wheel that {LOCK.name} names; delete it and try again.")
    return names


def find_blender_ext():
    """Blender's extension program: beside a bpy module, or in an installed Blender; else from a new bpy environment."""
    inside = "scripts/addons_core/bl_pkg/cli/blender_ext.py"
    in_environments = f".venvs/*/lib/python*/site-packages/bpy/*/{inside}"
    spec = importlib.util.find_spec("bpy")
    found = list(Path(spec.origin).parent.glob(f"*/{inside}")) if spec else []
    found += sorted(ROOT.glob(in_environments))
    blender = shutil.which("blender")
    if blender:
        beside = [Path(blender).resolve().parent, Path("/usr/share/blender")]
        found += [path for folder in beside for path in sorted(folder.glob(f"*/{inside}"))]
    if not found:
        environments.ensure("bpy-4.5")
        found = sorted(ROOT.glob(in_environments))
    return found[0]


def stage(folder, wheels):
    """Copy what may be packed into an empty folder, with a manifest that lists these wheels."""
    hidden = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "dist", "wheels", "out", "shipped_kernels")
    shutil.copytree(ROOT, folder, ignore=hidden)
    (folder / "blender_manifest.toml").write_text(with_wheels(MANIFEST.read_text(), wheels))
    (folder / "wheels").mkdir()
    for name in wheels:
        (folder / "wheels" / name).hardlink_to(WHEELS / name)


def check_names(path, archives):
    """Refuse a zip that lacks something, or that carries something that only a checkout needs."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    must_be_in = [*MUST_BE_IN, *(f"shipped_kernels/{archive.name}" for archive in archives)]
    missing = [name for name in must_be_in if name not in names]
    extra = [name for name in names if MUST_NOT_BE_IN.search(name)]
    wheels = [name for name in names if name.endswith(".whl")]
    if missing or extra or not wheels:
        raise BuildError(f"{path.name}: missing {missing}, not wanted {extra[:5]}, {len(wheels)} wheels.")


def build(platforms, pythons, output, blender_ext=None, for_tests=False):
    """One zip per platform. Returns their paths. for_tests: with machine code for this processor only."""
    blender_ext = blender_ext or find_blender_ext()
    wheels = fetch_wheels(platforms, pythons)
    output.mkdir(parents=True, exist_ok=True)
    here = machine_code.this_platform()
    built = []
    # Below the checkout, so that the wheels can be hard links.
    with tempfile.TemporaryDirectory(dir=WHEELS, prefix=".stage-") as temporary:
        for number, group in enumerate([[here], [platform for platform in platforms if platform != here]]):
            group = [platform for platform in group if platform in platforms]
            if group:
                source, zips = Path(temporary, str(number), "touchpoint"), Path(temporary, str(number), "zips")
                zips.mkdir(parents=True)
                stage(source, [name for name in wheels if platform_of(name) in group])
                archives = []
                if group == [here]:
                    archives = machine_code.build(pythons, source / "shipped_kernels", source, for_tests)
                pack(blender_ext, source, zips)
                for platform in group:
                    made = next(zips.glob(f"*-{platform.replace('-', '_')}.zip"))
                    check_names(made, archives)
                    built.append(Path(shutil.move(made, output / made.name)))
    return built


def pack(blender_ext, source, zips):
    """One zip per platform of the staged folder, by Blender's own program."""
    call = [sys.executable, str(blender_ext), "build", "--source-dir", str(source), "--output-dir", str(zips),
            "--split-platforms"]
    result = subprocess.run(call, capture_output=True, text=True)
    if result.returncode:
        raise BuildError(f"blender_ext.py failed:\n{result.stdout}{result.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", action="append", choices=PLATFORMS, help="default: all; may be given again")
    parser.add_argument("--python", action="append", choices=LOCKED_PYTHONS,
                        help=f"default: {' and '.join(RELEASE_PYTHONS)}; may be given again")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="folder for the zips, default dist/")
    parser.add_argument("--blender-ext", type=Path, help="Blender's blender_ext.py, where it is not found by itself")
    parser.add_argument("--lock", action="store_true", help="fetch all wheels for changed pins, write their hashes")
    options = parser.parse_args()
    WHEELS.mkdir(exist_ok=True)
    if options.lock:
        write_lock()
        return
    for path in build(options.platform or list(PLATFORMS), options.python or RELEASE_PYTHONS, options.output,
                      options.blender_ext):
        print(f"{path}  {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    try:
        main()
    except (BuildError, SetupError) as error:
        sys.exit(f"error: {error}")
