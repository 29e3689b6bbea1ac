# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code that came with the extension: one archive per version of Python and level of processors.

Made by tools/build_extension.py on the system it is for; a checkout has none. An archive is used only where everything
fits: the sources (in the names of its entries), numba, llvmlite, Python, the system, numba's settings, and every
feature of the processor that the code may use. Otherwise kernels are compiled, as without archives.
"""
import functools
import io
import json
import platform
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm
from numba.core import config

from .kernel_cache import toolchain

FOLDER = Path(__file__).resolve().parents[2] / "shipped_kernels"
ABOUT = "about.json"            # in an archive: what it was made with, and the stamp of all sources

V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
V3 = (*V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
# Of Ice Lake and Zen 4 on; the first processors with AVX-512 lower their clock for it.
AVX512 = (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512bitalg", "avx512ifma", "avx512vbmi",
          "avx512vbmi2", "avx512vnni", "avx512vpopcntdq")


@dataclass(frozen=True)
class Level:
    """Processors that one archive is for: LLVM's name of the plainest of them, and what they have beyond it."""

    name: str
    machines: tuple[str, ...]       # as platform.machine() calls them
    cpu: str
    features: tuple[str, ...]


X86 = ("x86_64", "amd64")
LEVELS = (Level("x86-64-avx512", X86, "x86-64", AVX512), Level("x86-64-v3", X86, "x86-64", V3),
          Level("x86-64-v2", X86, "x86-64", V2), Level("arm64", ("arm64", "aarch64"), "generic", ()))   # the best first


def levels_of(machine: str) -> list[Level]:
    """The levels of a kind of computer, the best first."""
    return [level for level in LEVELS if machine.lower() in level.machines]


def archive_name(level: Level) -> str:
    """The file name of an archive for this version of Python."""
    return f"{sys.implementation.cache_tag}-{level.name}.zip"


@functools.cache
def archive() -> zipfile.ZipFile | None:
    """The archive for this computer, in memory, or None. Not kept open: Windows could not remove the extension."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:      # the user wants code for something else
        return None
    has = llvm.get_host_cpu_features()
    for level in levels_of(platform.machine()):
        if all(has.get(feature) for feature in level.features):
            try:
                found = zipfile.ZipFile(io.BytesIO((FOLDER / archive_name(level)).read_bytes()))
                about = json.loads(found.read(ABOUT))
                if about["toolchain"] == toolchain() and about["level"] == level.name:
                    return found
            except Exception:       # none was shipped, or it is damaged
                continue
    return None


def read(entry: str) -> bytes | None:
    """The bytes of one kernel's code, or None where no fitting archive holds it."""
    found = archive()
    try:
        return found.read(entry) if found else None
    except KeyError:
        return None


def is_complete(stamp: str) -> bool:
    """True where the archive holds every kernel of the sources with this stamp."""
    found = archive()
    return found is not None and json.loads(found.read(ABOUT))["sources"] == stamp
