# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that other kernels call are compiled as far as these need them, and no further.

A kernel that is called from Python holds the code of all that it calls, and is optimized as a whole. numba would
optimize each of these for itself as well, with all that it calls in turn, and make machine code that nobody runs: the
deeper the calls, the more often the same code. Here it stays as it is before that, and is only kept and linked.

This reaches into numba, so it is done for the version that it was written for; with others, compiling takes longer.
"""
import llvmlite.binding as llvm
import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

KNOWN = 0, 68                   # the version of numba
PART = "part"                   # the form in which the code of these kernels is kept


class PartLibrary(JITCodeLibrary):
    """The code of a kernel for other kernels, with all that it calls."""

    @classmethod
    def kept(cls, codegen, name: str, bitcode: bytes) -> "PartLibrary":
        """What `serialize_using_object_code` has made bytes of."""
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    def serialize_using_object_code(self):
        return self.name, PART, self._final_module.as_bitcode()

    def get_pointer_to_function(self, name):
        """The address of nothing, as nothing of this is ever called."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self):
        return self

    def set_env(self, name, environment):
        """Called in place of that of `codegen`, which would look for the code in memory."""


class PartCompiler(Compiler):
    """Compiles into a PartLibrary."""

    def compile_extra(self, function):
        self.state.library = PartLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


def compiler() -> dict:
    """Options for numba's dispatcher of a kernel for other kernels."""
    return {"pipeline_class": PartCompiler} if numba.version_info.short == KNOWN else {}
