"""Records of kernels: named tuples of this package, which numba hands on by a pointer.

By itself numba hands on each number of each array of a named tuple: 400 arguments of a kernel for ``Step``
of ``flexible-arm``, at each call. By a pointer, the kernels of its first evaluation take 20 s of processor
time to compile instead of 25 s. Results are the same to the bit. A kernel reads the attributes of a record,
and no more; named tuples that kernels make themselves stay as numba has them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox


class Record(types.Type):  # type: ignore[misc]
    """The type of a record, by the types of its members."""

    def __init__(self, kind: Any, members: tuple[types.Type, ...]) -> None:
        self.kind, self.members = kind, members
        super().__init__(f"Record({kind.__module__}.{kind.__qualname__}, {members})")

    @property
    def key(self) -> tuple[Any, ...]:
        """Two records of the same key are of the same type."""
        return self.kind, self.members

    @property
    def mangling_args(self) -> tuple[str, tuple[types.Type, ...]]:
        """Words from which names of compiled kernels follow."""
        return self.kind.__name__, self.members


_type_of_tuple = typeof_impl.dispatch(tuple)


@typeof_impl.register(tuple)
def _type_of(value: Any, context: Any) -> Any:
    """The type of a tuple: a record for named tuples of this package."""
    kind = type(value)
    if hasattr(kind, "_fields") and kind.__module__.startswith("models."):
        return Record(kind, tuple(typeof_impl(member, context) for member in value))
    return _type_of_tuple(value, context)


@register_model(Record)
class _RecordModel(models.PrimitiveModel):  # type: ignore[misc]
    """A pointer to the members, which nobody changes."""

    def __init__(self, manager: Any, record: Record) -> None:
        members = [manager.lookup(member).get_value_type() for member in record.members]
        super().__init__(manager, record, ir.LiteralStructType(members).as_pointer())


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    """Types of the members, by name."""

    key = Record

    def generic_resolve(self, record: Record, name: str) -> types.Type | None:
        """The type of a member; None if there is none of that name."""
        fields = record.kind._fields
        return record.members[fields.index(name)] if name in fields else None


@lower_getattr_generic(Record)
def _read(context: Any, builder: Any, record: Record, value: Any, name: str) -> Any:
    """Read a member; LLVM may read it once for all, since it does not change."""
    at = record.kind._fields.index(name)
    member = builder.load(cgutils.gep_inbounds(builder, value, 0, at))
    member.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(context, builder, record.members[at], member)


@unbox(Record)
def _unbox(record: Record, value: Any, c: Any) -> NativeValue:
    """Write the members of a named tuple into memory of the wrapper by which Python calls a kernel."""
    memory = cgutils.alloca_once(c.builder, c.context.get_value_type(record).pointee)
    failed, unboxed = cgutils.false_bit, []
    for at, kind in enumerate(record.members):
        member = c.unbox(kind, c.pyapi.tuple_getitem(value, at))
        c.builder.store(member.value, cgutils.gep_inbounds(c.builder, memory, 0, at))
        failed = c.builder.or_(failed, member.is_error)
        unboxed.append((kind, member))

    def cleanup() -> None:
        """Release each member, as numba does for arguments that are no records."""
        for kind, member in reversed(unboxed):
            if c.context.enable_nrt:
                c.context.nrt.decref(c.builder, kind, member.value)
            if member.cleanup:
                member.cleanup()

    return NativeValue(memory, is_error=failed, cleanup=cleanup)
