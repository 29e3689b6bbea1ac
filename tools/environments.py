# SPDX-License-Identifier: GPL-3.0-or-later
"""Python environments in .venvs/, one per version of Blender, made when first needed and kept while their pins match.

    python3.11 tools/environments.py [NAME ...]     make these (default: all that this machine can have)
"""
import hashlib
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from system_packages import SetupError, apt_install, ensure_bpy_libraries

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".venvs"


@dataclass(frozen=True)
class Environment:
    python: str                     # minor version, "3.11"
    extras: str                     # of pyproject.toml
    requirements: tuple[str, ...]   # further pins
    has_bpy: bool = True
    required: bool = True           # False: left out, with a line saying so, where its Python is missing
    regardless: tuple[str, ...] = ()    # installed last and without a look at what others ask for


# numpy is the one that the official build of that Blender ships.
ENVIRONMENTS = {
    "core": Environment("3.11", "test,check", ("numpy==1.26.4",), has_bpy=False),
    "core-3.13": Environment("3.13", "test", ("numpy==2.3.4",), has_bpy=False, required=False),
    "bpy-4.2": Environment("3.11", "test,distributed", ("bpy==4.2.23", "numpy==1.24.3")),
    "bpy-4.5": Environment("3.11", "test,compare", ("bpy==4.5.15", "numpy==1.26.4")),
    "bpy-5.0": Environment("3.11", "test", ("bpy==5.0.1", "numpy==1.26.4")),
    "bpy-5.2": Environment("3.13", "test", ("bpy==5.2.3", "numpy==2.3.4"), required=False),
    # Blender asks for a numpy below 2, what coal is made of for 2 or later; all of them run with Blender's.
    "bench": Environment("3.11", "bench,test", ("requests", "zstandard"), regardless=("bpy==4.5.15", "numpy==1.26.4")),
    "try": Environment("3.11", "blender", ("numpy==1.26.4",)),
}
COMPILERS = {"3.11": "core", "3.13": "core-3.13"}       # which one makes the machine code for a Python
BPY_TESTS = [name for name in ENVIRONMENTS if name.startswith("bpy-")]


def find_python(version):
    """A Python of this minor version, or None: this one, one on PATH, or one of pyenv's."""
    candidates = [sys.executable, shutil.which(f"python{version}"), shutil.which("python3")]
    candidates += sorted(map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")))
    for candidate in filter(None, candidates):
        # Asked, not believed: pyenv puts a python3.13 on PATH that only prints an error.
        answer = subprocess.run([candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                                capture_output=True, text=True)
        if answer.returncode == 0 and answer.stdout.strip() == version:
            return candidate
    return None


def ensure(name):
    """Make the environment if it is not there as described. Returns its Python, or None for a missing optional one."""
    wanted = ENVIRONMENTS[name]
    folder = FOLDER / name
    python = folder / "bin" / "python"
    if wanted.has_bpy:
        ensure_bpy_libraries()
    stamp = folder / "touchpoint-stamp"
    text = _stamp(wanted)
    if python.exists() and stamp.exists() and stamp.read_text() == text:
        return python
    base = find_python(wanted.python)
    if base is None:
        if wanted.required:
            raise SetupError(f"Python {wanted.python} is needed and was not found. Blender's Python module is made for "
                             f"exactly this version.")
        print(f"skipped: environment {name}, because no Python {wanted.python} was found", flush=True)
        return None
    print(f"making environment {name} in {folder.relative_to(ROOT)}", flush=True)
    stamp.unlink(missing_ok=True)
    _make_venv(base, folder, wanted.python)
    # To compile all that is in bpy and numba takes as long as to install it, and most of it is never imported.
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
    if subprocess.run([*pip, *wanted.requirements, "-e", f"{ROOT}[{wanted.extras}]"]).returncode:
        raise SetupError(f"pip could not fill the environment {name}; its own message is above.")
    if wanted.regardless and subprocess.run([*pip, "--no-deps", *wanted.regardless]).returncode:
        raise SetupError(f"pip could not add {', '.join(wanted.regardless)} to the environment {name}.")
    stamp.write_text(text)
    return python


def _stamp(wanted):
    """Changes with everything that an environment was made from; settings of the test tools are not part of it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    made_from = (wanted, str(ROOT), project["project"], project["build-system"], project["tool"]["setuptools"])
    return hashlib.sha256(repr(made_from).encode()).hexdigest()


def _make_venv(base, folder, version):
    make = [base, "-m", "venv", "--clear", str(folder)]
    if subprocess.run(make, stdout=subprocess.DEVNULL).returncode:
        # Debian keeps the venv module in a package of its own.
        apt_install([f"python{version}-venv"])
        subprocess.run(make, check=True)


def add_arguments(parser):
    """Let a tool be given Pythons that are there already."""
    parser.add_argument("--python", type=Path, help="with numba and the test tools; default: the environment core")
    parser.add_argument("--bpy-python", type=Path, help="with bpy; default: the environment bpy-4.5")


def chosen(options):
    """(Python without Blender, Python with bpy) as `add_arguments` had them asked for."""
    return options.python or ensure("core"), options.bpy_python or ensure("bpy-4.5")


def main(names):
    for name in names or ENVIRONMENTS:
        python = ensure(name)
        if python:
            print(name, python)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except SetupError as error:
        sys.exit(f"error: {error}")
