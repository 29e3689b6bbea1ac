# SPDX-License-Identifier: GPL-3.0-or-later
"""A compiled function ↔ bytes, by numba's own reduction of it. The one place that needs numba's private parts.

The package's name, which in Blender depends on where the user has installed the extension, does not stand in the
bytes: what one computer has compiled, another can run. (It may stand in the names of functions in the machine code, but
there it means nothing; what sets these names apart is the stamp that `jit.kernel` puts in.)
"""
import hashlib
import io
import pickle
import sys

from numba.core.compiler import CompileResult, compile_result
from numba.core.environment import _rebuild_env
from numba.core.runtime import rtsys
from numba.core.serialize import NumbaPickler

from ..records import RECORDS
from .parts import PART, PartLibrary
from .references import Reference

PACKAGE = __package__.removesuffix(".core.machine_code")
DIGEST_SIZE = hashlib.sha256().digest_size
# All that a compiled function is pickled with, by module and name; records of ours come on top.
ADMITTED = frozenset([
    ("builtins", "object"), ("copyreg", "_reconstructor"), ("numba.core.funcdesc", "PythonFunctionDescriptor"),
    ("numba.core.types.abstract", "_type_reconstructor"), ("numba.core.typing.templates", "Signature"),
    *(("numba.core.types.containers", name) for name in ("NamedTuple", "NamedUniTuple", "Tuple", "UniTuple",
                                                         "UnionType")),
    ("numba.core.types.misc", "NoneType"), ("numba.core.types.npytypes", "Array"),
    (Reference.__module__, Reference.__name__),
    *(("numba.core.types.scalars", name) for name in ("Boolean", "Float", "Integer", "IntegerLiteral")),
])
MODULES_OF_NUMBA = ("numba.cpython.builtins", "numba.cpython.numbers")      # whose functions kernels call


def pack(result: CompileResult, sig) -> bytes:
    """The bytes of a function compiled for these argument types. Raises ValueError for what only this process has."""
    if result.lifted or result.reload_init or result.library.has_dynamic_globals:
        raise ValueError("The machine code holds addresses of this process.")
    library, *middle, _, _, environments = result._reduce()
    buffer = io.BytesIO()
    # Without the annotated source, which names the file's place on this computer.
    _Pickler(buffer, protocol=4).dump((str(sig), (library, *middle, "", environments)))
    data = buffer.getvalue()
    return hashlib.sha256(data).digest() + data


def unpack(data: bytes, sig, target_context) -> CompileResult:
    """The compiled function. Raises ValueError where the bytes are damaged or not for these argument types."""
    digest, data = data[:DIGEST_SIZE], data[DIGEST_SIZE:]
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("The bytes are damaged.")
    signature, reduced = _Unpickler(io.BytesIO(data)).load()
    if signature != str(sig):
        raise ValueError("The bytes are another kernel's.")
    # numba would fill its typing tables first, which takes a sixth of a second. Only compiling needs them, and does
    # so itself; code that runs needs the functions for memory that its wrapper calls.
    rtsys.initialize(target_context)
    (name, form, code), *made_of, environments = reduced
    if form != PART:
        return CompileResult._rebuild(target_context, (name, form, code), *made_of, (), environments)
    library = PartLibrary.kept(target_context.codegen(), name, code)
    description, environment, made_for, objectmode, lifted, annotation = made_of
    return compile_result(
        typing_context=target_context.typing_context, target_context=target_context, library=library,
        entry_point=target_context.get_executable(library, description, environment), fndesc=description,
        environment=environment, signature=made_for, objectmode=objectmode, lifted=lifted, type_annotation=annotation,
        reload_init=(), referenced_envs=environments)


class _Pickler(NumbaPickler):
    """Writes names of our modules without the name of our package."""

    def persistent_id(self, obj):
        if type(obj) is str and obj.startswith(PACKAGE + "."):
            return obj.removeprefix(PACKAGE)
        return None


class _Unpickler(pickle.Unpickler):
    """Reads names of ADMITTED and of our records and no other, not even of what an admitted module imports."""

    def persistent_load(self, pid):
        if type(pid) is not str:
            raise pickle.UnpicklingError("The name of a module is text.")
        return PACKAGE + pid

    def find_class(self, module, name):
        if (module, name) == (_rebuild_env.__module__, _rebuild_env.__name__):
            return _environment
        if (module, name) in ADMITTED:
            return super().find_class(module, name)
        folder, _, file = module.rpartition(".")
        if folder == PACKAGE + ".core.records" and (file, name) in RECORDS:
            return RECORDS[file, name]
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a compiled function.")


def _environment(module, constants, name):
    """The globals of a kernel, or of a function of numba that it calls. numba would import any module for them, and so
    run what that does when it is imported; ours have been imported when their kernels are loaded."""
    if module in MODULES_OF_NUMBA or (module in sys.modules and module.startswith(PACKAGE + ".")):
        return _rebuild_env(module, constants, name)
    raise pickle.UnpicklingError(f"{module} is no module of a kernel.")
