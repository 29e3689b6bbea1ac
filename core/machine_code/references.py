# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of arrays go into kernels, and from kernel to kernel, as one pointer.

numba would take a record apart, and hand on every length and stride of every array by itself: hundreds of values at
each call, for each of which code must be made. That took a quarter of all time to compile.
"""
import hashlib

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, unbox


class Reference(types.Type):
    """A pointer to a record of a numba type. Nobody writes there while kernels run."""

    def __init__(self, record):
        self.record = record
        super().__init__(name=f"reference({record})")

    @property
    def mangling_args(self):
        # The full name, at every call, would be most of the text that LLVM reads.
        return f"{self.record.instance_class.__name__}.{hashlib.sha256(self.name.encode()).hexdigest()[:16]}", ()


def by_reference(kind):
    """The type with which a kernel takes an argument of a numba type."""
    return Reference(kind) if isinstance(kind, types.BaseNamedTuple) else kind


@register_model(Reference)
class _Pointer(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, manager.lookup(kind.record).get_value_type().as_pointer())

    def from_argument(self, builder, value):
        value.add_attribute("noalias")      # so fields stay in registers whatever is written into arrays
        value.add_attribute("captures(none)")
        return value


@infer_getattr
class _Field(AttributeTemplate):
    key = Reference

    def generic_resolve(self, reference, name):
        record = reference.record
        return by_reference(record.types[record.fields.index(name)]) if name in record.fields else None


@lower_getattr_generic(Reference)
def _load_field(context, builder, kind, value, name):
    at = kind.record.fields.index(name)
    pointer = cgutils.gep_inbounds(builder, value, 0, at)
    return pointer if isinstance(kind.record.types[at], types.BaseNamedTuple) else builder.load(pointer)


@unbox(Reference)
def _take(kind, value, converter):
    native = converter.unbox(kind.record, value)
    return NativeValue(cgutils.alloca_once_value(converter.builder, native.value), native.is_error, native.cleanup)
