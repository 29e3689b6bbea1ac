# SPDX-License-Identifier: GPL-3.0-or-later
"""numba's cache on disk, made robust: a damaged or unwritable file costs a compilation, never the answer."""
from numba.core.caching import FunctionCache


class KernelCache(FunctionCache):
    """numba itself raises whatever unpickling half a file raises (a full disk, a computer switched off)."""

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self._forget()
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError:             # full, read-only or gone: the next session compiles again
            pass

    def _forget(self):
        try:
            self.flush()            # an empty index; the data files are written anew
        except OSError:
            pass
