# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile all kernels ahead, for the extension's zip: an archive per version of Python and level of processors.

    python3.11 tools/machine_code.py [--python 3.11] [--output FOLDER]     for this system; prints the archives' paths

Machine code is made on the system that it is for: on Linux for Linux, and so on. What is compiled is kept in .venvs/,
so that only kernels whose sources changed are compiled the next time. docs/decisions/0004 describes the archives.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import environments
from system_packages import SetupError

ROOT = environments.ROOT
KEPT = environments.FOLDER / "machine_code"
SYSTEMS = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}
A_LONG_TIME_AGO = (1980, 1, 1, 0, 0, 0)         # the same archive from the same sources


def this_platform():
    """Blender's name of the system that this runs on."""
    return f"{SYSTEMS[platform.system()]}-{MACHINES[platform.machine().lower()]}"


def build(pythons, output, package=None, for_tests=False):
    """Make the archives for this system. Returns their paths. A Python that is not here is left out and named, and so
    is a level whose code this processor cannot run: what compiles kernels also calls them.

    package: the folder, named touchpoint, whose kernels to compile; None: this checkout. for_tests: only the level
    that this processor will load, as each takes a minute or more to compile.
    """
    made = []
    for version in pythons:
        name = environments.COMPILERS.get(version)
        python = environments.ensure(name) if name else None
        if python is None:
            print(f"no machine code for Python {version}: that Python is not here", flush=True)
            continue
        listing = subprocess.run([python, __file__, "--levels"], cwd=ROOT, capture_output=True, text=True, check=True)
        levels = json.loads(listing.stdout)
        fitting = [level for level in levels if level["fits"]]
        for level in fitting[:1] if for_tests else levels:
            if level in fitting:
                made.append(_build_level(python, level, output, package))
            else:
                print(f"no machine code for {level['name']}: this processor cannot run it", flush=True)
    return made


def _build_level(python, level, output, package):
    """One archive, by processes in which numba has been told what to compile for. Returns its path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"NUMBA_CPU_NAME": level["cpu"], "TOUCHPOINT_CACHE": str(KEPT),
                    "PYTHONPATH": str(package.parent) if package else "",
                    "NUMBA_CPU_FEATURES": ",".join(f"+{feature}" for feature in level["features"])}
    output.mkdir(parents=True, exist_ok=True)
    for step in ("--compile", "--pack"):
        call = [python, __file__, step, level["name"], "--output", str(output)]
        done = subprocess.run(call, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise SetupError(f"The kernels could not be compiled for {level['name']}; the reason is above.")
    return Path(done.stdout.strip())


def print_levels():
    import llvmlite.binding as llvm
    from touchpoint.core.machine_code import shipped_kernels

    has = llvm.get_host_cpu_features()
    print(json.dumps([{**vars(level), "fits": all(has.get(feature) for feature in level.features)}
                      for level in shipped_kernels.levels_of(platform.machine())]))


def compile_all():
    from touchpoint.core.warm_up import warm_up

    warm_up()


def pack(level_name, output):
    """Put all code that a session loads into one archive: that of the kernels which are called from Python. What
    these call is in their code; the rest would be needed only to compile."""
    from touchpoint.core.machine_code import jit, shipped_kernels
    from touchpoint.core.machine_code.kernel_cache import toolchain
    from touchpoint.core.warm_up import all_sources, warm_up

    warm_up()
    entries = []
    for kernel in jit.KERNELS:
        if kernel.stats.cache_misses:
            raise SystemExit(f"{kernel.py_func.__name__} was compiled, although its code is on disk.")
        entries += [kernel._cache.entry(arguments) for arguments in kernel.signatures]
    level = next(level for level in shipped_kernels.LEVELS if level.name == level_name)
    about = {"level": level.name, "toolchain": toolchain(), "sources": all_sources()}
    path = output / shipped_kernels.archive_name(level)
    with zipfile.ZipFile(path, "w") as archive:
        for name in [shipped_kernels.ABOUT, *sorted(entries)]:
            data = json.dumps(about) if name == shipped_kernels.ABOUT else (jit.cache_folder() / name).read_bytes()
            archive.writestr(zipfile.ZipInfo(name, A_LONG_TIME_AGO), data, zipfile.ZIP_DEFLATED, 9)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", choices=environments.COMPILERS, help="default: all")
    parser.add_argument("--output", type=Path, default=ROOT / "dist" / "machine_code", help="default: in dist/")
    parser.add_argument("--levels", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--compile", metavar="LEVEL", help=argparse.SUPPRESS)
    parser.add_argument("--pack", metavar="LEVEL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.levels:
        print_levels()
    elif options.compile:
        compile_all()
    elif options.pack:
        pack(options.pack, options.output)
    else:
        for path in build(options.python or list(environments.COMPILERS), options.output.resolve()):
            print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"error: {error}")
