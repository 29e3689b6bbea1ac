# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code on disk: what numba's dispatcher asks before it compiles, and tells what it compiled.

In place of numba's own cache, because machine code must never be wrong, whatever happens to its files: one file per
kernel and signature, named after everything that the code depends on, opening with the hash of its content. Code that
is damaged, half written or of other sources is code that is not there.
"""
import hashlib
import sys

import llvmlite
import llvmlite.binding as llvm
import numba
from numba.core import config

from .kernel_folder import write

# numba's settings that change what it compiles.
SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "ENABLE_PROFILING", "LLVM_REFPRUNE_FLAGS",
            "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE", "USING_SVML")


def toolchain() -> dict:
    """What code was compiled by, and for which system: no part of it may differ where the code is used."""
    return {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "python": sys.implementation.cache_tag,
            "system": llvm.get_process_triple(), **{name.lower(): str(getattr(config, name, "")) for name in SETTINGS}}


def cpu() -> tuple[str, str]:
    """The processor that numba compiles for: name and features, of this computer unless the user asks for another."""
    return (config.CPU_NAME or llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten() if config.CPU_FEATURES is None else config.CPU_FEATURES)


class KernelCache:
    """For one kernel. stamp: of its sources; sources: functions that map the name of an entry to its bytes or None,
    asked in this order; folder: gives the one where new code is kept.

    The methods are those that numba's dispatcher calls, but for its `recompile`, which nothing here uses. What
    reaches into numba is packed_kernel.py, imported and called where a failure, with a numba that is not the one we
    know, means no more than that all is compiled.
    """

    def __init__(self, function, stamp: str, sources, folder):
        self._prefix = f"{stamp}/{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self._sources, self._folder = sources, folder

    @property
    def cache_path(self) -> str:
        return str(self._folder())

    def entry(self, sig) -> str:
        """The name of the code for a tuple of argument types."""
        return f"{self._prefix}-{hashlib.sha256(str(sig).encode()).hexdigest()[:16]}"

    def load_overload(self, sig, target_context):
        for read in self._sources:
            try:
                data = read(self.entry(sig))
                if data is not None:
                    from .packed_kernel import unpack

                    return unpack(data, sig, target_context)
            except Exception:       # unreadable or damaged: the next source, or the compiler
                continue
        return None

    def save_overload(self, sig, result):
        try:
            from .packed_kernel import pack

            write(self._folder() / self.entry(sig), pack(result, sig))
        except Exception:           # full, read-only or gone: the next session compiles again
            pass
